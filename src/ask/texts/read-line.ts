import { isDay } from '../../core/model/dates.ts';
import { isConnector, isVersion, isVersionKey } from './version-words.ts';

/** The version that a text states of a name, or what it states in place of one. */
export interface Statement {
  readonly version?: string | undefined;
  /** In place of a version, such as `^2.0.1`. */
  readonly range?: string | undefined;
  readonly digest?: string | undefined;
  /** A tag or a branch in place of a version, such as `main`. */
  readonly tag?: string | undefined;
}

/** A statement that begins a line. */
interface LineStatement extends Statement {
  /** The characters of the line up to its end. */
  readonly length: number;
}

/** Values by the name of their variable. */
export type Values = ReadonlyMap<string, string>;

const digestPart = String.raw`sha(?:1|256|384|512):\w+`;

/** The pieces of a line behind a name, one group for each kind. Only the arrow of a list of keys and values has none. */
const piece = new RegExp(
  [
    '=>',
    String.raw`(?<element><\/?\w[\w.-]*>)`,
    String.raw`(?<interval>[[(]\s*[\w.+-]*\s*,\s*[\w.+-]*\s*[\])])`,
    String.raw`@?(?<digest>\b${digestPart})`,
    String.raw`(?<variable>\$\{\w[^}]{0,99}\}|\$\w+|\bversion\.ref\b["']?\s?[:=]\s?["'][\w.-]{1,99}["'])`,
    String.raw`(?<sign>[<>~^!]+=?|->|→|\.{2,3})`,
    String.raw`(?<number>(?:\b\d:(?=\d[\d.]*-))?\bv?\d[\w.+~*-]*)`,
    String.raw`(?<cell>[,;|\t]| {2,})`,
    String.raw`(?<open>[{[])`,
    String.raw`(?<close>[}\]])`,
    String.raw`(?<word>(?:\p{L}|_\p{L}|\$)[\p{L}\p{N}_./%-]*)`,
  ].join('|'),
  'giu',
);

/** What the pieces read so far say about the next one. */
interface Context {
  /** A piece of this cell or bracket is about another product, so a version after it does not belong to the name before. */
  readonly isForeign: boolean;
  /** A word of this cell or element is the key of a version. */
  readonly isKeyed: boolean;
  /** The number of cells, elements and parts of a list that have ended. */
  readonly cells: number;
  /** The signs before a version, such as `>=`. */
  readonly signs: string;
  /** For each open bracket, whether the text around it is foreign. */
  readonly brackets: readonly boolean[];
}

const initialContext: Context = {
  isForeign: false,
  isKeyed: false,
  cells: 0,
  signs: '',
  brackets: [],
};

