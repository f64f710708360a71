import { isPrereleaseForm, sortVersions } from '../../core/model/version.ts';
import { notice, warning, type Finding } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { endSentence } from '../../core/text/wording.ts';
import { createAdmission } from '../../decide/releases.ts';
import { findUndatedSources } from '../../decide/undated-sources.ts';
import type { GatherInput } from './check-source.ts';
import type { RecordedChange } from './merge-values.ts';
import type { Merged } from './merge.ts';

/** A greatest version that upstream calls yanked or deprecated is deprecated at once, so every reader has to learn of it. */
export function findPulledReleases(
  { component, definition, releases }: GatherInput,
  changes: readonly RecordedChange[],
): Finding[] {
  const isAdmitted = createAdmission(definition);
  const usable = releases.filter((release) => {
    const { version, deprecated, withdrawnSince } = release;
    const { isPrerelease = isPrereleaseForm(version) } = release;
    const isListed = (deprecated ?? withdrawnSince) === undefined;
    return isListed && !isPrerelease && isAdmitted(release, isPrerelease);
  });
  const greatest = sortVersions(usable).at(-1)?.text;
  const pulled = changes.find(({ kind, version }) => kind === 'deprecated' && version === greatest);
  if (!pulled || definition.ignoreUpstreamDeprecation) {
    return [];
  }

  const message = `upstream calls ${greatest} deprecated, the greatest version until now: ${endSentence(pulled.detail)}`;
  return [warning(component, `${message} It is deprecated at once; it stays recorded.`)];
}

/** Sources without release days, in the run that first lists their releases. */
export function listUndated({ component, definition }: GatherInput, merged: Merged): Finding[] {
  const newChanges = merged.changes.filter(({ kind }) => kind === 'new');
  const newVersions = new Set(newChanges.map(({ version }) => version));
  const undated = findUndatedSources(merged.releases, definition.support);
  return undated
    .filter(({ versions }) => versions.some((version) => newVersions.has(version)))
    .map(({ message }) => ({ ...notice(component, message), kind: 'undated' }));
}

const maxOfKind = 5;
const maxMessageLength = 600;

/** Keeps the first findings of each kind, with shortened messages, and the number of further ones. Errors need a person, so all of them stay. */
export function limitFindings(findings: readonly Finding[]): Finding[] {
  const joinKind = ({ level, kind, message }: Finding) => `${level} ${kind ?? message}`;

  const limited: Finding[] = [];

  for (const group of Map.groupBy(findings, joinKind).values()) {
    const [first] = group;
    if (first.level === 'error') {
      limited.push(...group);
      continue;
    }

    const shown = group.slice(0, maxOfKind);
    const more = group.length - maxOfKind;
    if (more > 0) {
      shown.push({ ...first, message: `${more} more like this: ${first.message}` });
    }

    for (const { kind: _, message, ...finding } of shown) {
      limited.push({ ...finding, message: toLine(message, maxMessageLength) });
    }
  }

  return limited;
}
