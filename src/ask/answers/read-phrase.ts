import { simplifyLetters } from '../../core/text/foreign-text.ts';

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
