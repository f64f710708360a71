import type { Day } from '../../core/model/dates.ts';
import { dropEmpty, dropUndefined, pickDefined } from '../../core/model/objects.ts';
import { hasEnded } from '../../core/model/phases.ts';
import { isPrereleaseForm } from '../../core/model/prerelease.ts';
import { compareVersions, parseVersion, sortVersions } from '../../core/model/version.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import { listSourceIds } from '../../core/schemas/definition/source-ids.ts';
import { type Finding, notice, warning } from '../../core/schemas/finding.ts';
import type { RecordedLine } from '../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { endSentence } from '../../core/text/wording.ts';
import { createAdmission } from '../../decide/releases.ts';
import { findUndatedSources } from '../../decide/undated-sources.ts';
import type { Answered, SourceOutcome } from './ask-source.ts';
import type { GatherInput } from './ask-sources.ts';
import { checkSource } from './check-source.ts';
import { listWithdrawnAdvisories, mergeAdvisories } from './merge-advisories.ts';
import type { RecordedChange } from './merge-values.ts';
import { mergeAnswers, type Merged } from './merge.ts';
import { updateFreshness } from './update-freshness.ts';

/** The data to record of a component, with what the run found. */
export type GatherResult = ReturnType<typeof uniteAnswers>;

/** Checks the answers and merges them into the recorded data. */
export function uniteAnswers(input: GatherInput, outcomes: readonly SourceOutcome[], day: Day) {
  const { component, releases: recorded, definition } = input;
  const answered = outcomes.filter((outcome) => outcome.kind === 'answered');
  const checked = outcomes.map((outcome) => checkSource(input, outcome, day));
  const states = checked.map(({ state }) => state);
  const lines = uniteLines(input, answered);

  const merged = mergeAnswers({
    component,
    recorded,
    missing: input.freshness.missing ?? {},
    sources: listSourceIds(definition.sources),
    answers: checked.flatMap(({ answer }) => answer ?? []),
    isRetired: isRetired(definition, day),
    day,
  });

  return {
    component,
    /** The data from which the result was made. */
    before: pickDefined(input, ['releases', 'advisories', 'lines']),
    releases: merged.releases,
    advisories: mergeAdvisories(definition, input.advisories, answered, day),
    lines: dropEmpty(lines),
    freshness: updateFreshness(input.freshness, states, day, merged),
    changes: merged.changes,
    sources: states,
    findings: [
      ...limitFindings([
        ...outcomes.flatMap(({ findings }) => findings),
        ...checked.flatMap(({ findings }) => findings),
        ...merged.findings,
        ...findPulledReleases(input, merged.changes),
      ]),
      ...listUndated(input, merged),
    ],
    /** By new version, the stated day that was rejected: an answer more than a week later did not list the version. */
    rejectedDays: new Map(checked.flatMap(({ rejectedDays = [] }) => [...rejectedDays])),
    /** The lists that wait for a person. */
    shortLists: checked.flatMap(({ waitingList }) => waitingList ?? []),
    /** The ids of the decisions that accepted short lists. */
    decisions: checked.flatMap(({ decision }) => decision ?? []),
    /** The versions that accepted short lists withdrew, and the ids of advisories that their source states as withdrawn. */
    expectedLosses: [...merged.withdrawnByDecision, ...listWithdrawnAdvisories(answered)],
  };
}

/** Whether support of the whole component is over. */
function isRetired({ support }: Definition, day: Day): boolean {
  // Without a stated day, support is over.
  return (
    support?.policy === 'ended' && hasEnded({ until: support.until, isOver: true }, day) === true
  );
}

/** The recorded release lines with those that sources state now, oldest first. Lines that are no longer stated stay unchanged. */
function uniteLines({ lines = [] }: GatherInput, answered: readonly Answered[]): RecordedLine[] {
  const byKey = new Map(lines.map((line) => [`${line.source} ${line.line}`, line]));
  for (const { id: source, lines: statedLines = [], about } of answered) {
    for (const line of statedLines) {
      byKey.set(`${source} ${line.line}`, dropUndefined({ ...line, source, about }));
    }
  }

  // The name of a line is a version.
  return [...byKey.values()].sort((a, b) =>
    compareVersions(parseVersion(a.line)!, parseVersion(b.line)!),
  );
}

/** A greatest version that upstream calls yanked or deprecated is deprecated at once, so every reader has to learn of it. */
function findPulledReleases(
  { component, definition, releases }: GatherInput,
  changes: readonly RecordedChange[],
): Finding[] {
  if (definition.ignoreUpstreamDeprecation) {
    return [];
  }

  const isAdmitted = createAdmission(definition);
  const usable = releases.filter((release) => {
    const { version, deprecated, withdrawnSince } = release;
    const { isPrerelease = isPrereleaseForm(version) } = release;
    const isUsable = deprecated === undefined && withdrawnSince === undefined;
    return isUsable && !isPrerelease && isAdmitted(release, false);
  });
  const greatest = sortVersions(usable).at(-1)?.text;
  const pulled = changes.find(({ kind, version }) => kind === 'deprecated' && version === greatest);
  if (!pulled) {
    return [];
  }

  const message = `upstream calls ${greatest} deprecated, the greatest version until now: ${endSentence(pulled.detail)}`;
  return [warning(component, `${message} It is deprecated at once; it stays recorded.`)];
}

/** Sources without release days, in the run that first lists their releases. */
function listUndated({ component, definition }: GatherInput, merged: Merged): Finding[] {
  const newChanges = merged.changes.filter(({ kind }) => kind === 'new');
  const newVersions = new Set(newChanges.map(({ version }) => version));
  return findUndatedSources(merged.releases, definition.support)
    .filter(({ versions }) => versions.some((version) => newVersions.has(version)))
    .map(({ message }) => ({ ...notice(component, message), kind: 'undated' }));
}

const maxOfKind = 5;
const maxMessageLength = 600;

/** Keeps the first findings of each kind, with shortened messages, and the number of further ones. Errors need a person, so all of them stay. */
function limitFindings(findings: readonly Finding[]): Finding[] {
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
