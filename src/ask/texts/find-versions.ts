import { normaliseDigest } from '../../core/model/digest.ts';
import { formatPackage } from '../../core/model/package-names.ts';
import { createLineCounter } from '../../core/text/document-text.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import {
  addVersion,
  mapEntry,
  maxTextLength,
  type Entry,
  type Item,
  type UnidentifiedText,
} from './text-entries.ts';
import type { IndexName, NameTree } from './find-names.ts';
import { readMentions, type ReadMention } from './read-mentions.ts';
import type { Statement } from './read-line.ts';
import { isConnector } from './version-words.ts';
import { findLineStart } from './read-statement.ts';
import { blankSpans, filler, simplifyText } from './simplify-text.ts';

/** The statements of a text about an index. */
export interface TextVersions {
  readonly entries: Entry[];
  /** The first whole lines about something else, and each part of a line with a word of a name of the index before a version. */
  readonly unidentified: UnidentifiedText[];
  /** The number of lines with a version that name nothing of the index. */
  readonly otherCount: number;
  /** The text, with a bar in place of each character that was read. */
  readonly unreadText: string;
}

/** Finds the names of an index in a text of any form, each with the version in the same statement. Undefined for too many names. */
export function findVersions(written: string, names: NameTree): TextVersions | undefined {
  const text = simplifyText(written);
  const read = readMentions(text, names);
  if (!read) {
    return undefined;
  }

  const { mentions, blankedText } = read;
  const entries = removeRanges(text, listEntries(text, mentions));
  const spans = mentions.map(
    ({ start, statement }) => [statement.start ?? start, statement.end] as const,
  );
  const unreadText = blankSpans(blankedText, spans).replaceAll(filler, '');
  const unidentified = listUnidentified(unreadText, names.words, listLines(text, mentions));
  return { entries, ...unidentified, unreadText };
}

/** The entries of mentions, each with its line. */
function listEntries(text: string, mentions: readonly ReadMention[]): Entry[] {
  const lineAt = createLineCounter(text);
  const entries: Entry[] = [];
  for (const mention of mentions.filter(({ isIgnored }) => !isIgnored)) {
    const line = lineAt(mention.start);
    for (const entry of [createEntry(text, mention), ...listFurtherVersions(mention)]) {
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

function createEntry(text: string, mention: ReadMention): Entry {
  const { name, purlEntry, statement, excerpt } = mention;
  if (name) {
    const onlyIfReleaseOf = namesOnlyThisComponent(text, mention) ? undefined : name.component;
    return createNameEntry(name, statement, { text: excerpt, onlyIfReleaseOf });
  }
  if (!purlEntry) {
    return [{ text: excerpt }];
  }

  const { version } = statement;
  return version === undefined
    ? purlEntry
    : mapEntry(purlEntry, (item) => ({ ...item, text: excerpt, version }));
}

/** The statements about a name of the index: its digest first, then its version. */
function createNameEntry(
  { name, purl }: IndexName,
  { tag, version = tag, range, digest }: Statement,
  source: Pick<Item, 'text' | 'onlyIfReleaseOf'>,
): Entry {
  const item: Item = purl ? { ...source, purl } : { ...source, name };
  if (digest === undefined) {
    return [addVersion({ ...item, range }, version)];
  }

  const imageDigest = normaliseDigest(digest);
  const image = { ...item, digests: [imageDigest], isImage: true } as const;
  const first = addVersion(image, imageDigest);
  return version === undefined ? [first] : [first, addVersion(image, version)];
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

/** Further versions in the line, which have no name of their own: `svc 2025.1 (prod), 2025.3 (staging)`. */
function listFurtherVersions({ name, statement, textBehind }: ReadMention): Entry[] {
  if (!name || statement.version === undefined) {
    return [];
  }

  const [line = ''] = textBehind.slice(0, 200).split('\n', 1);
  // Behind other words than these, a version may be of another product: this component has to have it.
  const [list = ''] = /^(?:(?:,| and| &| \/) v?\d+(?:\.\d+)+[\w.+~-]*)+/.exec(line) ?? [];
  const matches = line.matchAll(/(?:,|;| and| or| &| \/) (v?\d+(?:\.\d+)+[\w.+~-]*)/g);
  return Array.from(matches, ({ 1: version = '', index }) => {
    const { component } = name;
    const onlyIfReleaseOf = index < list.length ? undefined : component;
    return [{ text: version, precedingComponent: component, version, onlyIfReleaseOf }];
  });
}

/** A lock file has both the ranges that were requested and the versions that they gave: removes these ranges. */
function removeRanges(text: string, entries: Entry[]): Entry[] {
  if (!/lockfile_?version|yarn lockfile|^__metadata:/im.test(text.slice(0, 5000))) {
    return entries;
  }

  const isLocked = ([item]: Entry) => item.version !== undefined;
  const lockedSubjects = new Set(entries.filter(isLocked).map(findSubject));
  return entries.filter((entry) => isLocked(entry) || !lockedSubjects.has(findSubject(entry)));
}

/** The name or the package of an entry; its text if it has neither. */
function findSubject([{ name, purl, text }]: Entry): string {
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
    const isOther = !ourLines.has(line) && versionedLine.test(text.slice(0, maxTextLength));
    if (isOther) {
      otherCount += 1;
    }

    const { parts, versionCount } = splitSpoken(text, words);
    // Only the first version of a listed text is read, so a line with several is listed by its parts, if it has some.
    const isListedByParts = versionCount > 1 && parts.length > 0;
    // Within a longer line, the cut could be in its version.
    const isWhole = isOther && !isListedByParts && text.length <= maxTextLength;
    if (isWhole && otherCount <= maxOtherLines) {
      unidentified.push({ line, text: toLine(text, maxTextLength), countsAsOther: true });
      continue;
    }

    for (const [position, part] of parts.entries()) {
      // The line counts once, with its first part.
      const countsAsOther = (isOther && position === 0) || undefined;
      unidentified.push({ line, text: part, countsAsOther });
    }
  }

  return { unidentified, otherCount };
}

/** The characters of a spoken name before its version that matter. */
const maxSpokenLength = 100;

/** The parts of a line with a word of a name of the index before a version, and the number of versions in the line. */
function splitSpoken(line: string, words: ReadonlySet<string>) {
  const parts: string[] = [];
  let versionCount = 0;
  let lastEnd = 0;

  for (const { 0: version, index } of line.matchAll(spokenVersion)) {
    const before = line.slice(Math.max(lastEnd, index - maxSpokenLength), index);
    lastEnd = index + version.length;
    versionCount += 1;

    const unread = before.slice(before.lastIndexOf('|') + 1);
    const unreadWords = unread.match(/(?<![/\p{L}])\p{L}+/gu) ?? [];
    const lastWord = unreadWords.findLast((word) => !isConnector(word));
    if (lastWord !== undefined && words.has(lastWord.toLowerCase())) {
      const phrase = unread.replace(/^(?:[\s,;:.()&–—-]|(?:and|with|or|the)\s)+/i, '');
      parts.push(toLine(phrase + version.replace(/[.-]+$/, ''), maxTextLength));
    }
  }

  return { parts, versionCount };
}
