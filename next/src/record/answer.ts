/** An answer of a source as a definition selects from it. The sources have checked its values. */
import { datasourceFacts } from '../core/datasources.ts';
import type { Day } from '../core/day.ts';
import { compilePattern } from '../core/pattern.ts';
import { createRuleTest } from '../core/rule.ts';
import { toLine } from '../core/text.ts';
import {
  compareVersions,
  isPrereleaseForm,
  parseVersion,
  rankKey,
  type Version,
} from '../core/version.ts';
import { SourceError } from '../sources/http/failures.ts';
import type { SourceAnswer, SourceRelease } from '../sources/types.ts';

/** How a definition selects from what a source lists. */
export interface Selection {
  readonly extractVersion?: string | undefined;
  readonly allowedVersions?: string | undefined;
  readonly prereleases?: boolean | undefined;
}

/** `deprecated`: null where its source states that it is not. */
export type SelectedRelease = Omit<SourceRelease, 'deprecated'> & {
  deprecated?: string | null | undefined;
  /** As upstream spells it. */ name: string;
};

/** An answer whose releases the definition admits. */
export interface Answer {
  source: string;
  /** Oldest first, each version in one spelling. */
  releases: SelectedRelease[];
  /** The ranks of all listed versions, admitted or not. */
  listed: ReadonlySet<string>;
  isPartial: boolean;
  /** Why all its releases are deprecated, also those that it no longer lists. */
  deprecated?: string | undefined;
  lines?: SourceAnswer['lines'];
  advisories?: SourceAnswer['advisories'];
  /** The day of its last sound answer with the same definition. */
  answeredOn?: Day | undefined;
}

/** Returns a function that finds the version in a listed name; undefined for names that the definition does not admit. */
export function createSelector({ extractVersion, allowedVersions, prereleases }: Selection) {
  const expression = extractVersion === undefined ? undefined : compilePattern(extractVersion);
  const isAllowed = allowedVersions === undefined ? () => true : createRuleTest(allowedVersions);

  return {
    extract(name: string): Version | undefined {
      const version = expression
        ? [...expression.matchAll(name.slice(0, 200))][0]?.['version']
        : name;
      return version === undefined ? undefined : parseVersion(version);
    },
    admits(version: Version, isPrerelease = isPrereleaseForm(version)): boolean {
      return isAllowed(version) && (prereleases === true || !isPrerelease);
    },
  };
}

const shownNames = 3;

/** Selects the releases that the definition admits. `notes`: what was left out. */
export function selectAnswer(
  source: string,
  datasource: string,
  answer: SourceAnswer,
  selection: Selection,
): { answer: Answer; notes: string[] } {
  const { extract, admits } = createSelector(selection);
  const byRank = new Map<string, SelectedRelease & { parsed: Version }>();
  const listed = new Set<string>();
  const unreadable: string[] = [];
  const { statesDeprecation } = datasourceFacts[datasource] ?? {};

  for (const release of answer.releases) {
    const parsed = extract(release.version);
    if (!parsed) {
      unreadable.push(toLine(release.version, 100));
      continue;
    }

    const rank = rankKey(parsed);
    listed.add(rank);
    if (!byRank.has(rank) && admits(parsed, release.isPrerelease)) {
      const isSpelled =
        release.isPrerelease !== undefined && release.isPrerelease === isPrereleaseForm(parsed);
      const deprecated =
        release.deprecated ?? answer.deprecated ?? (statesDeprecation ? null : undefined);
      const { isPrerelease } = release;
      byRank.set(rank, {
        ...release,
        isPrerelease: isSpelled ? undefined : isPrerelease,
        deprecated,
        name: release.version,
        version: parsed.text,
        parsed,
      });
    }
  }

  if (listed.size === 0 && !answer.lines && !answer.advisories) {
    throw new SourceError('lists no version');
  }

  const { lines, advisories, isPartial = false, deprecated } = answer;
  const sorted = [...byRank.values()].sort((a, b) => compareVersions(a.parsed, b.parsed));
  const releases = sorted.map(({ parsed: _, ...release }) => release);
  const more = unreadable.length > shownNames ? ` and ${unreadable.length - shownNames} more` : '';
  const left =
    unreadable.length > 0
      ? [`left out, no version: ${unreadable.slice(0, shownNames).join(', ')}${more}`]
      : [];
  return {
    answer: { source, releases, listed, isPartial, deprecated, lines, advisories },
    notes: [...answer.notes, ...left],
  };
}
