import { isDeepStrictEqual } from 'node:util';
import { countDaysBetween, type Day } from '../../../core/model/dates.ts';
import { hasEnded } from '../../../core/model/phases.ts';
import { findCertainDay } from '../../../core/model/states.ts';
import { describePhaseName } from '../../../core/model/words.ts';
import type { Reason } from '../../../core/schemas/published/reason.ts';
import {
  createEndKey,
  readEndKey,
  listVersions,
  type DraftEvent,
  type VersionState,
  type JournalState,
} from '../../../decide/fold-journal.ts';
import type { JudgedLine, JudgedRelease, Judged } from '../../../decide/judge.ts';
import type { PlannedPhase } from '../../../decide/planned-phases.ts';
import { describePolicy } from '../../../decide/policy-sentences.ts';
import { toLine } from '../../../core/text/foreign-text.ts';

/** What readers were told, to compare with what is judged now. */
export interface Comparison {
  /** `describeChange` applies each yielded event to it before the comparison goes on. */
  state: JournalState;
  judged: Judged;
  day: Day;
}

/** Events, by default of the day of the comparison. */
export type Differences = Generator<Omit<DraftEvent, 'on'> & { on?: Day }>;

/** Compares the ends of all release lines, and then the verdicts on their releases. */
export function* compareLines(comparison: Comparison): Differences {
  const { lines } = comparison.judged.judgement;

  yield* compareFormerEnds(comparison);
  for (const line of lines) {
    yield* compareEnds(line, comparison);
  }
  for (const line of lines) {
    yield* compareVerdicts(line, comparison);
  }
}

/** Drops phases that a release line's new policy does not have. */
function* compareFormerEnds({ state, judged }: Comparison): Differences {
  const lines = new Map(judged.judgement.lines.map(({ name, phases }) => [name, phases]));
  for (const [key, { until: from, untilAtMost, isEnded }] of state.ends) {
    const { line, phase } = readEndKey(key);
    const isFormer = lines.get(line)?.every(({ name }) => name !== phase);
    if (isFormer && (from !== undefined || untilAtMost !== undefined || isEnded)) {
      yield { type: 'support-dropped', line, phase, from, reason: 'It has no such phase now.' };
    }
  }
}

function* compareEnds(
  { name: line, phases = [] }: JudgedLine,
  comparison: Comparison,
): Differences {
  const phaseNames = phases.length > 1 ? phases.map(describePhaseName) : undefined;
  for (const phase of phases) {
    const { name, reason } = phase;
    const about = {
      line,
      phase: name,
      phases: phaseNames,
      rule: reason?.rule,
      reason: reason?.text,
    };
    yield* compareEnd(about, phase, comparison);
    yield* compareProgress(about, phase, comparison);
  }
}

type AboutPhase = Pick<DraftEvent, 'line' | 'phase' | 'phases' | 'rule' | 'reason'>;

/** Compares the stated end of a phase. */
function* compareEnd(about: AboutPhase, planned: PlannedPhase, { state }: Comparison): Differences {
  const { until: to, untilAtMost: toAtMost } = planned;
  const former = state.ends.get(createEndKey(about));
  const from = former?.until ?? former?.untilAtMost;
  const hasEnd = to !== undefined || toAtMost !== undefined;
  const isChanged = former?.until !== to || former?.untilAtMost !== toAtMost;

  // The end is unchanged, but the phase may now be paid or be followed by another.
  const hasOtherPhases = hasEnd && String(former?.phases) !== String(about.phases);
  if (!isChanged && !hasOtherPhases) {
    return;
  }

  const isMoved = from !== undefined && isChanged;
  const eventType = isMoved ? 'support-moved' : 'support-announced';
  yield {
    type: hasEnd ? eventType : 'support-dropped',
    ...about,
    from: isMoved ? from : undefined,
    to,
    toAtMost,
  };
}

/** The days before the end of a phase on which to announce it, ascending. */
const daysAhead = [7, 30, 90];

