import { addDays, addMonths, type Day } from '../../core/model/dates.ts';
import { simplifyLetters, readSpan } from './read-span.ts';

/** The answer to a phrase: the releases of a query, or a page. */
export type PhraseMeaning =
  { readonly query: string } | { readonly page: string; readonly text: string };

type Phrase = PhraseMeaning & {
  readonly form: RegExp;
  /** The phrase as an example shows it. */
  readonly example?: string;
};

/** Questions in fixed words. The pages show examples from this table, and the question box reads it. */
const phrases: readonly Phrase[] = [
  {
    form: /^(?:(?:the )?latest(?: (?:of each|of all|versions?|releases?))?|(?:what )?(?:should|can|do|must) (?:i|we) (?:run|use|install))$/,
    query: 'isLatest',
    example: 'latest of each',
  },
  {
    form: /^(?:all |oldest )?(?:still )?supported(?: (?:versions?|lines?))?$/,
    query: 'isLatestOfLine isSupported',
  },
  {
    form: /^(?:eol|end of life|out of support|unsupported|ended|over)$/,
    query: 'ended',
  },
  { form: /^(?:cves?|vulnerab\w+|security|advisories)$/, query: 'isVulnerable' },
  { form: /^exploited$/, query: 'isExploited' },
  { form: /^deprecated$/, query: 'deprecated' },
  { form: /^lts(?: versions?| lines?)?$/, query: 'isLts' },
  { form: /^(?:withdrawn|yanked)$/, query: 'isWithdrawn' },
  { form: /^(?:pre-?releases?|betas?|rcs?)$/, query: 'isPrerelease' },
  {
    form: /^(?:new|news|changes|changelog|(?:all )?releases|what'?s new|feeds?|atom|rss|subscribe|slack|(?:slack |e-?mail )?notif\w+|webhooks?|(?:what )?(?:has )?changed(?: (?:this|last|since) .*| today| yesterday)?)$/,
    page: 'changes.html',
    text: 'Releases and other changes, by month, also as a feed',
  },
  {
    form: /^(?:when (?:is|comes|will be) )?(?:the )?next (?:release|version)(?: (?:due|out|coming))?$/,
    page: 'changes.html',
    text: 'No day of a release to come is known; these are out',
  },
  {
    form: /^(?:(?:what|how much) (?:will|would|does|do) \w+ cost(?: us| me)?|costs?|prices?|pricing|budget)$/,
    page: 'index.html#needs-action',
    text: 'Prices are not known here; for a budget, the ends of support by year',
  },
  {
    form: /^(?:status|last checks?|(?:when|how often) (?:is|was) (?:it|this|the index) (?:last )?(?:updated|checked))$/,
    page: 'status.html',
    text: 'When each source was last checked',
  },
  {
    form: /^(?:timeline|calendars?|ics|ical)$/,
    page: 'index.html#supported',
    text: 'Ends of support, also as a calendar',
  },
  {
    form: /^(?:list |all |list all )?(?:components|products)$/,
    page: 'index.html#components',
    text: 'All components',
  },
  {
    form: /^mcp(?: server)?$/,
    page: 'api.html#tools',
    text: 'Tools for agents',
  },
  {
    form: /^(?:api )?(?:keys?|tokens?)$/,
    page: 'use.html#private',
    text: 'Read a private index',
  },
  {
    form: /^(?:verify|signatures?)(?: \w+)?$/,
    page: 'use.html#origin',
    text: 'Check the origin',
  },
  {
    form: /^(?:scans?|pipelines?|ci)$/,
    page: 'use.html#pipelines',
    text: 'Scans in pipelines',
  },
  {
    form: /^(?:badges?|json|csv|exports?|files?)$/,
    page: 'api.html#files',
    text: 'All files, with badges',
  },
  {
    form: /^(?:my versions|(?:what )?(?:should|do|must) (?:i|we) (?:have to )?(?:upgrade|update|do))$/,
    page: 'mine.html',
    text: 'Paste what you run, and see what to do',
  },
  {
    form: /^(?:renovate|renovate\.json|preset|snippets?)$/,
    page: 'index.html#keep-up-to-date',
    text: 'Keep versions up to date with Renovate',
  },
  {
    form: /^(?:|help|api|docs?|how|hello|hi|hey)$/,
    page: 'api.html',
    text: 'All questions you can ask',
  },
];

/** Example questions about a span of days. */
export const spanExamples = ['ends within 90 days', 'released this year'];

/** Example questions that every index answers. */
export const phraseExamples: readonly string[] = [
  ...spanExamples,
  ...phrases.map(({ example }) => example).filter((value) => value !== undefined),
];

const questionWords =
  /^(?:what|which|who|whats)(?: versions?| lines?| releases?)? (?:is|are|comes? |has|have|was|were)? ?/;
const endWords = /^(?:ends?|ended|ending|expires?|expired|eol)$/;
const releaseWords = /^(?:released?|releases|published|new|came|out)$/;
const fillers =
  /^(?:what|which|how|many|lines?|versions?|is|are|was|were|does|do|did|will|in|on|the|support|of|that|has|been|happens?|due)$/;
const spanOpeners = /^(?:in|before|until|till|by|since|from|during|within)$/;

/** The meaning of a text that is a phrase as a whole. */
export function readPhrase(text: string): PhraseMeaning | undefined {
  const plain = simplifyLetters(text);
  const bare = plain.replace(questionWords, '');
  const phrase = phrases.find(({ form }) => form.test(plain) || form.test(bare));
  if (!phrase) {
    return undefined;
  }

  const { form: _, example: __, ...meaning } = phrase;
  return meaning;
}

export interface SpanQuestion {
  readonly field: 'supportedUntil' | 'releaseTimestamp';
  readonly from: Day;
  readonly to: Day;
  /** The other words: a component name, or empty. */
  readonly name: string;
}

export function createSpanQuery({ field, from, to, name }: SpanQuestion): string {
  return `${name === '' ? '' : `component:${name} `}${field}:[${from} to ${to}]`;
}

/** A longer text is not a question; limits the work. */
const maxWords = 12;

const endedWords = /^(?:ended|expired)$/;

/** Reads a question about what ends or was released within a span of days. */
export function readSpanQuestion(text: string, today: Day): SpanQuestion | undefined {
  const words = text.split(/\s+/);
  if (words.length > maxWords) {
    return undefined;
  }
  if (/^(?:(?:what|who|which) )?(?:ends? (?:next|first)|next ends?)$/i.test(text)) {
    return { field: 'supportedUntil', from: today, to: addMonths(today, 12), name: '' };
  }

  const span = findSpan(words, today);
  const yesterday = addDays(today, -1);
  const isOver = words.some((word) => endedWords.test(word.toLowerCase()));

  // Support has ended once its last day is over.
  return span && isOver && span.from <= yesterday && span.to > yesterday
    ? { ...span, to: yesterday }
    : span;
}

function findSpan(words: readonly string[], today: Day): SpanQuestion | undefined {
  const isAbout = (form: RegExp) => words.some((word) => form.test(simplifyLetters(word)));
  const asksEnds = isAbout(endWords);
  const asksReleases = !asksEnds && isAbout(releaseWords);
  const field = asksReleases ? 'releaseTimestamp' : 'supportedUntil';
  let bestSpan: SpanQuestion | undefined;

  for (let length = words.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const spanWords = words.slice(start, start + length).join(' ');
      const span = readSpan(spanWords, today, asksReleases ? 'last' : 'next');
      if (!span) {
        continue;
      }

      const otherWords = words.toSpliced(start, length).filter((word) => {
        const plain = simplifyLetters(word);
        return ![endWords, releaseWords, fillers].some((form) => form.test(plain));
      });
      const isYear = /^\d{4}$/.test(spanWords);
      const isOpened = spanOpeners.test(simplifyLetters(words[start - 1] ?? ''));

      // Prefers a reading that explains every word over the longest span.
      if (otherWords.length === 0) {
        return { ...span, field, name: '' };
      }

      // A year after a name is a version, unless the text says more: `svc released 2025`, `svc since 2025`.
      if ((asksEnds || asksReleases) && (!isYear || isOpened)) {
        bestSpan ??= { ...span, field, name: otherWords.join(' ') };
      }
    }
  }

  return bestSpan;
}
