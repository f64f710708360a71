import type { FieldType } from './fields.ts';
import type { Query, Term } from './parse.ts';
import type { Test } from './term.ts';
import { compare, instantOf, parseDuration, versionOf, type Ordered } from './values.ts';

/** Whether a query selects a row. What is unknown passes no test, and so it passes every negated one. */
export function matches(query: Query, row: Readonly<Record<string, unknown>>): boolean {
  return decide(query, (name) => row[name]) === true;
}

/** Stands for the value of a field that is not told yet. */
export const untold = Symbol('untold');

/**
 * Whether a query selects what has these values; undefined where that depends on fields that are untold yet, so that what
 * is shared by many releases decides for all of them, where it can.
 */
export function decide(query: Query, valueOf: (field: string) => unknown): boolean | undefined {
  switch (query.kind) {
    case 'and':
    case 'or': {
      // One part that decides is enough, and none is asked after it.
      const deciding = query.kind === 'or';
      let decision: boolean | undefined = !deciding;
      for (const part of query.parts) {
        const ofPart = decide(part, valueOf);
        if (ofPart === deciding) return deciding;
        if (ofPart === undefined) decision = undefined;
      }
      return decision;
    }
    case 'not': {
      const decision = decide(query.part, valueOf);
      return decision === undefined ? undefined : !decision;
    }
    case 'term':
      return decideTerm(query, valueOf);
  }
}

function decideTerm({ fields, test }: Term, valueOf: (field: string) => unknown): boolean | undefined {
  let decision: boolean | undefined = false;
  for (const { name, type } of fields) {
    const value = valueOf(name);
    if (value === untold) decision = undefined;
    else if (value !== undefined && passes(test, type, value)) return true;
  }
  return decision;
}

function passes(test: Test, type: FieldType, value: unknown): boolean {
  switch (test.kind) {
    case 'known':
      return true;
    case 'is':
      return value === test.value;
    case 'text':
      if (typeof value === 'string') return isLike(value.toLowerCase(), test.pieces);
      return textsOf(value, test.key).some((text) => isLike(text.toLowerCase(), test.pieces));
    case 'within':
      return isWithin(test, orderedOf(type, value as string | number));
  }
}

function textsOf(value: unknown, key: string | undefined): readonly string[] {
  if (key === undefined) return value as string[];
  const pairs = Object.entries(value as Record<string, string>);
  return pairs.filter(([name]) => name.toLowerCase() === key).map(([, text]) => text);
}

/** Whether a text has the pieces in this order, from its start to its end, with anything between them. */
function isLike(text: string, pieces: readonly string[]): boolean {
  const last = pieces.length - 1;
  const [head, tail] = [pieces[0]!, pieces[last]!];
  if (last === 0) return text === head;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (let index = 1; index < last; index += 1) {
    const found = text.indexOf(pieces[index]!, at);
    if (found === -1) return false;
    at = found + pieces[index]!.length;
  }
  return at <= text.length - tail.length;
}

function orderedOf(type: FieldType, value: string | number): Ordered | undefined {
  if (typeof value === 'number') return value;
  if (type === 'Version') return versionOf(value);
  return type === 'Timestamp' ? instantOf(value) : parseDuration(value);
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
