import { keepByObject } from '../../core/model/objects.ts';
import { cutStart, maxLineLength, toLine } from '../../core/text/foreign-text.ts';
import { listWords, type IndexNames } from '../answers/match-names.ts';
import { isConnector } from './read-line.ts';
import { listVersions } from './read-number.ts';
import type { UnidentifiedText } from './text-entries.ts';

/** The words of ids and titles. */
const listIndexWords = /* @__PURE__ */ keepByObject(
  ({ components }: IndexNames): ReadonlySet<string> => new Set(components.flatMap(listWords)),
);

/** Maximum number of lines that are listed whole, as each is compared with all names. */
const maxWholeLines = 50;

/** Maximum number of listed lines and phrases, for the same reason. */
const maxTexts = 200;

/** A line with a version, as in `redis 7.2` and `redis@^7`, or a name with a number: `redis 7`. */
const versionedLine = /(?<![\w.])v?\d+\.\d|@[\^~]?v?\d|^\s*[\p{L}][\p{L}\p{N} ._-]* \d+\s*$/u;

/**
 * Lists the lines, and the phrases in lines, that state a version and name no component exactly: they may mean one by another name.
 *
 * - A line with a version and without a mention is an other line. All other lines are counted, and most are listed whole.
 * - Any further line is listed by its phrases, and so is an other line that is too long, or follows many others, or has several
 *   versions. A phrase is the end of a sentence before a version, whose last word is one of an id or a title: "Maven agent 1.21"
 *   in "svc 2025.1 with the Maven agent 1.21". Phrases beyond a limit are only counted.
 *
 * `mentionLines`: the lines with a name of the index, and those of its version.
 */
export function listUnidentified(
  unreadText: string,
  names: IndexNames,
  mentionLines: ReadonlySet<number>,
) {
  const words = listIndexWords(names);
  const unidentified: UnidentifiedText[] = [];
  let otherCount = 0;

  for (const [index, text] of unreadText.split('\n').entries()) {
    const line = index + 1;
    const isOther = !mentionLines.has(line) && versionedLine.test(cutStart(text));
    if (isOther) {
      otherCount += 1;
    }

    const { phrases, versionCount } = listVersionPhrases(text, words);
    // A cut could be within the version of a longer line.
    const mayBeWhole = isOther && otherCount <= maxWholeLines && text.length <= maxLineLength;
    // Only the first version of a listed text is read, so several versions need a phrase each.
    const isWhole = mayBeWhole && (versionCount <= 1 || phrases.length === 0);
    const listed = isWhole ? [toLine(text)] : phrases;

    for (const [position, part] of listed.entries()) {
      // A line counts once, with the first text that is listed of it.
      const countsAsOther = isOther && position === 0;
      if (unidentified.length < maxTexts) {
        unidentified.push({ line, text: part, isPhrase: !isWhole, countsAsOther });
      } else if (!isOther) {
        otherCount += 1;
      }
    }
  }

  return { unidentified, otherCount };
}

/** A word of letters, as in `the agent`. One in a path is in the name of something else: `other/maven-agent`. */
const wordInSentence = /(?<!\p{L}|\/[\w.@-]*)\p{L}+/gu;

/** Marks and words that join a phrase to the text before it: `, and the ` in "svc 2025.1, and the Maven agent 1.21". */
const joiners = /^(?:[\s,;:.()&–—-]|(?:and|with|or|the)\s)+/i;

/** Maximum number of characters of a phrase before its version. */
const maxPhraseLength = 100;

/**
 * The phrases of a line whose last word before the version is one of `words`, and the number of versions in the line. Connectors
 * may follow that word: "Maven agent is at 1.21".
 */
function listVersionPhrases(line: string, words: ReadonlySet<string>) {
  const phrases: string[] = [];
  let versionCount = 0;
  let lastEnd = 0;

  for (const { version, start, end } of listVersions(line)) {
    // Within a sentence, a number without a dot may count anything.
    if (!version.includes('.')) {
      continue;
    }

    const before = line.slice(Math.max(lastEnd, start - maxPhraseLength), start);
    lastEnd = end;
    versionCount += 1;

    // The text has a bar for each character that was read. What is before it belongs to another statement.
    const unread = before.slice(before.lastIndexOf('|') + 1);
    const unreadWords = unread.match(wordInSentence) ?? [];
    const lastWord = unreadWords.findLast((word) => !isConnector(word));
    if (lastWord !== undefined && words.has(lastWord.toLowerCase())) {
      phrases.push(toLine(unread.replace(joiners, '') + version));
    }
  }

  return { phrases, versionCount };
}
