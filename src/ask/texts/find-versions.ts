import { normaliseDigest } from '../../core/model/digest.ts';
import { keepByObject } from '../../core/model/objects.ts';
import { formatPackage } from '../../core/model/package-names.ts';
import { createLineCounter } from '../../core/text/line-counter.ts';
import { cutStart, maxLineLength, toLine } from '../../core/text/foreign-text.ts';
import { listWords, type IndexNames } from '../answers/match-names.ts';
import {
  addVersion,
  mapEntry,
  type Entry,
  type Item,
  type UnidentifiedText,
} from './text-entries.ts';
import type { IndexName } from './find-names.ts';
import { readMentions, type ReadMention } from './read-mentions.ts';
import { listVersions } from './read-number.ts';
import { isConnector, readLine, type Statement } from './read-line.ts';
import { readLineBefore } from './read-statement.ts';
import { blankSpans, filler, simplifyText } from './simplify-text.ts';

/** The statements of a text about an index. */
export type TextVersions = ReturnType<typeof findVersions>;

/**
 * Finds the names of an index in a text of any form, each with the version in the same statement. `unreadText`: the simplified text, with
 * a bar in place of each character of a statement, and of the variables in a catalogue of Gradle.
 */
export function findVersions(written: string, names: IndexNames) {
  const text = simplifyText(written);
  const { mentions, blankedText } = readMentions(text, names);
  const entries = keepLocked(written, listEntries(text, mentions));
  const spans = mentions.map(
    ({ start, statement }) => [statement.start ?? start, statement.end] as const,
  );
  const unreadText = blankSpans(blankedText, spans).replaceAll(filler, '');
  const unidentified = listUnidentified(unreadText, names, listMentionLines(text, mentions));
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

/** The lines of mentions, from the start of the statement; to its end only if it has a version. */
function listMentionLines(text: string, mentions: readonly ReadMention[]): Set<number> {
  const lineAt = createLineCounter(text);
  const lines = new Set<number>();
  for (const { start, statement, hasVersion } of mentions) {
    const firstLine = lineAt(statement.start ?? start);
    const lastLine = lineAt(hasVersion ? statement.end : start);
    for (let line = firstLine; line <= lastLine; line += 1) {
      lines.add(line);
    }
  }

  return lines;
}

function createEntry(text: string, mention: ReadMention): Entry {
  const { name, purlEntry, statement, excerpt } = mention;
  if (name) {
    const onlyIfReleaseOf = isCertain(text, mention) ? undefined : name.component;
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

/** The statements about a name of the index: its digest first, then its version. Without both, a tag stands in for a version. */
function createNameEntry(
  { name, purl }: IndexName,
  { tag, version, range, digest }: Statement,
  source: Pick<Item, 'text' | 'onlyIfReleaseOf'>,
): Entry {
  const item: Item = purl ? { ...source, purl } : { ...source, name };
  if (digest === undefined) {
    return [addVersion({ ...item, range }, version ?? tag)];
  }

  const imageDigest = normaliseDigest(digest);
  const image = { ...item, digests: [imageDigest], isImage: true } as const;
  const first = addVersion(image, imageDigest);
  return version === undefined ? [first] : [first, addVersion(image, version)];
}

/** The start of a line that has only marks before a name: `- svc`, `2. "svc`, `| **svc`. */
const marksBefore = /^[\s\-+*•>|"'`\d.)#]*$/;
/** The end of a name, with only marks up to its version, if it has one: `svc: 2025.1`, `svc" >= 2025.1`, `svc** | v2025.1`. */
const marksUpToVersion = /^["'`*]*(?:[\s@:|,;\t"'`*-]*[<>=~^[(]*v?\d.*)?$/;

/** Whether a name is certain: it is no plain word, or only marks stand between it, the start of its line and its version. */
function isCertain(text: string, { start, end, name, statement }: ReadMention): boolean {
  if (!name?.isPlainWord) {
    return true;
  }

  const before = readLineBefore(text, start);
  const behind = text.slice(end, statement.end);
  return marksBefore.test(before) && marksUpToVersion.test(behind);
}

/** The comma or word before each further version of a list: `, 2025.2 and 2025.3`. */
const joint = /(?:[,;]|,? (?:and|or|&|\/)) $/;

/** The characters behind a version in which further ones may be, unless they are in one list with it. */
const reach = 200;

/**
 * Further versions in the line, which have no name of their own: `svc 2025.1 (prod), 2025.3 (staging)`, `svc 2025.1 2025.3`,
 * `svc 2025.1,2025.3`. In `svc,2025.1,2025.3`, they are cells of a table.
 */
function listFurtherVersions({ name, statement, excerpt, textBehind }: ReadMention): Entry[] {
  if (!name || statement.version === undefined) {
    return [];
  }

  const { component } = name;
  const [line = ''] = textBehind.split('\n', 1);
  const entries: Entry[] = [];
  let isInList = true;
  let lastEnd = 0;

  for (const { version, start, end } of listVersions(line)) {
    const between = line.slice(lastEnd, start);
    const isApart = between === ' ' || (between === ',' && !excerpt.includes(','));
    const isNext = isApart && version !== statement.version;
    const [joined] = isNext ? [between] : (joint.exec(between) ?? []);
    isInList &&= joined === between;
    lastEnd = end;
    if (!isInList && end > reach) {
      break;
    }
    if (joined !== undefined && version.includes('.')) {
      // Behind the list, other words may name another product, and behind a single sign, a number may count anything: this component
      // has to have the version.
      const onlyIfReleaseOf = isInList && !isNext ? undefined : component;
      entries.push([{ text: version, precedingComponent: component, version, onlyIfReleaseOf }]);
    }
  }

  return entries;
}

/** The words of ids and titles. */
const listIndexWords = /* @__PURE__ */ keepByObject(
  ({ components }: IndexNames): ReadonlySet<string> => new Set(components.flatMap(listWords)),
);

/** Maximum number of lines that are listed whole, as each is compared with all names. */
const maxWholeLines = 50;

/** Maximum number of listed lines and phrases, for the same reason. */
const maxTexts = 200;

/** A line with a version, as in `redis 7.2` and `redis@^7`, or a name with a number: `redis 7`. */
const versionedLine = /(?<![\w.])v?\d+\.\d|@[\^~]?v?\d|^\s*\p{L}[\p{L}\p{N} ._-]* \d+\s*$/u;

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
function listUnidentified(
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

/** Maximum number of characters of a phrase before its version, and behind it. */
const maxPhraseLength = 100;

/**
 * The phrases of a line whose last word before the version is one of `words`, and the number of versions in the line. Connectors
 * may follow that word: "Maven agent is at 1.21". A phrase has the end of its range: "Maven agent 1.21 or later".
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
      const { length } = readLine(line.slice(start, end + maxPhraseLength));
      phrases.push(toLine(unread.replace(joiners, '') + line.slice(start, start + length)));
    }
  }

  return { phrases, versionCount };
}

/** How lock files begin, with their comments: of npm, pnpm and Bun; Yarn; Cargo, Poetry and uv; Bundler; Composer; Go. */
const lockFile =
  /lockfile_?version|yarn lockfile|^__metadata:|^\[\[package\]\]$|^(?:GEM|GIT|PATH)\r?\n {2}remote: |"content-hash"|\/go\.mod h1:/im;

/** A lock file names a package once with the version that it gives, and again where another needs it: removes the latter. */
function keepLocked(written: string, entries: Entry[]): Entry[] {
  if (!lockFile.test(written.slice(0, 5000))) {
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
