import { findEarliestDay, newestFirst, type Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { onlyPhase } from '../core/model/phases.ts';
import { compareVersions, parseVersion } from '../core/model/version.ts';
import type { DayRange } from '../core/model/words.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { OwnEnd } from '../core/schemas/definition/phase.ts';
import { createSupportSourceId } from '../core/schemas/definition/source.ts';
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
  const lines = [...Map.groupBy(releases, (release) => release.line)].map(([name, group]) => {
    // A prerelease starts no term, and ends the support of no line.
    const stable = group.filter(({ isPrerelease }) => !isPrerelease);
    const isOpen = stable.some(
      ({ withdrawnSince }) => withdrawnSince === undefined || withdrawnSince > day,
    );

    const ownStart = findFirstDay(stable);
    const statedDay = firstDays.get(name);
    const isStated =
      statedDay !== undefined && statedDay <= (ownStart.atMost ?? ownStart.from ?? day);
    const hasBegun = isStated || stable.length > 0;
    const start = isStated ? { from: statedDay } : ownStart;
    return { name, releases: group, isOpen, hasBegun, start };
  });

  const latestStarts = computeLatestStarts(lines.map(({ start }) => start));
  let earliestStart: Day | undefined;
  return lines.map(({ hasBegun, start, ...line }, index) => {
    const began = hasBegun ? narrow(start, earliestStart, latestStarts[index]) : {};

    if (isExact(start)) {
      earliestStart = start.from;
    }

    return { ...line, began };
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
function findFirstDay(releases: readonly UnjudgedRelease[]): DayRange {
  const days = releases.map(findReleaseDay);
  const earliest = findEarliestDay(...days.map(({ from, atMost = from }) => atMost));
  if (earliest === undefined) {
    return {};
  }

  const index = days.findIndex((range) => isExact(range) && range.from === earliest);
  if (index !== -1 && days.slice(0, index).every(isExact)) {
    return { from: earliest };
  }

  return { from: days[0]!.from, atMost: earliest };
}

/** For each line, the earliest day by which any newer line had begun: the line began no later, as version numbers grow. */
function computeLatestStarts(starts: readonly DayRange[]): (Day | undefined)[] {
  let bound: Day | undefined;

  return starts
    .toReversed()
    .map(({ from, atMost = from }) => {
      const latestStart = bound;
      bound = findEarliestDay(bound, atMost);
      return latestStart;
    })
    .reverse();
}

/** Narrows a range to `earliest` and `latest`; an exact day stays. */
function narrow(range: DayRange, earliest: Day | undefined, latest: Day | undefined): DayRange {
  if (isExact(range)) {
    return range;
  }

  const { from, atMost } = range;
  const end = findEarliestDay(latest, atMost);
  if (end === undefined) {
    return {};
  }

  // If the bounds contradict each other, the lower bound is not proven.
  const [start] = [earliest, from].filter((day) => day !== undefined).sort(newestFirst);
  return (start ?? end) > end ? { atMost: end } : { from: start, atMost: end };
}

/** The release lines that the definition names, or its source of support, in version order. */
export function listStatedLines(
  { lines = [] }: Pick<RecordedData, 'lines'>,
  { support }: Pick<Definition, 'support'>,
): StatedLine[] {
  if (support?.policy === 'dated') {
    return listDatedLines(support);
  }

  const id = createSupportSourceId(support);
  return lines.filter(({ source }) => source === id);
}

/** The first day of each line whose first day the policy states, or its source. */
export function readFirstDays(
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
export function listDatedLines({
  lines,
  firstReleaseDates,
  paid = [],
}: Extract<SupportPolicy, { policy: 'dated' }>): StatedLine[] {
  const statedLines = Object.entries(lines).map(([line, ends]) => {
    const days = typeof ends === 'string' ? { [onlyPhase]: ends } : ends;
    const phases = Object.entries(days).map(([name, until]) => ({
      name,
      until,
      paid: paid.includes(name) || undefined,
    }));
    return dropUndefined({ line, firstReleaseDate: firstReleaseDates?.[line], phases });
  });
  return statedLines.sort((a, b) => compareVersions(parseVersion(a.line)!, parseVersion(b.line)!));
}

/** Adds the stated lines of which no release is recorded. `lines`: in version order, as the result. */
export function addStatedLines(
  lines: readonly ReleaseLine[],
  statedLines: readonly Pick<StatedLine, 'line' | 'firstReleaseDate'>[],
): ReleaseLine[] {
  const names = new Set(lines.map(({ name }) => name));
  const emptyLines: ReleaseLine[] = [];
  for (const { line, firstReleaseDate } of statedLines) {
    if (!names.has(line)) {
      names.add(line);
      emptyLines.push({
        name: line,
        releases: [],
        isOpen: false,
        began: { from: firstReleaseDate },
      });
    }
  }
  return [...lines, ...emptyLines].sort((a, b) =>
    compareVersions(parseVersion(a.name)!, parseVersion(b.name)!),
  );
}

type NamedEnd = OwnEnd & { readonly line: string };

/** The ends that a policy gives to single lines, in version order. */
export function listOwnEnds(policy: SupportPolicy): NamedEnd[] {
  const { lines = {} } = policy.policy === 'dated' ? {} : policy;
  const ends = Object.entries(lines).map(([line, end]) =>
    typeof end === 'string' ? { line, until: end } : { line, ...end },
  );
  return ends.sort((a, b) => compareVersions(parseVersion(a.line)!, parseVersion(b.line)!));
}
