import { computeUpperBound } from '../../core/model/version-range.ts';
import { fields } from '../../core/query/fields.ts';
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
