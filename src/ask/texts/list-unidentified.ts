import { toLine } from '../../core/text/foreign-text.ts';
import { maxTextLength, type UnidentifiedText } from './text-entries.ts';
import { isConnector } from './version-words.ts';

/** Maximum number of lines that are listed whole, as each is compared with all names. */
const maxWholeLines = 50;

/** A line with a version, as in `redis 7.2` and `redis@^7`, or a name with a number: `redis 7`. */
const versionedLine = /(?<![\w.])v?\d+\.\d|@[\^~]?v?\d|^\s*[\p{L}][\p{L}\p{N} ._-]* \d+\s*$/u;

/**
 * Lists what states a version of something that the index does not know, and counts the lines without a mention that do. The first
 * of these lines are listed whole. Any other line is listed by its phrases that have one of `words` before the version: "Maven agent
 * 1.21" of "svc 2025.1 with the Maven agent 1.21". `words`: of ids and titles; `mentionLines`: the lines of mentions.
 */
export function listUnidentified(
  unreadText: string,
  words: ReadonlySet<string>,
  mentionLines: ReadonlySet<number>,
) {
  const unidentified: UnidentifiedText[] = [];
  let otherCount = 0;

  for (const [index, text] of unreadText.split('\n').entries()) {
    const line = index + 1;
    const isOther = !mentionLines.has(line) && versionedLine.test(text.slice(0, maxTextLength));
    if (isOther) {
      otherCount += 1;
    }

    const { phrases, versionCount } = listVersionPhrases(text, words);
    // Only the first version of a listed text is read.
    const needsPhrases = versionCount > 1 && phrases.length > 0;
    // Within a longer line, the cut could be in its version.
    const fits = text.length <= maxTextLength && otherCount <= maxWholeLines;
    if (isOther && fits && !needsPhrases) {
      unidentified.push({ line, text: toLine(text, maxTextLength), countsAsOther: true });
      continue;
    }

    for (const [position, phrase] of phrases.entries()) {
      // The line counts once, with its first phrase.
      const countsAsOther = (isOther && position === 0) || undefined;
      unidentified.push({ line, text: phrase, countsAsOther });
    }
  }

  return { unidentified, otherCount };
}

/** A whole version, such as `v7.2-rc.1`. Within a sentence, a number without a dot may count anything. */
const versionInSentence = /(?<![\p{L}\p{N}_.])v?\d+(?:\.\d+)+[\w.+~-]*/gu;

/** Maximum number of characters of a phrase before its version. */
const maxPhraseLength = 100;

/**
 * The phrases of a line whose last word before the version, connectors aside, is one of `words`; and the number of versions in
 * the line.
 */
function listVersionPhrases(line: string, words: ReadonlySet<string>) {
  const phrases: string[] = [];
  let versionCount = 0;
  let lastEnd = 0;

  for (const { 0: version, index } of line.matchAll(versionInSentence)) {
    const before = line.slice(Math.max(lastEnd, index - maxPhraseLength), index);
    lastEnd = index + version.length;
    versionCount += 1;

    // A bar is in place of a character of a statement.
    const unread = before.slice(before.lastIndexOf('|') + 1);
    const unreadWords = unread.match(/(?<![/\p{L}])\p{L}+/gu) ?? [];
    const lastWord = unreadWords.findLast((word) => !isConnector(word));
    if (lastWord !== undefined && words.has(lastWord.toLowerCase())) {
      const phrase = unread.replace(/^(?:[\s,;:.()&–—-]|(?:and|with|or|the)\s)+/i, '');
      phrases.push(toLine(phrase + version.replace(/[.-]+$/, ''), maxTextLength));
    }
  }

  return { phrases, versionCount };
}
