import { formatNumber, isOneEdit, findNearest } from '../text/wording.ts';
import { TestParser, type Test } from './field-test.ts';
import { releaseFieldSet } from './fields.ts';
import { findPosition, isSpace, Scanner, type Token } from './scanner.ts';
import type { Field, FieldSet } from './field-types.ts';

/** A query as a tree of terms. */
export type Query =
  | { readonly and: readonly Query[] }
  | { readonly or: readonly Query[] }
  | { readonly not: Query }
  | Term;

/** Selects a release that passes the test in any of the fields. */
export interface Term {
  readonly fields: readonly Field[];
  readonly test: Test;
  /** As written, and the index of its first character; absent where a word means a value as well as a text. */
  readonly text?: string;
  readonly offset?: number;
}

export const maxQueryLength = 2000;
const maxLevels = 50;

/** A Boolean is true. */
const trueTest: Test = { pieces: ['true'] };
/** A value is known: `*`, with nothing before and after the wildcard. */
const knownTest: Test = { pieces: ['', ''] };

/**
 * Reads a query as of the start of a day, `YYYY-MM-DD`. Throws a `QuestionError`.
 *
 *     or      = and { "or" and }
 *     and     = operand { [ "and" ] operand }
 *     operand = "(" or ")" | ( "-" | "not" ) operand | term
 *     term    = [ "!" ] flag | "!" field ":*" | field ":" test | text
 *
 * A flag is a Boolean field. `!field:*` is for flags, and in some field sets for every field.
 */
export function parseQuery(
  query: string,
  day: string,
  fieldSet: FieldSet = releaseFieldSet,
): Query {
  return new QueryParser(query, day, fieldSet).parse();
}

class QueryParser {
  readonly #scanner: Scanner;
  readonly #fieldSet: FieldSet;
  readonly #fields: readonly Field[];
  /** The start of the day, in milliseconds since 1970. */
  readonly #now: number;
  /** The number of open parentheses and negations. */
  #level = 0;

  constructor(query: string, day: string, fieldSet: FieldSet) {
    this.#scanner = new Scanner(query);
    this.#fieldSet = fieldSet;
    this.#fields = fieldSet.fields;
    this.#now = Date.parse(day);
  }

  parse(): Query {
    const scanner = this.#scanner;
    const { query } = scanner;
    const cutQuery = [...query].slice(0, maxQueryLength).join('');
    if (cutQuery.length < query.length) {
      scanner.reject(`at most ${formatNumber(maxQueryLength)} characters`, cutQuery.length);
    }

    scanner.skipSpace();

    if (scanner.peek() === '') {
      return { and: [] };
    }

    const tree = this.#parseOr();

    if (scanner.peek() !== '') {
      scanner.reject('a ( before this one');
    }

    return tree;
  }

  #parseOr(): Query {
    const alternatives = [this.#parseAnd()];
    while (this.#scanner.takeWord('or')) {
      alternatives.push(this.#parseAnd());
    }
    return alternatives.length === 1 ? alternatives[0]! : { or: alternatives };
  }

  #parseAnd(): Query {
    const operands = [this.#parseOperand()];
    while (this.#scanner.takeWord('and') || !this.#isAtEndOfAnd()) {
      operands.push(this.#parseOperand());
    }
    return operands.length === 1 ? operands[0]! : { and: operands };
  }

  #isAtEndOfAnd(): boolean {
    return ['', ')'].includes(this.#scanner.peek()) || this.#scanner.isAtWord('or');
  }

  #parseOperand(): Query {
    const scanner = this.#scanner;
    scanner.skipSpace();

    const start = scanner.offset;
    const isGroup = scanner.take('(');
    if (!isGroup && !this.#takeNegation()) {
      return this.#parseTerm();
    }
    if (this.#level === maxLevels) {
      scanner.reject(`at most ${maxLevels} levels of parentheses and negation`, start);
    }

    this.#level += 1;

    const query = isGroup ? this.#parseGroup(start) : { not: this.#parseOperand() };

    this.#level -= 1;
    return query;
  }

  /** Moves past the word `not` or a `-`, and returns whether it did. Rejects a `-` with a space behind it. */
  #takeNegation(): boolean {
    const scanner = this.#scanner;
    if (!scanner.take('-')) {
      return scanner.takeWord('not');
    }
    if (scanner.peek() === '' || isSpace(scanner.peek())) {
      scanner.reject('a term right after the -');
    }

    return true;
  }

  #parseGroup(start: number): Query {
    const inner = this.#parseOr();

    if (!this.#scanner.take(')')) {
      const position = findPosition(this.#scanner.query, start);
      this.#scanner.reject(`a ) for the ( at character ${position}`);
    }

    this.#rejectTextAfter();
    return inner;
  }

  #parseTerm(): Query {
    const scanner = this.#scanner;
    const start = scanner.offset;
    const isNegated = scanner.take('!');
    const word = scanner.readToken();
    const hasColon = !word.isQuoted && scanner.peek() === ':';
    const isOperator = !word.isQuoted && !hasColon && /^(?:and|or|not)$/i.test(word.literal);
    if ((word.literal === '' && !word.isQuoted) || isOperator) {
      scanner.reject('a field and a pattern, or a text to look for', word.offset);
    }

