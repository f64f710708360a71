import { createLineCounter, toLine, removeInvisible } from '../../core/text/foreign-text.ts';
import { filler, findNames, type IndexName, type Names } from './find-names.ts';
import {
  longestText,
  makeItems,
  createPackageItems,
  type Entry,
  type Item,
  type OtherLine,
} from './items.ts';
import {
  isConnector,
  readBefore,
  readBehind,
  startOfLine,
  type Statement,
} from './read-statement.ts';

/** The statements of a text about an index. */
interface TextVersions {
  readonly entries: Entry[];
  /**
   * Lines with a version of something that the index does not know: the first ones, and each one with a word from a name of the
   * index.
   */
  readonly otherLines: OtherLine[];
  readonly others: number;
  /** The text, with a bar in place of each character that was read. */
  readonly rest: string;
  /** Only set, and nothing read, if the text has more names than this. */
  readonly mostNames?: number | undefined;
}

/** It takes time to read each; real lists of thousands have longer items. */
function limitNames(length: number): number {
  return Math.max(3000, Math.floor(length / 16));
}

/** Maximum number of lines about other products that are kept, to compare their words with names. */
const mostOtherLines = 50;
/** The characters behind a name in which its version may be: in a lock file, it is some lines below. */
const reach = 600;
const shownLength = 200;
/** The characters of a spoken name before its version that matter. */
const longestSpoken = 100;

/** A part of a text that names something of the index. */
interface Mention {
  readonly start: number;
  readonly end: number;
  readonly name: IndexName | undefined;
  /** The statements of a package URL. */
  readonly items: readonly Item[];
}

/** Finds the names of an index in a text of any form, each with the version in the same statement. */
export function findVersions(written: string, names: Names): TextVersions {
  const text = simplifyText(written);
  const variables = readVariables(text);
  const mentions = listMentions(text, names);
  if (!mentions || mentions.length > limitNames(text.length)) {
    const most = limitNames(text.length);
    return { entries: [], otherLines: [], others: 0, rest: text, mostNames: most };
  }

  const lineAt = createLineCounter(text);
  const entries: Entry[] = [];
  const ourLines = new Set<number>();
  const spans: Span[] = [];
  let usedUntil = 0;
  let last: Mention | undefined;

  for (const [index, mention] of mentions.entries()) {
    const next = mentions[index + 1];
    const line = lineAt(mention.start);
    const statement = readStatement(text, mention, {
      limit: Math.min(mention.end + reach, next?.start ?? text.length),
      usedUntil: isInLine(text, last, mention) ? mention.start : usedUntil,
      variables: variables.values,
    });
    const isEmpty = isWithoutVersion(mention, statement);
    ourLines.add(line);
    spans.push(findSpan(text, mention, statement));

    const isNamedAgain =
      isEmpty && (isRepeated(text, mention, next) || isInLine(text, last, mention));
    if (isDefinition(mention, variables) || isNamedAgain) {
      continue;
    }

    last = isEmpty ? undefined : mention;

    const lastLine = isEmpty ? line : lineAt(statement.end);
    for (let usedLine = line - (statement.linesBefore ?? 0); usedLine <= lastLine; usedLine += 1) {
      ourLines.add(usedLine);
    }

    usedUntil = Math.max(usedUntil, statement.end);
    entries.push(makeEntry(text, mention, statement).map((item) => ({ ...item, line })));

    const behind = text.slice(Math.max(mention.end, statement.end), next?.start);
    entries.push(
      ...findSecondVersions(behind, mention, statement).map((item) => [{ ...item, line }]),
    );
  }

  const rest = blankSpans(text, spans);
  const others = listOthers(rest, names, ourLines, variables);
  return { entries: removeRanges(text, entries), ...others, rest };
}

type Span = readonly [start: number, end: number];

function findSpan(text: string, mention: Mention, { version, linesBefore, end }: Statement): Span {
  const start = linesBefore === 0 ? text.lastIndexOf(version!, mention.start) : mention.start;
  return [start, Math.max(mention.end, end)];
}

