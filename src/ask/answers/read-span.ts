import {
  addDays,
  addMonths,
  isDay,
  monthNames,
  startOfQuarter,
  startOfWeek,
  type Day,
} from '../../core/model/dates.ts';
import { simplifyLetters } from '../../core/text/foreign-text.ts';

/** Days from `from` to `to`, both included. */
interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

/** A question about what ends or was released within a span of days. */
export interface SpanQuestion extends DaySpan {
  readonly field: 'supportedUntil' | 'releaseTimestamp';
  /** The other words: a component name, or empty. */
  readonly name: string;
}

export function createSpanQuery({ field, from, to, name }: SpanQuestion): string {
  return `${name === '' ? '' : `component:${name} `}${field}:[${from} to ${to}]`;
}

/** A longer text is not a question; limits the work. */
const maxWords = 12;

export function readSpanQuestion(text: string, today: Day): SpanQuestion | undefined {
  const words = text.split(/\s+/);
  if (words.length > maxWords) {
    return undefined;
  }
  if (/^(?:(?:what|who|which) )?(?:ends? (?:next|first)|next ends?)$/i.test(text)) {
    return { field: 'supportedUntil', from: today, to: addMonths(today, 12), name: '' };
  }

  const topic = findTopic(words);
  const span = findSpan(words, topic, today);
  return span && topic.isEnded ? cutAtYesterday(span, today) : span;
}

/** Support has ended once its last day is over. Days that begin later stay as they are, for nothing ended on them. */
function cutAtYesterday(span: SpanQuestion, today: Day): SpanQuestion {
  const yesterday = addDays(today, -1);
  const isCut = span.from <= yesterday && span.to > yesterday;
  return isCut ? { ...span, to: yesterday } : span;
}

/** Whether days without a year, or counted from today, lie ahead or back. */
type Side = 'next' | 'last';

interface Topic extends Pick<SpanQuestion, 'field'> {
  readonly side: Side;
  /** Whether a word names the topic. Other questions are about ends. */
  readonly isNamed: boolean;
  /** Whether it is about ends in the past. */
  readonly isEnded: boolean;
}

/** The words of a question about ends. */
const endWords = /^(?:ends?|ended|ending|expires?|expired|eol)$/;
/** Those of a question about past ends. */
const endedWords = /^(?:ended|expired)$/;
/** The words of a question about releases. */
const releaseWords = /^(?:released?|releases|published|new|came|out)$/;

function findTopic(words: readonly string[]): Topic {
  const hasWord = (form: RegExp) => words.some((word) => form.test(simplifyLetters(word)));
  if (hasWord(endWords)) {
    const isEnded = hasWord(endedWords);
    return { field: 'supportedUntil', side: isEnded ? 'last' : 'next', isNamed: true, isEnded };
  }
  if (hasWord(releaseWords)) {
    return { field: 'releaseTimestamp', side: 'last', isNamed: true, isEnded: false };
  }

  return { field: 'supportedUntil', side: 'next', isNamed: false, isEnded: false };
}

/** After one of these, a year is no version. */
const yearOpeners = /^(?:in|during|within)$/;

/** The span of days that leaves no other words, else the longest one, and its other words as a name. */
function findSpan(
  words: readonly string[],
  { field, side, isNamed }: Topic,
  today: Day,
): SpanQuestion | undefined {
  let longest: SpanQuestion | undefined;

  for (let length = words.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const spanText = words.slice(start, start + length).join(' ');
      const span = readDays(spanText, today, side);
      if (!span) {
        continue;
      }

      // Prefers a reading that explains every word over the longest span.
      const name = words.toSpliced(start, length).filter(isOfName).join(' ');
      if (name === '') {
        return { ...span, field, name };
      }

      // A bare year with a name is a version, as in `svc eol 2025`, but not in `svc released in 2025`.
      const isYear = /^\d{4}$/.test(spanText);
      const isOpened = yearOpeners.test(simplifyLetters(words[start - 1] ?? ''));
      if (isNamed && (!isYear || isOpened)) {
        longest ??= { ...span, field, name };
      }
    }
  }

  return longest;
}

