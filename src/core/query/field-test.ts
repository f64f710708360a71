import type { Scanner, Token } from './scanner.ts';
import { compareOrdered, valueForms, type Field, type Ordered, type Span } from './field-types.ts';

/** The test of a term for the values of its fields. */
export type Test = TextTest | OrderTest;

/** A pattern for the text of a value. For a key-value, `pairKey` is the pattern of the key. */
interface TextTest {
  /** The parts between the wildcards, in lower case. */
  readonly pieces: readonly string[];
  readonly pairKey?: readonly string[];
  /** The text behind the colon of a field, without quotes and escapes. */
  readonly literal?: string;
}

/** A range, both ends included, that a value has to be in, or outside of. */
export interface OrderTest {
  readonly pieces?: undefined;
  readonly min?: Ordered;
  readonly max?: Ordered;
  readonly isOutside?: true;
}

/** Whether it is `*`, which every known value passes; for a key-value, whether its value is, such as `env=*`. */
export function asksIfKnown({ pieces = [] }: Test): boolean {
  return pieces.length === 2 && pieces.every((piece) => piece === '');
}

/** Reads the text after the colon of a field. */
export class TestParser {
  readonly #scanner: Scanner;
  readonly #field: Field;
  readonly #now: number;
  readonly #start: number;

  constructor(scanner: Scanner, field: Field, now: number) {
    this.#scanner = scanner;
    this.#field = field;
    this.#now = now;
    this.#start = scanner.offset;
  }

  parse(): Test {
    const { type } = this.#field;
    const first = this.#readToken();
    const pair = type === 'Key-value' ? this.#parsePair(first) : undefined;
    const textTest = pair ?? this.#parseTextTest(first);
    if (textTest) {
      return textTest;
    }
    if (!valueForms[type].readText) {
      this.#reject(first);
    }
    if (first.pieces.length > 0) {
      return this.#parseValue(first);
    }

    return this.#scanner.take('[') ? this.#parseRange() : this.#parseComparison(first);
  }

  /** `key=value`, or both in one pair of quotes. Both may have wildcards. Undefined without a `=`. */
  #parsePair(first: Token): TextTest | undefined {
    const { pieces } = first;
    if (this.#scanner.take('=')) {
      const pattern = this.#readToken();
      const empty = [first, pattern].find((token) => token.pieces.length === 0);
      if (empty) {
        this.#reject(empty);
      }

      return { pairKey: pieces, pieces: pattern.pieces };
    }

    for (const [index, piece] of pieces.entries()) {
      const separator = piece.indexOf('=');
      if (separator !== -1) {
        return {
          pairKey: [...pieces.slice(0, index), piece.slice(0, separator)],
          pieces: [piece.slice(separator + 1), ...pieces.slice(index + 1)],
        };
      }
    }

    return undefined;
  }

  /** Undefined where the text is a value to compare with. */
  #parseTextTest({ literal, pieces }: Token): TextTest | undefined {
    const { name, type, allowedValues } = this.#field;
    const { textPatterns } = valueForms[type];
    const isFlag = type === 'Boolean' && /^(?:true|false)$/i.test(literal);
    const [piece, another] = pieces;
    const isPlain = piece !== undefined && another === undefined;
    if (allowedValues && isPlain && !allowedValues.includes(piece)) {
      this.#scanner.reject(`one of ${allowedValues.join(', ')} (a ${name})`, this.#start);
    }

    const isPattern =
      (textPatterns === 'all' && piece !== undefined) ||
      (textPatterns === 'with wildcards' && another !== undefined && !literal.includes('..'));
    return isFlag || isPattern || asksIfKnown({ pieces }) ? { literal, pieces } : undefined;
  }

  /** One value, or `a..b`. */
  #parseValue(token: Token): OrderTest {
    const [from = '', to = from, extra] = token.literal.split('..');
    if (extra !== undefined) {
      this.#reject(token);
    }

    const first = this.#readSpan({ ...token, literal: from });
    return this.#createRange(first, this.#readSpan({ ...token, literal: to }), 'a..b');
  }

  /** `[a to b]`, after its first bracket. */
  #parseRange(): OrderTest {
    const from = this.#parseEnd();

    if (!this.#scanner.takeWord('to')) {
      this.#scanner.reject('the word to, as in [a to b]');
    }

    const to = this.#parseEnd();

    if (!this.#scanner.take(']')) {
      this.#scanner.reject('a ] at the end of the range');
    }

    return this.#createRange(from, to, '[a to b]');
  }

  #parseEnd(): Span {
    this.#scanner.skipSpace();

    const span = this.#readSpan(this.#readToken());

    this.#scanner.skipSpace();
    return span;
  }

  #createRange([min]: Span, [, max]: Span, form: string): OrderTest {
    if (compareOrdered(min, max) > 0) {
      this.#scanner.reject(`the lower value before the higher, as in ${form}`, this.#start);
    }

    return { min, max };
  }

  /** A sign and a value: `>` means after the end of a day, `<` before its start. `first`: the empty token before the sign. */
  #parseComparison(first: Token): OrderTest {
    // Longer signs come first.
    const sign = (['>=', '<=', '>', '<'] as const).find((text) => this.#scanner.take(text));
    if (sign === undefined) {
      this.#reject(first);
    }

    const [min, max] = this.#readSpan(this.#readToken());
    switch (sign) {
      case '>=':
        return { min };
      case '<=':
        return { max };
      case '>':
        return { max, isOutside: true };
      case '<':
        return { min, isOutside: true };
    }
  }

  #readSpan(token: Token): Span {
    // A wildcard or the dots of a range would be read as the suffix of a version.
    if (token.pieces.length > 1 || token.literal.includes('..')) {
      this.#reject(token);
    }

    const { type, countsBack } = this.#field;
    const sign = countsBack ? -1 : 1;
    const value =
      valueForms[type].readText?.(token.literal, this.#now, sign) ?? this.#reject(token);
    // `Array.isArray` does not narrow a read-only tuple.
    return (Array.isArray(value) ? value : [value, value]) as Span;
  }

  /** Only a time may hold colons. */
  #readToken(): Token {
    const isTime = this.#field.type === 'Timestamp';
    return isTime ? this.#scanner.readToken('"[]()<>=') : this.#scanner.readToken();
  }

  #reject({ offset }: Token): never {
    const { name, type } = this.#field;
    return this.#scanner.reject(`${valueForms[type].expected} (${name} is a ${type})`, offset);
  }
}
