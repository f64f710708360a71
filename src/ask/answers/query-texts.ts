import { fields } from '../../core/query/fields.ts';
import { simplifyLetters } from '../../core/text/foreign-text.ts';
import { findNearest } from '../../core/text/wording.ts';

const fieldNames = fields.map(({ name }) => name);

/** Words that are query terms without a field. */
export const queryWords: readonly string[] = fields.flatMap(({ name, type, allowedValues = [] }) =>
  type === 'Boolean' ? [...allowedValues, name] : allowedValues,
);

/** `isSupported`, `-ended`. */
const wordTerm = new RegExp(`^[-!]?(?:${queryWords.join('|')})$`, 'i');
/** `component:svc`, `-line:2025`. */
const fieldTerm = new RegExp(String.raw`(?:^|[\s(!-])(?:${fieldNames.join('|')}):`, 'i');
/** Punctuation and operators. */
const syntax = /[:<>=()"*[\]!]|(?:^|\s)(?:-|(?:and|or|not)\s)/i;

/** Whether a text is a query: it has a field, only terms without a field, or a leading - or !. A text of several lines never is one. */
export function isQueryText(text: string): boolean {
  const isOfTerms = text.split(/\s+/).every((word) => wordTerm.test(word));
  return !text.includes('\n') && (fieldTerm.test(text) || isOfTerms || /^[-!]\w/.test(text));
}

/** Whether a text that no other reading fits may be a query: it has punctuation or operators of the query language. */
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

/** Questions in fixed words: for each query, the wordings of a whole text, as alternatives of a regular expression. */
const phrases: Readonly<Record<string, string>> = {
  isLatest:
    '(the )?latest( of each| of all| versions?| releases?)?|(what )?(should|can|do|must) (i|we) (run|use|install)',
  'isLatestOfLine isSupported': '(all |oldest )?(still )?supported( versions?| lines?)?',
  ended: 'eol|end of life|out of support|unsupported|ended|over',
  isVulnerable: String.raw`cves?|vulnerab\w+|security|advisories`,
  isExploited: 'exploited',
  deprecated: 'deprecated',
  isLts: 'lts( versions?| lines?)?',
  isWithdrawn: 'withdrawn|yanked',
  isPrerelease: 'pre-?releases?|betas?|rcs?',
};

/** `what versions are`, before a phrase such as `supported`. */
const questionStart =
  /^(what|which|who|whats)( versions?| lines?| releases?)? (is|are|comes?|has|have|was|were)? ?/;

/** The query that a phrase means; undefined for a text with other words. */
export function readPhrase(text: string): string | undefined {
  const plain = simplifyLetters(text);
  const bare = plain.replace(questionStart, '');

  return Object.keys(phrases).find((query) => {
    const form = new RegExp(`^(?:${phrases[query]})$`);
    return form.test(plain) || form.test(bare);
  });
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
    // A sign and its version are one term, also in words: `2025.1 or later`.
    .replaceAll(/(?<=[<>=~^])\s+/g, '')
    .replace(/\s(?:or|and) (?:later|newer|above|higher|up|greater)$/i, '+')
    .replace(/^(.*)\s(?:or|and) (?:older|earlier)$/i, '<=$1')
    .split(/[\s,]+/)
    .map(createRangeTerm);
  return terms.includes(undefined) ? undefined : `component:${component} ${terms.join(' ')}`;
}

/** The terms for one comparison of a range; undefined for a text without a sign, a wildcard or a `+`. */
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

/** The first version above a range that begins with a sign: 2026 for `^2025.2`. Without a sign, above a line: 2025.3 for `2025.2`. */
function computeUpperBound(sign: string, version: string): string {
  // Without a suffix such as in `2025.2rc1`.
  const [numbers = ''] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  const groups = numbers.split('.');
  const index = findGrowingGroup(sign, groups);

  // Numbers of any size keep their digits.
  return [...groups.slice(0, index), BigInt(groups[index] ?? 0) + 1n].join('.');
}

/** The index of the number that is one higher in the first version above the range. */
function findGrowingGroup(sign: string, groups: readonly string[]): number {
  const last = groups.length - 1;
  switch (sign) {
    // As in npm and Cargo, the first number that is not 0 stays the same: `^2025.2` is below 2026, `^0.2.3` below 0.3. If all are 0,
    // all but the last stay: `^0.0` is below 0.1.
    case '^': {
      const firstSet = groups.findIndex((group) => Number(group) > 0);
      return firstSet === -1 ? last : firstSet;
    }
    // As in npm: `~2025.2` and `~2025.2.1` are below 2025.3, `~2025` is below 2026.
    case '~':
      return Math.min(1, last);
    // `~>` as in RubyGems and Terraform, `~=` as in PEP 440. Only the last number may grow: `~> 2025.2` is below 2026, `~> 2025.2.1`
    // below 2025.3. A single number stays, as in RubyGems: `~> 2025` is below 2026.
    case '~>':
    case '~=':
      return Math.max(0, last - 1);
    default:
      return last;
  }
}
