import { addDays, addMonths, type Day } from '../../core/model/dates.ts';
import { simplifyLetters } from '../../core/text/foreign-text.ts';
import { readDays, type DaySpan, type Side } from './read-days.ts';

/** A question about what ends or was released within a span of days. */
export interface SpanQuestion extends DaySpan {
  readonly field: 'supportedUntil' | 'releaseTimestamp';
  /** Absent for all components. */
  readonly component?: string;
  /** It asks what has ended on days that are still to come. */
  readonly isTooEarly?: true;
}

interface ReadSpan extends SpanQuestion {
  /** The other words, which may name a component: with and without the question words beside them. Empty without any. */
  readonly names: readonly string[];
}

export function createSpanQuery({ field, from, to, component }: SpanQuestion): string {
  const days = `${field}:[${from} to ${to}]`;
  return component === undefined ? days : `component:${component} ${days}`;
}

/** A longer text is not a question; limits the work. */
const maxWords = 12;

export function readSpanQuestion(text: string, today: Day): ReadSpan | undefined {
  const words = text.split(/\s+/);
  if (words.length > maxWords) {
    return undefined;
  }
  if (/^(?:(?:what|who|which) )?(?:ends? (?:next|first)|next ends?)$/i.test(words.join(' '))) {
    return { field: 'supportedUntil', from: today, to: addMonths(today, 12), names: [] };
  }

  const topic = findTopic(words);
  const span = findSpan(words, topic, today);
  const isEnded = topic?.field === 'supportedUntil' && topic.side === 'last';
  return span && isEnded ? cutAtYesterday(span, today) : span;
}

/** Whether the text before two bounds names a topic of days, such as `released`, and the bounds, such as 2025 and 2026, can be days. */
export function isSpanOfTopic(text: string, bounds: readonly string[], today: Day): boolean {
  const topic = findTopic(text.split(/\s+/));
  return (
    topic !== undefined && bounds.every((bound) => readDays(bound, today, topic.side) !== undefined)
  );
}

/**
 * Limits a question about past ends to yesterday: a line whose last day is today is still supported. Nothing has ended yet on days
 * from today on, but `ended today` means the lines that are without support since today.
 */
function cutAtYesterday(span: ReadSpan, today: Day): ReadSpan {
  const yesterday = addDays(today, -1);
  if (span.from === today && span.to === today) {
    return { ...span, from: yesterday, to: yesterday };
  }
  if (span.from >= today) {
    return { ...span, isTooEarly: true };
  }

  return { ...span, to: span.to < yesterday ? span.to : yesterday };
}

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

function findTopic(words: readonly string[]): Topic | undefined {
  const plainWords = words.map(simplifyLetters);
  return topics.find((topic) => plainWords.some((word) => topic.words.test(word)));
}

/**
 * The longest span without other words. Where the text names a topic, also the longest span with a name beside it, which has to be
 * surely days.
 */
function findSpan(
  words: readonly string[],
  topic: Topic | undefined,
  today: Day,
): ReadSpan | undefined {
  const { field, side } = topic ?? defaultTopic;
  const spans = listSpans(words, side, today);
  const wordSpan =
    spans.find(({ names }) => names.length === 0) ?? (topic && spans.find(({ isSure }) => isSure));
  return wordSpan && { ...wordSpan.days, field, names: wordSpan.names };
}

/** The spans of days in a text, the longest first. `names`: the other words of the text, which may name components. */
function listSpans(words: readonly string[], side: Side, today: Day) {
  const spans = [];

  for (let length = words.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const text = words.slice(start, start + length).join(' ');
      const days = readDays(text, today, side);
      if (days) {
        const names = listNameTexts(words.toSpliced(start, length));
        // A bare year beside a name is a version, as in `svc eol 2025`, but not in `svc released in 2025`.
        const isSure =
          !/^\d{4}$/.test(text) || /^(?:in|during|within)$/i.test(words[start - 1] ?? '');
        spans.push({ days, isSure, names });
      }
    }
  }

  return spans;
}

/** Further words of a question that belong to neither a name nor a span. */
const questionWords =
  /^(?:what|which|how|many|lines?|versions?|is|are|was|were|does|do|did|will|in|on|during|within|the|support|of|that|has|been|happens?|due)$/;

/** The texts that the words may have as a name, the longest first: `New Relic`, `Relic`. Empty if all are question words. */
function listNameTexts(words: readonly string[]): string[] {
  const first = words.findIndex(isOfName);
  const last = words.findLastIndex(isOfName);
  const names = first === -1 ? [] : [words.filter(isOfName).join(' ')];
  for (let start = first; start >= 0; start -= 1) {
    for (let end = last + 1; end <= words.length; end += 1) {
      names.push(words.slice(start, end).join(' '));
    }
  }

  return names.sort((a, b) => b.length - a.length);
}

function isOfName(word: string): boolean {
  const plain = simplifyLetters(word);
  return !questionWords.test(plain) && !topics.some(({ words }) => words.test(plain));
}
