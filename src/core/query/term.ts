import type { Scanner, Token } from './scanner.ts';
import {
  compare,
  valueTypes,
  type Field,
  type FieldType,
  type Ordered,
  type Span,
} from './values.ts';

export type Test = TextTest | OrderTest;

/** A pattern for the text of a value. For a key-value, `pairKey` is the pattern of the key. */
interface TextTest {
  /** The parts between the wildcards, in lower case. */
  readonly pieces: readonly string[];
  readonly pairKey?: readonly string[];
}

/** A range, both ends included, that a value has to be in, or outside of. */
export interface OrderTest {
  readonly pieces?: undefined;
  readonly least?: Ordered;
  readonly most?: Ordered;
  readonly isOutside?: true;
  /** It means another range on another day. */
  readonly isRelative?: true;
}

/** Whether it is `*`, which every known value passes. */
export function asksIfKnown({ pieces = [] }: Test): boolean {
  return pieces.length === 2 && pieces.every((piece) => piece === '');
}

/** `>` compares with the end of a day, and `<` with its start. Longer signs come first. */
const comparisons: readonly (readonly [sign: string, toTest: (span: Span) => OrderTest])[] = [
  ['>=', ([least]) => ({ least })],
  ['<=', ([, most]) => ({ most })],
  ['>', ([, most]) => ({ most, isOutside: true })],
  ['<', ([least]) => ({ least, isOutside: true })],
];

/** `today`, `-5d`, and durations in months or years. */
const relativeForms: Partial<Record<FieldType, RegExp>> = {
  Timestamp: /^(?:today$|[+-])/i,
  Duration: /(?:mo|y)$|^P\d+[YM]/i,
};

/** Reads the text after the colon of a field. */
export function parseTest(scanner: Scanner, field: Field, now: number): Test {
  return new TestParser(scanner, field, now).parse();
}

class TestParser {
  readonly #scanner: Scanner;
  readonly #field: Field;
  readonly #now: number;
  readonly #start: number;
  #isRelative = false;

  constructor(scanner: Scanner, field: Field, now: number) {
    this.#scanner = scanner;
    this.#field = field;
    this.#now = now;
    this.#start = scanner.offset;
  }

  parse(): Test {
    const { type } = this.#field;
    const first = this.#takeValue();
    const textTest = (type === 'Key-value' && this.#parsePair(first)) || this.#parseTextTest(first);
    if (textTest) {
      return textTest;
    }
    if (!valueTypes[type].readText) {
      this.#reject(first);
    }

    if (first.literal !== '') {
      return this.#parseSpan(first);
    }
    if (this.#scanner.take('[')) {
      return this.#parseRange();
    }

    const [, toTest] =
      comparisons.find(([sign]) => this.#scanner.take(sign)) ?? this.#reject(first);
    return this.#markRelative(toTest(this.#readSpan(this.#takeValue())));
  }

  /** Undefined where the text is a value to compare with. */
  #parseTextTest({ literal, pieces }: Token): TextTest | undefined {
    const { name, type, values } = this.#field;
    const { minPieces } = valueTypes[type];
    const isFlag = type === 'Boolean' && /^(?:true|false)$/i.test(literal);
    const isAnyKnown = pieces.length === 2 && literal === '*';
    if (values && pieces.length === 1 && !pieces.some((piece) => values.includes(piece))) {
      this.#scanner.reject(`one of ${values.join(', ')} (a ${name})`, this.#start);
    }

    const isPattern = minPieces !== undefined && pieces.length >= minPieces;
    return isFlag || isAnyKnown || isPattern ? { pieces } : undefined;
  }

  #markRelative(test: OrderTest): OrderTest {
    return this.#isRelative ? { ...test, isRelative: true } : test;
  }

  /** Only a time may hold colons. */
  #takeValue(): Token {
    const isTime = this.#field.type === 'Timestamp';
    return isTime ? this.#scanner.readToken('"[]()<>=') : this.#scanner.readToken();
  }

  #reject({ offset }: Token): never {
    const { name, type } = this.#field;
    return this.#scanner.reject(`${valueTypes[type].expected} (${name} is a ${type})`, offset);
  }

  /** `key=value`, or both in one pair of quotes. Both may have wildcards. Undefined without a `=`. */
  #parsePair(first: Token): TextTest | undefined {
    const { pieces } = first;
    if (this.#scanner.take('=')) {
      const pattern = this.#takeValue();
      if (pieces.length === 0 || pattern.pieces.length === 0) {
        this.#reject(pieces.length === 0 ? first : pattern);
      }

      return { pairKey: pieces, pieces: pattern.pieces };
    }

    for (const [index, piece] of pieces.entries()) {
      const separator = piece.indexOf('=');
      if (separator === -1) {
        continue;
      }

      const pairKey = [...pieces.slice(0, index), piece.slice(0, separator)];
      return { pairKey, pieces: [piece.slice(separator + 1), ...pieces.slice(index + 1)] };
    }

    return undefined;
  }

  #readSpan(token: Token): Span {
    const { name, type } = this.#field;
    const { readText } = valueTypes[type];
    const value =
      readText?.(token.literal, this.#now, name === 'age' ? -1 : 1) ?? this.#reject(token);
    this.#isRelative ||= relativeForms[type]?.test(token.literal) === true;
    return Array.isArray(value) ? (value as Span) : [value as Ordered, value as Ordered];
  }

  /** One value, or `a..b`. */
  #parseSpan(token: Token): OrderTest {
    const [from = '', to = from, extra] = token.literal.split('..');
    if (from === '' || to === '' || extra !== undefined) {
      this.#reject(token);
    }

    return this.#createRange(
      this.#readSpan({ ...token, literal: from }),
      this.#readSpan({ ...token, literal: to }),
    );
  }

  /** `[a to b]`, after its first bracket. */
  #parseRange(): OrderTest {
    const from = this.#parseBound();

    if (!this.#scanner.takeWord('to')) {
      this.#scanner.reject('the word to, as in [a to b]');
    }

    const to = this.#parseBound();

    if (!this.#scanner.take(']')) {
      this.#scanner.reject('a ] at the end of the range');
    }

    return this.#createRange(from, to);
  }

  #createRange([least]: Span, [, most]: Span): OrderTest {
    if (compare(least, most) > 0) {
      this.#scanner.reject('the lower value before the higher, as in [a to b]', this.#start);
    }

    return this.#markRelative({ least, most });
  }

  #parseBound(): Span {
    this.#scanner.skipSpace();

    const span = this.#readSpan(this.#takeValue());

    this.#scanner.skipSpace();
    return span;
  }
}
