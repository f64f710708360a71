import { isDeepStrictEqual } from 'node:util';
import { countDaysBetween, type Day } from '../../../core/model/dates.ts';
import { hasEnded } from '../../../core/model/phases.ts';
import { findCertainDay } from '../../../core/model/states.ts';
import { describePhaseName } from '../../../core/model/words.ts';
import type { Reason } from '../../../core/schemas/published/reason.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import {
  createEndKey,
  listVersions,
  type DraftEvent,
  type EndState,
  type JournalState,
  type VersionState,
} from '../../../decide/fold-journal.ts';
import type { JudgedLine, JudgedRelease, Judged } from '../../../decide/judge.ts';
import type { PlannedPhase } from '../../../decide/planned-phases.ts';
import { describePolicy } from '../../../decide/policy-sentences.ts';

/** A component as its readers know it, and as it is judged on a day. */
export interface Comparison {
  /** After the events that other comparisons have found: it has all releases. */
  state: JournalState;
  judged: Judged;
  day: Day;
}

/** An event, by default of the day of the comparison. */
export type Difference = Omit<DraftEvent, 'on'> & { on?: Day | undefined };

/** Compares the ends of the phases of all release lines. */
export function compareEnds(comparison: Comparison): Difference[] {
  const { lines } = comparison.judged.judgement;
  return [
    ...listFormerEnds(comparison),
    ...lines.flatMap((line) => compareEndsOfLine(line, comparison)),
  ];
}

/** The ends of phases that a release line has no longer. A line that is gone has no such event. */
function listFormerEnds({ state, judged }: Comparison): Difference[] {
  const phasesByLine = new Map(judged.judgement.lines.map(({ name, phases }) => [name, phases]));
  const events: Difference[] = [];

  for (const { line, phase, until, untilAtMost, isEnded } of state.ends.values()) {
    const isFormer = phasesByLine.get(line)?.every(({ name }) => name !== phase);
    const from = until ?? untilAtMost;
    if (isFormer && (from !== undefined || isEnded)) {
      const reason = 'It has no such phase now.';
      events.push({ type: 'support-dropped', line, phase, from, reason });
    }
  }

  return events;
}

function compareEndsOfLine(
  { name: line, phases }: JudgedLine,
  { state, day }: Comparison,
): Difference[] {
  const phaseNames = phases.length > 1 ? phases.map(describePhaseName) : undefined;
  const events: Difference[] = [];

  for (const phase of phases) {
    const { name, reason } = phase;
    const about = {
      line,
      phase: name,
      phases: phaseNames,
      rule: reason?.rule,
      reason: reason?.text,
    };

    const former = state.ends.get(createEndKey(about));
    const newEnd = compareEnd(about, phase, former);
    if (newEnd) {
      events.push(newEnd);
    }

    // A new end has not been announced as near.
    events.push(...compareProgress(about, phase, newEnd ? undefined : former, day));
  }

  return events;
}

type AboutPhase = Pick<DraftEvent, 'line' | 'phase' | 'phases' | 'rule' | 'reason'>;

/** Compares the stated end of a phase. */
function compareEnd(
  about: AboutPhase,
  { until: to, untilAtMost: toAtMost }: PlannedPhase,
  former: EndState | undefined,
): Difference | undefined {
  const from = former?.until ?? former?.untilAtMost;
  if (to === undefined && toAtMost === undefined) {
    return from === undefined ? undefined : { type: 'support-dropped', ...about, from };
  }

  const isChanged = former?.until !== to || former?.untilAtMost !== toAtMost;
  if (isChanged && from !== undefined) {
    return { type: 'support-moved', ...about, from, to, toAtMost };
  }

  // With the same end, the phase may now be paid or be followed by another.
  const hasOtherPhases = !isDeepStrictEqual(former?.phases, about.phases);
  return isChanged || hasOtherPhases
    ? { type: 'support-announced', ...about, to, toAtMost }
    : undefined;
}

/** The days before the end of a phase on which to announce it, ascending. */
const daysAhead = [7, 30, 90];

