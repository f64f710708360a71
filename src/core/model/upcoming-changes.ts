import type { Phase } from '../schemas/definition/phase.ts';
import type { Reason } from '../schemas/published/reason.ts';
import { dayAfter, hasCome, oldestFirst, type Day } from './dates.ts';
import { defined } from './objects.ts';
import { hasEnded, lastFreePhase } from './phases.ts';
import { phaseLabel, type DayRange } from './words.ts';

/** A change that comes on a known day, or between two days, without a release. */
interface UpcomingChange extends DayRange {
  readonly event: 'end of support' | 'deprecation' | 'end of phase';
  readonly line?: string;
  readonly version?: string;
  /** The phase that ends, and the next one. */
  readonly phase?: string;
  readonly nextPhase?: string;
  readonly reason?: string;
}

interface ChangingLine {
  readonly line: string;
  readonly phases?: readonly Phase[] | undefined;
  readonly reason?: Reason | undefined;
  readonly releases: readonly {
    readonly version: string;
    readonly isDeprecated: boolean;
    readonly reasons?: readonly Reason[] | undefined;
  }[];
}

/** The day to expect a change on: exact, or the earliest possible one. */
export function expectedOn({ from, atMost }: DayRange): Day {
  return from ?? atMost!;
}

/** The changes after a day that come without a release, soonest first. */
export function upcomingChanges(lines: readonly ChangingLine[], day: Day): UpcomingChange[] {
  const changes = lines.flatMap(({ line, phases = [], reason, releases }): UpcomingChange[] => {
    const end = lastFreePhase(phases);
    const ofPhases = phases.map((phase, index): UpcomingChange => {
      const { until: from, untilAtMost: atMost } = phase;
      if (phase === end) {
        return defined({ from, atMost, event: 'end of support', line } as const);
      }

      const next = phases[index + 1];
      const names = { phase: phaseLabel(phase), nextPhase: next && phaseLabel(next) };
      return defined({ from, atMost, event: 'end of phase', line, ...names } as const);
    });

    const ofReleases = releases.flatMap(({ version, isDeprecated, reasons = [] }) =>
      isDeprecated ? [] : reasons.map((each) => deprecation(each, { version, reason: each.text })),
    );
    const isApart = reason && reason.from !== dayAfter(end?.until);
    return [...ofPhases, ...(isApart ? [deprecation(reason, { line })] : []), ...ofReleases];
  });

  return changes
    .filter((change) => (change.from ?? change.atMost) !== undefined && !isPast(change, day))
    .sort((a, b) => oldestFirst(expectedOn(a), expectedOn(b)));
}

/** A deprecation holds from its day on, and what ends still holds on its last day. */
function isPast({ event, from, atMost }: UpcomingChange, day: Day): boolean {
  const hasCertainlyPassed =
    event === 'deprecation'
      ? hasCome(from, atMost, day)
      : hasEnded({ until: from, untilAtMost: atMost }, day);
  return hasCertainlyPassed === true;
}

function deprecation({ from, fromAtMost }: Reason, about: Partial<UpcomingChange>): UpcomingChange {
  return defined({ from, atMost: fromAtMost, event: 'deprecation' as const, ...about });
}
