import { addMonths, createDayRange, type Day, type DayRange } from '../core/model/dates.ts';
import { findLastFreePhase, onlyPhase } from '../core/model/phases.ts';
import type { SupportPolicy, SupportPolicyOf } from '../core/schemas/definition/support-policy.ts';
import type { StatedLine } from '../core/schemas/recorded/recorded.ts';
import type { ReleaseLine } from './lines.ts';
import { compareLineNames, listOwnEnds } from './lines-with-ends.ts';
import { applyOwnEnd, planPhase, type PlannedPhase } from './planned-phases.ts';
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

/** The support of a release line by its policy. */
export interface LineSupport {
  /** In order; empty where none is known. */
  readonly phases: readonly PlannedPhase[];
  /** It has long-term support, now or from `ltsFrom` on. */
  readonly isLts?: true | undefined;
  readonly ltsFrom?: Day | undefined;
  /** Its end follows from an assumed rule. */
  readonly inferred?: true | undefined;
  /** Set if its support ends on the unknown day on which a newer line appears. */
  readonly undatedEnd?: string | undefined;
}

/** Computes the support of each line in `lines`. Independent of the day. */
export function computeSupport(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  statedLines: readonly StatedLine[],
): Map<ReleaseLine, LineSupport> {
  const ltsLines = listLtsLines(policy, lines);
  const phasesOfLines = computePhases(policy, lines, ltsLines, statedLines);
  const statedLts = new Map(statedLines.map(({ line, lts }) => [line, lts]));
  const ownEnds = new Map(listOwnEnds(policy).map((end) => [end.line, end]));
  const isInferred = findOrigin(policy).inferred !== undefined;
  const supportOfLines = new Map<ReleaseLine, LineSupport>();

  for (const line of lines) {
    const phases = phasesOfLines.get(line) ?? [];
    const lts = policy.policy === 'stated' ? statedLts.get(line.name) : ltsLines.includes(line);
    const ownEnd = ownEnds.get(line.name);
    const isEndUndated = !ownEnd && !lts && endsWithNextLine(policy, line, lines);
    supportOfLines.set(line, {
      phases: ownEnd ? applyOwnEnd(ownEnd, phases, describeRule(policy)) : phases,
      inferred: isInferred && hasEnd(phases) && !ownEnd ? true : undefined,
      isLts: lts ? true : undefined,
      ltsFrom: typeof lts === 'string' ? lts : undefined,
      undatedEnd: isEndUndated ? 'ends with the next line' : undefined,
    });
  }

  return supportOfLines;
}

function hasEnd(phases: readonly PlannedPhase[]): boolean {
  return findLastFreePhase(phases)?.reason !== undefined;
}

/** The lines to which a policy gives long-term support. */
function listLtsLines(policy: SupportPolicy, lines: readonly ReleaseLine[]): ReleaseLine[] {
  const lts = 'lts' in policy ? policy.lts?.lines : undefined;
  if (lts === undefined) {
    return [];
  }

  const isLts =
    typeof lts === 'string' ? createVersionFilter(lts) : (name: string) => lts.includes(name);
  return lines.filter(({ name }) => isLts(name));
}

