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
  const isEnded = topic.field === 'supportedUntil' && topic.side === 'last';
  return span && isEnded ? cutAtYesterday(span, today) : span;
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
}

/** The topics of questions, by their words. The first of them that a text names is its topic. */
const topics: readonly (Topic & { readonly words: RegExp })[] = [
  { words: /^(?:ended|expired)$/, field: 'supportedUntil', side: 'last' },
  { words: /^(?:ends?|ending|expires?|eol)$/, field: 'supportedUntil', side: 'next' },
  {
    words: /^(?:released?|releases|published|new|came|out)$/,
    field: 'releaseTimestamp',
    side: 'last',
  },
];
/** The topic of a text that names none. */
const defaultTopic: Topic = { field: 'supportedUntil', side: 'next' };

function findTopic(words: readonly string[]): Topic {
  const plainWords = words.map(simplifyLetters);
  return topics.find((topic) => plainWords.some((word) => topic.words.test(word))) ?? defaultTopic;
}

/** After one of these, a year is no version. */
const yearOpeners = /^(?:in|during|within)$/;

/** The span of days that leaves no other words, else the longest one, and its other words as a name. */
function findSpan(words: readonly string[], topic: Topic, today: Day): SpanQuestion | undefined {
  const { field, side } = topic;
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
      if (topic !== defaultTopic && (!isYear || isOpened)) {
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
  return !questionWords.test(plain) && !topics.some(({ words }) => words.test(plain));
}

/** Reads a span that is open on one side, or days in one of the usual forms. */
function readDays(text: string, today: Day, side: Side): DaySpan | undefined {
  const plain = simplifyLetters(text)
    .replaceAll(/(?<=\b\d{1,2})(?:st|nd|rd|th|\.(?=\s))/g, '')
    .replaceAll(/[,\s]+/g, ' ')
    .trim();
  const [, opener, days = plain] =
    /^(before|until|till|by|up to|since|from) (.+)/.exec(plain) ?? [];
  const span = readCalendar(days, today, side) ?? readRelative(days, today, side);
  return span && opener !== undefined ? extendSpan(span, opener, today, side) : span;
}

/** No release is older. */
const firstDay = '1970-01-01';
/** No support ends later. */
const lastDay = '9999-12-31';

/** The days before or after a span, as its first word says. */
function extendSpan({ from, to }: DaySpan, opener: string, today: Day, side: Side): DaySpan {
  if (opener === 'since' || opener === 'from') {
    const isPast = (opener === 'since' || side === 'last') && from <= today;
    return { from, to: isPast ? today : lastDay };
  }

  const end = opener === 'before' ? addDays(from, -1) : to;
  if (side === 'next' && end >= today) {
    return { from: today, to: end };
  }

  // `before 1960` selects nothing.
  return { from: end < firstDay ? end : firstDay, to: end };
}

/** The forms of a day, a quarter, a month and a year. */
const calendarForms = [
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<dayOfMonth>\d{1,2})$/,
  // With dots, a single digit belongs to a version: 2025.1.3.
  /^(?<year>\d{4})\.(?<month>\d{2})\.(?<dayOfMonth>\d{2})$/,
  // Most countries write the day first. If that gives no valid month, the month is first.
  /^(?<dayOfMonth>\d{1,2})[-/. ] ?(?<month>\d{1,2})[-/. ] ?(?<year>\d{4})$/,
  /^(?<month>\d{1,2})[-/. ] ?(?<dayOfMonth>\d{1,2})[-/. ] ?(?<year>\d{4})$/,
  /^(?:(?<dayOfMonth>\d{1,2}) )?(?<name>[a-z]{3,})\.?(?: (?<year>\d{4}))?$/,
  /^(?<name>[a-z]{3,})\.? (?<dayOfMonth>\d{1,2})(?: (?<year>\d{4}))?$/,
  /^q(?<quarter>[1-4])(?:[ /-]?(?<year>20\d\d))?$/,
  /^(?<quarter>[1-4]) quarter(?: (?<year>20\d\d))?$/,
  /^(?<year>20\d\d)[ /-]?q(?<quarter>[1-4])$/,
  /^(?<month>0?[1-9]|1[0-2])[/.](?<year>20\d\d)$/,
  /^(?<year>20\d\d)(?:[-/](?<month>0[1-9]|1[0-2]))?$/,
];

