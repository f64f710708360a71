import type { Field } from './fields.ts';
import type { Scanner, Token } from './scanner.ts';
import { compare, valueTypes, type Ordered, type Span } from './values.ts';

export type Test = TextTest | OrderTest;

/** A pattern that the text of a value has to match; of a key-value, the value of this key. */
interface TextTest {
  /** The parts between the wildcards, in lower case. */
  readonly pieces: readonly string[];
  readonly pairKey?: string;
}

/** The range that a value has to be in, both ends included, or outside of. */
export interface OrderTest {
  readonly pieces?: undefined;
  readonly least?: Ordered;
  readonly most?: Ordered;
  readonly isOutside?: true;
}

/** More than a day is after its end, and at most a day is up to its end. Longer signs come first. */
const comparisons: Readonly<Record<string, (span: Span) => OrderTest>> = {
  '>=': ([least]) => ({ least }),
  '<=': ([, most]) => ({ most }),
  '>': ([, most]) => ({ most, isOutside: true }),
  '<': ([least]) => ({ least, isOutside: true }),
};

/** Reads what follows the colon of a field. */
export function parseTest(
  { at, peek, skipSpace, take, takeWord, readToken, reject }: Scanner,
  { name, type, values }: Field,
  now: number,
): Test {
  const { expected, minPieces, readText } = valueTypes[type];
  const start = at();
  const first = value();
  const { literal, pieces } = first;

  if (type === 'Key-value' && peek() === '=') return pair();
  const isFlag = type === 'Boolean' && /^(?:true|false)$/i.test(literal);
  const isAnyKnown = literal === '*' && !first.isQuoted;
  if (values && pieces.length === 1 && !values.includes(pieces[0]!))
    reject(`one of ${values.join(', ')} (a ${name})`, start);
  if (isFlag || isAnyKnown || pieces.length >= minPieces!) return { pieces };
  if (!readText) wrong(first);
  if (literal !== '') {
    const [from, to, more] = literal.split('..');
    if (from === '' || to === '' || more !== undefined) wrong(first);
    return inOrder(spanOf({ ...first, literal: from! }), spanOf({ ...first, literal: to ?? from! }));
  }
  if (take('[')) return range();
  const sign = Object.keys(comparisons).find(take) ?? wrong(first);
  return comparisons[sign]!(spanOf(value()));

  /** Only a time may hold colons. */
  function value(): Token {
    return type === 'Timestamp' ? readToken('"[]()<>=') : readToken();
  }

  function wrong({ at }: Token): never {
    return reject(`${expected} (${name} is a ${type})`, at);
  }

  /** `key=value`: only the value may have wildcards. */
  function pair(): Test {
    if (pieces.length !== 1) wrong(first);
    take('=');
    const pattern = value();
    if (pattern.pieces.length === 0) wrong(pattern);
    return { pairKey: literal.toLowerCase(), pieces: pattern.pieces };
  }

  function spanOf(token: Token): Span {
    const value = readText!(token.literal, now, name === 'age') ?? wrong(token);
    return Array.isArray(value) ? (value as Span) : [value as Ordered, value as Ordered];
  }

  /** `[a to b]`, behind its first bracket. */
  function range(): Test {
    const from = bound();
    if (!takeWord('to')) reject('the word to, as in [a to b]');
    const to = bound();
    if (!take(']')) reject('a ] at the end of the range');
    return inOrder(from, to);
  }

  function inOrder([least]: Span, [, most]: Span): OrderTest {
    if (compare(least, most) > 0) reject('the lower value before the higher, as in [a to b]', start);
    return { least, most };
  }

  function bound(): Span {
    skipSpace();
    const span = spanOf(value());
    skipSpace();
    return span;
  }
}
