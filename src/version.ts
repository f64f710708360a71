/**
 * One order for versions of every shape: the order of Renovate's `loose` versioning
 * (renovatebot/renovate, lib/modules/versioning/loose/index.ts), with a version parsed once and compared by key.
 */
export interface Version {
  /** As upstream spells it. */
  readonly text: string;
  /** Digit groups without leading zeros, each led by its length, so that plain string order is numeric order. */
  readonly groupsKey: string;
  /** What follows the digit groups; empty for most releases. */
  readonly suffix: string;
}

const commitHash = /^[a-f0-9]{7,40}$/;
const allDigits = /^\d+$/;
const looseForm = /^[vV]?(\d+(?:\.\d+)*)(.*)$/;
const maxGroups = 6;

/** Longer strings are no versions; the limit keeps keys, paths and pages sane. */
export const maxVersionLength = 200;

// Renovate compares suffixes with `localeCompare(…, undefined, { numeric: true })`. The locale is fixed here,
// so that the order does not depend on the machine.
const suffixOrder = new Intl.Collator('en-US', { numeric: true });

/** Returns undefined for what Renovate's `loose` would not accept: no leading digits, seven groups, a commit hash. */
export function parseVersion(text: string): Version | undefined {
  // Half of a surrogate pair has no place in an address or in a file.
  if (text.length > maxVersionLength || !text.isWellFormed()) return undefined;
  if (commitHash.test(text) && !allDigits.test(text)) return undefined;
  const match = looseForm.exec(text);
  if (!match) return undefined;
  const groups = match[1]!.split('.');
  if (groups.length > maxGroups) return undefined;
  return { text, groupsKey: groups.map(groupKey).join(''), suffix: match[2]! };
}

/** Negative, zero or positive. Zero means equal rank, which two spellings of one version can have: `v1.2`, `1.02`. */
export function compareVersions(a: Version, b: Version): number {
  if (a.groupsKey !== b.groupsKey) return a.groupsKey < b.groupsKey ? -1 : 1;
  if (a.suffix === b.suffix) return 0;
  if (a.suffix === '') return 1;
  if (b.suffix === '') return -1;
  const order = suffixOrder.compare(a.suffix, b.suffix);
  if (order !== 0) return order;
  // To the collator some strange texts are equal, such as two that differ in an invisible character. Here they are two versions.
  const [left, right] = [plainSuffix(a), plainSuffix(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The same text for two spellings of one version: what finds a version among others without comparing. */
export function rankKey(version: Version): string {
  return `${version.groupsKey}\0${plainSuffix(version)}`;
}

function plainSuffix({ suffix }: Version): string {
  return suffix.replace(/\d+/g, withoutLeadingZeros);
}

/**
 * The release line of a version: its first digit groups, `2025.3` for `2025.3.1`.
 * A version with fewer groups is a line of its own.
 */
export function releaseLine(version: Version, groups: 1 | 2): string {
  const end = version.text.length - version.suffix.length;
  const start = version.text[0] === 'v' || version.text[0] === 'V' ? 1 : 0;
  return version.text.slice(start, end).split('.').slice(0, groups).map(withoutLeadingZeros).join('.');
}

function groupKey(group: string): string {
  const digits = withoutLeadingZeros(group);
  return String.fromCharCode(digits.length) + digits;
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits[start] === '0') start += 1;
  return start === 0 ? digits : digits.slice(start);
}
