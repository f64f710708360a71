import { findNearest } from '../../core/text.ts';
import {
  compareOrdered,
  expectedForms,
  readSpan,
  type FieldType,
  type Ordered,
  type Span,
} from './values.ts';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Whether a word without a field name, such as `svc`, is searched for in this field. */
  readonly isSearched?: boolean;
}

export type Query =
  | { readonly and: readonly Query[] }
  | { readonly or: readonly Query[] }
  | { readonly not: Query }
  | Term;

/** Selects a row if any of the fields passes the test. */
export interface Term {
  readonly fields: readonly Field[];
  readonly test: Test;
}

/**
 * A test of a value:
 * - `isKnown`: the value is known
 * - `pieces`: the value consists of these texts, in lower case, with anything between them (`*` in the query)
 * - `key`: the same for the name of an object's property
 * - `digits`: a version begins with these groups of digits: `20` finds 20.1.0, but not 10.20.0
 * - `Bounds`: the value lies inside or outside a range
 */
export type Test =
  | { readonly isKnown: true }
  | { readonly pieces: Pieces; readonly key?: Pieces; readonly digits?: string }
  | Bounds;
export type Pieces = readonly string[];
/** A range that includes both bounds. */
export interface Bounds {
  readonly min?: Ordered;
  readonly max?: Ordered;
  readonly isOutside?: boolean;
}

const maxQueryLength = 2000;
const maxTerms = 50;
const maxLevels = 50;

/** Means that a query cannot be read. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  /** The position of the wrong character; the first character is 1. */
  readonly position: number;
  readonly expected: string;

  constructor(position: number, expected: string, got: string) {
    super(`character ${position}: expected ${expected}; got ${got}`);
    this.position = position;
    this.expected = expected;
  }
}

interface Cursor {
  readonly text: string;
  readonly fields: readonly Field[];
  readonly now: number;
  at: number;
  levels: number;
  terms: number;
}

/**
 * Parses a query. Throws a `QueryError` if the text is not a valid query.
 * - `now`: the instant, in milliseconds, from which `-5d` is counted. If `now` is the start of a day, `-5d` stands for a whole day.
 *   Otherwise, `-5d` stands for a single millisecond.
 *
 *     or      = and { "or" and }
 *     and     = operand { [ "and" ] operand }
 *     operand = "(" or ")" | ( "-" | "not" ) operand | term
 *     term    = field ":" test | flag | "!" flag | "!" field ":*" | text
 */
export function parseQuery(text: string, fields: readonly Field[], now: number): Query {
  const cursor: Cursor = { text, fields, now, at: 0, levels: 0, terms: 0 };
  if (text.length > maxQueryLength) {
    reject(cursor, `at most ${maxQueryLength} characters`, maxQueryLength);
  }

  take(cursor, /^\s*/);
  if (cursor.at === text.length) {
    return { and: [] };
  }

  const query = parseOr(cursor);
  if (cursor.at < text.length) {
    reject(cursor, 'a ( before this one');
  }

  return query;
}

function parseOr(cursor: Cursor): Query {
  const first = parseAnd(cursor);
  const or = [first];
  while (takeWord(cursor, 'or')) {
    or.push(parseAnd(cursor));
  }
  return or.length > 1 ? { or } : first;
}

function parseAnd(cursor: Cursor): Query {
  const first = parseOperand(cursor);
  const and = [first];
  while (takeWord(cursor, 'and') || !isAt(cursor, /^(?:$|\)|or(?![^\s()]))/i)) {
    and.push(parseOperand(cursor));
  }
  return and.length > 1 ? { and } : first;
}

function parseOperand(cursor: Cursor): Query {
  const start = cursor.at;
  const isGroup = take(cursor, /^\(\s*/) !== '';
  const isNegated = !isGroup && (takeWord(cursor, 'not') || take(cursor, /^-(?=\S)/) !== '');
  if (!isGroup && !isNegated) {
    return parseTerm(cursor);
  }

  cursor.levels += 1;
  if (cursor.levels > maxLevels) {
    reject(cursor, `at most ${maxLevels} levels of parentheses and negation`, start);
  }

  const query = isGroup ? parseOr(cursor) : { not: parseOperand(cursor) };
  cursor.levels -= 1;
  if (isGroup && take(cursor, /^\)\s*/) === '') {
    reject(cursor, `a ) for the ( at character ${start + 1}`);
  }

  return query;
}

