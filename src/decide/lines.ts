import type { Day } from '../core/model/dates.ts';
import { defined } from '../core/model/objects.ts';
import { onlyPhase } from '../core/model/phases.ts';
import { compareVersions, parseVersion } from '../core/model/version.ts';
import type { DayRange } from '../core/model/words.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { supportSourceId } from '../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import type { RecordedData, StatedLine } from '../core/schemas/recorded/recorded.ts';
import type { UnjudgedRelease } from './releases.ts';

/** Releases that are supported together, with the facts for support policies. */
export interface ReleaseLine {
  readonly name: string;
  /** Oldest first. */
  readonly releases: readonly UnjudgedRelease[];
  /** Whether it has a stable release that is not withdrawn. Only then does it end the support of older lines. */
  readonly isOpen: boolean;
  /** Its first day: exact without `atMost`, else a range. Empty if unknown. */
  readonly began: DayRange;
}

/** Release lines in version order, as known on a day. `releases`: in version order; `firstDays`: the first days that a policy or a source states. */
export function groupByLine(
  releases: readonly UnjudgedRelease[],
  day: Day,
  firstDays: ReadonlyMap<string, Day>,
): ReleaseLine[] {
  const lines = [...Map.groupBy(releases, (release) => release.line)].map(([name, ofLine]) => {
    const isOpen = ofLine.some(
      ({ isPrerelease, recorded: { withdrawnSince = '9999' } }) =>
        !isPrerelease && withdrawnSince > day,
    );

    // A prerelease starts no term.
    const stable = ofLine.filter(({ isPrerelease }) => !isPrerelease);
    const firstOwnDay = firstDay(stable);
    const statedDay = firstDays.get(name);
    const isStated =
      statedDay !== undefined && statedDay <= (firstOwnDay.atMost ?? firstOwnDay.from ?? day);
    const hasBegun = isStated || stable.length > 0;
    const start = isStated ? { from: statedDay } : firstOwnDay;
    return { name, releases: ofLine, isOpen, hasBegun, start };
  });

  const latest = latestStarts(lines.map(({ start }) => start));
  let earliest: Day | undefined;
  return lines.map(({ name, releases: ofLine, isOpen, hasBegun, start }, index) => {
    const began = hasBegun ? narrow(start, earliest, latest[index]) : {};

    if (isExact(start)) {
      earliest = start.from;
    }

    return { name, releases: ofLine, isOpen, began };
  });
}

function isExact({ from, atMost }: DayRange): boolean {
  return from !== undefined && atMost === undefined;
}

/** An observed release came out after the last answer without it, and no later than the first answer with it. */
function findReleaseDay({ releaseDay, timestampKind, recorded }: UnjudgedRelease): DayRange {
  if (releaseDay !== undefined && timestampKind !== 'observed') {
    return { from: releaseDay };
  }

  const atMost = releaseDay ?? recorded.firstSeen;
  return atMost === undefined ? {} : { from: recorded.notListedOn, atMost };
}

/** The day of the first release. `releases`: in version order, which is expected to be chronological. */
function firstDay(releases: readonly UnjudgedRelease[]): DayRange {
  const days = releases.map(findReleaseDay);
  let earliest: Day | undefined;
  for (const { from, atMost = from } of days) {
    if (atMost !== undefined && (earliest === undefined || atMost < earliest)) {
      earliest = atMost;
    }
  }
  if (earliest === undefined) {
    return {};
  }

  const index = days.findIndex((range) => isExact(range) && range.from === earliest);
  if (index !== -1 && days.slice(0, index).every(isExact)) {
    return { from: earliest };
  }

  const { from } = days[0]!;
  return from === undefined || from > earliest ? { atMost: earliest } : { from, atMost: earliest };
}

/** For each line, the earliest day by which any newer line had begun: the line began no later, as version numbers grow. */
function latestStarts(starts: readonly DayRange[]): (Day | undefined)[] {
  let bound: Day | undefined;

  return starts
    .toReversed()
    .map(({ from, atMost = from }) => {
      const latestBound = bound;

      if (atMost !== undefined && (bound === undefined || atMost < bound)) {
        bound = atMost;
      }

      return latestBound;
    })
    .reverse();
}

/** Narrows a range to `earliest` and `latest`; an exact day stays. */
function narrow(
  { from, atMost }: DayRange,
  earliest: Day | undefined,
  latest: Day | undefined,
): DayRange {
  if (from !== undefined && atMost === undefined) {
    return { from };
  }

  const end = atMost === undefined || (latest !== undefined && latest < atMost) ? latest : atMost;
  if (end === undefined) {
    return {};
  }

  const start = from === undefined || (earliest !== undefined && earliest > from) ? earliest : from;

  // If the bounds contradict each other, the lower bound is not proven.
  return start === undefined || start > end ? { atMost: end } : { from: start, atMost: end };
}

/** The release lines that the definition names, or its source of support, in version order. */
export function statedLinesIn(
  { lines = [] }: Pick<RecordedData, 'lines'>,
  { support }: Pick<Definition, 'support'>,
): StatedLine[] {
  if (support?.policy === 'dated') {
    return datedLines(support);
  }

  const id = supportSourceId(support);
  return lines.filter(({ source }) => source === id);
}

/** The first day of each line whose first day the policy states, or its source. */
export function statedFirstDays(
  lines: readonly StatedLine[],
  policy: SupportPolicy,
): Map<string, Day> {
  const firstDays = new Map<string, Day>();
  for (const { line, firstReleaseDate } of lines) {
    if (firstReleaseDate !== undefined) {
      firstDays.set(line, firstReleaseDate);
    }
  }

  const { firstReleaseDates = {} } = policy.policy === 'dated' ? policy : {};
  for (const [line, firstDay] of Object.entries(firstReleaseDates)) {
    firstDays.set(line, firstDay);
  }

  return firstDays;
}

/** The lines that a policy names, in version order. */
export function datedLines({
  lines,
  firstReleaseDates,
  paid = [],
}: Extract<SupportPolicy, { policy: 'dated' }>): StatedLine[] {
  const dated = Object.entries(lines).map(([line, statedLines]) => {
    const days = typeof statedLines === 'string' ? { [onlyPhase]: statedLines } : statedLines;
    const phases = Object.entries(days).map(([name, until]) => ({
      name,
      until,
      paid: paid.includes(name) || undefined,
    }));
    return defined({ line, firstReleaseDate: firstReleaseDates?.[line], phases });
  });
  return dated.sort((a, b) => compareVersions(parseVersion(a.line)!, parseVersion(b.line)!));
}

/** Adds the stated lines of which no release is recorded. `lines`: in version order, as the result. */
export function withStatedLines(
  lines: readonly ReleaseLine[],
  statedLines: readonly Pick<StatedLine, 'line' | 'firstReleaseDate'>[],
): ReleaseLine[] {
  const names = new Set(lines.map(({ name }) => name));
  const others: ReleaseLine[] = [];
  for (const { line, firstReleaseDate } of statedLines) {
    if (!names.has(line)) {
      names.add(line);
      others.push({ name: line, releases: [], isOpen: false, began: { from: firstReleaseDate } });
    }
  }
  if (others.length === 0) {
    return [...lines];
  }

  return [...lines, ...others].sort((a, b) =>
    compareVersions(parseVersion(a.name)!, parseVersion(b.name)!),
  );
}
