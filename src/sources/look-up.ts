import pLimit from 'p-limit';
import { addDays } from '../core/day.ts';
import { rank } from '../core/version.ts';
import type { SelectedRelease } from './answer.ts';
import { isAbsent, SourceError } from './http/failures.ts';
import { checkRelease } from './read-releases.ts';
import type { Datasource, SourceContext } from './types.ts';

/** Failures in a row after which the rest is left for the next run: thousands of requests would each wait in vain. */
const toleratedFailures = 3;

interface Listed<Source> {
  id: string;
  source: Source;
  releases: readonly SelectedRelease[];
}

/** The releases with the facts that their list lacks, where they are unknown; without those that upstream lists but does not have. */
export async function lookUpFacts<Source>(
  { lookUp }: Datasource<Source>,
  { id, source, releases }: Listed<Source>,
  context: SourceContext,
): Promise<{ releases: SelectedRelease[]; notes: string[] }> {
  const settled = listSettled(id, context);
  const notes: string[] = [];
  let failures = 0;

  async function complete(release: SelectedRelease): Promise<SelectedRelease | undefined> {
    const { name: version, releaseTimestamp, digests } = release;
    const isAsked = releaseTimestamp === undefined && !settled.has(rank(release.version));
    if (!lookUp || !isAsked || failures >= toleratedFailures) {
      return release;
    }

    try {
      const facts = await lookUp(source, { version, digests }, context);
      failures = 0;
      if (facts === 'absent') {
        notes.push(`lists ${version}, but has nothing to download. Left out.`);
        return undefined;
      }

      const checked = checkRelease({ version, digests, ...facts }, context.day);
      notes.push(...checked.notes);
      return {
        ...release,
        releaseTimestamp: checked.release.releaseTimestamp,
        digests: checked.release.digests,
      };
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
  }

  const completed = lookUp ? await pLimit(8).map(releases, complete) : releases;
  return { releases: completed.filter((release) => release !== undefined), notes };
}

/** A day that could not be read is asked for again for a week. */
const daysToAskAgain = 7;

/** The ranks of releases whose day is recorded, or that the source has listed for a week. */
function listSettled(id: string, { recorded, day }: SourceContext): Set<string> {
  const from = addDays(day, -daysToAskAgain);
  const settled = (recorded?.releases ?? []).filter(
    ({ timestampKind, firstSeen = '', sources }) =>
      timestampKind === 'published' || (firstSeen < from && sources.includes(id)),
  );
  return new Set(settled.map(({ version }) => rank(version)));
}
