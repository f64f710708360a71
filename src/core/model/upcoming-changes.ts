import type { Reason } from '../schemas/published/reason.ts';
import { dayAfter, hasCome, oldestFirst, type Day, type DayRange } from './dates.ts';
import { hasEnded, findLastFreePhase } from './phases.ts';
import type { LineFacts, ReleaseFacts } from './states.ts';
import { describePhaseName } from './words.ts';

/** A change that comes without a release, on a known day or between two days. */
export interface UpcomingChange extends DayRange {
  readonly event: 'end of support' | 'deprecation' | 'end of phase';
  readonly line?: string | undefined;
  readonly version?: string | undefined;
  /** The phase that ends. */
  readonly phase?: string | undefined;
  readonly reason?: string | undefined;
}

interface ChangingLine extends LineFacts<
  Pick<ReleaseFacts, 'version' | 'reasons'> & { readonly isDeprecated: boolean }
> {
  readonly line: string;
}

/** The changes that have not certainly come by a day, by their exact or earliest possible days, soonest first. */
export function listUpcomingChanges(lines: readonly ChangingLine[], day: Day): UpcomingChange[] {
  return lines
    .flatMap((line) => [...listEnds(line), ...listDeprecations(line)])
    .filter((change) => findFirstDay(change) !== '' && !isPast(change, day))
    .sort((a, b) => oldestFirst(findFirstDay(a), findFirstDay(b)));
}

/** The exact day, or the earliest possible one, or the latest where only that is known; empty where none is. */
function findFirstDay({ from, atMost = '' }: DayRange): Day {
  return from ?? atMost;
}

/** A deprecation holds from its day on; a phase still runs on its last day. */
function isPast({ event, from, atMost }: UpcomingChange, day: Day): boolean {
  const hasPassed =
    event === 'deprecation'
      ? hasCome(from, atMost, day)
      : hasEnded({ until: from, untilAtMost: atMost }, day);
  return hasPassed === true;
}

/** The ends of the phases of a line, past or future. Support ends with its last phase that is not paid. */
function listEnds({ line, phases = [] }: ChangingLine): UpcomingChange[] {
  const lastFreePhase = findLastFreePhase(phases);
  return phases.map((phase) => {
    const range = { from: phase.until, atMost: phase.untilAtMost };
    return phase === lastFreePhase
      ? { event: 'end of support', line, ...range }
      : { event: 'end of phase', line, ...range, phase: describePhaseName(phase) };
  });
}

/** The deprecations of a line and of its releases that are not deprecated yet. */
function listDeprecations({ line, phases, reason, releases }: ChangingLine): UpcomingChange[] {
  const deprecations: UpcomingChange[] = [];

  // A line that is deprecated on the day after its end needs no second entry.
  if (reason && reason.from !== dayAfter(findLastFreePhase(phases)?.until)) {
    deprecations.push(createDeprecation(reason, { line }));
  }

  for (const { version, isDeprecated, reasons = [] } of releases) {
    if (!isDeprecated) {
      for (const ownReason of reasons) {
        deprecations.push(createDeprecation(ownReason, { version, reason: ownReason.text }));
      }
    }
  }

  return deprecations;
}

function createDeprecation(
  { from, fromAtMost }: Reason,
  subject: Pick<UpcomingChange, 'line' | 'version' | 'reason'>,
): UpcomingChange {
  return { event: 'deprecation', from, atMost: fromAtMost, ...subject };
}
