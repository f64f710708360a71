import { toLine } from '../../core/text/foreign-text.ts';
import { maxTextLength, type OtherLine } from './entries.ts';
import { isConnector } from './read-statement.ts';

/** Lines with a version of something that the index does not know. */
export interface OtherLines {
  /** The first ones, and each part with a word of a name of the index. */
  readonly otherLines: OtherLine[];
  /** The number of all. */
  readonly otherCount: number;
}

/** Maximum number of lines about other products to compare with names. */
const mostOtherLines = 50;

const statesVersion = /(?<![\w.])v?\d+\.\d|@[\^~]?v?\d|^\s*[\p{L}][\p{L}\p{N} ._-]* \d+\s*$/u;

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
  let otherCount = 0;

  for (const [index, text] of unreadText.split('\n').entries()) {
    const line = index + 1;
    const isOther = !ourLines.has(line) && statesVersion.test(text.slice(0, maxTextLength));
    if (isOther) {
      otherCount += 1;
    }

    const { parts, versions } = splitSpoken(text, words);
    // A cut line could end within its version.
    const isListed = isOther && otherCount <= mostOtherLines && text.length <= maxTextLength;
    if (isListed && (versions < 2 || parts.length === 0)) {
      otherLines.push({ line, text: toLine(text, maxTextLength) });
      continue;
    }

    for (const [position, part] of parts.entries()) {
      otherLines.push({ line, text: part, isFurther: !isOther || position > 0 || undefined });
    }
  }

  return { otherLines, otherCount };
}

/** The characters of a spoken name before its version that matter. */
const longestSpoken = 100;

/** The parts of a line with a word of a name of the index before a version, and the number of versions in the line. */
function splitSpoken(line: string, words: ReadonlySet<string>) {
  const parts: string[] = [];
  let versions = 0;
  let from = 0;

  for (const { 0: version, index } of line.matchAll(
    /(?<![\p{L}\p{N}_.])v?\d+(?:\.\d+)+[\w.+~-]*/gu,
  )) {
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
