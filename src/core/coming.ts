import { hasCome, oldestFirst, type Day } from './dates.ts';
import { lastFreePhase, severalPhases } from './phases.ts';
import type { Phase } from './schemas/phase.ts';
import type { Reason } from './schemas/published/details-file.ts';
import { certainFrom } from './states.ts';
import { defined } from './text.ts';
import { phaseLabel, type DayRange } from './words.ts';

/** A change on a known day, or between two, although nothing is released. */
export interface ComingChange extends DayRange {
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

/** The day on which a change is to be expected: exact, or the earliest possible one. */
export function expectedOn({ from, atMost }: DayRange): Day {
  return from ?? atMost!;
}

/** The changes after a day that come without a release, soonest first. */
export function comingChanges(lines: readonly ChangingLine[], day: Day): ComingChange[] {
  const changes = lines.flatMap(({ line, phases = [], reason, releases }): ComingChange[] => {
    const end = lastFreePhase(phases);
    const ofPhases = severalPhases(phases).flatMap((phase, index) => {
      const { until: from, untilAtMost: atMost } = phase;
      const next = phases[index + 1];
      if (phase === end) return [];
      const names = { phase: phaseLabel(phase), nextPhase: next && phaseLabel(next) };
      return defined({ from, atMost, event: 'end of phase' as const, line, ...names });
    });
    const ofSupport = end && {
      from: end.until,
      atMost: end.untilAtMost,
      event: 'end of support' as const,
      line,
    };
    const isEarlier =
      reason && certainFrom(reason) !== undefined && certainFrom(reason) !== (end?.untilAtMost ?? end?.until);
    const ofLine = isEarlier
      ? [{ from: reason.from, atMost: reason.fromAtMost, event: 'deprecation' as const, line }]
      : [];
    const ofReleases = releases.flatMap(({ version, isDeprecated, reasons = [] }) => {
      const next = reasons.find((each) => certainFrom(each) !== undefined && certainFrom(each)! > day);
      if (isDeprecated || !next) return [];
      const { from, fromAtMost: atMost, text } = next;
      return { from, atMost, event: 'deprecation' as const, version, reason: text };
    });
    return [
      ...ofPhases,
      ...(ofSupport ? [defined(ofSupport)] : []),
      ...ofLine.map(defined),
      ...ofReleases.map(defined),
    ];
  });
  return changes
    .filter(({ from, atMost }) => (from ?? atMost) !== undefined && hasCome(from, atMost, day) !== true)
    .sort((a, b) => oldestFirst(expectedOn(a), expectedOn(b)));
}
