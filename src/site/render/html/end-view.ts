import type { Day } from '../../../core/dates.ts';
import { onlyPhase } from '../../../core/phases.ts';
import type { Phase } from '../../../core/schemas/phase.ts';
import { supportOn } from '../../../core/states.ts';
import { endInWords } from '../../../core/words.ts';

/** The end of support in words of a day. The build and, on a later day, the script of the pages write it. */
export function endView(phase: Pick<Phase, 'until' | 'untilAtMost' | 'isOver'>, day: Day) {
  const { until, untilAtMost } = phase;
  const phases = [{ ...phase, name: onlyPhase, paid: undefined }];
  const support = supportOn({ phases }, day);
  return {
    state: support.state,
    words: endInWords({ ...support, phases }),
    until: until ?? '',
    atMost: untilAtMost ?? '',
    isNear: support.state === 'ends-soon',
  };
}
