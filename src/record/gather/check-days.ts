import { cutDay, findEarliestDay, type Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { notice, warning, type Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import { listSourcesListing, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { isBackdated } from '../gate/rules/backdated.ts';
import type { StatedRelease } from '../sources/source-answer.ts';
import type { Answered } from './ask-source.ts';
import { computeRank, digestListed, indexByRank } from './recorded-versions.ts';

/** An answer whose days were checked. Its list may be short. */
export interface CheckedAnswer extends Pick<
  Answered,
  'id' | 'ranks' | 'onlyAdds' | 'statesDeprecation'
> {
  releases: readonly StatedRelease[];
  /** A short list waits for a person, or one has accepted it. */
  shortList?: 'waiting' | 'accepted' | undefined;
}

/** The recorded facts to check the days of an answer with. */
interface History {
  component: string;
  recorded: readonly RecordedRelease[];
  /** The source's last answers. */
  freshness: SourceFreshness | undefined;
  /** The versions that wait, with the day since which each waits. */
  waiting: ReadonlyMap<string, Day>;
}

interface CheckedDays {
  /** The stated releases, without days that were rejected. */
  releases: StatedRelease[];
  findings: Finding[];
  /** The rejected days of new versions. */
  rejectedDays: ReadonlyMap<string, Day>;
}

/** Rejects stated days that are too long before the last answer without the version. */
export function checkDays(answer: Answered, history: History): CheckedDays {
  const { id } = answer;
  const { component, recorded } = history;
  const byRank = indexByRank(recorded);
  const lackedOn = findLastDayWithout(answer, history);

  const releases: StatedRelease[] = [];
  const findings: Finding[] = [];
  const rejectedDays = new Map<string, Day>();

  for (const release of answer.releases) {
    const { version, releaseTimestamp } = release;
    const entry = byRank.get(computeRank(release));
    const recordedDay = entry?.source === id ? entry.notListedOn : undefined;
    const notListedOn = entry ? recordedDay : computeBound(version, lackedOn, history);

    if (notListedOn === undefined) {
      releases.push(release);
    } else if (releaseTimestamp === undefined || !isBackdated(release, notListedOn)) {
      releases.push({ ...release, notListedOn });
    } else {
      // A backdated release would pass rules on a minimum age, and end the support of older lines.
      releases.push(dropUndefined({ ...release, releaseTimestamp: undefined, notListedOn }));
      const conflict = `${id} dates ${version} ${releaseTimestamp}, but did not list it on ${notListedOn}.`;
      findings.push({ ...reportConflict(component, conflict, entry), kind: `${id} day` });
      if (!entry) {
        rejectedDays.set(version, cutDay(releaseTimestamp));
      }
    }
  }

  return { releases, findings, rejectedDays };
}

function reportConflict(
  component: string,
  conflict: string,
  entry: RecordedRelease | undefined,
): Finding {
  return entry
    ? notice(component, `${conflict} The recorded day stays.`)
    : warning(
        component,
        `${conflict} Rejected that day; the day of this run is recorded, as observed.`,
      );
}

/** A version that waits has been listed for longer than it is recorded. */
function computeBound(
  version: string,
  lackedOn: Day | undefined,
  { waiting }: History,
): Day | undefined {
  return lackedOn && findEarliestDay(lackedOn, waiting.get(version));
}

/**
 * The day of the last sound answer without the new versions. Undefined if that answer had them: data that was restored to an
 * earlier state lacks versions that may have been listed for long.
 */
function findLastDayWithout(
  { id, fingerprint, releases }: Answered,
  { recorded, freshness, waiting }: History,
): Day | undefined {
  const { answeredOn, listed: lastDigest, definition = fingerprint } = freshness ?? {};
  if (answeredOn === undefined || definition !== fingerprint) {
    return undefined;
  }

  const hasRecorded = recorded.some((entry) => listSourcesListing(entry).includes(id));
  if (lastDigest === undefined) {
    return hasRecorded ? answeredOn : undefined;
  }

  // Whether the last answer listed the recorded versions and these, and no others.
  const isLastList = (moreVersions: readonly string[]) =>
    digestListed(recorded, id, answeredOn, moreVersions) === lastDigest;
  if (isLastList([...waiting.keys()])) {
    return answeredOn;
  }

  const versions = releases.map(({ version }) => version);
  const versionsOfThen = releases
    .filter(({ releaseTimestamp = answeredOn }) => cutDay(releaseTimestamp) <= answeredOn)
    .map(({ version }) => version);
  const isRestored = isLastList(versions) || isLastList(versionsOfThen);
  return !hasRecorded || isRestored ? undefined : answeredOn;
}
