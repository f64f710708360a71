import { isDay } from '../../core/model/dates.ts';
import { parseVersion } from '../../core/model/version.ts';

/** The version that a text states of a name, and where the statement ends. */
export interface Statement {
  readonly version?: string | undefined;
  /** In place of a version, such as `^2.0.1`. */
  readonly range?: string | undefined;
  readonly digest?: string | undefined;
  /** A tag or a branch in place of a version, such as `main`. */
  readonly tag?: string | undefined;
  /** The version is that many lines above. */
  readonly linesBefore?: number | undefined;
  readonly end: number;
}

/** Values by the name of their variable. */
type Variables = ReadonlyMap<string, string>;

/** Words that may be between a name and its version. */
const connectors = new Set(
  'v is at on in now are run runs running using use uses current currently installed image chart app apply jar war pom aar zip bundle id name component product the module plugin artifact library package target we still our it td th tr li span b strong em code p div'.split(
    ' ',
  ),
);

/** Keys of a version. */
const keyNames =
  'version|ver|(?:new|image)?[-_]?tag|release|rev|ref|(?:app|chart|image|current|installed)[-_ ]?version|target[-_]?revision|versioninfo';
const keyForm = new RegExp(`^(?:${keyNames})s?$`, 'i');

/** A line such as `version: 2025.1`, below the line of a name. */
const keyedLine = new RegExp(
  String.raw`^\s*(?:[<"']|@)?(?:${keyNames})["'>]?\s*[:=(]?\s*["'(]?(.*)$`,
  'i',
);

