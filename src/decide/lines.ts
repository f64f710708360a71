/** Release lines: of the releases of a component, and those that a policy or a source names. */
import { createDayRange, findEarliestDay, type Day, type DayRange } from '../core/model/dates.ts';
import { onlyPhase } from '../core/model/phases.ts';
import { compareVersions, nameReleaseLine, parseVersion } from '../core/model/version.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { OwnEnd } from '../core/schemas/definition/phase.ts';
import { createSupportSourceId } from '../core/schemas/definition/source-ids.ts';
import type { SupportPolicy, SupportPolicyOf } from '../core/schemas/definition/support-policy.ts';
import type { RecordedData, StatedLine } from '../core/schemas/recorded/recorded.ts';
import type { UnjudgedRelease } from './releases.ts';

/** Releases that are supported together, with the facts for support policies. */
export interface ReleaseLine {
  readonly name: string;
  /** Oldest first. */
  readonly releases: readonly UnjudgedRelease[];
  /** Whether it has a stable release that is not withdrawn. Only then does it end the support of older lines. */
  readonly hasStableRelease: boolean;
  /** Its first day: exact without `atMost`, else a range. Empty if unknown. */
  readonly began: DayRange;
}

/** The release lines as known on a day, in version order, also stated lines without releases. `releases`: in version order. */
export function listLines(
  releases: readonly UnjudgedRelease[],
  policy: SupportPolicy,
  statedLines: readonly StatedLine[],
  day: Day,
): ReleaseLine[] {
  const firstDays = readFirstDays(policy, statedLines);
  const lines = groupByLine(releases, firstDays, day);
  const keys = new Set(lines.map(({ name }) => createLineKey(name)));

  for (const { line: name } of [...statedLines, ...listOwnEnds(policy)]) {
    const key = createLineKey(name);
    if (!keys.has(key)) {
      keys.add(key);
      lines.push({
        name,
        releases: [],
        hasStableRelease: false,
        began: { from: firstDays.get(key) },
      });
    }
  }

  return lines.sort((a, b) => compareLineNames(a.name, b.name));
}

function groupByLine(
  allReleases: readonly UnjudgedRelease[],
  firstDays: ReadonlyMap<string, Day>,
  day: Day,
): ReleaseLine[] {
  const groups = Array.from(
    Map.groupBy(allReleases, ({ line }) => line),
    ([name, releases]) => {
      // A prerelease starts no term, and ends the support of no line.
      const stable = releases.filter(({ isPrerelease }) => !isPrerelease);
      return { name, releases, stable };
    },
  );
  const starts = narrowStarts(
    groups.map(({ name, stable }) =>
      findLineStart(stable, firstDays.get(createLineKey(name)), day),
    ),
  );

  return groups.map(({ name, releases, stable }, index) => ({
    name,
    releases,
    hasStableRelease: stable.some(({ withdrawnSince }) => withdrawnSince === undefined),
    began: starts[index] ?? {},
  }));
}

/** The first day of a line by its stable releases, or as stated if that is no later; undefined without either. */
function findLineStart(
  releases: readonly UnjudgedRelease[],
  statedDay: Day | undefined,
  day: Day,
): DayRange | undefined {
  if (releases.length === 0) {
    return statedDay === undefined ? undefined : { from: statedDay };
  }

  const start = findFirstDay(releases);
  const latest = start.atMost ?? start.from ?? day;
  return statedDay !== undefined && statedDay <= latest ? { from: statedDay } : start;
}

/** The day of the first release. `releases`: in version order, which is expected to be chronological. */
function findFirstDay(releases: readonly UnjudgedRelease[]): DayRange {
  const days = releases.map(findReleaseDay);
  const earliest = findEarliestDay(days.map(({ from, atMost = from }) => atMost));

  for (const range of days) {
    // Without an exact day, a release may be older than all releases behind it.
    if (!isExact(range)) {
      break;
    }
    if (range.from === earliest) {
      return { from: earliest };
    }
  }

  return { from: days[0]?.from, atMost: earliest };
}

