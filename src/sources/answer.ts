/** An answer of a source as a definition selects from it, with the facts that its list lacks. The sources have checked its values. */
import pLimit from 'p-limit';
import { datasourceFacts } from '../core/datasources.ts';
import { addDays } from '../core/day.ts';
import { compilePattern, createRuleTest, type Pattern } from '../core/pattern.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import { formatList, toLine } from '../core/text.ts';
import {
  compareNames,
  isPrereleaseForm,
  parseVersion,
  rank,
  rankKey,
  type Version,
} from '../core/version.ts';
import { isAbsent, SourceError } from './http/failures.ts';
import { checkRelease } from './read-releases.ts';
import type { Datasource, SourceAnswer, SourceContext, SourceRelease } from './types.ts';

/** How a definition selects from what a source lists. */
type Selection = { datasource: string } & Partial<
  Omit<Source, 'datasource'> & Pick<Definition, 'prereleases'>
>;

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
export function selectAnswer(answer: SourceAnswer, selection: Selection): SelectedAnswer {
  const { datasource, extractVersion, allowedVersions, prereleases } = selection;
  const pattern = extractVersion === undefined ? undefined : compilePattern(extractVersion);
  const isAllowed = allowedVersions === undefined ? () => true : createRuleTest(allowedVersions);
  const deprecated = answer.deprecated && toLine(answer.deprecated, 500);
  const none = datasourceFacts[datasource]?.statesDeprecation ? null : undefined;
  const releases = new Map<string, SelectedRelease>();
  const listed = new Set<string>();
  const unreadable: string[] = [];

  for (const release of answer.releases) {
    const version = extract(release.version, pattern);
    if (!version) {
      unreadable.push(toLine(release.version, 100));
      continue;
    }

    const key = rankKey(version);
    listed.add(key);
    const form = isPrereleaseForm(version);
    const { isPrerelease = form } = release;
    if (!releases.has(key) && isAllowed(version) && (prereleases || !isPrerelease)) {
      releases.set(key, {
        ...release,
        name: release.version,
        version: version.text,
        // That of a tag is its commit, and no file.
        digest: datasource.endsWith('-tags') ? null : release.digest,
        isPrerelease: isPrerelease === form ? undefined : isPrerelease,
        deprecated: release.deprecated ?? deprecated ?? none,
      });
    }
  }
  if (listed.size === 0 && !answer.lines && !answer.advisories) {
    throw new SourceError('lists no version');
  }

  const left = unreadable.length > 0 ? [`left out, no version: ${formatList(unreadable, 3)}`] : [];
  return {
    ...answer,
    deprecated,
    releases: [...releases.values()].sort((a, b) => compareNames(a.version, b.version)),
    listed,
    isPartial: Boolean(answer.isPartial || selection.onlyAdds),
    rebuildsTags: selection.rebuildsTags,
    notes: [...answer.notes, ...left],
  };
}

/** The version in a listed name. */
function extract(name: string, pattern: Pattern | undefined): Version | undefined {
  const text = pattern ? [...pattern.matchAll(name.slice(0, 200))][0]?.['version'] : name;
  return text === undefined ? undefined : parseVersion(text);
}

/** Failures in a row after which the rest is left for the next run: thousands of requests would each wait in vain. */
const toleratedFailures = 3;

/** The releases with the facts that their list lacks, where they are unknown; without those that upstream lists but does not have. */
export async function lookUpFacts<Source>(
  { lookUp }: Datasource<Source>,
  source: Source,
  releases: SelectedRelease[],
  context: SourceContext,
): Promise<{ releases: SelectedRelease[]; notes: string[] }> {
  const notes: string[] = [];
  if (!lookUp) {
    return { releases, notes };
  }

  const settled = listSettled(context);
  let failures = 0;
  const completed = await pLimit(8).map(releases, async (release) => {
    const { name: version, releaseTimestamp, digests } = release;
    const isKnown = releaseTimestamp !== undefined || settled.has(rank(release.version));
    if (isKnown || failures >= toleratedFailures) {
      return release;
    }

    try {
      const facts = await lookUp(source, { version, digests }, context);
      failures = 0;
      if (facts === 'absent') {
        notes.push(`lists ${version}, but has nothing to download. Left out.`);
        return [];
      }

      const checked = checkRelease({ version, digests, ...facts }, context.day);
      notes.push(...checked.notes);
      const stated = checked.release;
      return { ...release, releaseTimestamp: stated.releaseTimestamp, digests: stated.digests };
    } catch (error) {
      if (!(error instanceof SourceError)) {
        throw error;
      }

      // An absent document is an answer: it has no day.
      if (!isAbsent(error)) {
        failures += 1;
        notes.push(
          `the day of ${version} could not be asked for (${error.message}). The next run asks again.`,
        );
      }
      return release;
    }
  });
  return { releases: completed.flat(), notes };
}

/** A day that could not be read is asked for again for a week. */
const daysToAskAgain = 7;

/** The ranks of releases whose day is recorded, or that the source has listed for a week. */
function listSettled({ id = '', recorded, day }: SourceContext): Set<string> {
  const from = addDays(day, -daysToAskAgain);
  const settled = (recorded?.releases ?? []).filter(
    ({ timestampKind, firstSeen = '', sources }) =>
      timestampKind === 'published' || (firstSeen < from && sources.includes(id)),
  );
  return new Set(settled.map(({ version }) => rank(version)));
}
