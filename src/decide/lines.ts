import { dayAfter, findEarliestDay, newestFirst, type Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { findLastFreePhase, onlyPhase } from '../core/model/phases.ts';
import { compareVersions, parseVersion } from '../core/model/version.ts';
import type { DayRange } from '../core/model/words.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { OwnEnd, Phase } from '../core/schemas/definition/phase.ts';
import { createSupportSourceId } from '../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import type { RecordedData, StatedLine } from '../core/schemas/recorded/recorded.ts';
import { formatList } from '../core/text/wording.ts';
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
    const isOpen = group.some(
      ({ isPrerelease, recorded: { withdrawnSince = '9999' } }) =>
        !isPrerelease && withdrawnSince > day,
    );

    // A prerelease starts no term.
    const stable = group.filter(({ isPrerelease }) => !isPrerelease);
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

/** Maximum number of ends in the description of a policy. */
const mostNamed = 3;

/** The ends that a policy gives to single lines, in version order. */
export function listOwnEnds(policy: SupportPolicy): NamedEnd[] {
  const { lines = {} } = policy.policy === 'dated' ? {} : policy;
  const ends = Object.entries(lines).map(([line, end]) =>
    typeof end === 'string' ? { line, until: end } : { line, ...end },
  );
  return ends.sort((a, b) => compareVersions(parseVersion(a.line)!, parseVersion(b.line)!));
}

/** `2025.1 until 2026-12-31`; empty if no line has an end of its own. */
export function describeOwnEnds(policy: SupportPolicy): string {
  const ends = listOwnEnds(policy).map(({ line, until }) => `${line} until ${until}`);
  return ends.length === 0 ? '' : `By exception: ${formatList(ends, mostNamed)}.`;
}

/** The origin of a statement: `by example.com`, or the definition. */
export function describeSource(url: string | undefined): string {
  return `by ${url === undefined ? 'the definition' : new URL(url).host}`;
}

/**
 * The phases of a line with an end of its own. Phases before the last that is not paid end no later, and paid phases follow it only
 * if they end later. `rule`: the rule for all lines in words, where it gives the line no end.
 */
export function applyOwnEnd(
  { until, reason, url }: OwnEnd,
  phases: readonly PlannedPhase[],
  rule: string,
): PlannedPhase[] {
  const freePhase = findLastFreePhase(phases) ?? { name: onlyPhase };
  const index = phases.indexOf(freePhase);
  const limit = (day: Day | undefined) => ((day ?? until) > until ? until : day);
  const earlierPhases = phases.slice(0, Math.max(index, 0)).map((phase) => ({
    ...phase,
    until: limit(phase.until),
    untilAtMost: limit(phase.untilAtMost),
  }));
  const paidPhases = phases
    .slice(index + 1)
    .filter((phase) => (phase.untilAtMost ?? phase.until ?? until) > until);
  const terms = [
    freePhase.reason?.text ?? rule,
    `${describeChange(freePhase, until)}, ${describeSource(url)}`,
  ];
  const sum = terms.filter(Boolean).join('; ');
  const text = reason === undefined ? sum : `${sum}: ${reason}`;
  return [
    ...earlierPhases,
    planPhase(freePhase, { text, range: { from: until }, url }),
    ...paidPhases,
  ];
}

/** `extended to 2026-12-31`, where the rule gives an earlier end. */
function describeChange({ until, untilAtMost }: PlannedPhase, to: Day): string {
  const dayByRule = until ?? untilAtMost;
  if (dayByRule === undefined || dayByRule === to) {
    return `until ${to}`;
  }

  return `${to > dayByRule ? 'extended' : 'shortened'} to ${to}`;
}

/** A phase of a release line, with the reason for its end if it has one. */
export interface PlannedPhase extends Phase {
  readonly reason?: Reason | undefined;
}

export type NamedPhase = Pick<Phase, 'name' | 'paid'>;

/**
 * Why a phase ends, and its last day. Without a day, it is over. A text without a full stop is a sum of terms, each with its
 * origin; the end is its last term.
 */
export interface PhaseEnd {
  readonly text: string;
  readonly range: DayRange;
  readonly url?: string | undefined;
}

/** Its releases are deprecated from the day after. */
export function planPhase({ name, paid }: NamedPhase, end: PhaseEnd | undefined): PlannedPhase {
  const { from: until, atMost: untilAtMost } = end?.range ?? {};
  const isOver = end && until === undefined && untilAtMost === undefined ? true : undefined;
  const reason =
    end && createPolicyReason(end.text, dayAfter(until), dayAfter(untilAtMost), end.url);
  return { name, until, untilAtMost, paid, isOver, reason };
}

/** A reason without a day applies to all days. */
export function createPolicyReason(
  text: string,
  from?: Day,
  fromAtMost?: Day,
  url?: string,
): Reason {
  return { rule: 'support policy', text, from, fromAtMost, url };
}
