import { toLine } from '../../core/text/foreign-text.ts';
import { createLineCounter } from '../../core/text/document-text.ts';
import { findNames } from './find-names.ts';
import { createIndexItems, createPurlItems } from './items.ts';
import { listOtherLines, type OtherLines } from './other-lines.ts';
import type { IndexName, Names } from './name-tree.ts';
import { readBefore, readBehind, startOfLine, type Statement } from './read-statement.ts';
import { filler, simplifyText } from './simplify-text.ts';
import type { Entry, Item } from './text-entries.ts';

/** The statements of a text about an index. */
interface TextVersions extends OtherLines {
  readonly entries: Entry[];
  /** The text, with a bar in place of each character that was read. */
  readonly unreadText: string;
  /** Only set, and nothing read, if the text has more names than this. */
  readonly maxNames?: number | undefined;
}

/** Rejects a text with more names: reading the statement behind each takes time. Real lists of thousands have longer items. */
function limitNames(length: number): number {
  return Math.max(3000, Math.floor(length / 16));
}

/** The characters behind a name in which its version may be: in a lock file, it is some lines below. */
const reach = 600;
const shownLength = 200;

/** A part of a text that names something of the index. */
interface Mention {
  readonly start: number;
  readonly end: number;
  readonly name: IndexName | undefined;
  /** The statements of a package URL. */
  readonly items: readonly Item[];
}

/** A mention with the statement of its version. */
interface ReadMention extends Mention {
  readonly statement: Statement;
  readonly hasVersion: boolean;
  /** It states nothing by itself: the key of a variable, or a name that its statement has twice. */
  readonly isIgnored: boolean;
  /** The text from the statement to the next mention. */
  readonly textBehind: string;
}

/** Finds the names of an index in a text of any form, each with the version in the same statement. */
export function findVersions(written: string, names: Names): TextVersions {
  const text = simplifyText(written);
  const mentions = listMentions(text, names);
  const maxNames = limitNames(text.length);
  if (!mentions || mentions.length > maxNames) {
    return { entries: [], otherLines: [], others: 0, unreadText: text, maxNames };
  }

  const variables = readVariables(text);
  const readMentions = readStatements(text, mentions, variables);
  const entries = removeRanges(text, listEntries(text, readMentions));

  const spans = readMentions.map((mention) => findSpan(text, mention));
  const unreadText = blankSpans(variables.textOutside, spans);
  const otherLines = listOtherLines(unreadText, names.words, listLines(text, readMentions));
  return { entries, ...otherLines, unreadText };
}

/** Reads the statement of each mention. No text is read for two of them. */
function readStatements(
  text: string,
  mentions: readonly Mention[],
  { values, textOutside }: Variables,
): ReadMention[] {
  const readMentions: ReadMention[] = [];
  // The last one that is not ignored.
  let previous: ReadMention | undefined;

  for (const [index, mention] of mentions.entries()) {
    const { start, end } = mention;
    const following = mentions[index + 1];
    const isNamedAgain = previous?.hasVersion === true && isInLine(text, previous, mention);
    const statement = readStatement(text, mention, {
      from: isNamedAgain ? start : (previous?.statement.end ?? 0),
      to: Math.min(end + reach, following?.start ?? text.length),
      values,
    });

    const hasVersion = statesVersion(mention, statement);
    const isIgnored =
      textOutside[start] === '|' ||
      (!hasVersion && (isNamedAgain || isRepeated(text, mention, following)));
    const textBehind = text.slice(statement.end, following?.start);
    const readMention = { ...mention, statement, hasVersion, isIgnored, textBehind };
    readMentions.push(readMention);
    if (!isIgnored) {
      previous = readMention;
    }
  }

  return readMentions;
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
    const lastLine = hasVersion ? lineAt(statement.end) : line;
    for (let each = line - (statement.linesBefore ?? 0); each <= lastLine; each += 1) {
      lines.add(each);
    }
  }

  return lines;
}

type Span = readonly [start: number, end: number];

function findSpan(text: string, { start, statement }: ReadMention): Span {
  const { version, linesBefore } = statement;
  const from = linesBefore === 0 ? text.lastIndexOf(version!, start) : start;
  return [from, statement.end];
}

function blankSpans(text: string, spans: readonly Span[]): string {
  let blanked = '';
  let offset = 0;
  for (const [start, end] of spans) {
    blanked += text.slice(offset, start);
    blanked += text.slice(Math.max(offset, start), end).replaceAll(/[^\n]/g, '|');
    offset = Math.max(offset, end);
  }
  return blanked + text.slice(offset);
}

interface Variables {
  readonly values: ReadonlyMap<string, string>;
  /** The text, with bars in place of `[versions]` in a catalogue of Gradle: its keys are names of versions. */
  readonly textOutside: string;
}

