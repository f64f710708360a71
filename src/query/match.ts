import type { FieldType } from './fields.ts';
import type { Query } from './parse.ts';
import type { Test } from './term.ts';
import { compare, parseDuration, type Ordered } from './values.ts';
import { parseVersion } from '../version.ts';

/** Whether a query selects a row. What is unknown passes no test, and so it passes every negated one. */
export function matches(query: Query, row: Readonly<Record<string, unknown>>): boolean {
  switch (query.kind) {
    case 'and':
      return query.parts.every((part) => matches(part, row));
    case 'or':
      return query.parts.some((part) => matches(part, row));
    case 'not':
      return !matches(query.part, row);
    case 'term':
      return query.fields.some(
        ({ name, type }) => row[name] !== undefined && passes(query.test, type, row[name]),
      );
  }
}

function passes(test: Test, type: FieldType, value: unknown): boolean {
  switch (test.kind) {
    case 'known':
      return true;
    case 'is':
      return value === test.value;
    case 'text':
      return textsOf(value, test.key).some((text) => isLike(text.toLowerCase(), test.pieces));
    case 'within':
      return isWithin(test, orderedOf(type, value as string | number));
  }
}

function textsOf(value: unknown, key: string | undefined): readonly string[] {
  if (key === undefined) return Array.isArray(value) ? (value as string[]) : [value as string];
  const pairs = Object.entries(value as Record<string, string>);
  return pairs.filter(([name]) => name.toLowerCase() === key).map(([, text]) => text);
}

/** Whether a text has the pieces in this order, from its start to its end, with anything between them. */
function isLike(text: string, pieces: readonly string[]): boolean {
  const [head = '', ...rest] = pieces;
  const tail = rest.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= text.length - tail.length;
}

/** A day of a row means the midnight with which it begins. */
function orderedOf(type: FieldType, value: string | number): Ordered | undefined {
  if (typeof value === 'number') return value;
  if (type === 'Version') return parseVersion(value);
  return type === 'Timestamp' ? Date.parse(value) : parseDuration(value);
}

function isWithin(limits: Extract<Test, { kind: 'within' }>, value: Ordered | undefined): boolean {
  if (value === undefined) return false;
  const { from, above, below, to } = limits;
  return (
    (from === undefined || compare(value, from) >= 0) &&
    (above === undefined || compare(value, above) > 0) &&
    (below === undefined || compare(value, below) < 0) &&
    (to === undefined || compare(value, to) <= 0)
  );
}
