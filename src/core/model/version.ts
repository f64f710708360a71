/**
 * One order for versions of every shape: the order of Renovate's `loose` versioning
 * (renovatebot/renovate, lib/modules/versioning/loose/index.ts), with a version parsed once.
 */
export interface Version {
  /** As upstream spells it. */
  readonly text: string;
  /** Big integers where a number would lose digits. */
  readonly groups: readonly (number | bigint)[];
  /** The text after the digit groups; empty for most releases. */
  readonly suffix: string;
}

/** Longer strings are not versions: versions become keys and paths. */
export const maxVersionLength = 200;

/**
 * Up to six groups of digits and a suffix of harmless characters: people and Renovate put versions into shells, workflows and
 * pages. A version with a space would become two arguments of a command.
 */
const form = /^v?(\d+(?:\.\d+){0,5})(?!\.?\d)([\w.+~!:-]*)$/i;
const commitHash = /^[a-f0-9]{7,40}$/;

// Renovate compares suffixes with `localeCompare(…, undefined, { numeric: true })`. A fixed locale makes the order the same on
// every machine.
const naturalOrder = new Intl.Collator('en-US', { numeric: true });

/**
 * Returns undefined for a text that Renovate's `loose` rejects (no leading digits, seven groups, a commit hash), and for
 * characters that no version has.
 */
export function parseVersion(text: string): Version | undefined {
  const [, digits, suffix] = (text.length <= maxVersionLength && form.exec(text)) || [];
  if (digits === undefined || suffix === undefined || (suffix && commitHash.test(text))) {
    return undefined;
  }

  return { text, groups: digits.split('.').map(toInteger), suffix };
}

/** `2025.1` for `2025.1.x`. */
export function removeWildcards(text: string): string {
  return text.replace(/(?:\.[x*])+$/i, '');
}

export function toInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** Negative, zero or positive. Zero means equal rank: `v1.2` and `1.02` are spellings of one version. */
export function compareVersions(a: Version, b: Version): number {
  for (let index = 0; ; index += 1) {
    const left = a.groups[index];
    const right = b.groups[index];
    if (left === undefined || right === undefined) {
      break;
    }
    if (left !== right) {
      return left < right ? -1 : 1;
    }
  }

  // A missing group comes before `.0`.
  return a.groups.length - b.groups.length || compareSuffixes(a.suffix, b.suffix);
}

/** The versions of releases, oldest first, without texts that are no version. */
export function sortVersions(releases: readonly { readonly version: string }[]): Version[] {
  return releases
    .map(({ version }) => parseVersion(version))
    .filter((version) => version !== undefined)
    .sort(compareVersions);
}

/**
 * Joins lists of releases in version order to one in that order. The releases of a line such as 2 may be on both sides of the
 * releases of 2.2.
 */
export function joinInVersionOrder<Item>(
  lists: readonly (readonly Item[])[],
  readVersion: (item: Item) => string,
): Item[] {
  // An index lists only versions that can be read.
  const compare = (a: Item, b: Item) =>
    compareVersions(parseVersion(readVersion(a))!, parseVersion(readVersion(b))!);
  const filled = lists.filter(({ length }) => length > 0);
  const areInOrder = filled
    .slice(1)
    .every(([first], index) => compare(filled[index]!.at(-1)!, first!) <= 0);

  // Most lists follow each other, and to parse 100,000 versions takes 0.2 s.
  return areInOrder ? filled.flat() : filled.flat().sort(compare);
}

/** The newest stable release of a line, else its newest prerelease; undefined for no releases. `releases`: oldest first. */
export function findNewestRelease<R extends { isPrerelease: boolean }>(
  releases: readonly R[],
): R | undefined {
  return releases.findLast((release) => !release.isPrerelease) ?? releases.at(-1);
}

/** `X.Y` for `X.Y.0`: publishers use both names for one release. */
export function shorten(version: Version): Version {
  const { groups } = version;
  return groups.length === 3 && groups[2] === 0
    ? { ...version, groups: groups.slice(0, 2) }
    : version;
}

/** A version without a suffix comes last. */
export function compareSuffixes(a: string, b: string): number {
  return a && b ? naturalOrder.compare(a, b) : Number(!a) - Number(!b);
}

/** A key that is equal for all spellings of one version: without leading zeros. */
export function rankKey({ groups, suffix }: Version): string {
  return `${groups.join('.')}\0${suffix.replace(/0*(\d+)/g, '$1')}`;
}

/**
 * The release line of a version: its first digit groups, `2025.3` for `2025.3.1`, or fewer where the version has fewer.
 */
export function nameReleaseLine({ groups }: Version, count: 1 | 2): string {
  const [first, second] = groups;
  return count === 1 || second === undefined ? `${first}` : `${first}.${second}`;
}

/** Finds the release line of a version among these names, in their spelling: `24.04` for 24.4.1. */
export function createReleaseLineFinder(
  names: readonly string[],
): (version: Version) => string | undefined {
  const byGroups = new Map<string, string>();
  for (const name of names) {
    const parsed = parseVersion(name);
    if (parsed) {
      byGroups.set(nameReleaseLine(parsed, 2), name);
    }
  }

  return (version) =>
    byGroups.get(nameReleaseLine(version, 2)) ?? byGroups.get(nameReleaseLine(version, 1));
}

/** The names that are versions, the greatest first; equal ones in the order of the list. */
export function sortGreatestFirst(names: readonly string[]): string[] {
  const versions = names.map(parseVersion).filter((version) => version !== undefined);
  return versions.sort((a, b) => compareVersions(b, a)).map(({ text }) => text);
}
