import { parseVersion, sortGreatestFirst } from './version.ts';

/** Words that mark a prerelease anywhere in the suffix. `-jre`, `.Final`, `.RELEASE` and `-alpine` do not. */
export const prereleaseWords = (
  'alpha beta rc cr snapshot dev pre prerelease preview eap ea canary nightly next milestone ' +
  'experimental insiders insider unstable'
).split(' ');
const words = new Set(prereleaseWords);

/** Words for the target of a release, or for a release itself. They mark no prerelease, not even where SemVer sees one. */
const releaseWords = new Set(['jre', 'android', 'final', 'release', 'ga', 'alpine']);

/** Letters that mark a prerelease only before a number: `1.0b1` is a prerelease, OpenSSL's `1.0.2b` is not. */
const numberedLetters = new Set(['a', 'b', 'c', 'm']);

/** Whether a version is written as a prerelease: `-rc-1`, `b1`, `.dev4`, `-M3`, `-SNAPSHOT`. */
export function isPrereleaseForm(text: string): boolean {
  return isPrereleaseSuffix(readSuffix(text));
}

/** `isPrereleaseForm` for the suffix of a parsed version. */
export function isPrereleaseSuffix(suffix: string): boolean {
  return splitTokens(suffix).some(
    (token, index, tokens) =>
      words.has(token) || (numberedLetters.has(token) && /^\d/.test(tokens[index + 1] ?? '')),
  );
}

/** Whether a word marks a prerelease. A letter with a number, as in `8u472-b08`, may be a build number. */
export function hasPrereleaseWord(text: string): boolean {
  return splitTokens(readSuffix(text)).some((token) => words.has(token));
}

function readSuffix(text: string): string {
  return parseVersion(text)?.suffix ?? '';
}

function splitTokens(suffix: string): readonly string[] {
  // SemVer section 10: build metadata after a plus sign does not affect precedence.
  const [beforeBuild = ''] = suffix.split('+');
  return beforeBuild.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
}

/** Whether the suffix of a version names a kind of release: `-jre`, `.Final`, `-alpine3.20`. */
export function isReleaseForm(text: string): boolean {
  const tokens = splitTokens(readSuffix(text));
  const names = tokens.filter((token) => !/^\d/.test(token));
  return names.length > 0 && names.every((name) => releaseWords.has(name));
}

/** The latest version, else the greatest prerelease; undefined if no name is a version. */
export function findLatestVersion(names: readonly unknown[]): string | undefined {
  const versions = sortGreatestFirst(names.filter((name) => typeof name === 'string'));
  return versions.find((name) => !isPrereleaseForm(name)) ?? versions[0];
}