/** The parts of a line behind a name. Each match has one group. */
const piece = new RegExp(
  [
    String.raw`(?<tag>=>|<\/?\w[\w.-]*>)`,
    String.raw`(?<interval>[[(]\s*[\d.]*[\w.+-]*\s*,\s*[\w.+-]*\s*[\])])`,
    String.raw`@?(?<digest>\bsha(?:1|256|384|512):\w*)`,
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

const maxLines = 12;
/** The characters before a name that matter, in a text of one line. */
const maxBefore = 500;

export function startOfLine(text: string, offset: number): number {
  const from = Math.max(0, offset - maxBefore);
  return from + text.slice(from, offset).lastIndexOf('\n') + 1;
}

/** Reads the version behind a name: in its line, else in the lines below that belong to it. */
export function readBehind(
  text: string,
  end: number,
  limit: number,
  variables: Variables,
): Statement {
  const reachable = text.slice(0, limit);
  const lineEnd = reachable.indexOf('\n', end);
  const inLine = readLine(reachable.slice(end, lineEnd < 0 ? limit : lineEnd), variables);
  const isInLine = (inLine.version ?? inLine.digest) !== undefined;
  const below = isInLine || lineEnd < 0 ? undefined : readBelow(reachable, end, lineEnd, variables);
  return below ?? shiftStatement(inLine, end);
}

/** A part of a line, and what the parts before it say about it. */
interface Piece {
  readonly match: RegExpExecArray;
  /** A word before it joins no version to the name. */
  readonly isForeign: boolean;
  /** A number without a dot is no version. */
  readonly mayBeCount: boolean;
  /** The signs before it, such as `>=`. */
  readonly sign: string;
}

/** Reads the version in a line behind a name. */
function readLine(line: string, variables: Variables): Statement {
  for (const { match, isForeign, mayBeCount, sign } of listPieces(line)) {
    const { interval, digest, variable, number } = match.groups!;
    const { index } = match;
    const end = index + match[0].length;
    if (interval !== undefined && /\d/.test(interval)) {
      return { range: interval, end };
    }
    if (number?.includes('..')) {
      return { range: number, end };
    }
    if (isForeign) {
      continue;
    }
    if (digest !== undefined) {
      return { digest, end };
    }
    if (variable !== undefined) {
      return { ...readVariable(variable, variables), end };
    }

    const versionText = number === undefined ? undefined : readNumber(line, index, number);
    if (versionText !== undefined && (!mayBeCount || versionText.includes('.'))) {
      return widenToRange(line, index, { sign, versionText, end });
    }
  }

  const [written, tag] = /^[:@=]([a-z][\w.-]*)(?=[\s"',;|)]|$)/i.exec(line) ?? [];
  return { tag, end: written?.length ?? 0 };
}

/** The pieces of a line, up to the end of the bracket around it. Foreign words count up to the next cell. */
function* listPieces(line: string): Generator<Piece, void> {
  // Whether the text around each open bracket is foreign.
  const brackets: boolean[] = [];
  let isForeign = false;
  let isKeyed = false;
  let cells = 0;
  let signs = '';

  for (const match of line.matchAll(piece)) {
    yield { match, isForeign, mayBeCount: cells > 1 && !isKeyed, sign: signs };

    const { tag, sign, number, cell, open, close, word } = match.groups!;
    if (number !== undefined) {
      isForeign ||= readNumber(line, match.index, number) === undefined && !isDay(number);
    } else if (tag !== undefined || cell !== undefined) {
      const element = tag?.slice(1, -1) ?? '';
      if (cell !== undefined || element.startsWith('/')) {
        isForeign = brackets.includes(true);
        cells += 1;
      } else if (tag !== '=>') {
        isForeign ||= !isConnector(element);
      }

      isKeyed = keyForm.test(element);
      signs = '';
    } else if (open !== undefined) {
      brackets.push(isForeign);
    } else if (close !== undefined) {
      const isForeignAround = brackets.pop();
      if (isForeignAround === undefined) {
        return;
      }

      isForeign = isForeignAround;
    } else if (word !== undefined) {
      isKeyed ||= keyForm.test(word);
      isForeign ||= !isConnector(word);
    }

    signs += sign ?? '';
  }
}

export function isConnector(word: string): boolean {
  return keyForm.test(word) || connectors.has(word.toLowerCase());
}

/** Endings of files and of packages of a distribution. */
const fileEnd =
  /(?:[-_](?:linux|darwin|windows|macos)[-_\w]*)?\.(?:jar|tgz|tar\.gz|zip|war|whl|gem|exe|deb|rpm)$|[-_](?:linux|darwin|windows|macos)[-_\w]*$/i;
const packageForm = /^(?:\d:)?([\d.]+)-\d+(?:[.+~]?(?:ubuntu|deb|el|fc|build)[\w.+~]*)+$/i;

const packageArchitecture = /^\s+(?:amd64|arm64|i386|all|noarch|x86_64|aarch64)\b/;

/** The version that a number in a line is; undefined for a count, a time, an address and the like. */
function readNumber(line: string, index: number, written: string): string | undefined {
  const isPackaged = packageArchitecture.test(line.slice(index + written.length, index + 99));
  const version = written
    .replace(/[-.+~*]+$/, '')
    .replace(fileEnd, '')
    .replace(isPackaged ? /^(?:\d:)?([\d.]+)-\d.*$/ : packageForm, '$1');
  const before = line[index - 1] ?? '';
  const behind = line.slice(index + written.length, index + written.length + 2);
  const isPart =
    (before === '/' && index > 1) || before === '+' || /\d:$/.test(line.slice(0, index));

  if (isPart || /^(?:\/|%|:\d)/.test(behind) || isDay(version) || !isVersion(version)) {
    return undefined;
  }

  const isCount = /^v?\d+$/.test(version) && /^ ?[\p{L}]/u.test(behind) && !/^\d/.test(behind);
  return isCount || (index > 1 && /^(?:\d+\.){3}\d+$/.test(version)) ? undefined : version;
}

/** A number without dots may have a suffix only after a sign: `7zip` is a name. */
export function isVersion(text: string): boolean {
  const plain = text.replace(/(?:\.[x*+])+$/i, '');
  return (
    /^v?\d/i.test(plain) &&
    parseVersion(plain) !== undefined &&
    (plain.includes('.') || /^v?\d+(?:[-+~]|$)/i.test(plain))
  );
}

/** Behind a version, which is then the beginning of a range. */
const rangeEnd =
  /^(?:\.[x*+]|\+|\s?(?:to|up to|-|–|—|→|->|\.{2,3})\s?v?\d[\w.+-]*|(?:\s?,?\s?[<>]=?\s?v?\d[\w.+-]*)+|\s(?:or|and) (?:later|newer|above|higher|up|greater|older|earlier))/i;

interface StatedVersion {
  readonly sign: string;
  readonly versionText: string;
  readonly end: number;
}

/** A version with a sign before it, or with a second one behind it, is a range. */
function widenToRange(
  line: string,
  index: number,
  { sign, versionText, end }: StatedVersion,
): Statement {
  const decimal = /^,(\d+)\s*$/.exec(line.slice(end))?.[1];
  if (decimal !== undefined && /^\d+$/.test(versionText) && /[\s;]$/.test(line.slice(0, index))) {
    return { version: `${versionText}.${decimal}`, end: line.length };
  }

  const [, whole = ''] = /^(v?\d[\w.~*-]*)/i.exec(line.slice(index)) ?? [];
  const isOpen = /(?:\.[x*]|\.?\+)$/i.test(line.slice(index, end)) || /\.[x*]/i.test(versionText);
  const suffix = rangeEnd.exec(line.slice(end))?.[0] ?? '';
  if (sign !== '' || isOpen || suffix !== '') {
    const range = `${sign}${isOpen ? line.slice(index, end) : versionText || whole}${suffix}`;
    return { range: range.trim(), end: end + suffix.length };
  }

  const digest = /^@(sha(?:256|512):\w*)/i.exec(line.slice(end))?.[1];
  return {
    version: versionText,
    digest,
    end: end + (digest === undefined ? 0 : digest.length + 1),
  };
}

/** A longer value is no version. */
const maxValueLength = 100;

/** `${TAG}`, `${TAG:-1.20}` and `version.ref = "agent"`, which may name others in turn. */
function readVariable(written: string, variables: Variables): Omit<Statement, 'end'> {
  const [, name = '', fallback] =
    /^(?:\$\{?|version\.ref["']?\s?[:=]\s?["'])([\w.-]+)(?::?-([^}]*))?/.exec(written) ?? [];
  let value = variables.get(name) ?? fallback ?? written;
  // Each level can make a text fifty times as long, so it stops at the first value that is too long.
  for (let level = 0; level < 3 && value.length <= maxValueLength; level += 1) {
    value = value.replaceAll(
      /\$\{([\w.-]+)\}/g,
      (whole, inner: string) => variables.get(inner) ?? whole,
    );
  }

  if (value.length > maxValueLength) {
    return { range: written };
  }

  return isVersion(value) && !/[x*+]$/.test(value) ? { version: value } : { range: value };
}

/** The version in a line below the line of a name, if these lines belong to it. */
function readBelow(
  text: string,
  end: number,
  lineEnd: number,
  variables: Variables,
): Statement | undefined {
  const lineStart = startOfLine(text, end);
  const line = text.slice(lineStart, lineEnd);
  let start = lineEnd + 1;
  if (line.includes('renovate:')) {
    return readCommented(text, start, variables);
  }

  // The name is a value, so its version is in another key.
  const isValue = /[\w"')>]\s*(?:[:=]|>)\s*["']?(?:[\w.:-]+\/)*$|[>\uE000]\s*$/.test(
    text.slice(lineStart, end).replace(/[^:=>\uE000]*$/, ''),
  );
  const indent = countIndent(line) + (isValue ? 0 : 1);
  let blockDepth = Infinity;

  for (let count = 0; count < maxLines && start < text.length; count += 1) {
    const below = text.slice(start).replace(/\n.*/s, '');
    const depth = countIndent(below);
    if (below.trim() === '' || /^\s*(?:[-*•]\s|<\/)/.test(below) || depth < indent) {
      return undefined;
    }

    const value = depth <= blockDepth ? keyedLine.exec(below)?.[1] : undefined;
    if (value !== undefined) {
      const statement = readLine(` ${value}`, variables);
      return (statement.version ?? statement.range) === undefined
        ? undefined
        : shiftStatement(statement, start + below.length - value.length - 1);
    }

    if (depth <= blockDepth) {
      blockDepth = isForeignBlock(below) ? depth : Infinity;
    }

    start += below.length + 1;
  }

  return undefined;
}

/** The version in the line below a comment for Renovate, in any form. */
function readCommented(text: string, start: number, variables: Variables): Statement | undefined {
  const line = text.slice(start).replace(/\n.*/s, '');
  const number = /(?<![\w.])v?\d[\w.+~-]*(?:@sha\d+:\w+)?/.exec(line);
  return number
    ? shiftStatement(readLine(` ${line.slice(number.index)}`, variables), start + number.index - 1)
    : undefined;
}

function shiftStatement(statement: Statement, by: number): Statement {
  return { ...statement, end: statement.end + by };
}

/** The white space before a line, with the mark of an item. */
function countIndent(line: string): number {
  return /^\s*(?:-\s+)?/.exec(line)![0].length;
}

/** A key with other keys below it, which are about something else. */
function isForeignBlock(line: string): boolean {
  const [, key] = /^\s*["']?([\w./-]+)["']?\s*[:=]?\s*[{[(]?\s*$/.exec(line) ?? [];
  return key !== undefined && /[:{[(]\s*$/.test(line) && !isConnector(key);
}

/** Between a version and the name behind it: `2025.1 of svc`, `"version": "2025.1", "name": "svc"`. */
const beforeName =
  /(?<![\p{L}\p{N}_./:+-])(v?\d+(?:\.\d+){1,2}(?:[-+~.]?[a-z][\w.]*)?)["'`*)\s]*(?:[,;|\t\s]["'`*\s|]*)(?:(?:of|for|name|component|package|product)\b["'\s:=|]*)?["'`*(\s]*(?:[\w.-]+\/)*$/iu;

/** Reads the version before a name in its line, or one line above; `start`: behind what was read before. */
export function readBefore(
  text: string,
  start: number,
  nameStart: number,
): { version: string; line: 0 | 1 } | undefined {
  const lineStart = startOfLine(text, nameStart);
  const line = text.slice(Math.max(start, lineStart, nameStart - 200), nameStart);
  const [, version] = beforeName.exec(line) ?? [];
  if (version !== undefined) {
    const label = line
      .slice(0, line.lastIndexOf(version))
      .split(/[,;|\t]| {2,}/)
      .at(-1)!;
    const words = label.match(/\p{L}[\p{L}\p{N}_]*/gu) ?? [];
    return words.every(isConnector) && isVersion(version) ? { version, line: 0 } : undefined;
  }

  if (lineStart <= start || !/\bname["']?\s*[:=]\s*["']?$/i.test(line)) {
    return undefined;
  }

  const above = text.slice(Math.max(start, startOfLine(text, lineStart - 1)), lineStart);
  const [, value = ''] = keyedLine.exec(above.trimEnd()) ?? [];
  const statement = readLine(` ${value.replace(/["',]+$/, '')}`, new Map());
  return statement.version === undefined ? undefined : { version: statement.version, line: 1 };
}
