import type { Field, FieldType } from './field-types.ts';
import type { Scanner, Token } from './scanner.ts';
import { compare, valueTypes, type Ordered, type Span } from './values.ts';

export type Test = TextTest | OrderTest;

/** A pattern for the text of a value. For a key-value, `pairKey` is the pattern of the key. */
export interface TextTest {
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
export function parseTest(
  { at, skipSpace, take, takeWord, readToken, reject }: Scanner,
  { name, type, values }: Field,
  now: number,
): Test {
  const { expected, minPieces, readText } = valueTypes[type];
  let isRelative = false;
  const start = at();
  const first = value();
  const { literal, pieces } = first;

  const keyValue = type === 'Key-value' ? pair() : undefined;
  if (keyValue) {
    return keyValue;
  }

  const isFlag = type === 'Boolean' && /^(?:true|false)$/i.test(literal);
  const isAnyKnown = pieces.length === 2 && literal === '*';

  if (values && pieces.length === 1 && !pieces.some((piece) => values.includes(piece))) {
    reject(`one of ${values.join(', ')} (a ${name})`, start);
  }

  if (isFlag || isAnyKnown || (minPieces !== undefined && pieces.length >= minPieces)) {
    return { pieces };
  }

  if (!readText) {
    wrong(first);
  }

  if (literal !== '') {
    const [from = '', to = from, more] = literal.split('..');
    if (from === '' || to === '' || more !== undefined) {
      wrong(first);
    }

    return inOrder(spanOf({ ...first, literal: from }), spanOf({ ...first, literal: to }));
  }

  if (take('[')) {
    return range();
  }

  const [, toTest] = comparisons.find(([sign]) => take(sign)) ?? wrong(first);

  return asWritten(toTest(spanOf(value())));

  function asWritten(test: OrderTest): OrderTest {
    return isRelative ? { ...test, isRelative } : test;
  }

  /** Only a time may hold colons. */
  function value(): Token {
    return type === 'Timestamp' ? readToken('"[]()<>=') : readToken();
  }

  function wrong({ at }: Token): never {
    return reject(`${expected} (${name} is a ${type})`, at);
  }

  /** `key=value`, or both in one pair of quotes. Both may have wildcards. Undefined without a `=`. */
  function pair(): TextTest | undefined {
    if (take('=')) {
      const pattern = value();
      if (pieces.length === 0 || pattern.pieces.length === 0) {
        wrong(pieces.length === 0 ? first : pattern);
      }

      return { pairKey: pieces, pieces: pattern.pieces };
    }

    for (const [place, piece] of pieces.entries()) {
      const at = piece.indexOf('=');
      if (at === -1) {
        continue;
      }

      const pairKey = [...pieces.slice(0, place), piece.slice(0, at)];

      return { pairKey, pieces: [piece.slice(at + 1), ...pieces.slice(place + 1)] };
    }

    return undefined;
  }

  function spanOf(token: Token): Span {
    const value = readText?.(token.literal, now, name === 'age') ?? wrong(token);

    isRelative ||= relativeForms[type]?.test(token.literal) === true;

    return Array.isArray(value) ? (value as Span) : [value as Ordered, value as Ordered];
  }

  /** `[a to b]`, after its first bracket. */
  function range(): Test {
    const from = bound();

    if (!takeWord('to')) {
      reject('the word to, as in [a to b]');
    }

    const to = bound();

    if (!take(']')) {
      reject('a ] at the end of the range');
    }

    return inOrder(from, to);
  }

  function inOrder([least]: Span, [, most]: Span): OrderTest {
    if (compare(least, most) > 0) {
      reject('the lower value before the higher, as in [a to b]', start);
    }

    return asWritten({ least, most });
  }

  function bound(): Span {
    skipSpace();

    const span = spanOf(value());

    skipSpace();

    return span;
  }
}
