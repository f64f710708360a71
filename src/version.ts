/**
 * One order for versions of every shape: the order of Renovate's `loose` versioning
 * (renovatebot/renovate, lib/modules/versioning/loose/index.ts), with a version parsed once and compared by key.
 */
export interface Version {
  /** As upstream spells it. */
  readonly text: string;
  /** The first four digit groups, each with one added; 0 where there is none, which comes before `.0`. */
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
  /** Whether these say all of the digit groups: at most four, and none of them huge. */
  readonly isPlain: boolean;
  /** What follows the digit groups; empty for most releases. */
  readonly suffix: string;
}

const maxGroups = 6;
/** V8 compares small integers fastest; days such as 20250131 are below this. */
const plainLimit = 2 ** 30;

/** Longer strings are no versions; the limit keeps keys, paths and pages sane. */
export const maxVersionLength = 200;

const commitHash = /^[a-f0-9]{7,40}$/;
/** Renovate stops at a line break; a control character has no place in XML, on a terminal or in an address. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/u;

// Renovate compares suffixes with `localeCompare(…, undefined, { numeric: true })`. The locale is fixed here,
// so that the order does not depend on the machine.
const suffixOrder = new Intl.Collator('en-US', { numeric: true });

/**
 * Returns undefined for what Renovate's `loose` would not accept: no leading digits, seven groups, a commit hash.
 * Reads `^[vV]?(\d+(?:\.\d+)*)(.*)$` by hand: an index of a million versions spends its time here.
 */
export function parseVersion(text: string): Version | undefined {
  if (text.length > maxVersionLength) return undefined;
  let at = leadsWithV(text) ? 1 : 0;
  if (!isDigit(text.charCodeAt(at))) return undefined;
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let isPlain = true;
  for (let group = 0; ; group += 1) {
    if (group === maxGroups) return undefined;
    let value = 0;
    for (let code = text.charCodeAt(at); isDigit(code); code = text.charCodeAt((at += 1))) {
      value = value * 10 + code - zero;
    }
    if (value >= plainLimit) isPlain = false;
    else if (group === 0) first = value + 1;
    else if (group === 1) second = value + 1;
    else if (group === 2) third = value + 1;
    else if (group === 3) fourth = value + 1;
    else isPlain = false;
    if (text.charCodeAt(at) !== dot || !isDigit(text.charCodeAt(at + 1))) break;
    at += 1;
  }
  const suffix = at === text.length ? '' : text.slice(at);
  if (suffix !== '' && !isSuffix(suffix, text)) return undefined;
  return { text, first, second, third, fourth, isPlain, suffix };
}

function isSuffix(suffix: string, text: string): boolean {
  // Half of a surrogate pair has no place in an address or in a file.
  return !commitHash.test(text) && !unprintable.test(suffix) && suffix.isWellFormed();
}

/** Negative, zero or positive. Zero means equal rank, which two spellings of one version can have: `v1.2`, `1.02`. */
export function compareVersions(a: Version, b: Version): number {
  if (a.isPlain && b.isPlain) {
    const order = a.first - b.first || a.second - b.second || a.third - b.third || a.fourth - b.fourth;
    if (order !== 0) return order;
  } else {
    const [left, right] = [groupsKey(a), groupsKey(b)];
    if (left !== right) return left < right ? -1 : 1;
  }
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

/** Whether its text is digits and dots, perhaps after a `v`, as of most releases: it needs no escaping anywhere. */
export function isNumeric({ suffix }: Version): boolean {
  return suffix === '';
}

/** The same text for two spellings of one version: what finds a version among others without comparing. */
export function rankKey(version: Version): string {
  return `${groupsKey(version)}\0${plainSuffix(version)}`;
}

function plainSuffix({ suffix }: Version): string {
  return suffix.replace(/\d+/g, withoutLeadingZeros);
}

/**
 * The release line of a version: its first digit groups, `2025.3` for `2025.3.1`.
 * A version with fewer groups is a line of its own.
 */
export function releaseLine(version: Version, groups: 1 | 2): string {
  const { first, second, isPlain } = version;
  if (!isPlain) return digitGroups(version).slice(0, groups).join('.');
  return groups === 1 || second === 0 ? `${first - 1}` : `${first - 1}.${second - 1}`;
}

/** Digit groups, each led by its length, so that plain string order is numeric order. */
function groupsKey(version: Version): string {
  return digitGroups(version)
    .map((digits) => String.fromCharCode(digits.length) + digits)
    .join('');
}

/** Without leading zeros. */
function digitGroups({ text, suffix }: Version): string[] {
  const digits = text.slice(leadsWithV(text) ? 1 : 0, text.length - suffix.length);
  return digits.split('.').map(withoutLeadingZeros);
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits[start] === '0') start += 1;
  return start === 0 ? digits : digits.slice(start);
}

const [zero, nine, dot] = [48, 57, 46];

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

function leadsWithV(text: string): boolean {
  return text[0] === 'v' || text[0] === 'V';
}
