import { formatDay, splitDays, type Day } from '../../../core/model/dates.ts';
import { onlyPhase } from '../../../core/model/phases.ts';
import { computeSupportOn } from '../../../core/model/states.ts';
import { describeEnd } from '../../../core/model/words.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';
import type { VersionAnswer } from '../../../core/schemas/published/answer-schemas.ts';
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
export function createEndView(phase: Pick<Phase, 'until' | 'untilAtMost' | 'isOver'>, day: Day) {
  const { until, untilAtMost } = phase;
  const phases = [{ ...phase, name: onlyPhase, paid: undefined }];
  const support = computeSupportOn({ phases }, day);
  return {
    state: support.state,
    words: describeEnd({ ...support, phases }),
    until: until ?? '',
    atMost: untilAtMost ?? '',
    isNear: support.state === 'ends-soon',
  };
}

/** The day of a release. A release that was first seen on that day gets a sign that it may be older. */
export function drawDay({ day, isObserved }: { day: Day; isObserved: boolean }): Markup {
  const before = isObserved ? markup`<span title="on or before">≤</span> ` : '';
  return markup`<span class="release-day">${before}${markDays(day)}</span>`;
}

/** A text with readable days, `15 Jan 2027`. */
export function markDays(text: string): Markup {
  return markEachDay(text, '');
}

/** A text with readable days, to each of which the script adds how far it is from today. */
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

/** A change of a version, of a release line, or of several versions. */
interface ChangedSubject {
  readonly type: string;
  readonly version?: string | undefined;
  readonly line?: string | undefined;
  readonly subjects?: readonly string[];
}

/** `#` and the anchor of the changed release; empty if the page does not show the release. */
export function nameChangeAnchor({ type, version, line, subjects }: ChangedSubject): string {
  const subject = version ?? subjects?.at(-1);
  if (subject === undefined) {
    return line === undefined ? '' : `#line-${line}`;
  }

  return type === 'excluded' ? '' : `#${nameReleaseAnchor(subject)}`;
}

/**
 * Id of a release on the page of its component: `v2025.3.1`. A character that is unsafe in an id or an address becomes its code
 * point between tildes, so ids are unique and need no escaping.
 */
export function nameReleaseAnchor(version: string): string {
  return `v${version.replace(/[^A-Za-z0-9._+-]/gu, (character) => `~${character.codePointAt(0)!.toString(16)}~`)}`;
}

/** The version in an id from `nameReleaseAnchor`. */
export function readAnchor(anchor: string): string {
  return anchor
    .slice(1)
    .replace(/~([0-9a-f]{1,5})~/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

const msPerDay = 86_400_000;
const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The time until a day: `in 8 weeks` or `6 weeks ago`. `now`: milliseconds since 1970. */
export function describeDistance(day: string, now: number): string {
  const days = Math.ceil((Date.parse(day) - now) / msPerDay);
  const far = Math.abs(days);
  if (far < 21) {
    return formatter.format(Math.round(days), 'day');
  }

  return far < 92
    ? formatter.format(Math.round(days / 7), 'week')
    : formatter.format(Math.round(days / 30.44), 'month');
}

/** A link behind a text; empty without an address. */
export function drawLink(text: string, url: string | undefined): Markup | string {
  return url === undefined ? '' : markup` <a href="${url}">${text}</a>`;
}

/** An entry of a list of terms. */
export function drawFact(term: Markup | string, words: Markup | string): Markup {
  return markup`<div><dt>${term}</dt><dd>${words}</dd></div>`;
}

/** The state of a version and its remedy, then the reasons: for a line on its page, and for an answer. `link`: behind the reasons. */
export function drawVerdict(
  tag: 'h2' | 'p',
  { sentence, advice, because }: Pick<VersionAnswer, 'sentence' | 'advice' | 'because'>,
  link: Markup | string = '',
): Markup {
  const why = markDays(because.join(' '));
  const note = why.markup === '' && link === '' ? '' : markup`<p class="note">${why}${link}</p>`;
  return markup`<${tag} class="sentence">${markDays(`${sentence} ${advice}`)}</${tag}>${note}`;
}

/** A version to move to, in a list. */
export function drawMove(goal: string): Markup {
  return markup`Move to <b>${goal}</b>`;
}