/** Further words of a question that belong to neither a name nor a span. */
const questionWords =
  /^(?:what|which|how|many|lines?|versions?|is|are|was|were|does|do|did|will|in|on|during|within|the|support|of|that|has|been|happens?|due)$/;

function isOfName(word: string): boolean {
  const plain = simplifyLetters(word);
  return ![endWords, releaseWords, questionWords].some((form) => form.test(plain));
}

/** Reads a span that is open on one side, or days in one of the usual forms. */
function readDays(text: string, today: Day, side: Side): DaySpan | undefined {
  const plain = simplifyLetters(text)
    .replaceAll(/(?<=\b\d{1,2})(?:st|nd|rd|th|\.(?=\s))/g, '')
    .replaceAll(/[,\s]+/g, ' ')
    .trim();
  const [, opener, days = plain] =
    /^(before|until|till|by|up to|since|from) (.+)/.exec(plain) ?? [];
  const span =
    readDay(days, today, side) ?? readMonths(days, today, side) ?? readRelative(days, today, side);
  return span && opener !== undefined ? extendSpan(span, opener, today, side) : span;
}

/** No release is older. */
const firstDay = '1970-01-01';
/** No support ends later. */
const lastDay = '9999-12-31';

/** The days before or after a span, as its first word says. */
function extendSpan({ from, to }: DaySpan, opener: string, today: Day, side: Side): DaySpan {
  if (opener === 'since' || opener === 'from') {
    return { from, to: from > today ? lastDay : today };
  }

  const end = opener === 'before' ? addDays(from, -1) : to;
  if (side === 'next' && end >= today) {
    return { from: today, to: end };
  }

  // `before 1960` selects nothing.
  return { from: end < firstDay ? end : firstDay, to: end };
}

/** The forms of a day in digits, and of one with the name of its month. */
const dayForms = [
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<dayOfMonth>\d{1,2})$/,
  // With dots, a single digit belongs to a version: 2025.1.3.
  /^(?<year>\d{4})\.(?<month>\d{2})\.(?<dayOfMonth>\d{2})$/,
  // Most countries write the day first. If that gives no valid month, the month is first.
  /^(?<dayOfMonth>\d{1,2})[-/. ] ?(?<month>\d{1,2})[-/. ] ?(?<year>\d{4})$/,
  /^(?<month>\d{1,2})[-/. ] ?(?<dayOfMonth>\d{1,2})[-/. ] ?(?<year>\d{4})$/,
  /^(?<dayOfMonth>\d{1,2}) (?<name>[a-z]{3,})\.?(?: (?<year>\d{4}))?$/,
  /^(?<name>[a-z]{3,})\.? (?<dayOfMonth>\d{1,2})(?: (?<year>\d{4}))?$/,
];

function readDay(text: string, today: Day, side: Side): DaySpan | undefined {
  if (text === 'today' || text === 'yesterday') {
    const day = text === 'today' ? today : addDays(today, -1);
    return { from: day, to: day };
  }

  for (const form of dayForms) {
    const { dayOfMonth = '', month, name = '', year } = form.exec(text)?.groups ?? {};
    const monthNumber = month === undefined ? readMonth(name) : Number(month);
    if (monthNumber !== undefined) {
      const dayYear = year ?? findYear(monthNumber, today, side);
      const day = `${dayYear}-${padNumber(monthNumber)}-${padNumber(dayOfMonth)}`;
      if (isDay(day)) {
        return { from: day, to: day };
      }
    }
  }

  return undefined;
}

/** The forms of a quarter, of a month in digits, and of a month by name. */
const monthForms = [
  /^q(?<quarter>[1-4])(?:[ /-]?(?<year>20\d\d))?$/,
  /^(?<quarter>[1-4]) quarter(?: (?<year>20\d\d))?$/,
  /^(?<year>20\d\d)[ /-]?q(?<quarter>[1-4])$/,
  /^(?<month>0?[1-9]|1[0-2])[/.](?<year>20\d\d)$/,
  /^(?<year>20\d\d)[-/](?<month>0[1-9]|1[0-2])$/,
  /^(?<name>[a-z]{3,})\.?(?: (?<year>20\d\d))?$/,
];

