import { toLine } from '../../core/text/foreign-text.ts';
import type { IndexNames } from '../answers/match-names.ts';
import { findNames, type IndexName } from './find-names.ts';
import { createPurlEntry } from './purl-entries.ts';
import type { Entry } from './text-entries.ts';
import type { Statement } from './read-line.ts';
import {
  findLineStart,
  readBefore,
  readLineBefore,
  readBehind,
  type PlacedStatement,
} from './read-statement.ts';
import { blankSpans, filler } from './simplify-text.ts';
import { hasOpenEnd, readNumber } from './read-number.ts';

/** A part of a text that names something of the index. */
interface Mention {
  readonly start: number;
  readonly end: number;
  /** Absent for a package URL. */
  readonly name?: IndexName | undefined;
  /** The entry of a package URL; absent for a name, and for a package URL that cannot be read. */
  readonly purlEntry?: Entry | undefined;
}

/** A mention with the statement of its version. */
export interface ReadMention extends Mention {
  readonly statement: PlacedStatement;
  readonly hasVersion: boolean;
  /** It states nothing by itself: a key of `[versions]`, or a name that the same statement has again. */
  readonly isIgnored: boolean;
  /** The text from the mention to the end of its statement, in one line. */
  readonly excerpt: string;
  /** The text from the statement to the next mention. */
  readonly textBehind: string;
}

/**
 * The mentions of a text in its order. `blankedText`: the text, of the same length, with bars in place of the sections `[versions]` of
 * Gradle catalogues.
 */
export function readMentions(text: string, names: IndexNames) {
  const mentions = listMentions(text, names);
  const sections = listVersionSections(text);
  const values = readVariables(text);
  const blankedText = blankSpans(text, sections);
  return { mentions: addStatements(text, mentions, values, blankedText), blankedText };
}

const packageUrl = /pkg:[a-z][a-z\d.+-]*\/[^\s"'`|,;<>\\]{1,1000}/gi;

function listMentions(text: string, names: IndexNames): Mention[] {
  const plain = text.replaceAll(packageUrl, (url) => ' '.repeat(url.length));
  const mentions: Mention[] = findNames(names, plain);
  for (const { 0: written, index } of text.matchAll(packageUrl)) {
    const url = written.replace(/[.)\]}:!]+$/, '');
    mentions.push({ start: index, end: index + url.length, purlEntry: createPurlEntry(url) });
  }
  return mentions.sort((a, b) => a.start - b.start);
}

/** The characters behind a name in which its version may be: in a lock file, it is some lines below. */
const reach = 600;
const shownLength = 200;

/**
 * Reads the statement of each mention. A statement before a name begins behind the statement of the last mention that is not
 * ignored.
 */
function addStatements(
  text: string,
  mentions: readonly Mention[],
  values: Values,
  blankedText: string,
): ReadMention[] {
  const results: ReadMention[] = [];
  let previous: ReadMention | undefined;

  for (const [index, written] of mentions.entries()) {
    const mention = { ...written, name: findSureName(text, written, results.at(-1)) };
    const { start, end } = mention;
    const following = mentions[index + 1];
    const repeatsPrevious = previous?.hasVersion === true && isNamedAgain(text, previous, mention);
    // A repeated name has no statement before it.
    const from = repeatsPrevious ? start : (previous?.statement.end ?? 0);
    const limit = following ? findLimit(text, end, following) : text.length;
    const to = Math.min(end + reach, limit);
    const statement = readStatement(text, mention, values, { from, to });
    const hasVersion =
      (statement.version ?? statement.digest) !== undefined || hasPurlVersion(mention);
    const isEmpty = !hasVersion && statesNothing(statement);
    // A blanked key of `[versions]` names a version, not a component.
    const isVersionName = blankedText[start] !== text[start];
    const isStatedByOther = repeatsPrevious || leadsTo(text, mention, following);
    const isIgnored = isVersionName || (isEmpty && isStatedByOther);
    const excerpt = toLine(text.slice(start, statement.end).replaceAll(filler, ''), shownLength);
    const textBehind = text.slice(statement.end, limit);
    const result = { ...mention, statement, hasVersion, isIgnored, excerpt, textBehind };
    results.push(result);
    if (!isIgnored) {
      previous = result;
    }
  }

  return results;
}

