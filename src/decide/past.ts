import { isDay, type Day } from '../core/dates.ts';
import type { Correction, RecordedRelease } from '../core/schemas/recorded.ts';
import type { Release } from './release.ts';
import { earliestDaysOf, toRelease } from './releases.ts';
import { defined } from '../core/text.ts';

/** A release through the days: what was recorded of it when. */
export interface ReleasePast {
  readonly release: Release;
  /** When the index showed it, oldest first: once, unless the definition did not admit it for some time. */
  readonly shown: readonly Period[];
  /** Oldest first. The first holds from the day it entered, or from a day before. */
  readonly states: readonly ReleaseState[];
}

/** Days from the first on, which is `always` where nobody knows it, to the one before `until`, if it has ended. */
interface Period {
  readonly from: Day;
  readonly until?: Day;
}

/** The release as it was known from a day on. */
interface ReleaseState {
  readonly from: Day;
  readonly release: Release;
}

/** Comes before every day. */
export const always: Day = '0000-01-01';

export interface ComponentPast {
  /** In version order. */
  readonly releases: readonly ReleasePast[];
  /** The day on which it entered the index; absent where a release was recorded by hand, on no known day. */
  readonly enteredOn?: Day;
}

/**
 * The past of a component from what is recorded of it: `firstSeen`, `withdrawnSince`, `leftOutSince` and the corrections. A release that
 * was recorded by hand is taken to have been there since its own day.
 */
export function pastOf(releases: readonly Release[]): ComponentPast {
  const enteredOn = entryOf(releases);
  const pasts = releases.map((release) => ({ release, states: statesOf(release) }));
  const origins = pasts.map(({ states }) => states[0]!.release);
  const earliestDays = earliestDaysOf(origins.filter(({ recorded }) => recorded.firstSeen === undefined));
  return defined({
    enteredOn,
    releases: pasts.flatMap((past, index): ReleasePast | [] => {
      const { line, releaseDay, recorded } = origins[index]!;
      const known = recorded.firstSeen ?? always;
      const came = releaseDay ?? recorded.firstSeen ?? earliestDays.get(line) ?? always;
      const shown = periodsOf(past.release.recorded, known > came ? known : came);
      return shown.length > 0 ? { ...past, shown } : [];
    }),
  });
}

/** A release that was left out and admitted again on one day was there all the time. */
function periodsOf({ leftOutSince, corrections = [] }: RecordedRelease, enteredOn: Day): Period[] {
  const periods: Period[] = [{ from: enteredOn }];
  const leave = (until: Day) => {
    const { from } = periods.pop()!;
    if (from < until) periods.push({ from, until });
  };
  for (const { field, from, on } of corrections) {
    if (field !== 'leftOutSince' || from === undefined || from === on) continue;
    leave(from);
    periods.push({ from: on });
  }
  if (leftOutSince !== undefined) leave(leftOutSince);
  return periods;
}

/** Whether it was there on a day and on the one before, so that what happened to it on that day is a change of its own. */
export function wasThere({ shown }: ReleasePast, day: Day): boolean {
  return shown.some(({ from, until }) => from < day && (until === undefined || day < until));
}

/** The first day of gathering, if nothing was there before. */
function entryOf(releases: readonly Release[]): Day | undefined {
  const days = releases.map(({ recorded }) => recorded.firstSeen);
  return days.includes(undefined) ? undefined : days.sort()[0];
}

function statesOf(release: Release): ReleaseState[] {
  const { corrections, withdrawnSince } = release.recorded;
  if (corrections === undefined && withdrawnSince === undefined) return [{ from: always, release }];
  return recordsOf(release.recorded).map(({ from, recorded }) => ({
    from,
    release:
      recorded === release.recorded
        ? release
        : toRelease(recorded, release.parsed, release.line, release.changelogUrl),
  }));
}

interface RecordedState {
  from: Day;
  recorded: RecordedRelease;
}

/** Undoes one correction after the other. A withdrawal is no correction: it is undone where it began. */
function recordsOf(entry: RecordedRelease): RecordedState[] {
  const corrections = (entry.corrections ?? []).toSorted((a, b) => (a.on < b.on ? -1 : Number(a.on > b.on)));
  const states: RecordedState[] = [];
  let recorded = entry;
  const close = (from: Day) => {
    const { withdrawnSince, ...listed } = recorded;
    if (withdrawnSince !== undefined && withdrawnSince > from) {
      states.push({ from: withdrawnSince, recorded });
      recorded = listed;
    }
    states.push({ from, recorded });
  };
  for (const [index, correction] of [...corrections.entries()].reverse()) {
    close(correction.on);
    recorded = before(recorded, correction, corrections.slice(0, index));
  }
  close(always);
  return states.reverse();
}

function before(entry: RecordedRelease, correction: Correction, earlier: Correction[]): RecordedRelease {
  const { field, from } = correction;
  // No verdict of the past depends on them.
  if (field === 'digests') return { ...entry, corrections: earlier };
  const { corrections: _all, [field]: _now, ...rest } = entry;
  const value = field === 'isPrerelease' ? from === 'true' : from;
  return {
    ...rest,
    ...(from !== undefined && { [field]: value }),
    ...(field === 'releaseTimestamp' && kindBefore(entry, correction, earlier)),
    ...(earlier.length > 0 && { corrections: earlier }),
  };
}

/**
 * When upstream states the day of what was only observed, the kind changes with it and has no correction of its own. What
 * `gather` observes is a day, what it is told an instant.
 */
function kindBefore(
  { timestampKind, source }: RecordedRelease,
  { on, from }: Correction,
  earlier: readonly Correction[],
): Pick<RecordedRelease, 'timestampKind'> {
  const isStated = earlier.some((other) => other.field === 'timestampKind' && other.on === on);
  if (from === undefined || isStated || source === undefined || timestampKind === undefined) return {};
  return isDay(from) ? { timestampKind: 'observed' } : {};
}
