import { parseVersion } from './version.ts';

/** Words that mark a prerelease wherever they stand in the suffix. `-jre`, `.Final`, `.RELEASE`, `-alpine` are not among them. */
export const prereleaseWords = (
  'alpha beta rc cr snapshot dev pre prerelease preview eap ea canary nightly next milestone ' +
  'experimental insiders insider unstable'
).split(' ');
const words = new Set(prereleaseWords);

/** Words that name what a release is made for, or that it is one. Not even on npm do they mark a prerelease. */
const releaseWords = new Set('jre android final release ga alpine'.split(' '));

/** Letters that mark one only with a number behind them: `1.0b1` is a prerelease, OpenSSL's `1.0.2b` is not. */
const numberedLetters = new Set(['a', 'b', 'c', 'm']);

/** Whether the form of a version says that it precedes a release: `-rc-1`, `b1`, `.dev4`, `-M3`, `-SNAPSHOT`. */
export function isPrereleaseForm(text: string): boolean {
  return isPrereleaseSuffix(parseVersion(text)?.suffix ?? '');
}

/** The same of a version that is parsed already. */
export function isPrereleaseSuffix(suffix: string): boolean {
  if (suffix === '') return false;
  return tokensOf(suffix).some(
    (token, index, tokens) =>
      words.has(token) || (numberedLetters.has(token) && /^\d/.test(tokens[index + 1] ?? '')),
  );
}

/** Whether a word says so. A letter with a number behind it, as in `8u472-b08`, may count builds. */
export function hasPrereleaseWord(text: string): boolean {
  return tokensOf(parseVersion(text)?.suffix ?? '').some((token) => words.has(token));
}

function tokensOf(suffix: string): readonly string[] {
  // SemVer section 10: what follows a plus sign is build metadata and says nothing about precedence.
  const [beforeBuild = ''] = suffix.split('+');
  return beforeBuild.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
}

/** Whether the suffix of a version says of what kind the release is: `-jre`, `.Final`, `-alpine3.20`. */
export function isReleaseForm(text: string): boolean {
  const words =
    parseVersion(text)
      ?.suffix.toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return words.length > 0 && words.every((word) => releaseWords.has(word));
}
