/**
 * One order for versions of every shape: the order of Renovate's `loose` versioning
 * (renovatebot/renovate, lib/modules/versioning/loose/index.ts), with a version parsed once.
 */
export interface Version {
  /** As upstream spells it. */
  readonly text: string;
  /** The digit groups; big integers where a number would lose digits. */
  readonly groups: readonly (number | bigint)[];
  /** What follows the digit groups; empty for most releases. */
  readonly suffix: string;
}

const form = /^[vV]?(\d+(?:\.\d+)*)(.*)$/s;
const maxGroups = 6;

/** Longer strings are no versions; the limit keeps keys, paths and pages sane. */
export const maxVersionLength = 200;

const commitHash = /^[a-f0-9]{7,40}$/;
/** People and Renovate put a version into shells, workflows and pages, where other characters could do harm. */
const harmlessSuffix = /^(?: ?[A-Za-z0-9._+~!:-])*$/;

// Renovate compares suffixes with `localeCompare(…, undefined, { numeric: true })`. The locale is fixed here,
// so that the order does not depend on the machine.
const suffixOrder = new Intl.Collator('en-US', { numeric: true });

/**
 * Returns undefined for what Renovate's `loose` would not accept (no leading digits, seven groups, a commit hash), and for
 * a version with a character that does not belong into one.
 */
export function parseVersion(text: string): Version | undefined {
  if (text.length > maxVersionLength) return undefined;
  const match = form.exec(text);
  if (!match) return undefined;
  const groups = match[1]!.split('.').map(toInteger);
  const suffix = match[2]!;
  if (groups.length > maxGroups || (suffix !== '' && !isSuffix(suffix, text))) return undefined;
  return { text, groups, suffix };
}

function toInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

function isSuffix(suffix: string, text: string): boolean {
  return !commitHash.test(text) && harmlessSuffix.test(suffix);
}

/** Negative, zero or positive. Zero means equal rank, which two spellings of one version can have: `v1.2`, `1.02`. */
export function compareVersions(a: Version, b: Version): number {
  const shared = Math.min(a.groups.length, b.groups.length);
  for (let index = 0; index < shared; index += 1) {
    const [left, right] = [a.groups[index]!, b.groups[index]!];
    if (left !== right) return left < right ? -1 : 1;
  }
  // A missing group comes before `.0`.
  return a.groups.length - b.groups.length || compareSuffixes(a.suffix, b.suffix);
}

function compareSuffixes(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  return suffixOrder.compare(a, b);
}

/** The same text for two spellings of one version: finds a version among others without comparing. */
export function rankKey({ groups, suffix }: Version): string {
  return `${groups.join('.')}\0${plainSuffix(suffix)}`;
}

/** Without the leading zeros of its numbers. */
function plainSuffix(suffix: string): string {
  return suffix.replace(/0*(\d+)/g, '$1');
}

/**
 * The release line of a version: its first digit groups, `2025.3` for `2025.3.1`.
 * A version with fewer groups is a line of its own.
 */
export function releaseLine({ groups }: Version, count: 1 | 2): string {
  return groups.slice(0, count).join('.');
}
