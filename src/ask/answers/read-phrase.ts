import { simplifyLetters } from '../../core/text/foreign-text.ts';

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