/** An observed release came out after the last answer without it, and no later than the first answer with it. */
function findReleaseDay({ releaseDay, timestampKind, recorded }: UnjudgedRelease): DayRange {
  if (releaseDay !== undefined && timestampKind !== 'observed') {
    return { from: releaseDay };
  }

  const atMost = releaseDay ?? recorded.firstSeen;
  return atMost === undefined ? {} : { from: recorded.notListedOn, atMost };
}

function isExact({ from, atMost }: DayRange): boolean {
  return from !== undefined && atMost === undefined;
}

/** Narrows the first days of lines, the oldest line first: as version numbers grow, a newer line begins no earlier. */
function narrowStarts(starts: readonly (DayRange | undefined)[]): (DayRange | undefined)[] {
  const latestDays = starts.map((start) => start?.atMost ?? start?.from);
  for (let index = starts.length - 2; index >= 0; index -= 1) {
    latestDays[index] = findEarliestDay([latestDays[index], latestDays[index + 1]]);
  }

  let olderDay: Day | undefined;
  return starts.map((start, index) => {
    if (!start || isExact(start)) {
      olderDay = start?.from ?? olderDay;
      return start;
    }

    const end = latestDays[index];
    if (end === undefined) {
      return {};
    }

    // A lower bound above the upper one proves nothing.
    const bounds = [olderDay, start.from].filter((day) => day !== undefined && day <= end);
    return createDayRange(bounds.sort().at(-1), end);
  });
}

/**
 * The lines whose ends are stated, in version order: those of a dated policy, or the recorded lines of the source that the policy
 * names.
 */
export function listStatedLines(
  { lines = [] }: Pick<RecordedData, 'lines'>,
  { support }: Pick<Definition, 'support'>,
): StatedLine[] {
  if (support?.policy === 'dated') {
    return listDatedLines(support);
  }

  const id = createSupportSourceId(support);
  return sortByName(lines.filter(({ source }) => source === id));
}

/** The lines of a dated policy, as a source would state them, in version order. */
export function listDatedLines({ lines, paid = [] }: SupportPolicyOf<'dated'>): StatedLine[] {
  const statedLines = Object.entries(lines).map(([line, ends]) => {
    const days = typeof ends === 'string' ? { [onlyPhase]: ends } : ends;
    const phases = Object.entries(days).map(([name, until]) => ({
      name,
      until,
      paid: paid.includes(name) || undefined,
    }));
    return { line, phases };
  });
  return sortByName(statedLines);
}

/** The lines to which a policy gives an end of their own, in version order. A dated policy has only such ends: `listDatedLines`. */
export function listOwnEnds(policy: SupportPolicy): (OwnEnd & { readonly line: string })[] {
  if (policy.policy === 'dated') {
    return [];
  }

  const ends = Object.entries(policy.lines ?? {}).map(([line, end]) =>
    typeof end === 'string' ? { line, until: end } : { line, ...end },
  );
  return sortByName(ends);
}

/** The stated first days of lines, by `createLineKey`. A dated policy may state them also of lines without an end. */
function readFirstDays(
  policy: SupportPolicy,
  statedLines: readonly StatedLine[],
): ReadonlyMap<string, Day> {
  const statedDays =
    policy.policy === 'dated'
      ? Object.entries(policy.firstReleaseDates ?? {})
      : statedLines.map(({ line, firstReleaseDate }) => [line, firstReleaseDate] as const);

  const firstDays = new Map<string, Day>();
  for (const [line, day] of statedDays) {
    if (day !== undefined) {
      firstDays.set(createLineKey(line), day);
    }
  }
  return firstDays;
}

/** Equal for all spellings of a line's name: `24.4` for `24.04`. Each can be read as a version: the schema requires it. */
export function createLineKey(name: string): string {
  return nameReleaseLine(parseVersion(name)!, 2);
}

function sortByName<Line extends { readonly line: string }>(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => compareLineNames(a.line, b.line));
}

/** Compares the names of two lines. Each can be read as a version: the schema requires it. */
export function compareLineNames(a: string, b: string): number {
  return compareVersions(parseVersion(a)!, parseVersion(b)!);
}
