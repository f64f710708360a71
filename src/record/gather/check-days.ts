import { cutDay, findEarliestDay, type Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { notice, warning, type Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import { listSourcesListing, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { isBackdated } from '../gate/rules/backdated.ts';
import type { StatedRelease } from '../sources/source-answer.ts';
import type { Answered } from './ask-source.ts';
import { computeRank, digestListed, indexByRank } from './recorded-versions.ts';

/** The recorded facts to check the days of an answer with. */
interface RecordedFacts {
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
export function checkDays(answer: Answered, facts: RecordedFacts): CheckedDays {
  const { id } = answer;
  const { component, recorded, waiting } = facts;
  const byRank = indexByRank(recorded);
  const lackedOn = findLastDayWithout(answer, facts);

  const releases: StatedRelease[] = [];
  const findings: Finding[] = [];
  const rejectedDays = new Map<string, Day>();

  for (const release of answer.releases) {
    const { version, releaseTimestamp } = release;
    const entry = byRank.get(computeRank(release));
    const notListedOn = findBound(id, entry, lackedOn, waiting.get(version));

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

/** The last day on which a source did not list a version. */
function findBound(
  id: string,
  entry: RecordedRelease | undefined,
  lackedOn: Day | undefined,
  waitingSince: Day | undefined,
): Day | undefined {
  if (entry) {
    // The recorded day is of the source that listed the version first: another source may have listed it for longer.
    return entry.source === id ? entry.notListedOn : undefined;
  }

  // A version that waits was listed when its wait began, so the bound is no later than that day.
  return lackedOn && findEarliestDay(lackedOn, waitingSince);
}

/**
 * The day of the last sound answer without the new versions. Undefined if that answer had them: data that was restored to an
 * earlier state lacks versions that may have been listed for long.
 */
function findLastDayWithout(answer: Answered, facts: RecordedFacts): Day | undefined {
  const { id, fingerprint } = answer;
  const { recorded, freshness, waiting } = facts;
  // The first runs recorded no digest of the definition: it is taken as the same.
  const { answeredOn, definition = fingerprint } = freshness ?? {};
  if (answeredOn === undefined || definition !== fingerprint) {
    // An edited definition may admit versions that were listed for long.
    return undefined;
  }

  // The last answer listed the recorded versions and those that wait, and no others.
  const waitingReleases = Array.from(waiting.keys(), (version) => ({ version }));
  if (digestListed(recorded, id, answeredOn, waitingReleases) === freshness?.listed) {
    return answeredOn;
  }

  const hasRecorded = recorded.some((entry) => listSourcesListing(entry).includes(id));
  if (!hasRecorded) {
    // All recorded versions of the source may be lost.
    return undefined;
  }

  // A digest that fits no list does not show that data was restored: it also differs while another source's versions wait.
  return hadNewVersions(answer, facts, answeredOn) ? undefined : answeredOn;
}

/**
 * Whether the last answer had the versions that are not recorded: all versions of today, or only those dated by then if upstream
 * has released others since. Never the case after the first runs, which recorded no digest of a list.
 */
function hadNewVersions(
  { id, releases }: Answered,
  { recorded, freshness }: RecordedFacts,
  answeredOn: Day,
): boolean {
  const datedByThen = releases.filter(
    ({ releaseTimestamp = answeredOn }) => cutDay(releaseTimestamp) <= answeredOn,
  );
  return [releases, datedByThen].some(
    (list) => digestListed(recorded, id, answeredOn, list) === freshness?.listed,
  );
}
