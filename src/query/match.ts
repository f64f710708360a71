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
  switch (query.kind) {
    case 'and':
      return query.parts.every((part) => selects(part, valueOf));
    case 'or':
      return query.parts.some((part) => selects(part, valueOf));
    case 'not':
      return !selects(query.part, valueOf);
    case 'term':
      return query.fields.some(({ name, type }) => passes(query.test, type, valueOf(name)));
  }
}

function passes(test: Test, type: FieldType, value: unknown): boolean {
  if (value === undefined) return false;
  if ('pieces' in test) return textsOf(value, test.key).some((text) => isLike(text, test.pieces));
  const { of } = valueTypes[type];
  return isWithin(test, of && typeof value === 'string' ? of(value) : (value as Ordered));
}

/** The texts of a value in lower case: of pairs, the values of this key. */
function textsOf(value: unknown, key: string | undefined): readonly string[] {
  if (typeof value !== 'object') return [String(value).toLowerCase()];
  return Object.entries(value!)
    .filter(([name]) => key === undefined || name.toLowerCase() === key)
    .map(([, text]) => text.toLowerCase());
}

/** Whether a text has the pieces in this order, from its start to its end, with anything between them. */
function isLike(text: string, pieces: readonly string[]): boolean {
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

function isWithin({ from, to, isOutside }: OrderTest, value: Ordered | undefined): boolean {
  if (value === undefined) return false;
  const isInside =
    (from === undefined || compare(value, from) >= 0) && (to === undefined || compare(value, to) <= 0);
  return isInside !== (isOutside ?? false);
}