function parseTerm(cursor: Cursor): Query {
  cursor.terms += 1;
  if (cursor.terms > maxTerms) {
    reject(cursor, `at most ${maxTerms} terms`);
  }

  const isNegated = take(cursor, /^!/) !== '';
  const start = cursor.at;
  const name = take(cursor, /^[^\s()[\]"':<>=*]+/);
  const hasTest = name !== '' && take(cursor, /^:/) !== '';
  const field = findField(cursor, name);
  if (hasTest && !field) {
    const hint = suggestField(cursor, name) || suggestField(cursor, `is${name}`);
    reject(cursor, `the name of a field${hint}`, start);
  }

  const isFlag = !hasTest && field?.type === 'Boolean';
  const isNegatable = isFlag || (hasTest && isAt(cursor, /^\*(?![^\s)])/));
  if (isNegated && !isNegatable) {
    reject(cursor, 'a Boolean field after !, or !field:*', start);
  }

  const term =
    field && (hasTest || isFlag)
      ? { fields: [field], test: isFlag ? { pieces: ['true'] } : parseTest(cursor, field) }
      : parseText(cursor, start, name);
  if (!isAt(cursor, /^(?:\s|\)|$)/)) {
    reject(cursor, 'a space, or double quotes around the whole text');
  }

  take(cursor, /^\s*/);
  return isNegated ? { not: term } : term;
}

function findField({ fields }: Cursor, name: string): Field | undefined {
  return fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
}

