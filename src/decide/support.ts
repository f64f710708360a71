import { addMonths, createDayRange, type DayRange } from '../core/model/dates.ts';
import { findLastFreePhase, onlyPhase } from '../core/model/phases.ts';
import type { SupportPolicy, SupportPolicyOf } from '../core/schemas/definition/support-policy.ts';
import type { StatedLine } from '../core/schemas/recorded/recorded.ts';
import { type ReleaseLine, compareLineNames, createLineKey, listOwnEnds } from './lines.ts';
import { applyOwnEnd, isUnknown, planPhase, type PlannedPhase } from './planned-phases.ts';
import {
  describeOrigin,
  describeRule,
  explainCount,
  explainEnd,
  explainStatedEnd,
  explainTerm,
  findOrigin,
  findStatingSource,
  type CountedPlan,
  type PolicyPhase,
} from './policy-sentences.ts';
import { createVersionFilter } from './releases.ts';

/** A release line with its support by the policy. */
export type LineWithSupport = ReturnType<typeof computeSupport>[number];

/** The facts from which the support of a line is computed. */
interface SupportFacts {
  readonly policy: SupportPolicy;
  /** By line, the newer lines that its plan counts. */
  readonly newerLines: ReadonlyMap<ReleaseLine, NewerLines>;
  readonly statedLines: readonly StatedLine[];
}

/** Adds the support of each line, independent of the day. `lines`, `statedLines`: in version order. */
export function computeSupport(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  statedLines: readonly StatedLine[],
) {
  const ltsLines = listLtsLines(policy, lines);
  const newerLines = findNewerLines(policy, lines, ltsLines);
  const facts = { policy, newerLines, statedLines };
  const statedLts = new Map(statedLines.map(({ line, lts }) => [line, lts]));
  const ownEnds = new Map(listOwnEnds(policy).map((end) => [createLineKey(end.line), end]));
  const isInferred = findOrigin(policy).inferred !== undefined;

  return lines.map((line) => {
    const isLtsByRule = ltsLines.includes(line);
    const lts = policy.policy === 'stated' ? statedLts.get(line.name) : isLtsByRule;
    const ownEnd = ownEnds.get(createLineKey(line.name));
    const phasesByRule = planPhases(line, isLtsByRule, facts);
    const phases = ownEnd ? applyOwnEnd(ownEnd, phasesByRule, describeRule(policy)) : phasesByRule;
    const reason = findLastFreePhase(phases)?.reason;
    const isEndUndated = !ownEnd && !lts && endsWithNextLine(line, facts);

    return {
      ...line,
      /** In order; empty where none is known. */
      phases,
      /** Why the policy deprecates its releases. */
      reason,
      /** It has long-term support, now or from `ltsFrom` on. */
      isLts: lts ? (true as const) : undefined,
      ltsFrom: typeof lts === 'string' ? lts : undefined,
      /** Its end follows from an assumed rule. */
      inferred: isInferred && reason && !ownEnd ? (true as const) : undefined,
      /** Set if its support ends on the unknown day on which a newer line appears. */
      undatedEnd: isEndUndated ? 'ends with the next line' : undefined,
    };
  });
}

/** The lines to which a policy gives long-term support. */
function listLtsLines(policy: SupportPolicy, lines: readonly ReleaseLine[]): ReleaseLine[] {
  const lts = 'lts' in policy ? policy.lts?.lines : undefined;
  if (lts === undefined) {
    return [];
  }

  if (typeof lts === 'string') {
    const isLts = createVersionFilter(lts);
    return lines.filter(({ name }) => isLts(name));
  }

  const keys = new Set(lts.map(createLineKey));
  return lines.filter(({ name }) => keys.has(createLineKey(name)));
}

/** The phases of a line by the rule of the policy, with their ends as far as known. */
function planPhases(
  line: ReleaseLine,
  isLts: boolean,
  { policy, newerLines, statedLines }: SupportFacts,
): PlannedPhase[] {
  switch (policy.policy) {
    case 'none':
      return [];
    case 'ended':
      return [planEndedPhase(policy)];
    case 'term':
      return planTerm(line, isLts, policy);
    case 'latest-lines': {
      const phases = isLts ? policy.lts!.phases : listUsualPhases(policy);
      return planCounted(newerLines.get(line)!, { phases, isLts }, policy);
    }
    case 'dated':
      return planByStatedLine(line, statedLines, describeOrigin(policy), policy.url);
    case 'stated': {
      const { host, url } = findStatingSource(policy.source);
      return planByStatedLine(line, statedLines, `by ${host}`, url);
    }
  }
}

/** The only phase of an ended component. Its releases may be deprecated before it ends, or after. */
function planEndedPhase(policy: SupportPolicyOf<'ended'>): PlannedPhase {
  const { until, deprecatedFrom, url } = policy;
  return {
    name: onlyPhase,
    until,
    isOver: until === undefined ? true : undefined,
    reason: { rule: 'support policy', text: explainEnd(policy), from: deprecatedFrom, url },
  };
}

function planTerm(
  line: ReleaseLine,
  isLts: boolean,
  policy: SupportPolicyOf<'term'>,
): PlannedPhase[] {
  // A term that begins on an unknown day has no known end.
  if (isUnknown(line.began)) {
    return [];
  }

  // The schema requires phases or months.
  const usualPhases = policy.phases ?? [{ name: onlyPhase, months: policy.months! }];
  const plan = isLts ? policy.lts!.phases : usualPhases;
  return plan.map((phase) => {
    const text = explainTerm(line, phase, plan, policy);
    const range = addMonthsToRange(line.began, phase.months);
    return planPhase(phase, { text, range, url: policy.url });
  });
}

