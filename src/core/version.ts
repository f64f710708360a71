/** Compares versions of every shape in one order: the order of Renovate's `loose` versioning (lib/modules/versioning/loose/index.ts). */
export interface Version {
  /** The version as upstream spells it. */
  readonly text: string;
  /** The groups of digits, without leading zeros. They are texts, because JavaScript's numbers are not exact for 50 digits. */
  readonly groups: readonly string[];
  /** The text after the digits, such as `-rc-1`. Empty for most releases. */
  readonly suffix: string;
}

/** The greatest length of a version. It is limited, because versions become file paths and command arguments. */
export const maxVersionLength = 200;
// At most six groups of at most 50 digits, then a suffix of harmless characters.
const form = /^v?(\d{1,50}(?:\.\d{1,50}){0,5})(?!\.?\d)([\w.+~!:-]*)$/i;
const commitHash = /^[a-f0-9]{7,40}$/;

/** Compares suffixes like Renovate, which uses `localeCompare` with numbers. A fixed locale makes the order the same everywhere. */
const naturalOrder = new Intl.Collator('en-US', { numeric: true });

/** Keeps parsed versions, because each query reads all releases of an index. */
const cache = new Map<string, Version>();

/** Parses a version. Undefined for a text that cannot be compared as a version. */
export function parseVersion(text: string): Version | undefined {
  return cache.get(text) ?? parse(text);
}

function parse(text: string): Version | undefined {
  if (text.length > maxVersionLength) {
    return undefined;
  }

  const [, digits, suffix = ''] = form.exec(text) ?? [];
  if (digits === undefined || (suffix !== '' && commitHash.test(text))) {
    return undefined;
  }

  const groups = digits.replaceAll(/\b0+(?=\d)/g, '').split('.');
  const version = { text, groups, suffix };
  // Users send versions of their own, so the size of the cache must be limited.
  if (cache.size < 100_000) {
    cache.set(text, version);
  }
  return version;
}

/** Parses a version that a schema has checked. Throws for any other text. */
export function readVersion(text: string): Version {
  const version = parseVersion(text);
  if (!version) {
    throw new Error(`"${text}" is not a version`);
  }

  return version;
}

/** Compares the first `size` groups. A missing group is 0. */
export function compareGroups(a: Version, b: Version, size: number): number {
  for (let index = 0; index < size; index += 1) {
    const first = a.groups[index] ?? '0';
    const second = b.groups[index] ?? '0';
    if (first !== second) {
      return first.length - second.length || (first < second ? -1 : 1);
    }
  }
  return 0;
}

/** Compares versions. Zero means equal rank: `v1.2` and `1.02` are spellings of one version. */
export function compareVersions(a: Version, b: Version): number {
  const { length } = a.groups;
  return (
    compareGroups(a, b, Math.min(length, b.groups.length)) ||
    // A version with fewer groups comes first: `1.2` before `1.2.0`.
    length - b.groups.length ||
    compareSuffixes(a.suffix, b.suffix)
  );
}

/** Compares suffixes. A version without a suffix comes last. */
export function compareSuffixes(a: string, b: string): number {
  return a && b ? naturalOrder.compare(a, b) : Number(!a) - Number(!b);
}

/** Compares names that a schema has checked, such as the names of release lines. */
export function compareNames(a: string, b: string): number {
  return compareVersions(readVersion(a), readVersion(b));
}

/**
 * Returns a key that is the same for all spellings of a version, such as `v1.2` and `1.02`. As in Renovate, `1.2` and `1.2.0` are different
 * versions, so they have different keys.
 */
export function keyVersion({ groups, suffix }: Version): string {
  return `${groups.join('.')}\0${suffix.replace(/0*(\d+)/g, '$1')}`;
}

/** Returns the key of a recorded version. */
export function keyText(version: string): string {
  return keyVersion(readVersion(version));
}

/** Returns a key that is also the same for `X.Y` and `X.Y.0`, because users and advisories write either form. */
export function keyRelease(version: Version): string {
  const { groups } = version;
  const endsInZero = groups.length === 3 && groups[2] === '0';
  return keyVersion(endsInZero ? { ...version, groups: groups.slice(0, 2) } : version);
}

/** Returns the first `count` digit groups of a version, without leading zeros. For two groups: `2025.03.1` → `2025.3` */
export function nameLine({ groups }: Version, count: number): string {
  return groups.slice(0, count).join('.');
}

/**
 * How many digit groups of a version make up the name of its release line. `semver`: one group, but two below 1.0, because there each minor
 * version may break users.
 */
type LineRule = 1 | 2 | 'semver';

/** Returns how many of a version's digit groups make up the name of its release line, according to a rule. */
export function countLineGroups({ groups }: Version, rule: LineRule): number {
  if (rule !== 'semver') {
    return rule;
  }
  return groups[0] === '0' ? 2 : 1;
}

/** Returns a key that is the same for all spellings of a line's name: `24.04` → `24.4` */
export function keyLine(name: string): string {
  return readVersion(name).groups.join('.');
}

/**
 * Returns a function that finds the release line of a version. If several of the given lines fit, it returns the line with the most digit
 * groups. Examples for the lines `24` and `24.04`: 24.4.1 → `24.04`, 24.5 → `24`
 */
export function createLineFinder(
  names: readonly string[],
): (version: Version) => string | undefined {
  const byKey = new Map(names.map((name) => [keyLine(name), name]));
  const lengths = new Set(names.map((name) => readVersion(name).groups.length));
  const longestFirst = [...lengths].sort((a, b) => b - a);
  return (version) => {
    for (const length of longestFirst) {
      const found = byKey.get(nameLine(version, length));
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  };
}

/** Tells whether the digit groups of a name begin with the groups of `start`: 9.0 begins with 9, but 90 does not. */
export function beginsWith({ groups }: Version, start: Version): boolean {
  return start.groups.every((group, index) => group === groups[index]);
}

/** Words that mark a prerelease anywhere in a suffix, as alternatives of a regular expression. */
export const prereleaseWords =
  'alpha|beta|rc|cr|snapshot|dev|pre|prerelease|preview|eap|ea|canary|nightly|next|milestone|' +
  'experimental|insiders|insider|unstable';

/**
 * Matches the suffix of a prerelease: a word such as `alpha`, or a letter before a number. `1.0b1` is a prerelease, but OpenSSL's `1.0.2b`
 * is not.
 */
const prereleaseForm = new RegExp(
  String.raw`(?<![a-z])(?:${prereleaseWords}|(?<!\d[^a-z]*)[abcm](?=[^a-z\d]*\d))(?![a-z])`,
  'i',
);

/**
 * Tells whether a version has the form of a prerelease: `-rc-1`, `b1`, `.dev4`, `-M3`, `-SNAPSHOT`. Build metadata after a plus is ignored.
 */
export function isPrereleaseForm({ suffix }: Version): boolean {
  return suffix !== '' && prereleaseForm.test(suffix.replace(/\+.*/, ''));
}

/** Returns the newest stable release, or else the newest prerelease. `releases`: in version order. */
export function findNewest<R extends { readonly isPrerelease?: boolean | undefined }>(
  releases: readonly R[],
): R | undefined {
  return releases.findLast(({ isPrerelease }) => !isPrerelease) ?? releases.at(-1);
}
