import { isOneEdit, findNearest } from '../text/wording.ts';
import { fields as releaseFields } from './fields.ts';
import { isSpace, Scanner, type Token } from './scanner.ts';
import { parseTest, type Test } from './term.ts';
import type { Field } from './values.ts';

/** A query as a tree. It selects a release that passes the test of a term in any of the term's fields. */
export type Query =
  | { readonly and: readonly Query[] }
  | { readonly or: readonly Query[] }
  | { readonly not: Query }
  | {
      readonly fields: readonly Field[];
      readonly asks: Test;
      /** As written; absent where a word means a value as well as a text. */
      readonly text?: string;
    };

export const maxQueryLength = 2000;
const maxLevels = 50;

/** The fields that a text without a field is searched in. */
const textFields = ['component', 'title', 'version', 'requested', 'tag'];

/**
 * Reads a query as of the start of a day, `YYYY-MM-DD`. Throws a `QuestionError`.
 *
 *     or      = and { "or" and }
 *     and     = operand { [ "and" ] operand }
 *     operand = "(" or ")" | ( "-" | "not" ) operand | term
 *     term    = [ "!" ] ( flag | field ":" test | text )
 */
export function parseQuery(
  query: string,
  day: string,
  fields: readonly Field[] = releaseFields,
): Query {
  return new QueryParser(query, day, fields).parse();
}

class QueryParser {
  readonly #scanner: Scanner;
  readonly #fields: readonly Field[];
  /** Whether the fields are of builds, not of releases. The specification allows `!field:*` for every field of builds. */
  readonly #isOfBuilds: boolean;
  /** The start of the day, in milliseconds since 1970. */
  readonly #now: number;
  /** The number of open parentheses and negations. */
  #level = 0;

  constructor(query: string, day: string, fields: readonly Field[]) {
    this.#scanner = new Scanner(query);
    this.#fields = fields;
    this.#isOfBuilds = fields.some(({ name }) => name === 'buildTool');
    this.#now = Date.parse(day);
  }

  parse(): Query {
    const scanner = this.#scanner;
    const { query } = scanner;
    const end = [...query].slice(0, maxQueryLength).join('').length;
    if (end < query.length) {
      scanner.reject('at most 2,000 characters', end);
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
    const sign = ['(', '-'].find((text) => scanner.take(text));
    if (sign === undefined && !scanner.takeWord('not')) {
      return this.#parseTerm();
    }
    if (this.#level === maxLevels) {
      scanner.reject(`at most ${maxLevels} levels of parentheses and negation`, start);
    }

    this.#level += 1;

    const query = sign === '(' ? this.#parseGroup(start) : this.#parseNegated(sign);

    this.#level -= 1;
    return query;
  }

  #parseGroup(start: number): Query {
    const inner = this.#parseOr();

    if (!this.#scanner.take(')')) {
      const position = this.#scanner.countTo(start);
      this.#scanner.reject(`a ) for the ( at character ${position}`);
    }

    this.#endTerm();
    return inner;
  }

  #parseNegated(sign: string | undefined): Query {
    const next = this.#scanner.peek();
    if (sign === '-' && (next === '' || isSpace(next))) {
      this.#scanner.reject('a term right after the -');
    }

    return { not: this.#parseOperand() };
  }

  #parseTerm(): Query {
    const scanner = this.#scanner;
    const { offset } = scanner;
    const isNegated = scanner.take('!');
    const token = scanner.readToken();
    const { literal, isQuoted } = token;
    const hasColon = !isQuoted && scanner.peek() === ':';
    const head: TermHead = { ...token, hasColon, isNegated };
    const field = this.#findField(head);
    const allowsAsterisk = hasColon && field && this.#isOfBuilds;
    if (isNegated && field?.type !== 'Boolean' && !allowsAsterisk) {
      this.#rejectNegation(offset, field || isQuoted ? undefined : literal);
    }

    const leaf = this.#createLeaf(head, field);
    const value = { ...leaf, text: scanner.query.slice(offset, scanner.offset) };

    this.#endTerm();

    if (isNegated) {
      return { not: value };
    }

