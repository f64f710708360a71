import { readableDay, splitDays, type Day } from '../../../core/model/dates.ts';
import { markup, type Markup } from './markup.ts';
import { onlyPhase } from '../../../core/model/phases.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';
import { supportOn } from '../../../core/model/states.ts';
import { endInWords } from '../../../core/model/words.ts';

/** The end of support in words, as of a day. The script of the pages updates the words on a later day, from the days. */
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

/** A text with readable days, `15 Jan 2027`. `isRelative`: the script adds the time until the day. */
export function markDays(text: string, isRelative = false): Markup {
  const relative = isRelative ? markup` data-relative` : '';
  const parts = splitDays(text).map(({ text: part, isDay }) =>
    isDay ? markup`<time datetime="${part}"${relative}>${readableDay(part)}</time>` : part,
  );

  return markup`${parts}`;
}
