import { maxLineLength } from '../text.ts';

/** How long a text of a document may be, in UTF-16 units. */
export const maxLengths = {
  line: maxLineLength,
  title: 200,
  siteTitle: 100,
  url: 2000,
  version: 200,
  packageName: 300,
  expression: 1000,
  range: 1000,
};

/** How large a number of a document may be. */
export const maxima = { months: 1200, lines: 10_000, staleAfterDays: 365 };

/** One line of text, not empty: any characters but control characters. */
export const lineForm = /^[^\p{Cc}]*\S[^\p{Cc}]*$/u;

export const releaseLineForm = /^\d+(?:\.\d+)?$/;

export const packageNameForms = {
  npm: /^(?:@[a-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/,
  maven: /^[\w.-]+:[\w.-]+$/,
  pypi: /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/,
  docker: /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/,
  helm: /^[A-Za-z0-9][\w.-]*$/,
  github: /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/,
};

/** As Renovate's (lib/util/string-match.ts): the one flag that it knows is `i`. */
export const allowedVersionsPattern = /^(!?)\/(.*)\/(i?)$/;

/** The name of Renovate's custom datasource. */
export const datasourceForm = /^[a-z0-9-]+$/;

/** The second line of a minisign .pub file. */
export const publicKeyForm = /^RW[A-Za-z0-9+/]{54}$/;

/** Whether a day is the one that upstream states, or the first on which the release was seen. */
export const timestampKinds = ['published', 'observed'] as const;

/** What of a recorded release can be corrected. */
export const correctionFields = [
  'releaseTimestamp',
  'timestampKind',
  'changelogUrl',
  'deprecated',
  'withdrawnSince',
  'isPrerelease',
  'source',
] as const;