/** Compares whether the phase has ended, and how near its end is. */
function compareProgress(
  about: AboutPhase,
  planned: PlannedPhase,
  former: EndState | undefined,
  day: Day,
): Difference[] {
  const { until: to, untilAtMost: toAtMost } = planned;
  const { isEnded: wasEnded = false, daysAnnounced = Infinity } = former ?? {};
  if (hasEnded(planned, day) === true) {
    // An end without a day came at the latest on the day of the comparison.
    const latestEnd = toAtMost ?? (to === undefined ? day : undefined);
    const on = latestEnd ?? to;
    return wasEnded ? [] : [{ type: 'support-ended', on, ...about, toAtMost: latestEnd }];
  }

  const events: Difference[] = [];
  if (wasEnded) {
    events.push({ type: 'support-dropped', ...about, to, toAtMost });
  }

  if (to !== undefined && to >= day) {
    const daysLeft = countDaysBetween(day, to);
    const days = daysAhead.find((ahead) => daysLeft <= ahead);
    if (days !== undefined && days < daysAnnounced) {
      events.push({ type: 'support-ending', on: to, ...about, toAtMost, days });
    }
  }

  return events;
}

/** Compares why releases are deprecated, line by line. */
export function compareVerdicts(comparison: Comparison): Difference[] {
  return comparison.judged.judgement.lines.flatMap((line) =>
    compareVerdictsOfLine(line, comparison),
  );
}

/** The changed verdicts of a line, as events for the whole line where possible. */
function compareVerdictsOfLine(
  { name: line, releases }: JudgedLine,
  comparison: Comparison,
): Difference[] {
  const { state } = comparison;
  const restated: Difference[] = [];
  const deprecated: JudgedRelease[] = [];
  const restored: JudgedRelease[] = [];

  for (const release of releases) {
    const { version } = release;
    const { verdict } = state.versions.get(version)!;
    if (isSameVerdict(verdict, release.because[0])) {
      continue;
    }

    if (!release.isDeprecated) {
      restored.push(release);
    } else if (verdict) {
      restated.push({ version, ...draftVerdict(release, comparison) });
    } else {
      deprecated.push(release);
    }
  }

  // An event for the line deprecates the versions without a verdict, or restores those with one, also the newly deprecated ones.
  const versions = listVersions(state, line);
  const withoutVerdict = versions.filter(({ verdict }) => !verdict).length;
  const withVerdict = versions.length - withoutVerdict + deprecated.length;
  return [
    ...restated,
    ...uniteVerdicts(deprecated, line, withoutVerdict, comparison),
    ...uniteVerdicts(restored, line, withVerdict, comparison),
  ];
}

/**
 * One event for the line if its releases change alike, and it changes no other release; else one for each release. `lineCount`: the
 * number of releases that an event for the line changes.
 */
function uniteVerdicts(
  releases: readonly JudgedRelease[],
  line: string,
  lineCount: number,
  comparison: Comparison,
): Difference[] {
  const drafts = releases.map((release) => draftVerdict(release, comparison));
  const [first] = drafts;
  const isAlike = drafts.every((draft) => isDeepStrictEqual(draft, first));
  if (first && releases.length > 1 && releases.length === lineCount && isAlike) {
    return [{ line, ...first }];
  }

  return releases.map(({ version }, index) => ({ version, ...drafts[index]! }));
}

/** The event of a changed verdict, without its subject. */
function draftVerdict(
  { version, because: [reason] }: JudgedRelease,
  { state, judged }: Comparison,
): Difference {
  if (reason) {
    const { rule, text, url, fromAtMost } = reason;
    const timestampKind = fromAtMost === undefined ? undefined : ('observed' as const);
    const on = findCertainDay(reason);
    return { type: 'deprecated', on, rule, reason: text, url, timestampKind };
  }

  const rule = state.versions.get(version)!.verdict?.rule;
  const why = rule === 'support policy' ? describePolicy(judged.definition.support) : undefined;
  return { type: 'restored', rule, reason: why };
}

/** Whether a verdict has the same rule, and the same reason where a definition or an upstream states it. A policy may be reworded. */
function isSameVerdict(former: VersionState['verdict'], reason: Reason | undefined): boolean {
  if (former?.rule !== reason?.rule) {
    return false;
  }

  const isStated = reason?.rule === 'definition' || reason?.rule === 'upstream';
  return !isStated || (former?.reason ?? '') === toLine(reason.text);
}
