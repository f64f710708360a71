import type { Field, FieldType } from './fields.ts';
import type { Query } from './parse.ts';
import type { OrderTest, Test } from './term.ts';
import { compare, valueTypes, type Ordered } from './values.ts';

/** Whether a query selects a row. */
export function matches(query: Query, row: Readonly<Record<string, unknown>>): boolean {
  return compile<typeof row>(query, ({ name, type }, test) => {
    const passes = createTest(test, type);
    return (row) => passes(row[name]);
  })(row);
}

type Predicate<Item> = (item: Item) => boolean;

/** Whether a query selects an item. `readTest`: whether the item passes a test in one field. */
export function compile<Item>(
  query: Query,
  readTest: (field: Field, test: Test) => Predicate<Item>,
): Predicate<Item> {
  if ('not' in query) {
    const selects = compile(query.not, readTest);
    return (item) => !selects(item);
  }
  if ('and' in query) {
    const parts = query.and.map((part) => compile(part, readTest));
    return (item) => parts.every((selects) => selects(item));
  }
  const parts =
    'or' in query
      ? query.or.map((part) => compile(part, readTest))
      : query.fields.map((field) => readTest(field, query.asks));
  return (item) => parts.some((selects) => selects(item));
}

/** Whether a value of a field passes. What is unknown passes no test, and so it passes every negated one. */
export function createTest(test: Test, type: FieldType): Predicate<unknown> {
  if (!test.pieces) {
    const { readText, of = readText } = valueTypes[type];
    return (value) =>
      isWithin(test, (typeof value === 'string' ? of!(value, 0) : value) as Ordered | undefined);
  }
  const { pieces, pairKey } = test;
  const passes = (text: unknown) => isLike(String(text), pieces);
  return (value) => {
    if (value === undefined) return false;
    if (typeof value !== 'object') return passes(value);
    if (Array.isArray(value)) return value.some(passes);
    return Object.entries(value!).some(
      ([name, text]) => (pairKey === undefined || isLike(name, pairKey)) && passes(text),
    );
  };
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