function addMonthsToRange({ from, atMost }: DayRange, months: number): DayRange {
  return createDayRange(from && addMonths(from, months), atMost && addMonths(atMost, months));
}

/** The phases of a line without long-term support. */
function listUsualPhases({
  phases,
  count,
}: SupportPolicyOf<'latest-lines'>): PolicyPhase<'count'>[] {
  // The schema requires phases or a count.
  return phases ?? [{ name: onlyPhase, count: count! }];
}

/** Plans phases that end when there are enough newer lines. */
function planCounted(
  { starts }: NewerLines,
  plan: CountedPlan,
  policy: SupportPolicyOf<'latest-lines'>,
): PlannedPhase[] {
  const { months = 0, url } = policy;
  // Months that begin on an unknown day have no known end.
  if (months > 0 && starts.some((start) => start && isUnknown(start))) {
    return [];
  }

  return plan.phases.map((phase, index) => {
    const start = starts[index];
    const text = explainCount(phase, plan, policy);
    return planPhase(phase, start && { text, range: addMonthsToRange(start, months), url });
  });
}

/** The lines that a plan counts as newer than a line. */
interface NewerLines {
  readonly count: number;
  /** For each phase, the possible days by which enough of them had begun: empty if unknown, undefined if there are fewer. */
  readonly starts: readonly (DayRange | undefined)[];
}

/** The newer lines of each line, where a policy counts them. */
function findNewerLines(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  ltsLines: readonly ReleaseLine[],
): Map<ReleaseLine, NewerLines> {
  if (policy.policy !== 'latest-lines') {
    return new Map();
  }

  // Lines with long-term support count as newer lines for the others, but not the other way round.
  return new Map([
    ...countNewerLines(lines, listUsualPhases(policy)),
    ...countNewerLines(ltsLines, policy.lts?.phases ?? []),
  ]);
}

/** Counts from the newest line on, so that each line is looked at once. `lines`: in version order. */
function countNewerLines(
  lines: readonly ReleaseLine[],
  phases: CountedPlan['phases'],
): Map<ReleaseLine, NewerLines> {
  const newerLines = new Map<ReleaseLine, NewerLines>();
  const earliestDays: string[] = [];
  const latestDays: string[] = [];

  for (const line of lines.toReversed()) {
    newerLines.set(line, {
      count: earliestDays.length,
      starts: phases.map(({ count }) => findNthStart(earliestDays, latestDays, count)),
    });

    if (line.hasStableRelease) {
      // A line without an earliest day may have begun before all others: the empty text is the first.
      const { from = '', atMost = from } = line.began;
      insertDay(earliestDays, from);
      // A line without a latest day may have begun after all others.
      if (atMost !== '') {
        insertDay(latestDays, atMost);
      }
    }
  }

  return newerLines;
}

function findNthStart(
  earliestDays: readonly string[],
  latestDays: readonly string[],
  count: number,
): DayRange | undefined {
  if (earliestDays.length < count) {
    return undefined;
  }

  const atMost = latestDays[count - 1];
  return atMost === undefined ? {} : createDayRange(earliestDays[count - 1] || undefined, atMost);
}

/** Keeps the order. An older line mostly began before the others, so its place is soon found. */
function insertDay(days: string[], day: string): void {
  const index = days.findIndex((other) => other >= day);
  days.splice(index === -1 ? days.length : index, 0, day);
}

/**
 * An unlisted line ends with the next newer listed line. Lines older than all listed lines have ended. Nothing is known about
 * lines newer than all listed lines.
 */
function planByStatedLine(
  { name }: ReleaseLine,
  statedLines: readonly StatedLine[],
  origin: string,
  url: string | undefined,
): PlannedPhase[] {
  const listedLine = findListedLine(name, statedLines);
  if (!listedLine) {
    return [];
  }

  const isListed = compareLineNames(listedLine.line, name) === 0;
  const older = `${name} is older than ${listedLine.line}`;
  if (!isListed && listedLine === statedLines[0]) {
    const text = `${older}, the oldest release line whose support is stated.`;
    return [planPhase({ name: onlyPhase }, { text, range: {}, url })];
  }

  return listedLine.phases.map((phase) => {
    const range = { from: phase.until, atMost: phase.untilAtMost };
    if (isUnknown(range) && !phase.isOver) {
      return phase;
    }

    // A line between two listed lines does not outlive the next newer one.
    const end = explainStatedEnd(listedLine, phase, origin);
    const text = isListed ? end : `${older}. ${end}`;
    return planPhase(phase, { text, range, url });
  });
}

/** The stated line of this name, or else the next newer one. Searches by halves: a source may state thousands of lines. */
function findListedLine(name: string, statedLines: readonly StatedLine[]): StatedLine | undefined {
  let start = 0;
  let end = statedLines.length;
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    if (compareLineNames(statedLines[middle]!.line, name) < 0) {
      start = middle + 1;
    } else {
      end = middle;
    }
  }

  return statedLines[start];
}

/**
 * Whether the next line would end the support of a line at once. That is unknown for a line with long-term support: the next line may
 * have it, too.
 */
function endsWithNextLine(line: ReleaseLine, { policy, newerLines }: SupportFacts): boolean {
  if (policy.policy !== 'latest-lines' || policy.months !== undefined) {
    return false;
  }

  const lastPhase = findLastFreePhase(listUsualPhases(policy));
  return newerLines.get(line)!.count + 1 === lastPhase?.count;
}