/** Compares how near the end is. A moved end, yielded just before, is open and unannounced. */
function* compareProgress(
  about: AboutPhase,
  planned: PlannedPhase,
  { state, day }: Comparison,
): Differences {
  const { until: to, untilAtMost: toAtMost } = planned;
  const wasEnded = state.ends.get(createEndKey(about))?.isEnded === true;
  const isEnded = hasEnded(planned, day) === true;
  if (wasEnded && !isEnded) {
    yield { type: 'support-dropped', ...about, to, toAtMost };
  }
  if (isEnded && !wasEnded) {
    yield { type: 'support-ended', on: toAtMost ?? to ?? day, ...about, toAtMost };
  }
  if (isEnded || to === undefined || to < day) {
    return;
  }

  const daysLeft = countDaysBetween(day, to);
  const days = daysAhead.find((ahead) => daysLeft <= ahead);
  const { daysAnnounced = Infinity } = state.ends.get(createEndKey(about)) ?? {};
  if (days !== undefined && days < daysAnnounced) {
    yield { type: 'support-ending', on: to, ...about, toAtMost, days };
  }
}

/** One event for the line if all its remaining releases change for one reason, else one event per release. */
function* compareVerdicts(
  { name: line, releases }: JudgedLine,
  comparison: Comparison,
): Differences {
  const { state } = comparison;
  const deprecated: JudgedRelease[] = [];
  const restored: JudgedRelease[] = [];

  for (const release of releases) {
    const { verdict } = state.versions.get(release.version)!;
    if (isSameVerdict(verdict, release.because[0])) {
      continue;
    }

    if (!release.isDeprecated) {
      restored.push(release);
    } else if (verdict) {
      yield { version: release.version, ...draftVerdict(release, comparison) };
    } else {
      deprecated.push(release);
    }
  }

  // The second list is read after the events of the first.
  const offered = listVersions(state, line).filter(({ verdict }) => verdict === undefined);
  yield* uniteVerdicts(deprecated, line, offered.length, comparison);
  const withheld = listVersions(state, line).filter(({ verdict }) => verdict !== undefined);
  yield* uniteVerdicts(restored, line, withheld.length, comparison);
}

/** One event for the line if the releases are alike, and as many as could change. */
function uniteVerdicts(
  releases: readonly JudgedRelease[],
  line: string,
  candidateCount: number,
  comparison: Comparison,
): DraftEvent[] {
  const drafts = releases.map((release) => draftVerdict(release, comparison));
  const [first] = drafts;
  const isAlike = drafts.every((draft) => isDeepStrictEqual(draft, first));
  if (first && releases.length > 1 && releases.length === candidateCount && isAlike) {
    return [{ line, ...first }];
  }

  return releases.map(({ version }, index) => ({ version, ...drafts[index]! }));
}

/** The event of a changed verdict, without its subject. */
function draftVerdict(
  { version, because: [reason] }: JudgedRelease,
  { state, judged: { definition }, day }: Comparison,
): DraftEvent {
  if (reason) {
    const { rule, text, url, fromAtMost } = reason;
    const timestampKind = fromAtMost === undefined ? undefined : ('observed' as const);
    const on = findCertainDay(reason) ?? day;
    return { type: 'deprecated', on, rule, reason: text, url, timestampKind };
  }

  const rule = state.versions.get(version)!.verdict?.rule;
  const why = rule === 'support policy' ? describePolicy(definition.support) : undefined;
  return { type: 'restored', on: day, rule, reason: why };
}

/**
 * Rewording a policy's description does not change the verdict. The reasons that a definition or an upstream states are part of
 * it.
 */
function isSameVerdict(former: VersionState['verdict'], reason: Reason | undefined) {
  if (former?.rule !== reason?.rule) {
    return false;
  }

  const isStated = reason?.rule === 'definition' || reason?.rule === 'upstream';
  return !isStated || former?.reason === cutReason(reason.text);
}

/** As one line of the journal; undefined where nothing visible is left. */
export function cutReason(text = ''): string | undefined {
  return toLine(text) || undefined;
}
