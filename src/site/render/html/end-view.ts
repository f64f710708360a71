import { msPerDay, type Day } from '../../../core/model/dates.ts';
import { findLastFreePhase, onlyPhase } from '../../../core/model/phases.ts';
import { computeSupportOn } from '../../../core/model/states.ts';
import { describeEnd, stateLabels } from '../../../core/model/words.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';
import type { JudgedLine } from '../../../decide/judge.ts';

/**
 * The end of support in words, as of a day, with its days: the script of the pages makes the words again on a later day. `end`: of
 * the last phase that is not paid.
 */
export function createEndView(end: Pick<Phase, 'until' | 'untilAtMost' | 'isOver'>, day: Day) {
  const { until = '', untilAtMost: atMost = '' } = end;
  const phases = [{ ...end, name: onlyPhase }];
  const support = computeSupportOn({ phases }, day);
  const { state } = support;
  return {
    state,
    words: describeEnd({ ...support, phases }),
    until,
    atMost,
    isNear: state === 'ends-soon',
  };
}

/** The end of a line in words; without one, `no end announced`, or the state if unsupported. */
export function createLineEndView(line: JudgedLine, day: Day) {
  const { phases, state, isSupported } = line;
  const noEnd = isSupported ? 'no end announced' : stateLabels[state].toLowerCase();
  return {
    ...createEndView(findLastFreePhase(phases) ?? {}, day),
    words: describeEnd(line) || noEnd,
    isNear: state === 'ends-soon',
  };
}

const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `in 20 days`, `6 weeks ago`, `in 4 months`: the time from now to a day. `now`: milliseconds since 1970. */
export function describeDistance(day: string, now: number): string {
  const days = Math.ceil((Date.parse(day) - now) / msPerDay);
  const distance = Math.abs(days);
  if (distance < 21) {
    return formatter.format(days, 'day');
  }

  return distance < 92
    ? formatter.format(Math.round(days / 7), 'week')
    : formatter.format(Math.round(days / 30.44), 'month');
}