/** An item of a list with its version before its name: `, 2.0.1 of svc`, ` and 2.0.1 of svc`, `, 2.0.1 (svc)`. */
const versionOfNext = /(?:[,;]|\sand)\s*v?\d[\w.+-]*\s(?:of\s|\()$/i;

/** The offset at which the text of the next name begins. */
function findLimit(text: string, end: number, next: Mention): number {
  const before = text.slice(Math.max(end, next.start - 100), next.start);
  const [version = ''] = versionOfNext.exec(before) ?? [];
  const isOfOther = version.endsWith('(') && text[next.end] !== ')';
  return isOfOther ? next.start : next.start - version.length;
}

/** The name of a mention; for a plain word such as "Server" in `svc (Server)`, the name before it, without other words between. */
function findSureName(text: string, { start, name }: Mention, before?: ReadMention) {
  const isRepeated = before?.name?.component === name?.component;
  return before &&
    name?.isPlainWord &&
    isRepeated &&
    !/[\p{L}\p{N}]/u.test(text.slice(before.end, start))
    ? before.name
    : name;
}

/** Reads the statement of a mention in the text from `from` to `to`, with the value of its variable. */
function readStatement(
  text: string,
  mention: Mention,
  values: Values,
  { from, to }: { from: number; to: number },
): PlacedStatement {
  const { start, end } = mention;
  if (hasPurlVersion(mention)) {
    return { end };
  }

  const before = readBefore(text, from, start);
  const behind = readBehind(text, end, to);
  // Behind `2025.1 (svc)`, the next version is of another name.
  const isBracketed = text[start - 1] === '(' && text[end] === ')';
  const isBefore = statesNothing(behind) || (isBracketed && before);
  const statement = isBefore ? { ...before, end } : behind;
  const { variable } = statement;
  return variable === undefined ? statement : { ...statement, ...readVariable(variable, values) };
}

/** Values by the name of their variable. */
type Values = ReadonlyMap<string, string>;

/** An element with a text, such as `<svc.version>1.0</svc.version>`. */
const elementForm = /<([\w.-]{1,99})>([^<\n]{1,200})<\//;
/** A key with a value, also behind the keyword of a shell, a Dockerfile or Gradle. */
const keyForm =
  /^[ \t]*(?:(?:ARG|ENV|export|def|val|var|set)[ \t]+|ext\.)?["']?([\w.-]{1,99})["']?[ \t]*[:=][ \t]*["']?((?:\$\{|[^\s"',;{[]){1,200})/;
const assignment = new RegExp(`${elementForm.source}|${keyForm.source}`, 'gm');

/** The values of variables, in all usual forms. Several values of a variable leave it as a reference to itself. */
function readVariables(text: string): Values {
  const values = new Map<string, string>();
  for (const [, element, content, key = '', value = ''] of text.matchAll(assignment)) {
    const name = element ?? key;
    const variableValue = content ?? value;
    const isSame = (values.get(name) ?? variableValue) === variableValue;
    values.set(name, isSame ? variableValue : `\${${name}}`);
  }
  return values;
}

/** `version.ref = "agent"`, for a key of `[versions]`. */
const catalogueForm = /^version\.ref["']?\s?[:=]\s?["'](.+)["']$/;
/** `${TAG}`, `${TAG:-1.20}` and `$TAG`. */
const reference = /\$(?:\{([\w.-]+)(?::-([^}]*))?\}|(\w+))/g;

/** A longer value is no version. */
const maxValueLength = 100;

/** The version or range of `${TAG}`, `1.${MINOR}` or `version.ref = "agent"`. Values may name others in turn. */
function readVariable(written: string, values: Values): Statement {
  let value = written.replace(catalogueForm, '${$1}');
  // Each level can make a text a hundred times as long, so it stops at the first value that is too long.
  for (let level = 0; level < 4 && value.length <= maxValueLength; level += 1) {
    value = value.replaceAll(
      reference,
      (whole, braced: string | undefined, fallback: string | undefined, plain = '') =>
        values.get(braced ?? plain) ?? fallback ?? whole,
    );
  }

  if (value.length > maxValueLength) {
    return { range: written };
  }

  const version = hasOpenEnd(value) ? undefined : readNumber(value, 0, value);
  return version === undefined ? { range: value } : { version };
}

function statesNothing({ version, digest, range, variable, tag }: Statement): boolean {
  return (version ?? digest ?? range ?? variable ?? tag) === undefined;
}

function hasPurlVersion({ purlEntry }: Mention): boolean {
  return purlEntry?.some(({ version }) => version !== undefined) ?? false;
}

/** Whether a mention names the component of an earlier mention in the same line, not too far before it. */
function isNamedAgain(text: string, earlier: Mention, { start, name }: Mention): boolean {
  return (
    name !== undefined &&
    earlier.name?.component === name.component &&
    earlier.end >= findLineStart(text, start)
  );
}

/** Whether the following mention is in the statement that a name begins: in its table, or of the same component. */
function leadsTo(text: string, mention: Mention, following: Mention | undefined): boolean {
  const { name, start, end } = mention;
  if (!name || !following || following.start - end > reach) {
    return false;
  }

  const between = text.slice(end, following.start);
  const lineBefore = readLineBefore(text, start);
  const isSameComponent = name.component === following.name?.component;
  return opensTable(between) || (isSameComponent && isSameStatement(lineBefore, between));
}

/** The key of an inline table: `svc = { module = "example:svc"`. The table names the component, whichever it is. */
function opensTable(between: string): boolean {
  return /^["']?\s?[=:]\s?\{/.test(between) && !between.includes('}');
}

/** `name: svc` above `image: example/svc:1.0`. `lineBefore`: the line up to the first name; `between`: the text between the names. */
function isSameStatement(lineBefore: string, between: string): boolean {
  // A blank line ends a statement.
  if (/\n\s*\n/.test(between)) {
    return false;
  }

  // A comment for Renovate is about the line below it.
  if (!between.includes('\n') || lineBefore.includes('renovate:')) {
    return true;
  }

  // Without a mark of a key or a bracket, lines are items of a list.
  return /[:=>{([]/.test(between);
}

/** The sections `[versions]` of catalogues of Gradle, whose keys are names of versions. */
function listVersionSections(text: string) {
  return Array.from(text.matchAll(/^\[versions\][ \t]*$/gm), ({ index }) => {
    const end = text.indexOf('\n[', index);
    return [index, end < 0 ? text.length : end] as const;
  });
}