/** The phases of each line, with their ends as far as known. */
function computePhases(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  ltsLines: readonly ReleaseLine[],
  statedLines: readonly StatedLine[],
): Map<ReleaseLine, PlannedPhase[]> {
  switch (policy.policy) {
    case 'none':
      return new Map();
    case 'ended': {
      const phase = planEndedPhase(policy);
      return new Map(lines.map((line) => [line, [phase]]));
    }
    case 'term':
      return new Map(lines.map((line) => [line, planTerm(line, ltsLines.includes(line), policy)]));
    case 'latest-lines': {
      const usualPlan = { phases: listUsualPhases(policy), isLts: false };
      const ltsPlan = { phases: policy.lts?.phases ?? [], isLts: true };
      // Lines with long-term support count as newer lines for the others. Their plans replace the usual ones.
      return new Map([
        ...planCounted(lines, usualPlan, policy),
        ...planCounted(ltsLines, ltsPlan, policy),
      ]);
    }
    case 'dated':
      return planStated(lines, statedLines, describeOrigin(policy), policy.url);
    case 'stated': {
      const { host, url } = findStatingSource(policy.source);
      return planStated(lines, statedLines, `by ${host}`, url);
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
  if ((line.began.atMost ?? line.began.from) === undefined) {
    return [];
  }

  // The schema requires phases or months.
  const usualPhases = policy.phases ?? [{ name: onlyPhase, months: policy.months! }];
  const plan = isLts && policy.lts ? policy.lts.phases : usualPhases;
  return plan.map((phase) => {
    const text = explainTerm(line, phase, plan, policy);
    const range = addMonthsToRange(line.began, phase.months);
    return planPhase(phase, { text, range, url: policy.url });
  });
}

/** The end of a phase that is over since an unknown day. */
const alreadyOver: DayRange = {};

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
  lines: readonly ReleaseLine[],
  plan: CountedPlan,
  policy: SupportPolicyOf<'latest-lines'>,
): Map<ReleaseLine, PlannedPhase[]> {
  const { months = 0, url } = policy;
  const phasesOfLines = new Map<ReleaseLine, PlannedPhase[]>();

  for (const line of lines) {
    const newerStarts = listNewerStarts(line, lines);
    const starts = plan.phases.map(({ count }) => findNthStart(newerStarts, count));
    // Months that begin on an unknown day have no known end.
    const phases = months > 0 && starts.includes(alreadyOver) ? [] : plan.phases;
    phasesOfLines.set(
      line,
      phases.map((phase, index) => {
        const start = starts[index];
        const text = explainCount(phase, plan, policy);
        return planPhase(phase, start && { text, range: addMonthsToRange(start, months), url });
      }),
    );
  }

  return phasesOfLines;
}

/** The starts of the newer lines that a policy counts for a line. */
function listNewerStarts(line: ReleaseLine, lines: readonly ReleaseLine[]): DayRange[] {
  const newerLines = lines.slice(lines.indexOf(line) + 1);
  return newerLines.filter((newer) => newer.hasStableRelease).map(({ began }) => began);
}

/** The possible days by which `count` of the lines had begun: `alreadyOver` if unknown, undefined if there are fewer lines. */
function findNthStart(starts: readonly DayRange[], count: number): DayRange | undefined {
  if (starts.length < count) {
    return undefined;
  }

  // A line without a latest day may have begun after all others.
  const latestDays = starts.map(({ from: day, atMost = day }) => atMost);
  const atMost = latestDays.filter((day) => day !== undefined).sort()[count - 1];
  if (atMost === undefined) {
    return alreadyOver;
  }

  // A line without an earliest day may have begun before all others: the empty text is the first.
  const from = starts.map(({ from: day = '' }) => day).sort()[count - 1] || undefined;

  return createDayRange(from, atMost);
}

/** Plans the phases of lines by the lines that a policy or a source states. */
function planStated(
  lines: readonly ReleaseLine[],
  statedLines: readonly StatedLine[],
  origin: string,
  url: string | undefined,
): Map<ReleaseLine, PlannedPhase[]> {
  const sortedLines = statedLines.toSorted((a, b) => compareLineNames(a.line, b.line));
  return new Map(lines.map((line) => [line, planByStatedLine(line, sortedLines, origin, url)]));
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
  const listedLine = statedLines.find(({ line }) => compareLineNames(line, name) >= 0);
  if (!listedLine) {
    return [];
  }

  const isListed = compareLineNames(listedLine.line, name) === 0;
  const older = `${name} is older than ${listedLine.line}`;
  if (!isListed && listedLine === statedLines[0]) {
    const text = `${older}, the oldest release line whose end of support is stated.`;
    return [planPhase({ name: onlyPhase }, { text, range: alreadyOver, url })];
  }

  return listedLine.phases.map((phase) => {
    const { until, untilAtMost, isOver } = phase;
    if (until === undefined && untilAtMost === undefined && !isOver) {
      return phase;
    }

    // A line between two listed lines does not outlive the next newer one.
    const end = explainStatedEnd(listedLine, phase, origin);
    const text = isListed ? end : `${older}. ${end}`;
    return planPhase(phase, { text, range: { from: until, atMost: untilAtMost }, url });
  });
}

/**
 * Whether the next line would end the support of a line at once. Of a line with long-term support, nobody knows: the next line may
 * have it, too.
 */
function endsWithNextLine(
  policy: SupportPolicy,
  line: ReleaseLine,
  lines: readonly ReleaseLine[],
): boolean {
  if (policy.policy !== 'latest-lines' || policy.months !== undefined) {
    return false;
  }

  const lastPhase = findLastFreePhase(listUsualPhases(policy));
  return listNewerStarts(line, lines).length + 1 === lastPhase?.count;
}
