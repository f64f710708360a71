/** An answer of a source as a definition selects from it. The sources have checked its values. */
import { datasourceFacts } from '../core/datasources.ts';
import { compilePattern, createRuleTest, type Pattern } from '../core/pattern.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import { formatList, toLine } from '../core/text.ts';
import {
  compareVersions,
  isPrereleaseForm,
  parseVersion,
  rankKey,
  type Version,
} from '../core/version.ts';
import { SourceError } from './http/failures.ts';
import type { SourceAnswer, SourceRelease } from './types.ts';

/** How a definition selects from what a source lists. */
type Selection = Partial<
  Pick<Source, 'extractVersion' | 'allowedVersions' | 'onlyAdds' | 'rebuildsTags'> &
    Pick<Definition, 'prereleases'>
> & { datasource: string };

/** `deprecated`: null where its source states that it is not. */
export type SelectedRelease = Omit<SourceRelease, 'deprecated'> & {
  deprecated?: string | null | undefined;
  /** As upstream spells it. */
  name: string;
};

/** An answer whose releases the definition admits. */
export interface SelectedAnswer extends Omit<SourceAnswer, 'releases'> {
  /** Oldest first, each version in one spelling. */
  releases: SelectedRelease[];
  /** The ranks of all listed versions, admitted or not. */
  listed: ReadonlySet<string>;
  /** Other bytes under one version are usual. */
  rebuildsTags?: boolean | undefined;
}

/** Selects the releases that the definition admits. */
export function selectAnswer(listed: SourceAnswer, selection: Selection): SelectedAnswer {
  const { datasource, extractVersion, allowedVersions, prereleases } = selection;
  const answer = {
    ...listed,
    deprecated: listed.deprecated && toLine(listed.deprecated, 500),
  };
  const pattern = extractVersion === undefined ? undefined : compilePattern(extractVersion);
  const isAllowed = allowedVersions === undefined ? () => true : createRuleTest(allowedVersions);
  const selected = new Map<string, { version: Version; release: SelectedRelease }>();
  const ranks = new Set<string>();
  const unreadable: string[] = [];

  for (const release of answer.releases) {
    const version = extract(release.version, pattern);
    if (!version) {
      unreadable.push(toLine(release.version, 100));
      continue;
    }

    const rank = rankKey(version);
    ranks.add(rank);
    const { isPrerelease = isPrereleaseForm(version) } = release;
    if (!selected.has(rank) && isAllowed(version) && (prereleases || !isPrerelease)) {
      selected.set(rank, { version, release: selectRelease(release, version, answer, datasource) });
    }
  }
  if (ranks.size === 0 && !answer.lines && !answer.advisories) {
    throw new SourceError('lists no version');
  }

  const sorted = [...selected.values()].sort((a, b) => compareVersions(a.version, b.version));
  const left = unreadable.length > 0 ? [`left out, no version: ${formatList(unreadable, 3)}`] : [];
  return {
    ...answer,
    releases: sorted.map(({ release }) => release),
    listed: ranks,
    isPartial: answer.isPartial === true || selection.onlyAdds === true,
    rebuildsTags: selection.rebuildsTags,
    notes: [...answer.notes, ...left],
  };
}

/** The version in a listed name. */
function extract(name: string, pattern: Pattern | undefined): Version | undefined {
  const text = pattern ? [...pattern.matchAll(name.slice(0, 200))][0]?.['version'] : name;
  return text === undefined ? undefined : parseVersion(text);
}

function selectRelease(
  release: SourceRelease,
  version: Version,
  answer: SourceAnswer,
  datasource: string,
): SelectedRelease {
  const none = datasourceFacts[datasource]?.statesDeprecation ? null : undefined;
  const isFormless = release.isPrerelease !== isPrereleaseForm(version);
  return {
    ...release,
    name: release.version,
    version: version.text,
    // That of a tag is its commit, and no file.
    digest: datasource.endsWith('-tags') ? null : release.digest,
    isPrerelease: isFormless ? release.isPrerelease : undefined,
    deprecated: release.deprecated ?? answer.deprecated ?? none,
  };
}
