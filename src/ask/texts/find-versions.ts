import { createLineCounter } from '../../core/text/document-text.ts';
import { createIndexItems } from './items.ts';
import { blankSpans, listOtherLines, type OtherLines } from './other-lines.ts';
import type { NameTree } from './name-tree.ts';
import { limitNames, readMentions, type ReadMention } from './read-mentions.ts';
import { startOfLine } from './read-statement.ts';
import { simplifyText } from './simplify-text.ts';
import type { Entry } from './text-entries.ts';

/** The statements of a text about an index. */
interface TextVersions extends OtherLines {
  readonly entries: Entry[];
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
    const maxNames = limitNames(text.length);
    return { entries: [], otherLines: [], others: 0, unreadText: text, maxNames };
  }

  const { mentions, textOutside } = read;
  const entries = removeRanges(text, listEntries(text, mentions));
  const spans = mentions.map(
    ({ start, statement }) => [statement.start ?? start, statement.end] as const,
  );
  const unreadText = blankSpans(textOutside, spans);
  const otherLines = listOtherLines(unreadText, names.words, listLines(text, mentions));
  return { entries, ...otherLines, unreadText };
}

/** The entries of mentions, each with its line. */
function listEntries(text: string, mentions: readonly ReadMention[]): Entry[] {
  const lineAt = createLineCounter(text);
  const entries: Entry[] = [];
  for (const mention of mentions.filter(({ isIgnored }) => !isIgnored)) {
    const line = lineAt(mention.start);
    for (const entry of [makeEntry(text, mention), ...listSecondVersions(mention)]) {
      entries.push(entry.map((item) => ({ ...item, line })));
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
  const { name, items, statement, excerpt } = mention;
  const { version } = statement;
  if (name) {
    const ifVersionOf = namesOnlyThisComponent(text, mention) ? undefined : name.component;
    return createIndexItems(name, { ...statement, text: excerpt, ifVersionOf });
  }
  if (items.length === 0) {
    return [{ text: excerpt }];
  }

  return version === undefined ? items : items.map((item) => ({ ...item, text: excerpt, version }));
}

/** The name is no plain word, or it begins its line and a version follows. */
function namesOnlyThisComponent(
  text: string,
  { start, end, name, statement }: ReadMention,
): boolean {
  if (!name?.isPlainWord) {
    return true;
  }

  const before = text.slice(startOfLine(text, start), start);
  const between = text.slice(end, statement.end);
  return (
    /^[\s\-+*•>|"'`\d.)#]*$/.test(before) &&
    /^["'`*]*(?:[\s@:|,;\t"'`*-]*[<>=~^[(]*v?\d.*)?$/.test(between)
  );
}

/** Further versions in the line behind a comma, which have no name of their own: `svc 2025.1 (prod), 2025.3 (staging)`. */
function listSecondVersions({ name, statement, textBehind }: ReadMention): Entry[] {
  if (!name || statement.version === undefined) {
    return [];
  }

  const [line = ''] = textBehind.slice(0, 200).split('\n', 1);
  // Behind other words, a version may be of another product.
  const [list = ''] = /^(?:(?:,| and| &| \/) v?\d+(?:\.\d+)+[\w.+~-]*)+/.exec(line) ?? [];
  const matches = line.matchAll(/(?:,|;| and| or| &| \/) (v?\d+(?:\.\d+)+[\w.+~-]*)/g);
  return Array.from(matches, ({ 1: text = '', index }) => {
    const ifVersionOf = index < list.length ? undefined : name.component;
    return [{ text, beside: name.component, version: text, ifVersionOf }];
  });
}

/** A lock file has both the ranges that were requested and the versions that they gave. */
function removeRanges(text: string, entries: Entry[]): Entry[] {
  if (!/lockfile_?version|yarn lockfile|^__metadata:/im.test(text.slice(0, 5000))) {
    return entries;
  }

  const locked = entries.filter(([item]) => item?.version !== undefined);
  const lockedKeys = new Set(locked.map(readKey));
  return entries.filter(
    (entry) => entry[0]?.version !== undefined || !lockedKeys.has(readKey(entry)),
  );
}

/** The name or the package of an entry; its text if it has neither. */
function readKey([item]: Entry): string | undefined {
  return item?.name ?? (item?.purl ? `${item.purl.namespace}/${item.purl.name}` : item?.text);
}
