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
  const deprecated = answer.deprecated && (toLine(answer.deprecated, 500) || undefined);
  const unstated = datasourceFacts[datasource]?.statesDeprecation ? null : undefined;
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
    const hasForm = isPrereleaseForm(version);
    const isPrerelease = release.isPrerelease ?? hasForm;
    if (!releases.has(key) && isAllowed(version) && (prereleases || !isPrerelease)) {
      releases.set(key, {
        ...release,
        name: release.version,
        version: version.text,
        isPrerelease: isPrerelease === hasForm ? undefined : isPrerelease,
        deprecated: release.deprecated ?? deprecated ?? unstated,
      });
    }
  }
  if (listed.size === 0 && !answer.lines && !answer.advisories) {
    throw new SourceError('lists no version');
  }

  const leftOut =
    unreadable.length > 0 ? [`left out, no version: ${formatList(unreadable, 3)}`] : [];
  return {
    ...answer,
    deprecated,
    releases: [...releases.values()].sort((a, b) => compareNames(a.version, b.version)),
    listed,
    isPartial: Boolean(answer.isPartial || selection.onlyAdds),
    rebuildsTags: selection.rebuildsTags,
    notes: [...answer.notes, ...leftOut],
  };
}

/** The version in a listed name. */
function extract(name: string, pattern: Pattern | undefined): Version | undefined {
  if (!pattern) {
    return parseVersion(name);
  }
  const [groups] = pattern.matchAll(name.slice(0, 200));
  return parseVersion(groups?.['version'] ?? '');
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
  if (!lookUp) {
    return { releases, notes: [] };
  }

  const settled = listSettled(context);
  let failures = 0;
  const outcomes = await pLimit(8).map(releases, async (release) => {
    const { name: version, releaseTimestamp, digests } = release;
    const isSettled = releaseTimestamp !== undefined || settled.has(rank(release.version));
    if (isSettled || failures >= toleratedFailures) {
      return { release, notes: [] };
    }

    try {
      const facts = await lookUp(source, { version, digests }, context);
      failures = 0;
      if (facts === 'absent') {
        return { notes: [`lists ${version}, but has nothing to download. Left out.`] };
      }

      const checked = checkRelease({ version, digests, ...facts }, context.day);
      const stated = checked.release;
      return {
        release: { ...release, releaseTimestamp: stated.releaseTimestamp, digests: stated.digests },
        notes: checked.notes,
      };
    } catch (error) {
      // An absent document is an answer: it has no day.
      if (isAbsent(error)) {
        return { release, notes: [] };
      }
      if (!(error instanceof SourceError)) {
        throw error;
      }

      failures += 1;
      return {
        release,
        notes: [
          `the day of ${version} could not be asked for (${error.message}). The next run asks again.`,
        ],
      };
    }
  });
  return {
    releases: outcomes.flatMap(({ release }) => release ?? []),
    notes: outcomes.flatMap(({ notes }) => notes),
  };
}

/** A day that could not be read is asked for again for a week. */
const daysToAskAgain = 7;

/** The ranks of releases whose day is recorded, or that the source has listed for a week. */
function listSettled({ id = '', recorded, day }: SourceContext): Set<string> {
  const from = addDays(day, -daysToAskAgain);
  const settled = (recorded?.releases ?? []).filter(({ timestampKind, firstSeen, sources }) => {
    const isOld = firstSeen === undefined || firstSeen < from;
    return timestampKind === 'published' || (isOld && sources.includes(id));
  });
  return new Set(settled.map(({ version }) => rank(version)));
}
