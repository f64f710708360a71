import { isDay } from '../../core/model/dates.ts';
import { parseVersion } from '../../core/model/version.ts';
import { readBuildLine } from './build-lines.ts';
import { longestText, readItem, statedItems, type Entry } from './items.ts';

/** Words around names and versions in a sentence or a build file. */
const fillers = new Set(
  'a also an and are arg at env export have i in is it my on our release run runs still the then to use uses using v version versions we with'.split(
    ' ',
  ),
);

/** Between two versions of one name. */
const between = /^(?:to|-|–|—|→|->)$/i;
/** In place of a version. */
const floating = /^(?:latest|stable|lts|current|newest|main|master)$/i;

/**
 * The pieces of a line: the range of Maven, package URLs and words, which end before operators, quotes, brackets and the ends of
 * cells.
 */
const pieces =
  /([[(][\w.+-]*,[\w.+-]*[\])])|(pkg:[^\s"'`|,;?#]+(?:\?[^\s"'`|;#]*)?(?:#[^\s"'`|,;]*)?)|([,;\t|]+)|([=<>~^!]+|:(?=\s|$))|([^\s,;|"'`()<>=[\]{}^]+)/giu;

/** The statements in a line of a list, a build file or a sentence, in its order. The line has no comment. */
export function readLine(written: string): Entry[] {
  // In some countries a comma stands in a version.
  const line = written.trim().replace(/^([^,;]*\s\d+),(\d+)$/, '$1.$2');
  if (line.length > longestText) {
    return [[{ text: line.slice(0, longestText) }]];
  }

  return readBuildLine(line) ?? readPieces(line);
}

/** Whether a text reads as a version. A single number may have a suffix only behind a sign: `7zip` is a name. */
function isVersionText(text: string): boolean {
  if (!/^v?\d/i.test(text)) {
    return false;
  }

  const plain = text.replace(/(?:\.[x*])+$/i, '');
  if (isDay(plain) || !parseVersion(plain)) {
    return false;
  }

  return plain.includes('.') || /^v?\d+(?:[-+~]|$)/i.test(plain);
}

/** The state of reading a line. */
interface Reading {
  readonly line: string;
  readonly entries: Entry[];
  /** Words without a version. */
  readonly remarks: Entry[];
  /** The words of a name that waits for its version, and their place in the line. */
  pending?: { readonly words: string[]; readonly start: number } | undefined;
  /** The signs of comparison before the next version. */
  sign: string;
  isNewCell: boolean;
  /** Whether the next version is the second of one name: `svc 1.0 to 2.0`. */
  isPair: boolean;
}

/** Names with versions in any usual form, several on a line, too. */
function readPieces(line: string): Entry[] {
  const reading: Reading = {
    line,
    entries: [],
    remarks: [],
    sign: '',
    isNewCell: false,
    isPair: false,
  };

  for (const match of line.matchAll(pieces)) {
    readPiece(reading, match);
  }

  leaveWords(reading);

  const { entries, remarks } = reading;
  if (entries.length === 0) {
    return remarks.length > 0 ? remarks : [[{ text: line }]];
  }

  return [...entries, ...remarks.map(asRemark)];
}

function readPiece(reading: Reading, match: RegExpExecArray): void {
  const [, maven, purl, cellEnd, sign, word = ''] = match;

  if (cellEnd !== undefined) {
    reading.isNewCell = true;
    reading.sign = '';
  } else if (sign !== undefined) {
    reading.sign += sign;
  } else if (purl !== undefined) {
    leaveWords(reading);
    reading.entries.push(readItem(purl) ?? [{ text: purl }]);
  } else {
    const text = maven ?? trimmed(word);

    if (maven !== undefined || isVersionText(text) || text.includes('..')) {
      readVersion(reading, match, text);
    } else {
      readWord(reading, match, text);
    }
  }
}

/** The words before belong to no version. */
function leaveWords(reading: Reading): void {
  if (reading.pending) {
    reading.remarks.push(wordsEntry(reading.pending.words));
  }

  reading.pending = undefined;
}

