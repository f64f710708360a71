import type { Reason } from '../schemas/published/reason.ts';
import { dayAfter, hasCome, oldestFirst, type Day } from './dates.ts';
import { dropUndefined } from './objects.ts';
import { hasEnded, findLastFreePhase } from './phases.ts';
import type { LineFacts, ReleaseFacts } from './states.ts';
import { describePhaseName, type DayRange } from './words.ts';

/** A change that comes on a known day, or between two days, without a release. */
export interface UpcomingChange extends DayRange {
  readonly event: 'end of support' | 'deprecation' | 'end of phase';
  readonly line?: string;
  readonly version?: string;
  /** The phase that ends, and the next one. */
  readonly phase?: string;
  readonly nextPhase?: string;
  readonly reason?: string;
}

interface ChangingLine extends LineFacts<
  Pick<ReleaseFacts, 'version' | 'reasons'> & { readonly isDeprecated: boolean }
> {
  readonly line: string;
}

/** The day to expect a change on: exact, or the earliest possible one. */
export function findExpectedDay({ from, atMost }: DayRange): Day {
  return from ?? atMost!;
}

/** The changes after a day that come without a release, soonest first. */
export function listUpcomingChanges(lines: readonly ChangingLine[], day: Day): UpcomingChange[] {
  return lines
    .flatMap(listChanges)
    .filter((change) => (change.from ?? change.atMost) !== undefined && !isPast(change, day))
    .sort((a, b) => oldestFirst(findExpectedDay(a), findExpectedDay(b)));
}

/** The changes of a line and its releases, past or future, also those without a day. */
function listChanges({ line, phases = [], reason, releases }: ChangingLine): UpcomingChange[] {
  const lastFreePhase = findLastFreePhase(phases);
  const changes = phases.map((phase, index): UpcomingChange => {
    const { until: from, untilAtMost: atMost } = phase;
    if (phase === lastFreePhase) {
      return dropUndefined({ from, atMost, event: 'end of support', line } as const);
    }

    const next = phases[index + 1];
    const names = { phase: describePhaseName(phase), nextPhase: next && describePhaseName(next) };
    return dropUndefined({ from, atMost, event: 'end of phase', line, ...names } as const);
  });

  // A line that is deprecated on the day after its end needs no second entry.
  if (reason && reason.from !== dayAfter(lastFreePhase?.until)) {
    changes.push(createDeprecation(reason, { line }));
  }

  for (const { version, isDeprecated, reasons = [] } of releases) {
    for (const ownReason of isDeprecated ? [] : reasons) {
      changes.push(createDeprecation(ownReason, { version, reason: ownReason.text }));
    }
  }

  return changes;
}

/** A deprecation holds from its day on; a phase still runs on its last day. */
function isPast({ event, from, atMost }: UpcomingChange, day: Day): boolean {
  const hasPassed =
    event === 'deprecation'
      ? hasCome(from, atMost, day)
      : hasEnded({ until: from, untilAtMost: atMost }, day);
  return hasPassed === true;
}

function createDeprecation(
  { from, fromAtMost }: Reason,
  subject: Partial<UpcomingChange>,
): UpcomingChange {
  return dropUndefined({ from, atMost: fromAtMost, event: 'deprecation' as const, ...subject });
}