/** The named groups of these forms. */
type DateParts = Readonly<Record<string, string | undefined>>;

/** Reads `today`, `yesterday`, and a day, a month, a quarter or a year in one of the forms. */
function readCalendar(text: string, today: Day, side: Side): DaySpan | undefined {
  if (text === 'today' || text === 'yesterday') {
    const day = text === 'today' ? today : addDays(today, -1);
    return { from: day, to: day };
  }

  for (const form of calendarForms) {
    const parts = form.exec(text)?.groups;
    const span = parts && findDays(parts, today, side);
    if (span) {
      return span;
    }
  }

  return undefined;
}

/** The days with these parts; without a year, the next or the last ones. Today, this month and this quarter are both. */
function findDays(parts: DateParts, today: Day, side: Side): DaySpan | undefined {
  if (parts['year'] !== undefined) {
    return createSpan(parts['year'], parts);
  }

  const thisYear = Number(today.slice(0, 4));
  // Between two leap days are up to eight years.
  for (let years = 0; years <= 8; years += 1) {
    const span = createSpan(String(side === 'next' ? thisYear + years : thisYear - years), parts);
    if (span && (side === 'next' ? span.to >= today : span.from <= today)) {
      return span;
    }
  }

  return undefined;
}

/** Undefined for a day that does not exist, and for a word that names no month. */
function createSpan(year: string, parts: DateParts): DaySpan | undefined {
  const { month, name, quarter, dayOfMonth } = parts;
  if (quarter !== undefined) {
    return createMonthSpan(year, Number(quarter) * 3 - 2, 3);
  }

  const number = name === undefined ? Number(month ?? 1) : findMonth(name);
  if (number === undefined) {
    return undefined;
  }
  if (dayOfMonth !== undefined) {
    const day = `${year}-${padNumber(number)}-${padNumber(dayOfMonth)}`;
    return isDay(day) ? { from: day, to: day } : undefined;
  }

  return createMonthSpan(year, number, name === undefined && month === undefined ? 12 : 1);
}

const spanFillers = /^(?:the|in|within|of|on)$/;
/** The length of each unit of time. */
const units = {
  day: { days: 1, months: 0 },
  week: { days: 7, months: 0 },
  month: { days: 0, months: 1 },
  quarter: { days: 0, months: 3 },
  year: { days: 0, months: 12 },
};
type Unit = keyof typeof units;

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
  String.raw`^(?:(${Object.keys(shifts).join('|')}) )?(?:(\d{1,3}) )?(${Object.keys(units).join('|')})s?$`,
);

/** `this month`, `next quarter`, `within 90 days`. */
function readRelative(text: string, today: Day, side: Side): DaySpan | undefined {
  const words = text.split(' ').filter((word) => !spanFillers.test(word));
  const [, direction, count, unitName] = relativeForm.exec(words.join(' ')) ?? [];
  if (unitName === undefined) {
    return undefined;
  }

  const unit = unitName as Unit;
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

  const start = {
    day: today,
    week: startOfWeek(today),
    month: `${today.slice(0, 7)}-01`,
    quarter: startOfQuarter(today),
    year: `${today.slice(0, 4)}-01-01`,
  }[unit];
  const from = addUnits(start, unit, shift);
  return { from, to: addDays(addUnits(from, unit, 1), -1) };
}

function addUnits(day: Day, unit: Unit, count: number): Day {
  const { days, months } = units[unit];
  return addDays(addMonths(day, count * months), count * days);
}

function createMonthSpan(year: string, month: number, count: number): DaySpan {
  const from = `${year}-${padNumber(month)}-01`;
  return { from, to: addDays(addMonths(from, count), -1) };
}

function padNumber(number: number | string): string {
  return String(number).padStart(2, '0');
}

/** The number of a month from its name, or from its first 3 letters or more. */
function findMonth(word: string): number | undefined {
  const month = monthNames.findIndex((name) => name.startsWith(word));
  return month === -1 ? undefined : month + 1;
}
