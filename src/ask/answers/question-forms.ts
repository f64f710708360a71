import { computeUpperBound } from '../../core/model/version-range.ts';
import { fields } from '../../core/query/fields.ts';
import { findNearest } from '../../core/text/wording.ts';
import { simplifyLetters } from '../../core/text/foreign-text.ts';

const fieldNames = fields.map(({ name }) => name);

/** Words that are query terms without a field. */
export const queryWords: readonly string[] = fields.flatMap(({ name, type, values = [] }) =>
  type === 'Boolean' ? [...values, name] : values,
);

/** `isSupported`, `-ended`. */
const wordTerm = new RegExp(`^[-!]?(?:${queryWords.join('|')})$`, 'i');
/** `component:svc`, `-line:2025`. */
const fieldTerm = new RegExp(String.raw`(?:^|[\s(!-])(?:${fieldNames.join('|')}):`, 'i');
/** Punctuation and operators. */
const syntax = /[:<>=()"*[\]!]|(?:^|\s)(?:-|(?:and|or|not)\s)/i;

/** Whether a text is a query rather than the words of a person. Several lines never are. */
export function isQueryText(text: string): boolean {
  const isOfTerms = text.split(/\s+/).every((word) => wordTerm.test(word));
  return !text.includes('\n') && (fieldTerm.test(text) || isOfTerms || /^[-!]\w/.test(text));
}

/** Whether a text may be a query, if it is nothing else. */
export function mayBeQuery(text: string): boolean {
  return syntax.test(text);
}

/** Whether an unreadable query was meant as one: it has the name of a field or nearly one, or a term without a field. */
export function isMeantAsQuery(text: string): boolean {
  const keys = Array.from(text.matchAll(/([a-z]\w+)(?=:)/gi), ([key]) => key);
  return (
    keys.some((key) => findNearest(key, fieldNames) !== undefined) ||
    text.split(/[\s()]+/).some((word) => wordTerm.test(word))
  );
}

/** `>=2025.1`, `~>2025.2`, `2025.x`, `2025.1+`: the sign, the version, and the wildcard or plus. */
const rangeTerm = /^(>=|<=|~>|~=|[<>^~])?v?(\d[\w.~-]*?)((?:\.[x*+])+|\+)?$/i;

/** The releases in a range; undefined for a form that the query language does not have. */
export function createRangeQuery(component: string, range: string): string | undefined {
  const [, from, to] = /^(\S+?)(?:\.\.| to )(\S+)$/.exec(range) ?? [];
  if (from !== undefined) {
    return `component:${component} version:[${from} to ${to}]`;
  }

  const terms = range
    .replaceAll(/(?<=[<>=~^])\s+/g, '')
    .replace(/\s(?:or|and) (?:later|newer|above|higher|up|greater)$/i, '+')
    .replace(/^(.*)\s(?:or|and) (?:older|earlier)$/i, '<=$1')
    .split(/[\s,]+/)
    .map(createRangeTerm);
  return terms.includes(undefined) ? undefined : `component:${component} ${terms.join(' ')}`;
}

/** One comparison of a range; undefined without a sign, a wildcard or a `+`. */
function createRangeTerm(part: string): string | undefined {
  const [, sign = '', version = '', end] = rangeTerm.exec(part) ?? [];
  if (version === '' || (sign === '' && end === undefined)) {
    return undefined;
  }

  const isWildcard = end?.startsWith('.') ?? false;

  // `<=2025.x` includes all of 2025, and `>2025.x` excludes all of it.
  if (isWildcard && sign === '<=') {
    return `version:<${computeUpperBound('', version)}`;
  }
  if (isWildcard && sign === '>') {
    return `version:>=${computeUpperBound('', version)}`;
  }

  switch (sign) {
    case '':
      return isWildcard ? `version:${version}.*` : `version:>=${version}`;
    case '^':
    case '~':
      return `version:>=${version} version:<${computeUpperBound(sign, version)}`;
    case '~>':
    case '~=': {
      // The wildcard is the last number, which may grow.
      const bound = computeUpperBound(sign, isWildcard ? `${version}.0` : version);
      return `version:>=${version} version:<${bound}`;
    }
    default:
      return `version:${sign}${version}`;
  }
}

/** The answer to a phrase: the releases of a query, or a page. */
type PhraseMeaning = { readonly query: string } | { readonly page: string; readonly text: string };

type Phrase = PhraseMeaning & {
  /** All wordings of the whole text, as alternatives of a regular expression. */
  readonly wordings: readonly string[];
};

/** Questions in fixed words. */
const phrases: readonly Phrase[] = [
  {
    wordings: [
      '(the )?latest( of each| of all| versions?| releases?)?',
      '(what )?(should|can|do|must) (i|we) (run|use|install)',
    ],
    query: 'isLatest',
  },
  {
    wordings: ['(all |oldest )?(still )?supported( versions?| lines?)?'],
    query: 'isLatestOfLine isSupported',
  },
  { wordings: ['eol|end of life|out of support|unsupported|ended|over'], query: 'ended' },
  { wordings: ['cves?|vulnerab\\w+|security|advisories'], query: 'isVulnerable' },
  { wordings: ['exploited'], query: 'isExploited' },
  { wordings: ['deprecated'], query: 'deprecated' },
  { wordings: ['lts( versions?| lines?)?'], query: 'isLts' },
  { wordings: ['withdrawn|yanked'], query: 'isWithdrawn' },
  { wordings: ['pre-?releases?|betas?|rcs?'], query: 'isPrerelease' },
  {
    wordings: [
      "new|news|what'?s new",
      'changes|changelog|(all )?releases',
      '(what )?(has )?changed( (this|last|since) .*| today| yesterday)?',
      'feeds?|atom|rss|subscribe',
      'slack|webhooks?|(slack |e-?mail )?notif\\w+',
    ],
    page: 'changes.html',
    text: 'Releases and other changes, by month, also as a feed',
  },
  {
    wordings: ['(when (is|comes|will be) )?(the )?next (release|version)( due| out| coming)?'],
    page: 'changes.html',
    text: 'Days of future releases are not known here; past releases, by month',
  },
  {
    wordings: [
      '(what|how much) (will|would|does|do) \\w+ cost( us| me)?',
      'costs?|prices?|pricing|budget',
    ],
    page: 'index.html#needs-action',
    text: 'Prices are not known here; for a budget, the ends of support by year',
  },
  {
    wordings: [
      'status|last checks?',
      '(when|how often) (is|was) (it|this|the index) (last )?(updated|checked)',
    ],
    page: 'status.html',
    text: 'When each source was last checked',
  },
  {
    wordings: ['timeline|calendars?|ics|ical'],
    page: 'index.html#supported',
    text: 'Ends of support, also as a calendar',
  },
  {
    wordings: ['(list )?(all )?(components|products)'],
    page: 'index.html#components',
    text: 'All components',
  },
  {
    wordings: ['mcp( server)?'],
    page: 'api.html#tools',
    text: 'Tools for agents',
  },
  {
    wordings: ['(api )?(keys?|tokens?)'],
    page: 'use.html#private',
    text: 'Read a private index',
  },
  {
    wordings: ['(verify|signatures?)( \\w+)?'],
    page: 'use.html#origin',
    text: 'Check the origin',
  },
  {
    wordings: ['scans?|pipelines?|ci'],
    page: 'use.html#pipelines',
    text: 'Scans in pipelines',
  },
  {
    wordings: ['badges?|json|csv|exports?|files?'],
    page: 'api.html#files',
    text: 'All files, with badges',
  },
  {
    wordings: ['my versions', '(what )?(should|do|must) (i|we) (have to )?(upgrade|update|do)'],
    page: 'mine.html',
    text: 'Paste what you run, and see what to do',
  },
  {
    wordings: ['renovate|renovate\\.json|preset|snippets?'],
    page: 'index.html#keep-up-to-date',
    text: 'Keep versions up to date with Renovate',
  },
  {
    // Nothing is left of `?` and of `what is`.
    wordings: ['', 'help|api|docs?|how|hello|hi|hey'],
    page: 'api.html',
    text: 'All questions you can ask',
  },
];

/** `what versions are`, before a phrase such as `supported`. */
const questionStart =
  /^(what|which|who|whats)( versions?| lines?| releases?)? (is|are|comes?|has|have|was|were)? ?/;

/** The meaning of a text that is a phrase as a whole. */
export function readPhrase(text: string): PhraseMeaning | undefined {
  const plain = simplifyLetters(text);
  const bare = plain.replace(questionStart, '');

  return phrases.find(({ wordings }) => {
    const form = new RegExp(`^(?:${wordings.join('|')})$`);
    return form.test(plain) || form.test(bare);
  });
}