/** An element with a text, such as `<svc.version>1.0</svc.version>`. */
const elementForm = /<([\w.-]{1,99})>([^<\n]{1,200})<\//;
/** A key with a value, also behind the keyword of a shell, a Dockerfile or Gradle. */
const keyForm =
  /^[ \t]*(?:ARG|ENV|export|def|val|var|ext\.|set)?[ \t]*["']?([\w.-]{1,99})["']?[ \t]*[:=][ \t]*["']?([^\s"',;{[]{1,200})/;
const assignment = new RegExp(`${elementForm.source}|${keyForm.source}`, 'gm');

/** The values of variables, in all usual forms. Only a text that uses a variable needs them. */
function readVariables(text: string): Variables {
  const sections = listVersionSections(text);
  const values = new Map<string, string>();
  if (text.includes('$') || sections.length > 0) {
    for (const [, element, content, key, value] of text.matchAll(assignment)) {
      values.set((element ?? key)!, (content ?? value)!);
    }
  }

  return { values, textOutside: blankSpans(text, sections) };
}

/** The sections `[versions]` of catalogues of Gradle. */
function listVersionSections(text: string): Span[] {
  return Array.from(text.matchAll(/^\[versions\][ \t]*$/gm), ({ index }) => {
    const end = text.indexOf('\n[', index + 1);
    return [index, end < 0 ? text.length : end];
  });
}

const packageUrl = /pkg:[a-z][a-z\d.+-]*\/[^\s"'`|,;<>\\]{1,1000}/gi;

/** Undefined for a text with too many names. */
function listMentions(text: string, names: Names): Mention[] | undefined {
  const mentions: Mention[] = [];

  for (const { 0: written, index } of text.matchAll(packageUrl)) {
    const url = written.replace(/[.)\]}:!]+$/, '');
    mentions.push({
      start: index,
      end: index + url.length,
      name: undefined,
      items: createPurlItems(url),
    });
  }

  const plain = text.replaceAll(packageUrl, (url) => ' '.repeat(url.length));
  const nameMentions = findNames(names, plain);
  if (!nameMentions) {
    return undefined;
  }

  for (const mention of nameMentions) {
    mentions.push({ ...mention, items: [] });
  }
  return mentions.sort((a, b) => a.start - b.start);
}

interface Bounds extends Pick<Variables, 'values'> {
  /** The text before a name is read from here. */
  readonly from: number;
  /** The text behind a name is read up to here. */
  readonly to: number;
}

function readStatement(
  text: string,
  { start, end, items }: Mention,
  { from, to, values }: Bounds,
): Statement {
  if (items.some(({ version }) => version !== undefined)) {
    return { end };
  }

  const behind = readBehind(text, end, to, values);
  if ((behind.version ?? behind.digest ?? behind.range ?? behind.tag) !== undefined) {
    return behind;
  }

  const before = readBefore(text, from, start);
  return before ? { version: before.version, linesBefore: before.line, end } : { end };
}

function statesVersion({ items }: Mention, { version, digest }: Statement): boolean {
  return (version ?? digest) !== undefined || items.some((item) => item.version !== undefined);
}

/** Whether the following name is of the same component in the same statement: `name: svc` above `image: example/svc:1.0`. */
function isRepeated(text: string, mention: Mention, following: Mention | undefined): boolean {
  if (!following || !mention.name || following.start - mention.end > reach) {
    return false;
  }

  const between = text.slice(mention.end, following.start);
  const isKey = /^["']?\s?[=:]\s?\{/.test(between) && !between.includes('}');
  const before = text.slice(startOfLine(text, mention.start), mention.start);
  const isTogether =
    !/\n\s*\n/.test(between) &&
    (!between.includes('\n') || before.includes('renovate:') || /[:=>{([]/.test(between));
  return isKey || (isTogether && mention.name.component === following.name?.component);
}

/** Whether the same line names the component of a mention before it. */
function isInLine(text: string, before: Mention, { start, name }: Mention): boolean {
  return (
    name !== undefined &&
    before.name?.component === name.component &&
    !text.slice(before.end, start).includes('\n')
  );
}

function makeEntry(text: string, mention: ReadMention): Entry {
  const { start, name, items, statement } = mention;
  const { version } = statement;
  const written = text.slice(start, statement.end).replaceAll(filler, '');
  const excerpt = toLine(written, shownLength);

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
  const listEnd = /^(?:(?:,| and| &| \/) v?\d+(?:\.\d+)+[\w.+~-]*)*/.exec(line)![0].length;
  const matches = line.matchAll(/(?:,|;| and| or| &| \/) (v?\d+(?:\.\d+)+[\w.+~-]*)/g);
  return Array.from(matches, ({ 1: text = '', index }) => {
    const ifVersionOf = index < listEnd ? undefined : name.component;
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
