import type { FieldType } from './fields.ts';
import type { Query } from './parse.ts';
import type { OrderTest, Test } from './term.ts';
import { compare, valueTypes, type Ordered } from './values.ts';

/** Whether a query selects a row. */
export function matches(query: Query, row: Readonly<Record<string, unknown>>): boolean {
  return selects(query, (name) => row[name]);
}

/** Whether a query selects what has these values. What is unknown passes no test, and so it passes every negated one. */
export function selects(query: Query, valueOf: (field: string) => unknown): boolean {
  if ('and' in query) return query.and.every((part) => selects(part, valueOf));
  if ('or' in query) return query.or.some((part) => selects(part, valueOf));
  if ('not' in query) return !selects(query.not, valueOf);
  return query.fields.some(({ name, type }) => passes(query.asks, type, valueOf(name)));
}

function passes(test: Test, type: FieldType, value: unknown): boolean {
  if (value === undefined) return false;
  if (!test.pieces) {
    const { readText, of = readText } = valueTypes[type];
    return isWithin(test, (typeof value === 'string' ? of!(value, 0) : value) as Ordered | undefined);
  }
  const { pieces, pairKey } = test;
  if (typeof value !== 'object') return isLike(String(value), pieces);
  return Object.entries(value!).some(
    ([name, text]) => (pairKey === undefined || name.toLowerCase() === pairKey) && isLike(text, pieces),
  );
}

/** Whether a text has the pieces in this order, from its start to its end, with anything between them. */
function isLike(cased: string, pieces: readonly string[]): boolean {
  const text = cased.toLowerCase();
  if (pieces.length === 1) return text === pieces[0];
  let end = 0;
  return (
    text.startsWith(pieces[0]!) &&
    text.endsWith(pieces.at(-1)!) &&
    pieces.every((piece) => {
      const found = text.indexOf(piece, end);
      end = found + piece.length;
      return found !== -1;
    })
  );
}

function isWithin({ least, most, isOutside }: OrderTest, value: Ordered | undefined): boolean {
  if (value === undefined) return false;
  const isInside =
    (least === undefined || compare(value, least) >= 0) && (most === undefined || compare(value, most) <= 0);
  return isInside !== (isOutside ?? false);
}
