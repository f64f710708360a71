import type { Field, FieldType } from './fields.ts';
import type { Scanner, Token } from './scanner.ts';
import { compare, readers, type Ordered, type OrderedType, type Span } from './values.ts';

export type Test =
  | { readonly kind: 'known' }
  | { readonly kind: 'is'; readonly value: boolean }
  /** What lies between the wildcards, in lower case; of a key-value, the value of this key. */
  | { readonly kind: 'text'; readonly pieces: readonly string[]; readonly key?: string }
  | ({ readonly kind: 'within' } & Limits);

/** `from` and `to` are within, `above` and `below` are not. */
type Limits = { readonly [L in 'from' | 'above' | 'below' | 'to']?: Ordered };

const expectations: Readonly<Record<FieldType, string>> = {
  String: 'a text, in which * stands for any characters',
  'Key-value': 'key=value, in whose value * stands for any characters',
  Version: 'a version such as 2025.3',
  Timestamp: 'a day that exists, or a time on it, such as 2026-01-31, 2026-01-31T10:30, today, -5d or -12h',
  Duration: 'a duration such as 90d, 24h, 1d12h or P90D, without months and years',
  Number: 'a number such as 10 or 1.5',
  'Storage size': 'a size such as 10, 1.5gi or 500mb',
  Boolean: 'true, false or *',
};

/** Reads what stands behind the colon of a field. */
export function parseTest(scanner: Scanner, field: Field, now: number): Test {
  const expected = `${expectations[field.type]} (${field.name} is a ${field.type})`;
  const start = scanner.at();
  const token = value();
  if (!token.isQuoted && token.text === '*' && scanner.next() !== '=') return { kind: 'known' };
  switch (field.type) {
    case 'Boolean': {
      const word = token.text.toLowerCase();
      if (word !== 'true' && word !== 'false') refuse(token);
      return { kind: 'is', value: word === 'true' };
    }
    case 'String':
      return { kind: 'text', pieces: present(token).pieces };
    case 'Key-value':
      return pairOf(token);
    default:
      return ordered(token, field.type);
  }

  /** Only a time may hold colons. */
  function value(): Token {
    return scanner.token(field.type === 'Timestamp' ? ':' : '');
  }

  function refuse({ at }: Token): never {
    scanner.refuse(expected, at);
  }

  function isAbsent({ text, isQuoted }: Token): boolean {
    return text === '' && !isQuoted;
  }

  function present(token: Token): Token {
    return isAbsent(token) ? refuse(token) : token;
  }

  function pairOf(key: Token): Test {
    if (isAbsent(key) || key.pieces.length > 1 || !scanner.take('=')) refuse(key);
    return { kind: 'text', pieces: present(value()).pieces, key: key.text.toLowerCase() };
  }

  function ordered(token: Token, type: OrderedType): Test {
    const spanOf = (token: Token): Span => readers[type](present(token).text, now) ?? refuse(token);
    if (type === 'Version' && token.pieces.length > 1) return { kind: 'text', pieces: token.pieces };
    if (!isAbsent(token)) {
      const { first, last } = spanOf(token);
      return { kind: 'within', from: first, to: last };
    }
    if (scanner.take('[')) return range(spanOf);
    const sign = ['>', '<'].find((sign) => scanner.take(sign));
    if (sign === undefined) refuse(token);
    const isIncluded = scanner.take('=');
    const { first, last } = spanOf(value());
    // More than a day is after its end, and no more than a day is up to its end.
    if (sign === '>') return { kind: 'within', ...(isIncluded ? { from: first } : { above: last }) };
    return { kind: 'within', ...(isIncluded ? { to: last } : { below: first }) };
  }

  function range(spanOf: (token: Token) => Span): Test {
    scanner.skipSpace();
    const { first } = spanOf(value());
    scanner.endTerm(']');
    scanner.skipSpace();
    if (!scanner.takeWord('to')) scanner.refuse('the word to, as in [a to b]');
    scanner.skipSpace();
    const { last } = spanOf(value());
    scanner.skipSpace();
    if (!scanner.take(']')) scanner.refuse('a ] at the end of the range');
    if (compare(first, last) > 0) scanner.refuse('the lower value before the higher, as in [a to b]', start);
    return { kind: 'within', from: first, to: last };
  }
}
