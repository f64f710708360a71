import { isDay } from '../../core/model/dates.ts';
import { maxVersionLength, parseVersion, removeWildcards } from '../../core/model/version.ts';

/** A number as written, as the source of an expression. It may end with the punctuation of a sentence. */
export const numberPart = String.raw`v?\d[\w.+~*-]*`;

/** Behind the only bound of a range, as sources of expressions: ` or later`, ` onwards`, `, and older`. */
export const orLater = String.raw`[\s,(]{1,3}(?:(?:or|and) (?:later|newer|above|higher|up|greater)|(?:and )?onwards?)\b`;
export const orEarlier = String.raw`[\s,(]{1,3}(?:or|and) (?:older|earlier|below|lower)\b`;
export const openRange = new RegExp(`^(?:${orLater}|${orEarlier})`, 'i');

/** Without a dot, a suffix needs a sign: `7-rc1`, but `7zip` is a name. */
const undottedVersion = /^v?\d+(?:[-+~]|$)/i;

/** Whether a text is a version, or one with an open end such as `1.x`. */
export function isVersion(text: string): boolean {
  const version = removeWildcards(text);
  const hasForm = version.includes('.') || undottedVersion.test(version);
  return hasForm && !version.includes('..') && parseVersion(version) !== undefined;
}

/** Whether a number stands for several versions: `1.x`, `2.*-alpine`, `1.2+`. */
export function hasOpenEnd(number: string): boolean {
  return /\.[x*](?!\w)|\+$/i.test(number);
}

/** `1.2.0.jar`, and then `1.2.0-linux`, `1.2.0_darwin_arm64` or `1.2.0-py3-none-any`. */
const fileType = /\.(?:jar|tgz|tar\.\w+|zip|war|whl|gem|exe|deb|rpm)$/i;
const platform = /[-_](?:linux|darwin|windows|macos|py\d|cp\d)[-\w.]*$/i;

/** `==1.0.0.1` and `>= 1.0.0.1`, but not `-> 10.0.0.1`. */
const comparison = /[=<>~]= ?$/;

/**
 * The version that a number in a line is; undefined for a count, a time, an address and the like. `start`: of the number. `isKeyed`:
 * the key of a version is before it.
 */
export function readNumber(
  line: string,
  start: number,
  number: string,
  isKeyed?: boolean,
): string | undefined {
  if (number.length > maxVersionLength) {
    return undefined;
  }

  const before = line.slice(Math.max(0, start - 3), start);
  const behind = line.slice(start + number.length);
  const version = number
    .replace(/[-.+~*]+$/, '')
    .replace(fileType, '')
    .replace(platform, '');

  // `2/3`, `50%`, `10:30`, `#4`.
  const isPart = /^(?:[/%]|:\d)/.test(behind) || /(?:[+#]|\d:)$/.test(before);
  // `3 days`, but not `3 or later` and `<3 or 4.x`.
  const isBound = /[<>^~]=?$/.test(before) && /^ or [<>^~]?=?v?\d/.test(behind);
  const isWordBehind = /^ ?\p{L}/u.test(behind) && !openRange.test(behind) && !isBound;
  const isCount = /^v?\d+$/.test(version) && isWordBehind;
  // `svc-0`, and in a list of pods: `svc-1   2/2   Running`.
  const isOrdinal = number === '0' || (/^\d+$/.test(number) && behind.startsWith('  '));
  const isPod = before.endsWith('-') && isOrdinal;
  // Right behind its name, as in `svc/1.0.0.1`, a version is neither in a path nor an address.
  const isApart = start > 1;
  const isInPath = isApart && before.endsWith('/');
  const mayBeAddress = isApart && !isKeyed && !comparison.test(before);
  const isAddress = mayBeAddress && /^(?:\d{1,3}\.){3}\d{1,3}$/.test(version);

  const isOther = isPart || isCount || isPod || isInPath || isAddress || isDay(version);
  return isOther || !isVersion(version) ? undefined : version;
}

const separateNumber = new RegExp(String.raw`(?<![\p{L}\p{N}_.])${numberPart}`, 'giu');

/** The versions in a line, each of its own, with their offsets: `v7.2-rc.1` in "redis v7.2-rc.1, 5% faster". */
export function listVersions(line: string) {
  const versions = [];
  for (const { 0: number, index: start } of line.matchAll(separateNumber)) {
    const version = readNumber(line, start, number);
    if (version !== undefined && !hasOpenEnd(number)) {
      versions.push({ version, start, end: start + number.length });
    }
  }
  return versions;
}
