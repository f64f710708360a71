/** Asks for the facts that the list of a source lacks, release by release. */
import pLimit from 'p-limit';
import { addDays, type Day } from '../core/day.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { keyText } from '../core/version.ts';
import type { SelectedRelease } from './answer.ts';
import { checkRelease } from './check-release.ts';
import { isAbsent, SourceError } from './http/failures.ts';
import { forgetWrong } from './requests.ts';
import type { Datasource, LookedUpFacts, SourceContext } from './types.ts';

/** Failures in a row after which the rest is left for the next run: thousands of requests would each wait in vain. */
const toleratedFailures = 3;

/** What became of a release. */
interface Outcome {
  /** Absent where upstream lists it, but does not have it. */
  release?: SelectedRelease;
  findings?: string[];
  /** The run had no time for it. */
  isLeft?: boolean;
}

export interface LookUpContext extends SourceContext {
  /** The id of the source. */
  id: string;
  recorded: Recorded;
  /** Aborted when no further release is looked up: the answer is what is known by then. */
  enough: AbortSignal;
}

/**
 * The releases with the facts that their list lacks, where they are unknown; without those that upstream lists but does not have. The
 * newest are looked up first: a moving tag such as `1.25` after all that it may stand for. What there was no time for is left out if it is
 * new.
 */
export async function lookUpFacts<Source>(
  { lookUp }: Datasource<Source>,
  source: Source,
  releases: SelectedRelease[],
  context: LookUpContext,
) {
  if (!lookUp) {
    return { releases, findings: [], isCut: false };
  }

  const { recorded, day, enough } = context;
  const settled = listSettled(context);
  let failures = 0;
  const newestFirst = releases.toReversed();
  const outcomes = await pLimit(8).map(newestFirst, async (release): Promise<Outcome> => {
    const { name: version, releaseTimestamp, digests } = release;
    const isSettled = releaseTimestamp !== undefined || settled.has(keyText(release.version));
    if (isSettled || failures >= toleratedFailures) {
      return { release };
    }

    try {
      const facts = await orAbort(enough, () =>
        forgetWrong(context.http, (http) =>
          lookUp(source, { version, digests }, { ...context, http }),
        ),
      );
      failures = 0;
      return addFacts(release, facts, day);
    } catch (error) {
      if (error === enough.reason) {
        return { release, isLeft: true };
      }
      // An absent document is an answer: it has no day.
      if (isAbsent(error)) {
        return { release };
      }
      if (!(error instanceof SourceError)) {
        throw error;
      }

      failures += 1;
      const finding = `the day of ${version} could not be asked for (${error.message}). The next run asks again.`;
      return { release, findings: [finding] };
    }
  });

  return cutOff(outcomes, recorded.releases);
}

/** A day that could not be read is asked for again for a week. */
const daysToAskAgain = 7;

/** The keys of releases whose day is recorded, or that the source has listed for a week. */
function listSettled({ id, recorded, day }: LookUpContext): Set<string> {
  const from = addDays(day, -daysToAskAgain);
  const settled = recorded.releases.filter(({ timestampKind, firstSeen, sources }) => {
    const isOld = firstSeen === undefined || firstSeen < from;
    return timestampKind === 'published' || (isOld && sources.includes(id));
  });
  return new Set(settled.map(({ version }) => keyText(version)));
}

/** What some work results in. Throws the reason of the signal if it is aborted before: then nothing is begun, or waited for. */
export async function orAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function addFacts(release: SelectedRelease, facts: LookedUpFacts | 'absent', day: Day): Outcome {
  const { name: version, digests } = release;
  if (facts === 'absent') {
    return { findings: [`lists ${version}, but has nothing to download. Left out.`] };
  }

  const { findings, release: checked } = checkRelease({ version, digests, ...facts }, day);
  const { releaseTimestamp } = checked;
  return { release: { ...release, releaseTimestamp, digests: checked.digests }, findings };
}

/** All that follow what was left are left, too, unless they are recorded: a moving tag that was looked up may stand for one of these. */
function cutOff(newestFirst: readonly Outcome[], recorded: Recorded['releases']) {
  const recordedKeys = new Set(recorded.map(({ version }) => keyText(version)));
  const firstLeft = newestFirst.findIndex(({ isLeft }) => isLeft);
  const kept = newestFirst.filter(
    ({ release }, index) =>
      firstLeft === -1 ||
      index < firstLeft ||
      (release && recordedKeys.has(keyText(release.version))),
  );
  const left = newestFirst.length - kept.length;
  const cut = `${left} of ${newestFirst.length} releases could not be looked up in time. The next run goes on.`;
  return {
    releases: kept.flatMap(({ release }) => release ?? []).reverse(),
    findings: [...(left > 0 ? [cut] : []), ...kept.flatMap(({ findings = [] }) => findings)],
    /** Some are left for the next run. */
    isCut: left > 0,
  };
}