/** A year, a quarter or a month. */
function readMonths(text: string, today: Day, side: Side): DaySpan | undefined {
  if (/^20\d\d$/.test(text)) {
    return createMonthSpan(text, 1, 12);
  }

  for (const form of monthForms) {
    const { quarter, month, name = '', year } = form.exec(text)?.groups ?? {};
    if (quarter !== undefined) {
      const last = Number(quarter) * 3;
      const first = last - 2;
      // The current quarter is both the next and the last one.
      const decisive = side === 'last' ? first : last;
      return createMonthSpan(year ?? findYear(decisive, today, side), first, 3);
    }

    const only = month === undefined ? readMonth(name) : Number(month);
    if (only !== undefined) {
      return createMonthSpan(year ?? findYear(only, today, side), only, 1);
    }
  }

  return undefined;
}

const spanFillers = /^(?:the|in|within|of|on)$/;
const units = ['day', 'week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof units)[number];

/** By word, the number of units from the present one. */
const shifts: Readonly<Record<string, number>> = {
  previous: -1,
  last: -1,
  this: 0,
  current: 0,
  next: 1,
};

/** A direction, a number of units, or both. */
const relativeForm = new RegExp(
  String.raw`^(?:(${Object.keys(shifts).join('|')}) )?(?:(\d{1,3}) )?(${units.join('|')})s?$`,
);

/** `this month`, `next quarter`, `within 90 days`. */
function readRelative(text: string, today: Day, side: Side): DaySpan | undefined {
  const words = text.split(' ').filter((word) => !spanFillers.test(word));
  const [, direction, count, unitName] = relativeForm.exec(words.join(' ')) ?? [];
  const unit = units.find((each) => each === unitName);
  if (unit === undefined) {
    return undefined;
  }

  const shift = direction === undefined ? undefined : shifts[direction];
  if (count !== undefined) {
    // Without a direction, a number of units reaches to the side of the topic.
    const isPast = shift === undefined ? side === 'last' : shift < 0;
    const bound = addUnits(today, unit, isPast ? -Number(count) : Number(count));
    return isPast ? { from: bound, to: today } : { from: today, to: bound };
  }
  if (shift === undefined) {
    return undefined;
  }

  const from = addUnits(computeStart(today, unit), unit, shift);
  return { from, to: addDays(addUnits(from, unit, 1), -1) };
}

function computeStart(day: Day, unit: Unit): Day {
  if (unit === 'week') {
    return startOfWeek(day);
  }
  if (unit === 'quarter') {
    return startOfQuarter(day);
  }

  return { day, month: `${day.slice(0, 7)}-01`, year: `${day.slice(0, 4)}-01-01` }[unit];
}

function addUnits(day: Day, unit: Unit, count: number): Day {
  if (unit === 'day' || unit === 'week') {
    return addDays(day, count * (unit === 'week' ? 7 : 1));
  }

  return addMonths(day, count * { month: 1, quarter: 3, year: 12 }[unit]);
}

function createMonthSpan(year: string, month: number, count: number): DaySpan {
  const from = `${year}-${padNumber(month)}-01`;
  return { from, to: addDays(addMonths(from, count), -1) };
}

function padNumber(number: number | string): string {
  return String(number).padStart(2, '0');
}

/** The number of a month from its name, or from its first 3 letters or more. */
function readMonth(word: string): number | undefined {
  const month = word.length < 3 ? -1 : monthNames.findIndex((name) => name.startsWith(word));
  return month === -1 ? undefined : month + 1;
}

/** The year of the next or last month with this number. The current month is both. */
function findYear(month: number, today: Day, side: Side): string {
  const year = Number(today.slice(0, 4));
  const thisMonth = Number(today.slice(5, 7));
  if (side === 'last') {
    return String(month > thisMonth ? year - 1 : year);
  }

  return String(month < thisMonth ? year + 1 : year);
}
