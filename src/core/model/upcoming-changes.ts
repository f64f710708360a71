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
  /** The phase that ends, and the next one. */
  readonly phase?: string | undefined;
  readonly nextPhase?: string | undefined;
  readonly reason?: string | undefined;
}

interface ChangingLine extends LineFacts<
  Pick<ReleaseFacts, 'version' | 'reasons'> & { readonly isDeprecated: boolean }
> {
  readonly line: string;
}

/** The day to expect a change on: exact, or the earliest possible one, or the latest where only that is known. Every upcoming change has one. */
export function findExpectedDay({ from, atMost }: UpcomingChange): Day {
  return (from ?? atMost)!;
}

/** The changes after a day that come without a release, soonest first. */
export function listUpcomingChanges(lines: readonly ChangingLine[], day: Day): UpcomingChange[] {
  const changes = lines.flatMap((line) => [...listEnds(line), ...listDeprecations(line)]);
  return changes
    .filter(({ from, atMost }) => (from ?? atMost) !== undefined)
    .filter((change) => !isPast(change, day))
    .sort((a, b) => oldestFirst(findExpectedDay(a), findExpectedDay(b)));
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
  return phases.map((phase, index) => {
    const { until: from, untilAtMost: atMost } = phase;
    if (phase === lastFreePhase) {
      return { event: 'end of support', line, from, atMost };
    }

    const next = phases[index + 1];
    return {
      event: 'end of phase',
      line,
      from,
      atMost,
      phase: describePhaseName(phase),
      nextPhase: next && describePhaseName(next),
    };
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