    return field || isQuoted ? value : this.#addValueReadings(value, literal.toLowerCase());
  }

  /** Undefined for a text to look for. */
  #findField({ literal, isQuoted, offset, hasColon, isNegated }: TermHead): Field | undefined {
    const isText = isQuoted || (literal !== '' && !/^(?:and|or|not)$/i.test(literal));
    if (!isText && !(hasColon && literal !== '')) {
      this.#scanner.reject('a field and a pattern, or a text to look for', offset);
    }

    const field = isQuoted ? undefined : this.#findFieldNamed(literal);
    if (hasColon && !field) {
      this.#scanner.reject(`the name of a field (${this.#suggestNames(literal)})`, offset);
    }

    const suggestion = field || isQuoted || isNegated ? undefined : this.#suggestField(literal);
    if (suggestion !== undefined) {
      const expected = `the name of a field (did you mean ${suggestion}?), or a text in quotes`;
      this.#scanner.reject(expected, offset);
    }

    return field;
  }

  /** `word`: a text that may be a misspelt field. */
  #rejectNegation(start: number, word: string | undefined): never {
    const flags = this.#fields.filter(({ type }) => type === 'Boolean').map(({ name }) => name);
    const near = word === undefined ? undefined : findNearest(word, flags);
    const example = this.#isOfBuilds ? flags[0] : 'isLatest';
    const hint = near === undefined ? `, such as !${example}` : `: did you mean !${near}?`;
    return this.#scanner.reject(`a Boolean field after !${hint}`, start);
  }

  #createLeaf(
    { pieces, hasColon, isNegated }: TermHead,
    field: Field | undefined,
  ): { fields: readonly Field[]; asks: Test } {
    if (field && hasColon) {
      this.#scanner.take(':');
      const asks = isNegated
        ? this.#readIfKnown(field)
        : parseTest(this.#scanner, field, this.#now);
      return { fields: [field], asks };
    }
    if (field?.type === 'Boolean') {
      return { fields: [field], asks: { pieces: ['true'] } };
    }

    const fields = this.#fields.filter(({ name }) => textFields.includes(name));
    return { fields, asks: { pieces: ['', ...pieces, ''] } };
  }

  /** Reads a bare word as a text, and also as the value of every field that has it. */
  #addValueReadings(value: Query, word: string): Query {
    if (word === 'ended') {
      const fields = this.#fields.filter(({ name }) => name === 'isSupported');
      return { or: [{ fields, asks: { pieces: ['false'] } }, value] };
    }

    const fields = this.#fields.filter(({ values }) => values?.includes(word));
    return fields.length === 0 ? value : { or: [{ fields, asks: { pieces: [word] } }, value] };
  }

  /** A negated field may have only `*` after its colon: `!isSupported:*` selects unknown values. */
  #readIfKnown({ name }: Field): Test {
    if (!this.#scanner.take('*')) {
      this.#scanner.reject(`* behind !${name}: or no colon`);
    }

    return { pieces: ['', ''] };
  }

  /** Rejects text right after a term, which would be misread. */
  #endTerm(): void {
    const next = this.#scanner.peek();
    if (['<', '>', '='].includes(next)) {
      this.#scanner.reject(`a comparison in the form field:${next}value`);
    }
    if (next !== '' && next !== ')' && !isSpace(next)) {
      this.#scanner.reject('a space, or double quotes around the whole text');
    }

    this.#scanner.skipSpace();
  }

  #findFieldNamed(text: string): Field | undefined {
    return this.#fields.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  }

  /** The field that a bare word misses by one edit. Shorter names are too similar to words that people search for. */
  #suggestField(word: string): string | undefined {
    return this.#fields.find(
      ({ name }) => name.length > 4 && isOneEdit(word.toLowerCase(), name.toLowerCase()),
    )?.name;
  }

  #suggestNames(text: string): string {
    const names = this.#fields.filter(({ isUnrecorded }) => !isUnrecorded).map(({ name }) => name);
    const near = releaseDayWord.test(text) ? 'releaseTimestamp' : findNearest(text, names);
    const examples = this.#isOfBuilds ? exampleBuildFields : exampleFields;
    return near === undefined
      ? `for instance ${examples}; the page about the API lists all`
      : `did you mean ${near}?`;
  }
}

const exampleFields = 'component, version, isSupported or supportedUntil';
const exampleBuildFields = 'project, buildTool, buildOutcome or buildStartTime';

/** Words that mean `releaseTimestamp` but are more similar to the names of other fields. */
const releaseDayWord = /^(?:released?|published|date)(?:at|on|date)?$/i;

/** The first word of a term, and the signs around it. */
interface TermHead extends Token {
  readonly hasColon: boolean;
  readonly isNegated: boolean;
}