function suggestField({ fields }: Cursor, name: string): string {
  const near = findNearest(
    name,
    fields.map((field) => field.name),
  );
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** Parses a word without a field name. Rejects a misspelt field name, because `not isDepricated` would select all releases. */
function parseText(cursor: Cursor, start: number, name: string): Term {
  const hint = name.length > 4 ? suggestField(cursor, name) : '';
  if (hint !== '' && !findField(cursor, name)) {
    reject(cursor, `the name of a field${hint}, or a text in quotes`, start);
  }

  cursor.at = start;
  // Rejects an operator, and a word such as `age<5d`, whose colon is missing: `age:<5d`.
  if (isAt(cursor, /^(?:-|(?:and|or|not)(?![^\s()])|[^\s()"]*[:<>=])/i)) {
    reject(cursor, 'a term: field:pattern, field:>value, a flag, or a text in quotes');
  }

  const pieces = readPieces(cursor);
  const [, digits] = /^v?(\d+(?:\.\d+)*)$/i.exec(cursor.text.slice(start, cursor.at)) ?? [];
  return {
    fields: cursor.fields.filter(({ isSearched }) => isSearched),
    test: { pieces: ['', ...pieces, ''], ...(digits !== undefined && { digits }) },
  };
}

function parseTest(cursor: Cursor, field: Field): Test {
  const { type } = field;
  const start = cursor.at;
  const isOrdered = !['String', 'Key-value', 'Boolean'].includes(type);
  if (isOrdered && take(cursor, /^\[\s*/) !== '') {
    return parseBounds(cursor, field);
  }

  const sign = take(cursor, /^[<>]=?/);
  if (sign !== '') {
    return isOrdered
      ? compareBy(sign, parseSpan(cursor, field))
      : rejectValue(cursor, field, start);
  }

  const pieces = readPieces(cursor);
  if (pieces.length === 2 && pieces.join('') === '') {
    return { isKnown: true };
  }
  if (type === 'Key-value') {
    return splitPair(pieces) ?? rejectValue(cursor, field, start);
  }
  if (type === 'Boolean' && !['true', 'false'].includes(pieces.join('*'))) {
    rejectValue(cursor, field, start);
  }
  const isPattern = type === 'Version' && pieces.length > 1 && !pieces.join('*').includes('..');
  if (!isOrdered || isPattern) {
    return { pieces };
  }

  cursor.at = start;
  const [min, max] = parseSpan(cursor, field);
  return { min, max };
}

function parseBounds(cursor: Cursor, field: Field): Bounds {
  const start = cursor.at;
  const [min] = parseSpan(cursor, field);
  if (take(cursor, /^\s+to\s+/i) === '') {
    reject(cursor, 'the word to, as in [a to b]');
  }

  const [, max] = parseSpan(cursor, field);
  if (take(cursor, /^\s*\]/) === '') {
    reject(cursor, 'a ] at the end of the range');
  }
  if (compareOrdered(min, max) > 0) {
    reject(cursor, 'the lower value before the higher', start);
  }

  return { min, max };
}

/** Parses a comparison. `>2026-01-31` means after the end of that day, `<2026-01-31` before its start. */
function compareBy(sign: string, [min, max]: Span): Bounds {
  const isOutside = sign.length === 1;
  return sign.startsWith('>') === isOutside ? { max, isOutside } : { min, isOutside };
}

function parseSpan(cursor: Cursor, field: Field): Span {
  const start = cursor.at;
  const word = take(cursor, /^(?:"[^"]*"|[^\s()[\]"<>=]+)/);
  const text = word.replaceAll('"', '');
  // A text such as `1.0..2.0` is rejected. Otherwise it would be read as the version 1.0 with the suffix `..2.0`.
  const span = text.includes('..') ? undefined : readSpan(field.type, text, cursor.now);
  return span ?? rejectValue(cursor, field, start);
}

/** Parses `key=value`. Each part may have wildcards. */
function splitPair(pieces: Pieces): Test | undefined {
  const index = pieces.findIndex((piece) => piece.includes('='));
  if (index === -1) {
    return undefined;
  }

  const piece = pieces[index]!;
  const end = piece.indexOf('=');
  return {
    key: [...pieces.slice(0, index), piece.slice(0, end)],
    pieces: [piece.slice(end + 1), ...pieces.slice(index + 1)],
  };
}

/**
 * Reads words and quoted texts up to a space, a bracket or the end of the query. Splits them at wildcards: `a*b` → `a`, `b`. Within quotes,
 * a backslash escapes `"`, `*` and itself.
 */
function readPieces(cursor: Cursor): Pieces {
  const text = take(cursor, /^(?:"(?:[^"\\]|\\.)*"|[^\s()[\]"])+/);
  if (text === '') {
    const isOpen = isAt(cursor, /^"/);
    reject(
      cursor,
      isOpen ? 'a closing " for this one' : 'a field and a pattern, or a text to look for',
    );
  }

  const pieces = [''];
  for (const part of text.match(/"(?:[^"\\]|\\.)*"|[^"]+/g) ?? []) {
    const isQuoted = part.startsWith('"');
    const tokens = isQuoted ? part.slice(1, -1).match(/\\["\\*]|[^]/g) : part.split('');
    for (const token of tokens ?? []) {
      if (token === '*') {
        pieces.push('');
      } else {
        // The escaped character, without its backslash.
        pieces[pieces.length - 1] += token.slice(-1).toLowerCase();
      }
    }
  }
  return pieces;
}

function rejectValue(cursor: Cursor, { name, type }: Field, start: number): never {
  return reject(cursor, `${expectedForms[type]} (${name} is a ${type})`, start);
}

function reject({ text, at }: Cursor, expected: string, start = at): never {
  const word = /^\s*\S{0,40}/.exec(text.slice(start))?.[0] ?? '';
  const position = Array.from(text.slice(0, start)).length + 1;
  const got = word === '' ? 'the end of the query' : JSON.stringify(word);
  throw new QueryError(position, expected, got);
}

/** Returns the next text if it matches, and moves past it. Otherwise returns an empty text. */
function take(cursor: Cursor, form: RegExp): string {
  const [text = ''] = form.exec(cursor.text.slice(cursor.at)) ?? [];
  cursor.at += text.length;
  return text;
}

function isAt({ text, at }: Cursor, form: RegExp): boolean {
  return form.test(text.slice(at));
}

/** Moves past an operator, if a space, a parenthesis or the end of the query follows it. */
function takeWord(cursor: Cursor, word: 'and' | 'or' | 'not'): boolean {
  return take(cursor, new RegExp(`^${word}(?![^\\s()])\\s*`, 'i')) !== '';
}
