import type { Field, FieldType } from './fields.ts';
import type { Scanner, Token } from './scan.ts';
import { compare, readers, type Ordered, type OrderedType, type Span } from './values.ts';

export interface Bound {
  readonly value: Ordered;
  readonly isIncluded: boolean;
}

export type Test =
  | { readonly kind: 'known' }
  | { readonly kind: 'is'; readonly value: boolean }
  /** What lies between the wildcards, in lower case; of a key-value, the value of this key. */
  | { readonly kind: 'text'; readonly pieces: readonly string[]; readonly key?: string }
  | { readonly kind: 'within'; readonly from?: Bound; readonly to?: Bound };

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
      return { kind: 'text', pieces: piecesOf(present(token)) };
    case 'Key-value':
      return pairOf(token);
    default:
      return ordered(token, field.type);
  }

  /** Only a time may hold colons. */
  function value(): Token {
    return scanner.token(field.type === 'Timestamp' ? ':' : '');
  }

  function refuse(token: Token, end = scanner.at()): never {
    scanner.refuse(expected, token.at, Math.max(end, token.at + 1));
  }

  function present(token: Token): Token {
    return token.text === '' && !token.isQuoted ? refuse(token) : token;
  }

  function pairOf(key: Token): Test {
    if (key.text === '' || (!key.isQuoted && key.text.includes('*')) || !scanner.take('=')) refuse(key);
    return { kind: 'text', pieces: piecesOf(present(value())), key: key.text.toLowerCase() };
  }

  function ordered(token: Token, type: OrderedType): Test {
    const span = (token: Token): Span => readers[type](present(token).text, now) ?? refuse(token);
    const isBare = token.text !== '' || token.isQuoted;
    if (isBare && type === 'Version' && !token.isQuoted && token.text.includes('*')) {
      return { kind: 'text', pieces: piecesOf(token) };
    }
    if (isBare) {
      const { first, last } = span(token);
      return { kind: 'within', from: included(first), to: included(last) };
    }
    if (scanner.take('[')) return range(span);
    const sign = ['>', '<'].find((sign) => scanner.take(sign));
    if (sign === undefined) refuse(token);
    const isIncluded = scanner.take('=');
    const { first, last } = span(value());
    // More than a day is after its end, and no more than a day is up to its end.
    if (sign === '>') return { kind: 'within', from: { value: isIncluded ? first : last, isIncluded } };
    return { kind: 'within', to: { value: isIncluded ? last : first, isIncluded } };
  }

  function range(span: (token: Token) => Span): Test {
    scanner.skipSpace();
    const { first } = span(value());
    scanner.endTerm(']');
    scanner.skipSpace();
    if (!scanner.takeWord('to')) scanner.refuse('the word to, as in [a to b]');
    scanner.skipSpace();
    const { last } = span(value());
    scanner.skipSpace();
    if (!scanner.take(']')) scanner.refuse('a ] at the end of the range');
    if (compare(first, last) > 0) {
      scanner.refuse('the lower value before the higher, as in [a to b]', start, scanner.at());
    }
    return { kind: 'within', from: included(first), to: included(last) };
  }
}

function piecesOf({ text, isQuoted }: Token): string[] {
  const lower = text.toLowerCase();
  return isQuoted ? [lower] : lower.split('*');
}

function included(value: Ordered): Bound {
  return { value, isIncluded: true };
}
