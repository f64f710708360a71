import { isConnector, readLine, versionKeys, type Statement } from './read-line.ts';
import { filler } from './simplify-text.ts';

/** A statement with its offsets in the text. */
export interface PlacedStatement extends Statement {
  /** Only set if its version is before the name. */
  readonly start?: number;
  readonly end: number;
}

/** A line such as `version: 2025.1`, `'version' => '2025.1'` or `app.kubernetes.io/version: 2025.1`, below or above the line of a name. */
const keyedLine = new RegExp(
  String.raw`^\s*(?:-\s+)?(?:[<"']|@)?(?:app\.kubernetes\.io\/)?(?:${versionKeys})(?![\w-])["'>]?\s*(?:=>|[:=(])?\s*["'(]?(.*)$`,
  'i',
);

/** The name of a variable for a version, and the line below it: `name: SVC_VERSION`, `value: "2025.1"`. */
const variableEnd = /(?:version|tag|release)$/i;
const valueLine = /^\s*["']?(?:value|default)["']?\s*[:=]\s*["']?(.*)$/;

/** The lines below a name in which its version may be. */
const maxLinesBelow = 12;
/** The characters before a name in which its line may begin. */
const maxLineStartDistance = 500;
/** The characters before a name in which its version may be. */
const maxVersionDistance = 200;

