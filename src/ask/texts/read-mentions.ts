import { toLine } from '../../core/text/foreign-text.ts';
import { findNames, type IndexName, type NameTree } from './find-names.ts';
import { createPurlEntry, type Entry } from './text-entries.ts';
import type { Statement, Values } from './read-line.ts';
import { findLineStart, readBefore, readBehind } from './read-statement.ts';
import { filler } from './simplify-text.ts';

/** A part of a text that names something of the index. */
interface Mention {
  readonly start: number;
  readonly end: number;
  readonly name: IndexName | undefined;
  /** The entry of a package URL; absent for a name, and for a package URL that cannot be read. */
  readonly purlEntry?: Entry | undefined;
}

/** A mention with the statement of its version. */
export interface ReadMention extends Mention {
  readonly statement: Statement;
  readonly hasVersion: boolean;
  /** It states nothing by itself: the key of a variable, or a name that its statement has twice. */
  readonly isIgnored: boolean;
  /** The mention with its statement, as written. */
  readonly excerpt: string;
  /** The text from the statement to the next mention. */
  readonly textBehind: string;
}

/** Rejects a text with more names: reading the statement behind each takes time. Real lists of thousands have longer items. */
export function limitNames(length: number): number {
  return Math.max(3000, Math.floor(length / 16));
}

/** The mentions of a text in its order, and the text outside of variables; undefined if it has too many mentions. */
export function readMentions(text: string, names: NameTree) {
  const mentions = listMentions(text, names);
  if (!mentions || mentions.length > limitNames(text.length)) {
    return undefined;
  }

  const variables = readVariables(text);
  const { textOutside } = variables;
  return { mentions: readStatements(text, mentions, variables), textOutside };
}

const packageUrl = /pkg:[a-z][a-z\d.+-]*\/[^\s"'`|,;<>\\]{1,1000}/gi;

/** Undefined for a text with too many names. */
function listMentions(text: string, names: NameTree): Mention[] | undefined {
  const mentions: Mention[] = [];

  for (const { 0: written, index } of text.matchAll(packageUrl)) {
    const url = written.replace(/[.)\]}:!]+$/, '');
    mentions.push({
      start: index,
      end: index + url.length,
      name: undefined,
      purlEntry: createPurlEntry(url),
    });
  }

  const plain = text.replaceAll(packageUrl, (url) => ' '.repeat(url.length));
  const nameMentions = findNames(names, plain);
  if (!nameMentions) {
    return undefined;
  }

  return [...mentions, ...nameMentions].sort((a, b) => a.start - b.start);
}

/** The characters behind a name in which its version may be: in a lock file, it is some lines below. */
const reach = 600;
const shownLength = 200;

/** Reads the statement of each mention. No text is read for two of them. */
function readStatements(
  text: string,
  mentions: readonly Mention[],
  { values, textOutside }: ReturnType<typeof readVariables>,
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
    // Bars are in place of the keys of variables.
    const isKeyOfVariable = textOutside[start] === '|';
    const isStatedTwice = isNamedAgain || isRepeated(text, mention, following);
    const isIgnored = isKeyOfVariable || (!hasVersion && isStatedTwice);
    const excerpt = toLine(text.slice(start, statement.end).replaceAll(filler, ''), shownLength);
    const textBehind = text.slice(statement.end, following?.start);
    const readMention = { ...mention, statement, hasVersion, isIgnored, excerpt, textBehind };
    readMentions.push(readMention);
    if (!isIgnored) {
      previous = readMention;
    }
  }

  return readMentions;
}

/** Reads the statement of a mention in the text from `from` to `to`. */
function readStatement(
  text: string,
  { start, end, purlEntry }: Mention,
  { from, to, values }: { from: number; to: number; values: Values },
): Statement {
  if (purlEntry?.some(({ version }) => version !== undefined)) {
    return { end };
  }

  const behind = readBehind(text, end, to, values);
  return (behind.version ?? behind.digest ?? behind.range ?? behind.tag) === undefined
    ? { ...readBefore(text, from, start, values), end }
    : behind;
}

function statesVersion({ purlEntry }: Mention, { version, digest }: Statement): boolean {
  return (
    (version ?? digest) !== undefined ||
    purlEntry?.some((item) => item.version !== undefined) === true
  );
}

/** Whether the following name is of the same component in the same statement: `name: svc` above `image: example/svc:1.0`. */
function isRepeated(text: string, mention: Mention, following: Mention | undefined): boolean {
  if (!following || !mention.name || following.start - mention.end > reach) {
    return false;
  }

  const between = text.slice(mention.end, following.start);
  const isKey = /^["']?\s?[=:]\s?\{/.test(between) && !between.includes('}');
  const before = text.slice(findLineStart(text, mention.start), mention.start);
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

/** An element with a text, such as `<svc.version>1.0</svc.version>`. */
const elementForm = /<([\w.-]{1,99})>([^<\n]{1,200})<\//;
/** A key with a value, also behind the keyword of a shell, a Dockerfile or Gradle. */
const keyForm =
  /^[ \t]*(?:ARG|ENV|export|def|val|var|ext\.|set)?[ \t]*["']?([\w.-]{1,99})["']?[ \t]*[:=][ \t]*["']?([^\s"',;{[]{1,200})/;
const assignment = new RegExp(`${elementForm.source}|${keyForm.source}`, 'gm');

/**
 * The values of variables, in all usual forms: only a text that uses a variable needs them. `textOutside`: the text with bars in
 * place of `[versions]` in a catalogue of Gradle, whose keys are names of versions.
 */
function readVariables(text: string) {
  const sections = listVersionSections(text);
  const values = new Map<string, string>();
  if (text.includes('$') || sections.length > 0) {
    for (const [, element, content, key, value] of text.matchAll(assignment)) {
      // One of the two forms matched.
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

type Span = readonly [start: number, end: number];

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
