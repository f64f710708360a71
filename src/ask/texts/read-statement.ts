import {
  isConnector,
  isVersion,
  keyNames,
  readLine,
  type Statement,
  type Values,
} from './read-line.ts';
import { filler } from './simplify-text.ts';

/** A line such as `version: 2025.1`, below the line of a name. */
const keyedLine = new RegExp(
  String.raw`^\s*(?:[<"']|@)?(?:${keyNames})["'>]?\s*[:=(]?\s*["'(]?(.*)$`,
  'i',
);

/** The lines below a name in which its version may be. */
const maxLines = 12;
/** The characters before a name that matter, in a text of one line. */
const maxBefore = 500;

export function startOfLine(text: string, offset: number): number {
  const from = Math.max(0, offset - maxBefore);
  return from + text.slice(from, offset).lastIndexOf('\n') + 1;
}

/** Reads the version behind a name, up to `limit`: in its line, else in the lines below that belong to it. */
export function readBehind(text: string, end: number, limit: number, values: Values): Statement {
  const reachable = text.slice(0, limit);
  const lineEnd = reachable.indexOf('\n', end);
  const inLine = readLine(reachable.slice(end, lineEnd < 0 ? limit : lineEnd), values);
  const hasVersion = (inLine.version ?? inLine.digest) !== undefined;
  const below = hasVersion || lineEnd < 0 ? undefined : readBelow(reachable, end, lineEnd, values);
  return below ?? { ...inLine, end: inLine.end + end };
}

/** The version in a line below the line of a name, if these lines belong to it. */
function readBelow(
  text: string,
  end: number,
  lineEnd: number,
  values: Values,
): Statement | undefined {
  const lineStart = startOfLine(text, end);
  const line = text.slice(lineStart, lineEnd);
  let start = lineEnd + 1;
  if (line.includes('renovate:')) {
    return readCommented(text, start, values);
  }

  // `image: svc` has its version in a key beside it, `svc:` in a key below it.
  const indent = countIndent(line) + (endsWithValue(text.slice(lineStart, end)) ? 0 : 1);
  // The indent of a key about something else, which has the lines that are further in.
  let foreignIndent = Infinity;

  for (const below of text.slice(start).split('\n', maxLines)) {
    const belowIndent = countIndent(below);
    if (belowIndent < indent || endOfBlock.test(below)) {
      return undefined;
    }

    if (belowIndent <= foreignIndent) {
      const [, value] = keyedLine.exec(below) ?? [];
      if (value !== undefined) {
        return readValue(value, start + below.length - value.length, values);
      }

      foreignIndent = isForeignBlock(below) ? belowIndent : Infinity;
    }

    start += below.length + 1;
  }

  return undefined;
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

/** Reads a version that is all of a value, at an offset of the text. */
function readValue(value: string, offset: number, values: Values): Statement | undefined {
  // A blank is before it, as behind a name.
  const statement = readLine(` ${value}`, values);
  return (statement.version ?? statement.range) === undefined
    ? undefined
    : { ...statement, end: statement.end + offset - 1 };
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

/** Reads the version before a name, in its line or in the line above, but not before `limit`. */
export function readBefore(
  text: string,
  limit: number,
  nameStart: number,
): Omit<Statement, 'end'> | undefined {
  const lineStart = startOfLine(text, nameStart);
  const from = Math.max(limit, lineStart, nameStart - 200);
  const line = text.slice(from, nameStart);
  const [, version] = beforeName.exec(line) ?? [];
  if (version !== undefined) {
    const offset = line.lastIndexOf(version);
    const label = line.slice(0, offset).replace(/^.*(?:[,;|\t]| {2,})/s, '');
    const words = label.match(/\p{L}[\p{L}\p{N}_]*/gu) ?? [];
    const isStated = words.every(isConnector) && isVersion(version);
    return isStated ? { version, start: from + offset } : undefined;
  }

  const isNameKey = /\bname["']?\s*[:=]\s*["']?$/i.test(line);
  return isNameKey && lineStart > limit ? readAbove(text, limit, lineStart) : undefined;
}

/** Reads the version in a line such as `version: 2025.1` above a line. */
function readAbove(text: string, limit: number, lineStart: number) {
  const start = Math.max(limit, startOfLine(text, lineStart - 1));
  const [, value = ''] = keyedLine.exec(text.slice(start, lineStart).trimEnd()) ?? [];
  const { version } = readLine(` ${value.replace(/["',]+$/, '')}`, new Map());
  return version === undefined ? undefined : { version, start };
}