function blankSpans(text: string, spans: readonly Span[]): string {
  let rest = '';
  let offset = 0;
  for (const [start, end] of spans) {
    rest +=
      text.slice(offset, start) +
      text.slice(Math.max(offset, start), end).replaceAll(/[^\n]/g, '|');
    offset = Math.max(offset, end);
  }
  return rest + text.slice(offset);
}

/** The text as a person sees it, with one form for the coordinates of packages. Each line keeps its place. */
function simplifyText(written: string): string {
  let text = removeInvisible(written).replaceAll('\u00a0', ' ').replaceAll('\r\n', '\n');
  if (text.includes('\\')) {
    text = text
      .replaceAll(/\\u00([2-7][\da-f])/gi, (_, code: string) =>
        String.fromCharCode(parseInt(code, 16)),
      )
      .replaceAll('\\/', '/');
  }

  if (text.includes('<!--')) {
    text = removeMarkupComments(text);
  }
  if (text.includes('<artifactId>')) {
    text = text.replaceAll(/<\/groupId>\s{0,200}<artifactId>/g, normaliseCoordinates);
  }

  if (/\bname\b/.test(text)) {
    text = text.replaceAll(
      /["'],\s{0,9}["']?name["']?\s{0,9}[:=]\s{0,9}["'](?=[\w.-]+["'])/g,
      (key, offset: number) =>
        /\bgroup["']?\s?[:=]\s?["'][\w.-]+$/.test(text.slice(Math.max(0, offset - 100), offset))
          ? normaliseCoordinates(key)
          : key,
    );
  }

  if (text.includes('" %')) {
    text = text.replaceAll(/"\s?%{1,3}\s?"(?=[\w.-]+"\s?%)/g, normaliseCoordinates);
  }
  if (text.includes('](')) {
    text = text.replaceAll(/\]\([^()\s]{0,500}\)/g, (link) => ' '.repeat(link.length));
  }

  return text
    .split('\n')
    .map((line) => (line.includes('#') || line.includes('//') ? removeComment(line) : line))
    .join('\n');
}

function normaliseCoordinates(written: string): string {
  return `:${written.slice(1).replaceAll(/[^\n]/g, filler)}`;
}

function removeComment(line: string): string {
  const [, comment] = /(?:^|\s)((?:#(?!#)|\/\/).*)$/.exec(line) ?? [];
  return comment === undefined || comment.includes('renovate:')
    ? line
    : line.slice(0, line.length - comment.length);
}

/** Keeps the line ends, and comments for Renovate. */
function removeMarkupComments(text: string): string {
  let plain = '';
  let from = 0;

  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start < 0 ? -1 : text.indexOf('-->', start);
    if (end < 0) {
      return plain + text.slice(from);
    }

    const comment = text.slice(start, end + 3);

    plain += text.slice(from, start);
    plain += comment.includes('renovate:') ? comment : comment.replaceAll(/[^\n]/g, ' ');
    from = end + 3;
  }
}

interface AllVariables {
  readonly values: ReadonlyMap<string, string>;
  /** The places of `[versions]` in a catalogue of Gradle: its keys name no components. */
  readonly sections: readonly (readonly [start: number, end: number])[];
}

const assignment =
  /<([\w.-]{1,99})>([^<\n]{1,200})<\/|^[ \t]*(?:ARG|ENV|export|def|val|var|ext\.|set)?[ \t]*["']?([\w.-]{1,99})["']?[ \t]*[:=][ \t]*["']?([^\s"',;{[]{1,200})/gm;

/** The values of variables, in all usual forms. Only a text that uses a variable needs them. */
function readVariables(text: string): AllVariables {
  const values = new Map<string, string>();
  const sections: (readonly [number, number])[] = [];
  for (const { index } of text.matchAll(/^\[versions\][ \t]*$/gm)) {
    const end = text.indexOf('\n[', index + 1);
    sections.push([index, end < 0 ? text.length : end]);
  }
  if (text.includes('$') || sections.length > 0) {
    for (const [, element, content, key, value] of text.matchAll(assignment)) {
      values.set((element ?? key)!, (content ?? value)!);
    }
  }

  return { values, sections };
}

/** Whether a name is only the key of a version that is used elsewhere. */
function isDefinition({ start }: Mention, { sections }: AllVariables): boolean {
  return sections.some(([from, end]) => start >= from && start < end);
}

const packageUrl = /pkg:[a-z][a-z\d.+-]*\/[^\s"'`|,;<>\\]{1,1000}/gi;

/** Undefined for a text with too many names. */
function listMentions(text: string, names: Names): Mention[] | undefined {
  const mentions: Mention[] = [];
  let plain = text;

  for (const { 0: written, index } of text.matchAll(packageUrl)) {
    const url = written.replace(/[.)\]}:!]+$/, '');
    mentions.push({
      start: index,
      end: index + url.length,
      name: undefined,
      items: createPackageItems(url),
    });
  }

  if (mentions.length > 0) {
    plain = text.replaceAll(packageUrl, (url) => ' '.repeat(url.length));
  }

  const nameMentions = findNames(names, plain)?.map((mention) => ({ ...mention, items: [] }));
  if (!nameMentions) {
    return undefined;
  }

  return mentions.length === 0
    ? nameMentions
    : [...mentions, ...nameMentions].sort((a, b) => a.start - b.start);
}

interface Bounds {
  readonly limit: number;
  readonly usedUntil: number;
  readonly variables: ReadonlyMap<string, string>;
}

function readStatement(
  text: string,
  { start, end, items }: Mention,
  { limit, usedUntil, variables }: Bounds,
): Statement {
  if (items.some(({ version }) => version !== undefined)) {
    return { end };
  }

  const behind = readBehind(text, end, limit, variables);
  if ((behind.version ?? behind.digest ?? behind.range ?? behind.tag) !== undefined) {
    return behind;
  }

  const before = readBefore(text, usedUntil, start);
  return before ? { version: before.version, linesBefore: before.line, end } : { end };
}

function isWithoutVersion({ items }: Mention, { version, digest }: Statement): boolean {
  return (version ?? digest) === undefined && items.every((item) => item.version === undefined);
}

/** Whether the next name is of the same component in the same statement, as in `name: svc` above `image: example/svc:1.0`. */
function isRepeated(text: string, mention: Mention, next: Mention | undefined): boolean {
  if (!next || !mention.name || next.start - mention.end > reach) {
    return false;
  }

  const between = text.slice(mention.end, next.start);
  const isKey = /^["']?\s?[=:]\s?\{/.test(between) && !between.includes('}');
  const before = text.slice(startOfLine(text, mention.start), mention.start);
  const isTogether =
    !/\n\s*\n/.test(between) &&
    (!between.includes('\n') || before.includes('renovate:') || /[:=>{([]/.test(between));
  return isKey || (isTogether && mention.name.component === next.name?.component);
}

/** Whether a mention is behind one of the same component, in its line. */
function isInLine(text: string, last: Mention | undefined, { start, name }: Mention): boolean {
  return (
    name !== undefined &&
    last?.name?.component === name.component &&
    !text.slice(last.end, start).includes('\n')
  );
}

function makeEntry(text: string, mention: Mention, statement: Statement): Entry {
  const { name, items } = mention;
  const excerpt = toLine(
    text.slice(mention.start, Math.max(mention.end, statement.end)).replaceAll(filler, ''),
    shownLength,
  );

  if (!name) {
    const { version } = statement;

    if (items.length === 0) {
      return [{ text: excerpt }];
    }

    return version === undefined
      ? items
      : items.map((item) => ({ ...item, text: excerpt, version }));
  }

  const ifVersionOf = isCertain(text, mention, statement) ? undefined : name.component;
  return makeItems(name, { ...statement, text: excerpt, ifVersionOf });
}

/** Whether a name is no plain word, or is one at the beginning of a line with a version behind it. */
function isCertain(text: string, { start, end, name }: Mention, statement: Statement): boolean {
  if (!name?.isPlainWord) {
    return true;
  }

  const before = text.slice(startOfLine(text, start), start);
  const between = text.slice(end, Math.max(end, statement.end));
  return (
    /^[\s\-+*•>|"'`\d.)#]*$/.test(before) &&
    /^["'`*]*(?:[\s@:|,;\t"'`*-]*[<>=~^[(]*v?\d.*)?$/.test(between)
  );
}

/** Further versions in the line behind a comma, which have no name of their own: `svc 2025.1 (prod), 2025.3 (staging)`. */
function findSecondVersions(rest: string, { name }: Mention, { version }: Statement): Item[] {
  if (!name || version === undefined) {
    return [];
  }

  const [line = ''] = rest.slice(0, 200).split('\n', 1);
  const listEnd = /^(?:(?:,| and| &| \/) v?\d+(?:\.\d+)+[\w.+~-]*)*/.exec(line)![0].length;
  const matches = line.matchAll(/(?:,|;| and| or| &| \/) (v?\d+(?:\.\d+)+[\w.+~-]*)/g);
  return Array.from(matches, ({ 1: text = '', index }) => {
    const ifVersionOf = index < listEnd ? undefined : name.component;
    return { text, beside: name.component, version: text, ifVersionOf };
  });
}

/** A lock file has both the ranges that were requested and the versions that they gave. */
function removeRanges(text: string, entries: readonly Entry[]): Entry[] {
  if (!/lockfile_?version|yarn lockfile|^__metadata:/im.test(text.slice(0, 5000))) {
    return [...entries];
  }

  const readKey = ([item]: Entry) => item?.name ?? `${item?.purl?.namespace}/${item?.purl?.name}`;
  const lockedKeys = new Set(entries.filter(([item]) => item?.version !== undefined).map(readKey));
  return entries.filter(
    (entry) => entry[0]?.version !== undefined || !lockedKeys.has(readKey(entry)),
  );
}

/**
 * Lines that state a version of something that the index does not know. A part such as "the Maven agent 1.21", which has words of
 * a name of the index, is listed by itself.
 */
function listOthers(
  rest: string,
  { words }: Names,
  ourLines: ReadonlySet<number>,
  { sections }: AllVariables,
): Pick<TextVersions, 'otherLines' | 'others'> {
  const otherLines: OtherLine[] = [];
  let others = 0;
  let start = 0;
  let section = 0;

  for (const [index, line] of rest.split('\n').entries()) {
    const offset = start;
    start += line.length + 1;
    while (offset >= (sections[section]?.[1] ?? Infinity)) {
      section += 1;
    }
    if (offset >= (sections[section]?.[0] ?? Infinity)) {
      continue;
    }

    const isOther =
      !ourLines.has(index + 1) &&
      /(?<![\w.])v?\d+\.\d|@[\^~]?v?\d|^\s*[\p{L}][\p{L}\p{N} ._-]* \d+\s*$/u.test(
        line.slice(0, longestText),
      );
    if (isOther) {
      others += 1;
    }

    const { spoken, versions } = listSpoken(line, words);
    // A cut line could end within its version.
    const isKept = isOther && others <= mostOtherLines && line.length <= longestText;
    const isWhole = isKept && (versions < 2 || spoken.length === 0);
    const texts = isWhole ? [toLine(line, longestText)] : spoken;
    for (const [position, text] of texts.entries()) {
      const isRest = !isOther || position > 0 || undefined;
      otherLines.push({ line: index + 1, text, isRest });
    }
  }

  return { otherLines, others };
}

/** The parts of a line that end with a version, and have a word of a name of the index before it. */
function listSpoken(
  line: string,
  words: ReadonlySet<string>,
): { spoken: string[]; versions: number } {
  const spoken: string[] = [];
  let versions = 0;
  let from = 0;

  for (const { 0: version, index } of line.matchAll(
    /(?<![\p{L}\p{N}_.])v?\d+(?:\.\d+)+[\w.+~-]*/gu,
  )) {
    const before = line.slice(Math.max(from, index - longestSpoken), index);
    const part = before.slice(before.lastIndexOf('|') + 1);
    const name = (part.match(/(?<![/\p{L}])\p{L}+/gu) ?? []).findLast((word) => !isConnector(word));
    from = index + version.length;
    versions += 1;
    if (name !== undefined && words.has(name.toLowerCase())) {
      const phrase = part.replace(/^(?:[\s,;:.()&–—-]|(?:and|with|or|the)\s)+/i, '');
      spoken.push(toLine(phrase + version.replace(/[.-]+$/, ''), longestText));
    }
  }

  return { spoken, versions };
}
