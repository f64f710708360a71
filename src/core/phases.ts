import type { Day } from './dates.ts';
import type { Phase } from './schemas/phase.ts';

/** The one phase of a line whose support policy names a single end. */
export const onlyPhase = 'support';

export function isPhaseOver({ until, isOver }: Phase, day: Day): boolean {
  return until === undefined ? isOver === true : until <= day;
}

/** Those of a line that has several; else none, as the only phase of a line is not named. */
export function severalPhases<P extends Phase>(phases: readonly P[] = []): readonly P[] {
  return phases.length > 1 ? phases : [];
}

/** The phase of a line on a day: the first that is not over. Undefined where none is left, or it has one alone. */
export function phaseOn<P extends Phase>(phases: readonly P[] | undefined, day: Day): P | undefined {
  return severalPhases(phases).find((phase) => !isPhaseOver(phase, day));
}

/** The last phase that everybody has: support ends with it. */
export function lastFreePhase<P extends Phase>(phases: readonly P[]): P | undefined {
  return phases.findLast(({ paid }) => !paid);
}

/** `security`, `extended (paid)`. */
export function phaseLabel({ name, paid }: Pick<Phase, 'name' | 'paid'>): string {
  return paid ? `${name} (paid)` : name;
}

/** `active until 2026-04-08, security until 2026-10-08`: the phases of a line with their ends; empty where it has one alone. */
export function phaseList(phases: readonly Phase[] | undefined): string {
  return severalPhases(phases).map(phaseWithEnd).join(', ');
}

/** `security until 2026-10-08`. */
function phaseWithEnd(phase: Phase): string {
  const { until, untilKind } = phase;
  const end = until === undefined ? '' : ` until ${until}${untilKind ? ' at the latest' : ''}`;
  return phaseLabel(phase) + end;
}

/** `, in phase active`, behind the end of support of a release; empty for the only phase of its line. */
export function phaseWords(phase: unknown): string {
  return phase === undefined || phase === onlyPhase ? '' : `, in phase ${String(phase)}`;
}

/** `active until 2026-04-08`; only its name where support ends with it, and that day is told beside it. */
export function presentPhase(phase: Phase, supportedUntil: Day | undefined): string {
  return phase.until === supportedUntil ? phase.name : phaseWithEnd(phase);
}

/** `, in phase active until 2026-04-08`, behind words on the end of support of a line; empty without a present phase. */
export function inPhase(phase: Phase | undefined, supportedUntil: Day | undefined): string {
  if (!phase) return '';
  return `, ${phase.paid ? 'except in' : 'in'} phase ${presentPhase(phase, supportedUntil)}`;
}
