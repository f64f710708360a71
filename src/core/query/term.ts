import type { Field } from './fields.ts';
import type { Scanner, Token } from './scanner.ts';
import { compare, valueTypes, type Ordered, type Span } from './values.ts';

export type Test = TextTest | OrderTest;

/** Of the text of any value; of a key-value, the value of this key. */
interface TextTest {
  /** What lies between the wildcards, in lower case. */
  readonly pieces: readonly string[];
  readonly pairKey?: string;
}

/** Both ends are within, or whatever is known and not within passes. */
export interface OrderTest {
  readonly pieces?: undefined;
  readonly least?: Ordered;
  readonly most?: Ordered;
  readonly isOutside?: true;
}

/** More than a day is after its end, and no more than a day is up to its end. */
const comparisons: Readonly<Record<string, (span: Span) => OrderTest>> = {
  '>=': ([least]) => ({ least }),
  '<=': ([, most]) => ({ most }),
  '>': ([, most]) => ({ most, isOutside: true }),
  '<': ([least]) => ({ least, isOutside: true }),
};

/** Reads what stands behind the colon of a field. */
export function parseTest(
  { at, isAt, take, token, refuse }: Scanner,
  { name, type }: Field,
  now: number,
): Test {
  const { expected, leastPieces, readText } = valueTypes[type];
  const start = at();
  const first = value();
  const { literal: text, pieces } = first;

  if (type === 'Key-value' && isAt(/=/y)) {
    if (pieces.length !== 1) wrong(first);
    take(/=/y);
    const pattern = value();
    return pattern.pieces[0] === undefined
      ? wrong(pattern)
      : { pairKey: text.toLowerCase(), pieces: pattern.pieces };
  }
  const isFlag = type === 'Boolean' && /^(?:true|false)$/i.test(text);
  const isKnown = text === '*' && pieces.length > 1;
  if (isFlag || isKnown || pieces.length >= leastPieces!) return { pieces };
  if (!readText) wrong(first);
  if (text) {
    const [least, most] = spanOf(first);
    return { least, most };
  }
  if (take(/\[/y)) return range();
  const sign = take(/[<>]=?/y) ?? wrong(first);
  return comparisons[sign]!(spanOf(value()));

  /** Only a time may hold colons. */
  function value(): Token {
    return type === 'Timestamp' ? token(/[^\s"[\]()<>=]*/y) : token();
  }

  function wrong({ at }: Token): never {
    return refuse(`${expected} (${name} is a ${type})`, at);
  }

  function spanOf(token: Token): Span {
    const value = readText!(token.literal, now) ?? wrong(token);
    return Array.isArray(value) ? (value as Span) : [value as Ordered, value as Ordered];
  }

  function range(): Test {
    const [least] = bound();
    if (!take(/to(?![^\s\]()])/iy)) refuse('the word to, as in [a to b]');
    const [, most] = bound();
    if (!take(/\]/y)) refuse('a ] at the end of the range');
    if (compare(least, most) > 0) refuse('the lower value before the higher, as in [a to b]', start);
    return { least, most };
  }

  function bound(): Span {
    take(/\s*/y);
    const span = spanOf(value());
    take(/\s*/y);
    return span;
  }
}