    const field = this.#findField(word);
    if (hasColon && !field) {
      scanner.reject(`the name of a field (${this.#describeNames(word.literal)})`, word.offset);
    }
    if (isNegated) {
      return { not: this.#parseNegated(field, word, start) };
    }
    if (field && scanner.take(':')) {
      const test = new TestParser(scanner, field, this.#now).parse();
      return this.#endTerm(start, [field], test);
    }
    if (field?.type === 'Boolean') {
      return this.#endTerm(start, [field], trueTest);
    }

    return field || word.isQuoted ? this.#createTextTerm(word) : this.#parseBareWord(word);
  }

  /** The field after a `!`: a flag, or where the field set allows it, any field with `:*`. */
  #parseNegated(field: Field | undefined, { literal }: Token, start: number): Term {
    const hasColon = this.#scanner.peek() === ':';
    const isPresence = hasColon && this.#fieldSet.allowsNegatedPresence;
    if (!field || (field.type !== 'Boolean' && !isPresence)) {
      this.#rejectNegation(start, literal);
    }
    if (!this.#scanner.take(':')) {
      return this.#endTerm(start, [field], trueTest);
    }
    if (!this.#scanner.take('*')) {
      const orNoColon = field.type === 'Boolean' ? ' or no colon' : '';
      this.#scanner.reject(`* behind !${field.name}:${orNoColon}`);
    }

    return this.#endTerm(start, [field], knownTest);
  }

  /** A word that is no field is a text to look for, and also the value of every field that has it. */
  #parseBareWord(word: Token): Query {
    const valueTerm = this.#createValueTerm(word.literal.toLowerCase());
    const suggestion = valueTerm ? undefined : this.#findMisspelt(word.literal);
    if (suggestion !== undefined) {
      const expected = `the name of a field (did you mean ${suggestion}?), or a text in quotes`;
      this.#scanner.reject(expected, word.offset);
    }

    const textTerm = this.#createTextTerm(word);
    return valueTerm ? { or: [valueTerm, textTerm] } : textTerm;
  }

  /** Selects the releases with this value in any field; undefined if no field has it. */
  #createValueTerm(word: string): Term | undefined {
    // It means all releases without support, not only the state `ended`.
    if (word === 'ended') {
      const field = this.#fields.find(({ name }) => name === 'isSupported');
      return field && { fields: [field], test: { pieces: ['false'] } };
    }

    const fields = this.#fields.filter(({ allowedValues }) => allowedValues?.includes(word));
    return fields.length === 0 ? undefined : { fields, test: { pieces: [word] } };
  }

  #createTextTerm({ pieces, offset }: Token): Term {
    const fields = this.#fields.filter(({ isSearched }) => isSearched);
    return this.#endTerm(offset, fields, { pieces: ['', ...pieces, ''] });
  }

  /** Ends the term that began at `start`. Rejects text that follows without a space. */
  #endTerm(start: number, fields: readonly Field[], test: Test): Term {
    const text = this.#scanner.query.slice(start, this.#scanner.offset);
    this.#rejectTextAfter();
    return { fields, test, text, offset: start };
  }

  /** Rejects text right after a term, which would be misread, and skips the space. */
  #rejectTextAfter(): void {
    const next = this.#scanner.peek();
    if (next === '<' || next === '>') {
      this.#scanner.reject(`a comparison in the form field:${next}value`);
    }
    if (next !== '' && next !== ')' && !isSpace(next)) {
      this.#scanner.reject('a space, or double quotes around the whole text');
    }

    this.#scanner.skipSpace();
  }

  #findField({ literal, isQuoted }: Token): Field | undefined {
    const lowerName = literal.toLowerCase();
    return isQuoted ? undefined : this.#fields.find(({ name }) => name.toLowerCase() === lowerName);
  }

  /** `word`: a text that may be a misspelt field. */
  #rejectNegation(start: number, word: string): never {
    const flags = this.#fields.filter(({ type }) => type === 'Boolean').map(({ name }) => name);
    const near = findNearest(word, flags);
    const hint = near === undefined ? `, such as !${flags[0]}` : `: did you mean !${near}?`;
    return this.#scanner.reject(`a Boolean field after !${hint}`, start);
  }

  /** The name of the field that a bare word misses by one edit. Shorter names are too similar to words that people search for. */
  #findMisspelt(word: string): string | undefined {
    return this.#fields.find(
      ({ name }) => name.length > 4 && isOneEdit(word.toLowerCase(), name.toLowerCase()),
    )?.name;
  }

  /** Names the field that an unknown name may mean, else some fields. */
  #describeNames(text: string): string {
    const names = this.#fields.filter(({ isUnrecorded }) => !isUnrecorded).map(({ name }) => name);
    const meant = this.#fields.find(({ synonyms }) => synonyms?.test(text));
    const near = meant?.name ?? findNearest(text, names);
    return near === undefined
      ? `for instance ${names.slice(0, 3).join(', ')}; the page about the API lists all`
      : `did you mean ${near}?`;
  }
}