/** The key of a host up to its name, and the port behind it: `SVC_HOST=svc:8080`. */
const hostKey =
  /(?:host|address|addr|url|uri|endpoint|upstream|proxy|broker)s?["']?\s*[:=]\s*["']?[\w./-]*$/i;
const port = /^:\d+(?![\w.])/;

/** The start of the line around an offset; if it is further than `maxLineStartDistance` before it, the position at this distance. */
export function findLineStart(text: string, offset: number): number {
  const from = Math.max(0, offset - maxLineStartDistance);
  return from + text.slice(from, offset).lastIndexOf('\n') + 1;
}

/** The line around an offset up to it, as far as `findLineStart` goes. */
export function readLineBefore(text: string, offset: number): string {
  return text.slice(findLineStart(text, offset), offset);
}

/**
 * Reads the version behind a name, up to `to`: in its line, else in the lines below that belong to it. A version, a variable or a
 * digest in the line is final; a range or a tag gives way to a version or range below.
 */
export function readBehind(text: string, end: number, to: number): PlacedStatement {
  const reachable = text.slice(0, to);
  const [rest = ''] = reachable.slice(end).split('\n', 1);
  const isHost = hostKey.test(readLineBefore(text, end));
  const { length, ...facts } = readLine(isHost ? rest.replace(port, '') : rest);
  const statement = { ...facts, end: end + length };

  const isFinal = (facts.version ?? facts.variable ?? facts.digest) !== undefined;
  if (isFinal) {
    return statement;
  }

  return readBelow(reachable, end, end + rest.length) ?? statement;
}

/** Reads the version in the lines below the line of a name, if these lines belong to it. `end`: of the name. */
function readBelow(text: string, end: number, lineEnd: number): PlacedStatement | undefined {
  const lineStart = findLineStart(text, end);
  const line = text.slice(lineStart, lineEnd);
  if (line.includes('renovate:')) {
    return readCommented(text, lineEnd + 1);
  }

  // `image: svc` has its version in a key of the same indent, `svc:` in a deeper one.
  const nameInLine = text.slice(lineStart, end);
  const isValue = endsWithValue(nameInLine);
  const minIndent = measureIndent(line) + (isValue ? 0 : 1);
  const lines = listLinesBelow(text, lineEnd + 1, minIndent);
  const isVariable = variableEnd.test(nameInLine);
  return readFirst(keyedLine, lines) ?? (isVariable ? readFirst(valueLine, lines) : undefined);
}

/** Reads the value in the first line of a form. */
function readFirst(form: RegExp, lines: readonly LineBelow[]): PlacedStatement | undefined {
  for (const [line, offset] of lines) {
    const [, value] = form.exec(line) ?? [];
    if (value !== undefined) {
      return readValue(value, offset + line.length - value.length);
    }
  }

  return undefined;
}

/** A line below the line of a name, with its offset in the text. */
type LineBelow = readonly [line: string, offset: number];

/** The lines of a block from an offset on, without the lines below a key about something else. */
function listLinesBelow(text: string, start: number, minIndent: number): LineBelow[] {
  const lines: LineBelow[] = [];
  let offset = start;
  // The indent of the last key about something else, while deeper lines belong to it.
  let foreignIndent: number | undefined;

  for (const line of text.slice(start).split('\n', maxLinesBelow)) {
    const indent = measureIndent(line);
    const isComment = line.trim() === filler;
    const isInForeignBlock = foreignIndent !== undefined && indent > foreignIndent;
    if (!isComment && !isInForeignBlock) {
      if (indent < minIndent || endOfBlock.test(line)) {
        break;
      }

      lines.push([line, offset]);
      foreignIndent = opensForeignBlock(line) ? indent : undefined;
    }

    offset += line.length + 1;
  }

  return lines;
}

/** An empty line, the next item of a list, or the end of an element. */
const endOfBlock = /^\s*(?:$|[-*•]\s|<\/)/;

/** The name behind the last mark of a key, an element or a group, with the quotes or the path before it. */
const behindLastMark = new RegExp(`[^:=>${filler}]*$`);

/** Whether a line up to the end of a name has it as a value, not as a key. */
function endsWithValue(line: string): boolean {
  const textBeforeName = line.replace(behindLastMark, '');
  // Behind a key or an element, as in `image: example/svc` and `<artifactId>svc`, or behind its group, as in `"org.example" % "svc"`.
  return /[\w"')>]\s*[:=]$|>$/.test(textBeforeName) || textBeforeName.endsWith(filler);
}

/**
 * The first number of a line, with a sign and a v, but no port and no address: `^1.20` in `tag: ^1.20`, `1.20` in `a.io:5000/svc:1.20`.
 * The bracket of an element, as in `<tag>1.20`, is no sign.
 */
const firstNumber = /(?<![\w.])[<>=~^!≤≥]*\s?v?\d(?![\d.:]*\/)/;

/** The version in the line below a comment for Renovate, whatever key it has. */
function readCommented(text: string, start: number): PlacedStatement | undefined {
  const [line = ''] = text.slice(start).split('\n', 1);
  const index = line.search(firstNumber);
  return index < 0 ? undefined : readValue(line.slice(index), start + index);
}

/** Reads the version or the range with which a value begins. `offset`: of the value in the text. */
function readValue(value: string, offset: number): PlacedStatement | undefined {
  const { length, ...statement } = readLine(value);
  // A digest alone is not enough: behind a key such as `ref`, it may be of a commit instead of an image.
  return (statement.version ?? statement.variable ?? statement.range) === undefined
    ? undefined
    : { ...statement, end: offset + length };
}

/** The width of the white space before a line, with the mark of an item. */
function measureIndent(line: string): number {
  return line.length - line.replace(/^\s*(?:-\s+)?/, '').length;
}

/** Whether a line is a key about something else, with further keys below it. */
function opensForeignBlock(line: string): boolean {
  const [, key] = /^\s*["']?([\w./-]+)["']?\s*(?::|[:=]?\s*[{[(])\s*$/.exec(line) ?? [];
  return key !== undefined && !isConnector(key);
}

/**
 * A version, but not within a word, a path or another version. It may be the end of a range such as `>=2025.1` or `1.2 - 2.0`. The
 * end of a tag or an arrow is no sign of a range: `<td>1.2`, `=> 1.2`.
 */
const versionForm =
  /(?:(?<![\w/=-]|\w["'])[<>≤≥≠~^!]+=?\s?|(?<![\p{L}\p{N}_./:+-])(?:v?\d+(?:\.\d+)+\s?[-–—]\s)?)v?\d+(?:\.\d+){1,2}(?:[-+~.]?[a-z][\w.]*)?/giu;

/**
 * The text between a version and its name, without quotes: a separator, a word or a key of the name, and the path of the name, as in
 * `2025.1 of svc` and `"version": "2025.1", "name": "svc"`.
 */
const gapForm =
  /^[) ]*[,;| ][ |]*(?:(?:of|for|name|component|package|product)\b[ :=|]*)?[( ]*(?:[\w.-]+\/)*$/i;

/** Finds the version or the range that the end of a line states of the name behind it. */
function findVersionBefore(line: string): RegExpExecArray | undefined {
  return [...line.matchAll(versionForm)].findLast(({ 0: written, index }) => {
    const gap = line.slice(index + written.length);
    return gapForm.test(gap.replaceAll(/["'`*]/g, '').replaceAll(/\s+/g, ' '));
  });
}

/** Reads the version before a name, in its line or in the line above, but not before `from`. */
export function readBefore(
  text: string,
  from: number,
  nameStart: number,
): Omit<PlacedStatement, 'end'> | undefined {
  const lineStart = findLineStart(text, nameStart);
  const searchStart = Math.max(from, lineStart, nameStart - maxVersionDistance);
  const line = text.slice(searchStart, nameStart);
  const match = findVersionBefore(line);
  if (match) {
    const { version, range } = readLine(match[0]);
    // Other words in the cell before a version name something else.
    const cell = line.slice(0, match.index).replace(/^.*(?:[,;|\t]| {2,})/s, '');
    const words = cell.match(/\p{L}[\p{L}\p{N}_]*/gu) ?? [];
    // `and 2.0.1 of svc` is the next item of a list.
    const isListed = line.endsWith(' of ') && words.join() === 'and';
    const isStated = isListed || words.every(isConnector);
    return isStated ? { version, range, start: searchStart + match.index } : undefined;
  }

  const isNameKey = /^\s*["']?(?:\w+-)?name["']?\s*[:=]\s*["']?$/i.test(line);
  const hasLineAbove = lineStart > from && text[lineStart - 1] === '\n';
  return isNameKey && hasLineAbove
    ? readAbove(text, from, lineStart - 1, measureIndent(line))
    : undefined;
}

/**
 * Reads the version in the line that ends at `lineEnd`, such as `version: 2025.1`, if it has the same indent. The statement starts
 * with the line, or at `from` if the line starts before that.
 */
function readAbove(text: string, from: number, lineEnd: number, indent: number) {
  const start = Math.max(from, findLineStart(text, lineEnd));
  const line = text.slice(start, lineEnd).trimEnd();
  const [, value = ''] = keyedLine.exec(line) ?? [];
  const statement = readValue(value, start);
  return statement && measureIndent(line) === indent ? { ...statement, start } : undefined;
}
