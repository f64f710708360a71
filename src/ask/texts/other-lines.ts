import { toLine } from '../../core/text/foreign-text.ts';
import { isConnector } from './read-line.ts';
import { maxTextLength, type OtherLine } from './text-entries.ts';

/** Lines with a version of something that the index does not know. */
export interface OtherLines {
  /** The first whole lines, and each part with a word of a name of the index. */
  readonly otherLines: OtherLine[];
  /** How many such lines the text has. */
  readonly others: number;
}

/** Maximum number of whole lines about other products to compare with names. */
const maxOtherLines = 50;

/** A line with a version, as in `redis 7.2` and `redis@^7`, or a name with a number: `redis 7`. */
const versionedLine = /(?<![\w.])v?\d+\.\d|@[\^~]?v?\d|^\s*[\p{L}][\p{L}\p{N} ._-]* \d+\s*$/u;

/** A whole version, such as `v7.2-rc.1`. Within a sentence, a number without a dot may count anything. */
const spokenVersion = /(?<![\p{L}\p{N}_.])v?\d+(?:\.\d+)+[\w.+~-]*/gu;

/**
 * Lists lines that state a version of something that the index does not know. A part such as "the Maven agent 1.21", which has a
 * word of a name of the index, is listed by itself. `words`: of these names; `ourLines`: the lines with entries.
 */
export function listOtherLines(
  unreadText: string,
  words: ReadonlySet<string>,
  ourLines: ReadonlySet<number>,
): OtherLines {
  const otherLines: OtherLine[] = [];
  let others = 0;

  for (const [index, text] of unreadText.split('\n').entries()) {
    const line = index + 1;
    const { parts, versions } = splitSpoken(text, words);
    const isOther = !ourLines.has(line) && versionedLine.test(text.slice(0, maxTextLength));
    if (!isOther) {
      otherLines.push(...listFurtherParts(line, parts));
      continue;
    }

    others += 1;
    // Only the first version of a listed text is read, so a line with several is listed by its parts.
    const isOneText = versions < 2 || parts.length === 0;
    // A cut line could end within its version.
    if (isOneText && others <= maxOtherLines && text.length <= maxTextLength) {
      otherLines.push({ line, text: toLine(text, maxTextLength) });
      continue;
    }

    const [first, ...further] = parts;
    if (first !== undefined) {
      otherLines.push({ line, text: first }, ...listFurtherParts(line, further));
    }
  }

  return { otherLines, others };
}

/** Parts of a line that is counted already, by its entry or its first part. */
function listFurtherParts(line: number, parts: readonly string[]): OtherLine[] {
  return parts.map((text) => ({ line, text, isFurther: true }));
}

/** The characters of a spoken name before its version that matter. */
const longestSpoken = 100;

/** The parts of a line with a word of a name of the index before a version, and the number of versions in the line. */
function splitSpoken(line: string, words: ReadonlySet<string>) {
  const parts: string[] = [];
  let versions = 0;
  let from = 0;

  for (const { 0: version, index } of line.matchAll(spokenVersion)) {
    const before = line.slice(Math.max(from, index - longestSpoken), index);
    const unread = before.slice(before.lastIndexOf('|') + 1);
    const lettered = unread.match(/(?<![/\p{L}])\p{L}+/gu) ?? [];
    const name = lettered.findLast((word) => !isConnector(word));
    from = index + version.length;
    versions += 1;
    if (name !== undefined && words.has(name.toLowerCase())) {
      const phrase = unread.replace(/^(?:[\s,;:.()&–—-]|(?:and|with|or|the)\s)+/i, '');
      parts.push(toLine(phrase + version.replace(/[.-]+$/, ''), maxTextLength));
    }
  }

  return { parts, versions };
}

export type Span = readonly [start: number, end: number];

/** The text with a bar in place of each character of the spans, except for the ends of lines. */
export function blankSpans(text: string, spans: readonly Span[]): string {
  let blanked = '';
  let offset = 0;
  for (const [start, end] of spans) {
    blanked += text.slice(offset, start);
    blanked += text.slice(Math.max(offset, start), end).replaceAll(/[^\n]/g, '|');
    offset = Math.max(offset, end);
  }
  return blanked + text.slice(offset);
}
