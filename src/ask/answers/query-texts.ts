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
/** A field with its value right behind the colon: `component:svc`, `-line:2025`. In `version: 2025.1`, a person names no field. */
const fieldTerm = new RegExp(String.raw`(?:^|[\s(])[-!]?(?:${fieldNames.join('|')}):(?!\s)`, 'i');
/** Punctuation and operators of the query language. A text with one of them may be a query if nothing else fits it. */
export const querySyntax = /[:<>=()"*[\]!]|(?:^|\s)(?:-|(?:and|or|not)\s)/i;

/** Whether a text is a query: one line with a field, with only terms that need no field, or with - or ! before its first word. */
export function isQueryText(text: string): boolean {
  const hasOnlyTerms = text.split(/\s+/).every((word) => wordTerm.test(word));
  return !text.includes('\n') && (fieldTerm.test(text) || hasOnlyTerms || /^[-!]\w/.test(text));
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
const phrases = Object.entries({
  isLatest:
    '(the )?latest( of each| of all)?|(what )?(should|can|do|must) (i|we) (run|use|install)',
  'isLatestOfLine isSupported': '(all |oldest )?(still )?supported',
  ended: 'eol|end[ -]of[ -]life|out of support|unsupported|ended|over',
  isVulnerable: String.raw`cves?|vulnerab\w+|security|advisories`,
  isExploited: 'exploited',
  deprecated: 'deprecated',
  isLts: 'lts',
  isWithdrawn: 'withdrawn|yanked',
  isPrerelease: 'pre-?releases?|betas?|rcs?',
}).map(([query, words]) => ({
  query,
  form: new RegExp(`^(?:${words})( versions?| lines?| releases?)?$`),
}));

/** `what versions are`, before a phrase such as `supported`. */
const questionStart =
  /^(what|which|who|what'?s)( versions?| lines?| releases?)? (is|are|comes?|has|have|was|were)? ?/;

/** The query that a phrase means; undefined for a text with other words. */
export function readPhrase(text: string): string | undefined {
  const plain = simplifyLetters(text).replaceAll(/\s+/g, ' ');
  const bare = plain.replace(questionStart, '');

  return phrases.find(({ form }) => form.test(plain) || form.test(bare))?.query;
}
