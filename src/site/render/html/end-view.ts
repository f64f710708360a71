import type { Day } from '../../../core/model/dates.ts';
import { findLastFreePhase } from '../../../core/model/phases.ts';
import { computeEndOn, describeEnd, nameState } from '../../../core/model/words.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';
import type { JudgedLine } from '../../../decide/judge.ts';

/**
 * The end of support in words, as of a day, with its days: the script of the pages makes the words again on a later day. `end`: of
 * the last phase that is not paid.
 */
export function createEndView(end: Pick<Phase, 'until' | 'untilAtMost' | 'isOver'>, day: Day) {
  const { until = '', untilAtMost: atMost = '' } = end;
  const { state, words } = computeEndOn(end, day);
  return { state, words, until, atMost, isNear: state === 'ends-soon' };
}

/** The same for a line, by its own state. Without an end, the words are `no end announced` for a supported line, and else its state. */
export function createLineEndView(line: JudgedLine) {
  const { phases, state, isSupported } = line;
  const { until, untilAtMost: atMost } = findLastFreePhase(phases) ?? {};
  const noEnd = isSupported ? 'no end announced' : nameState(state);
  return { words: describeEnd(line) || noEnd, until, atMost, isNear: state === 'ends-soon' };
}
