import { formatDay, splitDays, type Day } from '../../../core/model/dates.ts';
import { moveLabel } from '../../../core/model/words.ts';
import type { VersionAnswer } from '../../../core/schemas/published/answer-schemas.ts';
import { escapeMarkup } from '../../../core/text/foreign-text.ts';

/** A part of a page or a picture, as HTML that is also XML. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | readonly Part[];

/** The tag of a template: each text that it inserts is escaped, and other markup is not. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  // A template has one more string than parts.
  let text = strings[0]!;
  for (const [index, part] of parts.entries()) {
    text += renderPart(part) + strings[index + 1]!;
  }
  return { markup: text };
}

function renderPart(part: Part): string {
  if (typeof part === 'string') {
    return escapeMarkup(part);
  }

  return 'markup' in part ? part.markup : part.map(renderPart).join('');
}

/** A text with readable days, `15 Jan 2027`. */
export function markDays(text: string): Markup {
  return markEachDay(text, '');
}

/** A text with readable days, behind each of which the script writes its distance. */
export function markRelativeDays(text: string): Markup {
  return markEachDay(text, markup` data-relative`);
}

function markEachDay(text: string, attribute: Markup | ''): Markup {
  const parts = splitDays(text).map((part) =>
    part.isDay
      ? markup`<time datetime="${part.text}"${attribute}>${formatDay(part.text)}</time>`
      : part.text,
  );
  return markup`${parts}`;
}

/** The day of a release; with the sign `≤` if it was first seen on that day, and may be older. */
export function drawDay({ day, isObserved }: { day: Day; isObserved: boolean }): Markup {
  const before = isObserved ? markup`<span title="on or before">≤</span> ` : '';
  return markup`<span class="release-day">${before}${markDays(day)}</span>`;
}

/** The state of a version and what to do, then the reasons and a link: for a line on its page, and for an answer. */
export function drawVerdict(
  tag: 'h2' | 'p',
  { sentence, advice, because }: Pick<VersionAnswer, 'sentence' | 'advice' | 'because'>,
  link: Markup | string = '',
): Markup {
  const reasons = markDays(because.join(' '));
  const hasNote = because.length > 0 || link !== '';
  const note = hasNote ? markup`<p class="note">${reasons}${link}</p>` : '';
  return markup`<${tag} class="sentence">${markDays(`${sentence} ${advice}`)}</${tag}>${note}`;
}

/** A version to move to, in a list. */
export function drawMove(goal: string): Markup {
  return markup`${moveLabel} <b>${goal}</b>`;
}

/** A link behind a text; empty without an address. */
export function drawLink(text: string, url: string | undefined): Markup | string {
  return url === undefined ? '' : markup` <a href="${url}">${text}</a>`;
}

/** An entry of a list of terms. */
export function drawFact(term: Markup | string, words: Markup | string): Markup {
  return markup`<div><dt>${term}</dt><dd>${words}</dd></div>`;
}

/** A table whose first column names its rows. A narrow screen may show the heading of a column before each value. */
export function drawTable(
  className: string,
  headings: readonly string[],
  rows: readonly (readonly (Markup | string)[])[],
): Markup {
  const items = rows.map(([name = '', ...values]) => {
    // A cell beyond the headings is a mistake that shows.
    const cells = values.map(
      (value, index) => markup`<td data-label="${headings[index + 1] ?? ''}">${value}</td>`,
    );
    return markup`<tr><th scope="row">${name}</th>${cells}</tr>`;
  });
  const heads = headings.map((heading) => markup`<th scope="col">${heading}</th>`);
  return markup`<table class="${className}"><thead><tr>${heads}</tr></thead><tbody>${items}</tbody></table>`;
}