function readVersion(reading: Reading, match: RegExpExecArray, text: string): void {
  const { line, entries, pending, isPair, sign: usedSign } = reading;
  const range = rangeOf(usedSign, text, match[1]);
  const last = entries.at(-1);

  if (isPair && last && !pending) {
    entries[entries.length - 1] = inRange(last, `to ${text}`);
  } else if (pending) {
    const written = line.slice(pending.start, match.index + match[0].length);
    const name = line.slice(pending.start, match.index).replace(/[\s"'`=:<>~^!,;|]+$/, '');
    const version = range === undefined ? text : undefined;

    entries.push(namedEntry({ written, name, words: pending.words, version, range, usedSign }));
  } else {
    addNameless(entries, text, range);
  }

  reading.sign = '';
  reading.pending = undefined;
  reading.isPair = false;
}

function readWord(reading: Reading, match: RegExpExecArray, text: string): void {
  const { line, entries, pending, isNewCell } = reading;

  reading.sign = '';
  reading.isPair = between.test(text) && entries.length > 0 && !pending;

  if (reading.isPair || isIgnored(text)) {
    return;
  }

  if (pending && line[match.index - 1] === '=' && !text.includes('@')) {
    // A tag or a commit in place of a version.
    const { words, start } = pending;
    const written = line.slice(start, match.index + match[0].length);

    entries.push(namedEntry({ written, name: words.join(' '), words, version: text }));
    reading.pending = undefined;

    return;
  }

  const joined = readJoined(text, pending?.words ?? []);

  if (joined) {
    entries.push(joined);
    reading.pending = undefined;
  } else if (pending && !isNewCell) {
    pending.words.push(text);
  } else {
    leaveWords(reading);
    reading.pending = { words: [text], start: match.index };
  }

  reading.isNewCell = false;
}

function asRemark(entry: Entry): Entry {
  return entry.map((item) => ({ ...item, isRemark: true }));
}

/** Without emphasis of Markdown and punctuation at the ends. */
function trimmed(word: string): string {
  if (!/^[*_]|[*_.!?:]$/.test(word)) {
    return word;
  }

  return word
    .replace(/^[*_]+(?=[\p{L}\d@])/u, '')
    .replace(/(?<=[\p{L}\d])(?:[*_]{2,}|[.!?:]+)+$/u, '');
}

/** Addresses, days and punctuation. */
function isIgnored(word: string): boolean {
  return /^https?:\/\//i.test(word) || isDay(word) || !/[\p{L}\d]/u.test(word);
}

/** The range that a sign and a version state; undefined for one version. */
function rangeOf(sign: string, text: string, maven: string | undefined): string | undefined {
  if (maven !== undefined) {
    return maven;
  }

  return /^[=:]*$/.test(sign) && !text.includes('..')
    ? undefined
    : `${sign.replace(/^[:=]+(?=[<>~^!])/, '')}${text}`;
}

/** A version without a name: a further bound of the range before it, or a second version of the name before it. */
function addNameless(entries: Entry[], text: string, range: string | undefined): void {
  const last = entries.at(-1);
  if (last && range !== undefined && last.some((item) => item.range !== undefined)) {
    entries[entries.length - 1] = inRange(last, range);
    return;
  }

  const beside = last?.find((item) => item.name !== undefined)?.name;

  entries.push([
    { text: range ?? text, version: text, beside, isRemark: last === undefined ? undefined : true },
  ]);
}

/** The entry with a range in place of its version. */
function inRange(entry: Entry, more: string): Entry {
  return entry.map(({ version, range, purl, text, ...item }) => ({
    ...item,
    text: `${text} ${more}`,
    range: `${range ?? version ?? ''} ${more}`.trim(),
    purl: purl && { ...purl, version: undefined },
  }));
}

interface NamedVersion {
  readonly written: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly version?: string | undefined;
  readonly range?: string | undefined;
  readonly usedSign?: string;
}

/** The readings of a name with a version: as written, then without the words around a name. */
function namedEntry({ written, name, words, version, range, usedSign = '' }: NamedVersion): Entry {
  const items = [...statedItems(written, name, version, range)];

  // pip writes one version with two signs.
  if (words.length === 1 && /^(?:===?|~=|!=)$/.test(usedSign)) {
    items.push({ text: written, purl: { type: 'pypi', name, version }, version, range });
  }

  const short = withoutFillers(words);
  if (words.length === 1 && (short.length === 0 || words[0] === name)) {
    return items;
  }

  for (const other of new Set([words.join(' '), short.join(' ')])) {
    if (other !== '' && other !== name) {
      const readings = statedItems(written, other, version, range);
      items.push(...readings.map((item) => ({ ...item, isOtherwise: true as const })));
    }
  }

  return items;
}

/** The readings of words without a version: a name, or a name with a version behind a dash. */
function wordsEntry(words: readonly string[]): Entry {
  const text = words.join(' ');
  const names = new Set([text, withoutFillers(words).join(' ')]);

  if (words.length > 1 && floating.test(words.at(-1)!)) {
    names.add(words.slice(0, -1).join(' '));
  }

  const items = [...names].filter((name) => name !== '').flatMap((name) => statedItems(text, name));
  const [, before, version] = /^(.*[^\s/_-])[-/_](v?\d[\w.+~*-]*)$/i.exec(text) ?? [];
  if (before !== undefined && version !== undefined && isVersionText(version)) {
    items.push(...statedItems(text, before, version));
  }

  return items.map((item, place) => (place === 0 ? item : { ...item, isOtherwise: true }));
}

/** A word with a name and a version, which may end a name of several words: `The server@2025.1`. */
function readJoined(text: string, words: readonly string[]): Entry | undefined {
  if (!/[@:/=]/.test(text)) {
    return undefined;
  }

  const at = text.indexOf('@');
  if (words.length > 0 && at > 0 && isVersionText(text.slice(0, at))) {
    return readItem(`${words.join(' ')}@${text}`);
  }

  const entry = readItem(text);
  const [item, another] = entry ?? [];
  if (!item || another || item.name === undefined || words.length === 0) {
    return entry;
  }

  const { name, version, range } = item;
  const all = [...words, name];
  const whole = { written: `${words.join(' ')} ${text}`, name: all.join(' '), words: all };

  return [...namedEntry({ ...whole, version, range }), { ...item, isOtherwise: true }];
}

function withoutFillers(words: readonly string[]): readonly string[] {
  const isFiller = (word = '') => fillers.has(word.toLowerCase());
  let [start, end] = [0, words.length];

  while (start < end && isFiller(words[start])) {
    start += 1;
  }

  while (end > start && isFiller(words[end - 1])) {
    end -= 1;
  }

  return words.slice(start, end);
}
