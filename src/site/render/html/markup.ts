import { readableDay, splitDays, type Day } from '../../../core/model/dates.ts';
import { onlyPhase } from '../../../core/model/phases.ts';
import { supportOn } from '../../../core/model/states.ts';
import { endInWords } from '../../../core/model/words.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';
import { escapeMarkup } from '../../../core/text/foreign-text.ts';

/** A part of a page or a picture, as HTML that is also XML. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | readonly Part[];

/** The tag of a template: each text that it inserts is escaped, and other markup is not. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0]!;
  for (const [index, part] of parts.entries()) {
    text += write(part) + strings[index + 1]!;
  }
  return { markup: text };
}

function write(part: Part): string {
  if (typeof part === 'string') {
    return escapeMarkup(part);
  }

  return 'markup' in part ? part.markup : part.map(write).join('');
}

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

/** The day of a release; of one that was first seen on that day, with a sign that it may be older. */
export function drawDay({ day, isObserved }: { day: Day; isObserved: boolean }): Markup {
  const before = isObserved ? markup`<span title="on or before">≤</span> ` : '';
  return markup`<span class="release-day">${before}${markDay(day)}</span>`;
}

/** A readable day. `attributes`: more attributes of the element. */
function markDay(day: Day, attributes: Markup | string = ''): Markup {
  return markup`<time datetime="${day}"${attributes}>${readableDay(day)}</time>`;
}

/** A text with readable days, `15 Jan 2027`. `attributes`: as of `markDay`. */
export function markDays(text: string, attributes: Markup | string = ''): Markup {
  const parts = splitDays(text).map(({ text: part, isDay }) =>
    isDay ? markDay(part, attributes) : part,
  );
  return markup`${parts}`;
}