/** Reads the version in a line behind a name, up to the end of a bracket around the name. */
export function readLine(line: string, values: Values): LineStatement {
  let context = initialContext;
  for (const match of line.matchAll(piece)) {
    const endsBracket = match.groups?.['close'] !== undefined;
    if (endsBracket && context.brackets.length === 0) {
      break;
    }

    const result = readPiece(line, match, context, values);
    if ('length' in result) {
      return result;
    }

    context = result;
  }

  // `:main`, right behind the name.
  const [written = '', tag] = /^[:@=]([a-z][\w.-]*)(?=[\s"',;|)]|$)/i.exec(line) ?? [];
  return { tag, length: written.length };
}

/** The statement that a piece makes, or else the context behind it. */
function readPiece(
  line: string,
  match: RegExpExecArray,
  context: Context,
  values: Values,
): LineStatement | Context {
  const { interval = '', digest, variable, number, ...others } = match.groups!;
  const { isForeign, isKeyed, cells, signs } = context;
  const { 0: text, index } = match;
  const length = index + text.length;

  // `[1.0,2.0)` and `1.0..2.0`. A range is reported, never judged, so `isForeign` does not matter.
  if (/\d/.test(interval) || number?.includes('..')) {
    return { range: text, length };
  }

  if (number !== undefined) {
    const version = readNumber(line, index, number);
    if (version === undefined) {
      // A day may be between a name and its version; any other number is about something else.
      return { ...context, isForeign: isForeign || !isDay(number) };
    }

    // In a later cell of a table, a number without a dot may count anything.
    const isPlainCell = cells > 1 && !isKeyed && !version.includes('.');
    return isForeign || isPlainCell ? context : readVersionOrRange(line, match, version, signs);
  }

  if (isForeign && (digest ?? variable) !== undefined) {
    return context;
  }
  if (digest !== undefined) {
    return { digest, length };
  }
  if (variable !== undefined) {
    return { ...readVariable(variable, values), length };
  }

  return passPiece(others, context);
}

/** The context behind a piece that states nothing. */
function passPiece(
  { element, sign = '', cell, open, close, word }: Readonly<Record<string, string | undefined>>,
  context: Context,
): Context {
  const { isForeign, isKeyed, cells, signs, brackets } = context;
  if (cell !== undefined || element?.startsWith('</')) {
    const isForeignAround = brackets.includes(true);
    return { isForeign: isForeignAround, isKeyed: false, cells: cells + 1, signs: '', brackets };
  }
  if (element !== undefined) {
    const name = element.slice(1, -1);
    const isForeignElement = isForeign || !isConnector(name);
    return { ...context, isForeign: isForeignElement, isKeyed: isVersionKey(name), signs: '' };
  }
  if (open !== undefined) {
    return { ...context, brackets: [...brackets, isForeign] };
  }
  if (close !== undefined) {
    const isForeignAround = brackets.at(-1) ?? isForeign;
    return { ...context, isForeign: isForeignAround, brackets: brackets.slice(0, -1) };
  }
  if (word !== undefined) {
    const isForeignWord = isForeign || !isConnector(word);
    return { ...context, isForeign: isForeignWord, isKeyed: isKeyed || isVersionKey(word) };
  }

  return { ...context, signs: signs + sign };
}

/** `1.2.0-linux.tar.gz`, `1.2.0.jar` and `1.2.0_darwin_arm64`. */
const fileEnd =
  /(?:[-_](?:linux|darwin|windows|macos)[-_\w]*)?\.(?:jar|tgz|tar\.gz|zip|war|whl|gem|exe|deb|rpm)$|[-_](?:linux|darwin|windows|macos)[-_\w]*$/i;

/** The version of a package with the revision of a distribution: `1:1.2.0-1ubuntu2` and `1.2.0-3.el9`. */
const distributionVersion = /^(?:\d:)?([\d.]+)-\d+[.+~]?(?:ubuntu|deb|el|fc|build)[\w.+~]*$/i;

/** In a list of packages, each revision is of a distribution: `1.2.0-1 amd64`. */
const architecture = /^\s+(?:amd64|arm64|i386|all|noarch|x86_64|aarch64)\b/;
const listedVersion = /^(?:\d:)?([\d.]+)-\d.*$/;

/** The version that a number in a line is; undefined for a count, a time, an address and the like. */
function readNumber(line: string, index: number, written: string): string | undefined {
  const before = line.slice(Math.max(0, index - 2), index);
  const behind = line.slice(index + written.length);
  const version = written
    .replace(/[-.+~*]+$/, '')
    .replace(fileEnd, '')
    .replace(architecture.test(behind) ? listedVersion : distributionVersion, '$1');

  // `2/3`, `50%`, `10:30`, `#4`.
  const isPart = /^(?:[/%]|:\d)/.test(behind) || /(?:[+#]|\d:)$/.test(before);
  // `3 days`.
  const isCount = /^v?\d+$/.test(version) && /^ ?\p{L}/u.test(behind);
  // Right behind its name, as in `svc/1.0.0.1`, a version is neither in a path nor an address.
  const isInPath = index > 1 && before.endsWith('/');
  const isAddress = index > 1 && /^(?:\d+\.){3}\d+$/.test(version);

  const isOther = isPart || isCount || isInPath || isAddress || isDay(version);
  return isOther || !isVersion(version) ? undefined : version;
}

/** Behind a version that begins a range: `1.2 - 2.0`, `1.2, <2.0` and `1.2 or later`. */
const rangeEnd =
  /^(?:\s?(?:to|up to|-|–|—|→|->|\.{2,3})\s?v?\d[\w.+-]*|(?:\s?,?\s?[<>]=?\s?v?\d[\w.+-]*)+|\s(?:or|and) (?:later|newer|above|higher|up|greater|older|earlier))/i;

/** `@sha256:…` right behind a version. */
const attachedDigest = new RegExp(`^@(${digestPart})`, 'i');

/** The version that a number is, or the range that it begins, with a sign before it or a second version behind it. */
function readVersionOrRange(
  line: string,
  { 0: number, index }: RegExpExecArray,
  version: string,
  signs: string,
): LineStatement {
  const length = index + number.length;
  const behind = line.slice(length);

  // A decimal comma: `svc 2025,1`.
  const [, decimal] = /^,(\d+)\s*$/.exec(behind) ?? [];
  const isFirstOfCell = /(?:^|[\s;])$/.test(line.slice(0, index));
  if (decimal !== undefined && /^\d+$/.test(version) && isFirstOfCell) {
    return { version: `${version}.${decimal}`, length: line.length };
  }

  const isOpen = /(?:\.[x*]|\.?\+)$/i.test(number) || /\.[x*]/i.test(version);
  const [bound = ''] = rangeEnd.exec(behind) ?? [];
  if (signs !== '' || isOpen || bound !== '') {
    const range = `${signs}${isOpen ? number : version}${bound}`;
    return { range: range.trim(), length: length + bound.length };
  }

  const [attached = '', digest] = attachedDigest.exec(behind) ?? [];
  return { version, digest, length: length + attached.length };
}

/** A longer value is no version. */
const maxValueLength = 100;

/** `${TAG}`, `${TAG:-1.20}` and `version.ref = "agent"`, which may name others in turn. */
function readVariable(written: string, values: Values): Statement {
  const [, name = '', fallback] =
    /^(?:\$\{?|version\.ref["']?\s?[:=]\s?["'])([\w.-]+)(?::?-([^}]*))?/.exec(written) ?? [];
  let value = values.get(name) ?? fallback ?? written;
  // Each level can make a text fifty times as long, so it stops at the first value that is too long.
  for (let level = 0; level < 3 && value.length <= maxValueLength; level += 1) {
    value = value.replaceAll(
      /\$\{([\w.-]+)\}/g,
      (whole, inner: string) => values.get(inner) ?? whole,
    );
  }

  if (value.length > maxValueLength) {
    return { range: written };
  }

  return isVersion(value) && !/[x*+]$/.test(value) ? { version: value } : { range: value };
}
