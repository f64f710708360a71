import {
  isConnector,
  isVersion,
  keyNames,
  readLine,
  type Statement,
  type Values,
} from './read-line.ts';
import { filler } from './simplify-text.ts';

/** A line such as `version: 2025.1` or `'version' => '2025.1'`, below or above the line of a name. */
const keyedLine = new RegExp(
  String.raw`^\s*(?:[<"']|@)?(?:${keyNames})["'>]?\s*(?:=>|[:=(])?\s*["'(]?(.*)$`,
  'i',
);

/** The lines below a name in which its version may be. */
const maxLines = 12;
/** The characters before a name in which its line may begin. */
const maxBefore = 500;
/** The characters before a name in which its version may be. */
const maxVersionBefore = 200;

/** The start of the line around an offset. Gives up `maxBefore` characters before it, which is then in the middle of a line. */
export function findLineStart(text: string, offset: number): number {
  const from = Math.max(0, offset - maxBefore);
  return from + text.slice(from, offset).lastIndexOf('\n') + 1;
}

/** Reads the version behind a name, up to `limit`: in its line, else in the lines below that belong to it. */
export function readBehind(text: string, end: number, limit: number, values: Values): Statement {
  const reachable = text.slice(0, limit);
  const lineEnd = reachable.indexOf('\n', end);
  const inLine = readLine(reachable.slice(end, lineEnd < 0 ? limit : lineEnd), values);
  const statement = { ...inLine, end: inLine.end + end };
  if ((inLine.version ?? inLine.digest) !== undefined || lineEnd < 0) {
    return statement;
  }

  return readBelow(reachable, end, lineEnd, values) ?? statement;
}

/** Reads the version in the lines below the line of a name, if these lines belong to it. */
function readBelow(
  text: string,
  end: number,
  lineEnd: number,
  values: Values,
): Statement | undefined {
  const lineStart = findLineStart(text, end);
  const line = text.slice(lineStart, lineEnd);
  if (line.includes('renovate:')) {
    return readCommented(text, lineEnd + 1, values);
  }

  // `image: svc` has its version in a key of the same indent, `svc:` in a deeper one.
  const minIndent = measureIndent(line) + (endsWithValue(text.slice(lineStart, end)) ? 0 : 1);
  for (const { line, offset } of listLinesBelow(text, lineEnd + 1, minIndent)) {
    const [, value] = keyedLine.exec(line) ?? [];
    if (value !== undefined) {
      return readValue(value, offset + line.length - value.length, values);
    }
  }

  return undefined;
}

/** The lines of a block from an offset on, without the lines below a key about something else. */
function listLinesBelow(text: string, start: number, minIndent: number) {
  const lines: { line: string; offset: number }[] = [];
  let offset = start;
  // The indent of the last key about something else, while deeper lines belong to it.
  let foreignIndent = Infinity;

  for (const line of text.slice(start).split('\n', maxLines)) {
    const indent = measureIndent(line);
    if (indent < minIndent || endOfBlock.test(line)) {
      break;
    }

    if (indent <= foreignIndent) {
      lines.push({ line, offset });
      foreignIndent = isForeignBlock(line) ? indent : Infinity;
    }

    offset += line.length + 1;
  }

  return lines;
}

/** An empty line, the next item of a list, or the end of an element. */
const endOfBlock = /^\s*(?:$|[-*•]\s|<\/)/;

const behindLastMark = new RegExp(`[^:=>${filler}]*$`);

/** Whether a line up to the end of a name has it as a value: `image: example/svc`, `<artifactId>svc`. */
function endsWithValue(line: string): boolean {
  const beforeWord = line.replace(behindLastMark, '');
  return /[\w"')>]\s*[:=]$|>$/.test(beforeWord) || beforeWord.endsWith(filler);
}

/** The version in the line below a comment for Renovate, in any form. */
function readCommented(text: string, start: number, values: Values): Statement | undefined {
  const [line = ''] = text.slice(start).split('\n', 1);
  const number = /(?<![\w.])v?\d[\w.+~-]*(?:@sha\d+:\w+)?/.exec(line);
  return number ? readValue(line.slice(number.index), start + number.index, values) : undefined;
}

/** Reads the version with which a value begins. `offset`: of the value in the text. */
function readValue(value: string, offset: number, values: Values): Statement | undefined {
  const statement = readLine(value, values);
  return (statement.version ?? statement.range) === undefined
    ? undefined
    : { ...statement, end: statement.end + offset };
}

/** The width of the white space before a line, with the mark of an item. */
function measureIndent(line: string): number {
  const [indent = ''] = /^\s*(?:-\s+)?/.exec(line) ?? [];
  return indent.length;
}

/** Whether a line is a key about something else, with further keys below it. */
function isForeignBlock(line: string): boolean {
  const [, key] = /^\s*["']?([\w./-]+)["']?\s*[:=]?\s*[{[(]?\s*$/.exec(line) ?? [];
  return key !== undefined && /[:{[(]\s*$/.test(line) && !isConnector(key);
}

/** A version up to the name behind it: `2025.1 of svc`, `"version": "2025.1", "name": "svc"`. */
const beforeName = new RegExp(
  [
    // Not within a word, a path or another version.
    /(?<![\p{L}\p{N}_./:+-])/u,
    /(v?\d+(?:\.\d+){1,2}(?:[-+~.]?[a-z][\w.]*)?)/,
    // The end of its quotes, and a separator.
    /["'`*)\s]*[,;|\s]["'`*\s|]*/,
    // A word or a key of the name.
    /(?:(?:of|for|name|component|package|product)\b["'\s:=|]*)?/,
    // The start of the quotes around the name, and its path.
    /["'`*(\s]*(?:[\w.-]+\/)*$/,
  ]
    .map(({ source }) => source)
    .join(''),
  'iu',
);

/** Reads the version before a name, in its line or in the line above, but not before `limit`. */
export function readBefore(
  text: string,
  limit: number,
  nameStart: number,
  values: Values,
): Omit<Statement, 'end'> | undefined {
  const lineStart = findLineStart(text, nameStart);
  const from = Math.max(limit, lineStart, nameStart - maxVersionBefore);
  const line = text.slice(from, nameStart);
  const match = beforeName.exec(line);
  if (match) {
    const [, version = ''] = match;
    // Other words in the cell before a version name something else.
    const cell = line.slice(0, match.index).replace(/^.*(?:[,;|\t]| {2,})/s, '');
    const words = cell.match(/\p{L}[\p{L}\p{N}_]*/gu) ?? [];
    const isStated = words.every(isConnector) && isVersion(version);
    return isStated ? { version, start: from + match.index } : undefined;
  }

  const isNameKey = /\bname["']?\s*[:=]\s*["']?$/i.test(line);
  const hasLineAbove = lineStart > limit && text[lineStart - 1] === '\n';
  return isNameKey && hasLineAbove ? readAbove(text, limit, lineStart - 1, values) : undefined;
}

/** Reads the version in a line such as `version: 2025.1`, up to its end. `start` of the statement is the start of the line. */
function readAbove(text: string, limit: number, lineEnd: number, values: Values) {
  const start = Math.max(limit, findLineStart(text, lineEnd));
  const [, value = ''] = keyedLine.exec(text.slice(start, lineEnd).trimEnd()) ?? [];
  const { version } = readLine(value, values);
  return version === undefined ? undefined : { version, start };
}
