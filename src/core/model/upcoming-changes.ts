import type { Reason } from '../schemas/published/reason.ts';
import { dayAfter, hasCome, oldestFirst, type Day, type DayRange } from './dates.ts';
import { hasEnded, findLastFreePhase } from './phases.ts';
import type { LineFacts, ReleaseFacts } from './states.ts';
import { describePhaseName } from './words.ts';

/** A change that comes without a release, on a known day or between two days. */
interface Change extends DayRange {
  readonly event: 'end of support' | 'deprecation' | 'end of phase';
  readonly line?: string | undefined;
  readonly version?: string | undefined;
  /** The phase that ends, and the next one. */
  readonly phase?: string | undefined;
  readonly nextPhase?: string | undefined;
  readonly reason?: string | undefined;
}

export interface UpcomingChange extends Change {
  /** The exact day, or the earliest possible one, or the latest where only that is known. */
  readonly expectedOn: Day;
}

interface ChangingLine extends LineFacts<
  Pick<ReleaseFacts, 'version' | 'reasons'> & { readonly isDeprecated: boolean }
> {
  readonly line: string;
}

/** The changes after a day that come without a release, soonest first. */
export function listUpcomingChanges(lines: readonly ChangingLine[], day: Day): UpcomingChange[] {
  const changes = lines.flatMap((line) => [...listEnds(line), ...listDeprecations(line)]);
  const upcoming: UpcomingChange[] = [];

  for (const change of changes) {
    const expectedOn = change.from ?? change.atMost;
    if (expectedOn !== undefined && !isPast(change, day)) {
      upcoming.push({ ...change, expectedOn });
    }
  }

  return upcoming.sort((a, b) => oldestFirst(a.expectedOn, b.expectedOn));
}

/** A deprecation holds from its day on; a phase still runs on its last day. */
function isPast({ event, from, atMost }: Change, day: Day): boolean {
  const hasPassed =
    event === 'deprecation'
      ? hasCome(from, atMost, day)
      : hasEnded({ until: from, untilAtMost: atMost }, day);
  return hasPassed === true;
}

/** The ends of the phases of a line, past or future. Support ends with its last phase that is not paid. */
function listEnds({ line, phases = [] }: ChangingLine): Change[] {
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
function listDeprecations({ line, phases, reason, releases }: ChangingLine): Change[] {
  const deprecations: Change[] = [];

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
  subject: Pick<Change, 'line' | 'version' | 'reason'>,
): Change {
  return { event: 'deprecation', from, atMost: fromAtMost, ...subject };
}
