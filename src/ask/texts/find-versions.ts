import { formatPackage } from '../../core/model/package-names.ts';
import { createLineCounter } from '../../core/text/document-text.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import {
  createIndexEntry,
  mapEntry,
  maxTextLength,
  type Entry,
  type UnidentifiedText,
} from './text-entries.ts';
import type { NameTree } from './find-names.ts';
import { computeMaxNames, readMentions, type ReadMention } from './read-mentions.ts';
import { isConnector } from './read-line.ts';
import { findLineStart } from './read-statement.ts';
import { blankSpans, filler, simplifyText } from './simplify-text.ts';

/** The statements of a text about an index. */
export interface TextVersions {
  readonly entries: Entry[];
  /** The first whole lines about something else, and each part of a line with a word of a name of the index. */
  readonly unidentified: UnidentifiedText[];
  /** The number of lines with a version that name nothing of the index. */
  readonly otherCount: number;
  /** The text, with a bar in place of each character that was read. */
  readonly unreadText: string;
  /** Only set, and nothing read, if the text has more names than this. */
  readonly maxNames?: number | undefined;
}

/** Finds the names of an index in a text of any form, each with the version in the same statement. */
export function findVersions(written: string, names: NameTree): TextVersions {
  const text = simplifyText(written);
  const read = readMentions(text, names);
  if (!read) {
    return {
      entries: [],
      unidentified: [],
      otherCount: 0,
      unreadText: text,
      maxNames: computeMaxNames(text.length),
    };
  }

  const { mentions, textOutside } = read;
  const entries = removeRanges(text, listEntries(text, mentions));
  const spans = mentions.map(
    ({ start, statement }) => [statement.start ?? start, statement.end] as const,
  );
  const unreadText = blankSpans(textOutside, spans).replaceAll(filler, '');
  const unidentified = listUnidentified(unreadText, names.words, listLines(text, mentions));
  return { entries, ...unidentified, unreadText };
}

/** The entries of mentions, each with its line. */
function listEntries(text: string, mentions: readonly ReadMention[]): Entry[] {
  const lineAt = createLineCounter(text);
  const entries: Entry[] = [];
  for (const mention of mentions.filter(({ isIgnored }) => !isIgnored)) {
    const line = lineAt(mention.start);
    for (const entry of [makeEntry(text, mention), ...listSecondVersions(mention)]) {
      entries.push(mapEntry(entry, (item) => ({ ...item, line })));
    }
  }

  return entries;
}

/** The lines of mentions and of their statements. */
function listLines(text: string, mentions: readonly ReadMention[]): Set<number> {
  const lineAt = createLineCounter(text);
  const lines = new Set<number>();
  for (const { start, statement, hasVersion } of mentions) {
    const line = lineAt(start);
    const [, ...linesBefore] = text.slice(statement.start ?? start, start).split('\n');
    const lastLine = hasVersion ? lineAt(statement.end) : line;
    for (let each = line - linesBefore.length; each <= lastLine; each += 1) {
      lines.add(each);
    }
  }

  return lines;
}

function makeEntry(text: string, mention: ReadMention): Entry {
  const { name, purlEntry, statement, excerpt } = mention;
  const { version } = statement;
  if (name) {
    const onlyIfReleaseOf = namesOnlyThisComponent(text, mention) ? undefined : name.component;
    return createIndexEntry(name, { ...statement, text: excerpt, onlyIfReleaseOf });
  }
  if (!purlEntry) {
    return [{ text: excerpt }];
  }

  return version === undefined
    ? purlEntry
    : mapEntry(purlEntry, (item) => ({ ...item, text: excerpt, version }));
}

/** The name is no plain word, or its line has only marks before it, and between it and the version that it states. */
function namesOnlyThisComponent(
  text: string,
  { start, end, name, statement }: ReadMention,
): boolean {
  if (!name?.isPlainWord) {
    return true;
  }

  const before = text.slice(findLineStart(text, start), start);
  const between = text.slice(end, statement.end);
  return (
    /^[\s\-+*•>|"'`\d.)#]*$/.test(before) &&
    /^["'`*]*(?:[\s@:|,;\t"'`*-]*[<>=~^[(]*v?\d.*)?$/.test(between)
  );
}

/** Further versions of a list in the line, which have no name of their own: `svc 2025.1 (prod), 2025.3 (staging)`. */
function listSecondVersions({ name, statement, textBehind }: ReadMention): Entry[] {
  if (!name || statement.version === undefined) {
    return [];
  }

  const [line = ''] = textBehind.slice(0, 200).split('\n', 1);
  // A version behind other words may be of another product, so this component has to have it.
  const [unbroken = ''] = /^(?:(?:,| and| &| \/) v?\d+(?:\.\d+)+[\w.+~-]*)+/.exec(line) ?? [];
  const matches = line.matchAll(/(?:,|;| and| or| &| \/) (v?\d+(?:\.\d+)+[\w.+~-]*)/g);
  return Array.from(matches, ({ 1: text = '', index }) => {
    const onlyIfReleaseOf = index < unbroken.length ? undefined : name.component;
    return [{ text, precedingComponent: name.component, version: text, onlyIfReleaseOf }];
  });
}

/** A lock file has both the ranges that were requested and the versions that they gave. */
function removeRanges(text: string, entries: Entry[]): Entry[] {
  if (!/lockfile_?version|yarn lockfile|^__metadata:/im.test(text.slice(0, 5000))) {
    return entries;
  }

  const locked = entries.filter(([item]) => item.version !== undefined);
  const lockedKeys = new Set(locked.map(readKey));
  return entries.filter(
    (entry) => entry[0].version !== undefined || !lockedKeys.has(readKey(entry)),
  );
}

/** The name or the package of an entry; its text if it has neither. */
function readKey([{ name, purl, text }]: Entry): string {
  return name ?? (purl ? formatPackage(purl) : text);
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
function listUnidentified(
  unreadText: string,
  words: ReadonlySet<string>,
  ourLines: ReadonlySet<number>,
) {
  const unidentified: UnidentifiedText[] = [];
  let otherCount = 0;

  for (const [index, text] of unreadText.split('\n').entries()) {
    const line = index + 1;
    const { parts, versions } = splitSpoken(text, words);
    const isOther = !ourLines.has(line) && versionedLine.test(text.slice(0, maxTextLength));
    if (isOther) {
      otherCount += 1;
    }

    // Only the first version of a listed text is read, so a line with several is listed by its parts, if it has some.
    const isWhole = versions < 2 || parts.length === 0;
    // A cut line could end within its version.
    const isShort = text.length <= maxTextLength;
    const isListed = isOther && isWhole && isShort && otherCount <= maxOtherLines;
    const texts = isListed ? [toLine(text, maxTextLength)] : parts;
    for (const [position, part] of texts.entries()) {
      const countsAsOther = (isOther && position === 0) || undefined;
      unidentified.push({ line, text: part, countsAsOther });
    }
  }

  return { unidentified, otherCount };
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
