import { addDays, cutDay, findEarliestDay, type Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { notice, warning, type Finding } from '../../core/schemas/finding.ts';
import { hasSameDefinition } from '../../core/schemas/recorded/freshness.ts';
import { isListedBy, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import type { Wait } from '../../core/schemas/recorded/waits.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import type { Answered } from './ask-source.ts';
import type { GatherInput } from './ask-sources.ts';
import { computeRank, digestListed, indexByRank } from './recorded-releases.ts';

/** A source may list a version a few days after it was released. */
const toleratedDays = 7;

/**
 * Rejects stated release days that are too long before the last day on which the source did not list the version. Returns the
 * releases without these days, and with the last day without each, if known. `rejectedDays`: those of new versions.
 */
export function checkDays(answer: Answered, input: GatherInput) {
  const { id } = answer;
  const { component } = input;
  const byRank = indexByRank(input.releases);
  const waiting = findWaitingRanks(id, input);
  const lastDayWithoutNew = findLastDayWithout(answer, input, waiting);

  const releases: StatedRelease[] = [];
  const findings: Finding[] = [];
  const rejectedDays = new Map<string, Day>();

  for (const release of answer.releases) {
    const { version, releaseTimestamp } = release;
    const rank = computeRank(release);
    const entry = byRank.get(rank);
    const notListedOn = findNotListedOn(id, entry, lastDayWithoutNew, waiting.get(rank));

    if (notListedOn === undefined) {
      releases.push(release);
    } else if (
      releaseTimestamp === undefined ||
      cutDay(releaseTimestamp) >= addDays(notListedOn, -toleratedDays)
    ) {
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

/** The last day on which a source did not list a version, if known. `lastDayWithoutNew`: that day for versions that are new today. */
function findNotListedOn(
  id: string,
  entry: RecordedRelease | undefined,
  lastDayWithoutNew: Day | undefined,
  waitingSince: Day | undefined,
): Day | undefined {
  if (entry) {
    // The recorded day is of the source that listed the version first: another source may have listed it for longer.
    return entry.source === id ? entry.notListedOn : undefined;
  }

  // A version that waits has been listed since the first day of its wait at the latest.
  const dayBeforeWait = waitingSince === undefined ? undefined : addDays(waitingSince, -1);
  return lastDayWithoutNew && findEarliestDay([lastDayWithoutNew, dayBeforeWait]);
}

/**
 * The day of the source's last sound answer, if that answer did not list the versions that are new today. Undefined where they may
 * have been listed for long, and only look new.
 */
function findLastDayWithout(
  { id, releases, fingerprint }: Answered,
  input: GatherInput,
  waiting: WaitingRanks,
): Day | undefined {
  const former = input.freshness.sources[id];
  const answeredOn = former?.answeredOn;
  // An edited definition may admit versions that were listed for long.
  if (answeredOn === undefined || !hasSameDefinition(former, fingerprint)) {
    return undefined;
  }
  if (hadListedOnly(waiting.keys(), id, input)) {
    return answeredOn;
  }

  // Without all versions of the source, recorded data was lost.
  if (!input.releases.some((entry) => isListedBy(entry, id))) {
    return undefined;
  }

  // If the last answer had the versions of today, or those of them that were released by then, earlier data was restored.
  const releasedByThen = releases.filter(
    ({ releaseTimestamp = answeredOn }) => cutDay(releaseTimestamp) <= answeredOn,
  );
  const isRestored = [releases, releasedByThen].some((listed) =>
    hadListedOnly(listed.map(computeRank), id, input),
  );
  return isRestored ? undefined : answeredOn;
}

/** Whether the last answer of a source listed its recorded versions of that day and those of `ranks`, and no others. */
function hadListedOnly(
  ranks: Iterable<string | undefined>,
  id: string,
  { releases, freshness }: GatherInput,
): boolean {
  const { answeredOn, listed } = freshness.sources[id] ?? {};
  return answeredOn !== undefined && listed === digestListed(releases, id, answeredOn, ranks);
}

/** The ranks of versions that wait, with the day since which each waits. */
type WaitingRanks = ReadonlyMap<string | undefined, Day>;

/**
 * The waiting versions that the last answer of a source listed. The digest of that answer shows whether these are the versions of its
 * own waits, or none. If it matches neither, the versions of all waits are taken.
 */
function findWaitingRanks(id: string, input: GatherInput): WaitingRanks {
  const waits = (input.waits ?? []).filter(({ component }) => component === input.component);
  const ranksFromSource = listRanks(waits.filter(({ causes }) => causes.includes(id)));
  const candidates = [ranksFromSource, new Map<string, Day>()];
  return candidates.find((ranks) => hadListedOnly(ranks.keys(), id, input)) ?? listRanks(waits);
}

function listRanks(waits: readonly Wait[]): WaitingRanks {
  const days = new Map<string | undefined, Day>();
  for (const { versions = [], since } of waits) {
    for (const version of versions) {
      days.set(computeRank({ version }), since);
    }
  }

  return days;
}
