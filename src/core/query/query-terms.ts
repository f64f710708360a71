import type { PublishedNamedPolicy } from '../schemas/published/policy-scan.ts';
import { parseQuery, type Query, type Term } from './parse.ts';
import { createQueryError } from './scanner.ts';
import { asksIfKnown } from './field-test.ts';

/** The terms of a query, in the order of its text. */
export function listTerms(query: Query): Term[] {
  if ('fields' in query) {
    return [query];
  }
  if ('not' in query) {
    return listTerms(query.not);
  }

  return ('and' in query ? query.and : query.or).flatMap(listTerms);
}

/** Notes on units that may not mean what the author intended, in sentences. */
export function listUnitNotes(query: Query): string[] {
  return listTerms(query)
    .flatMap(listTimeParts)
    .map(
      (part) => `"${part}" is finer than a day, and days are all that is known; a month is 1mo.`,
    );
}

/** The parts below a day, such as `24h` and `90m`, of the durations in a term whose field is known in days only. */
function listTimeParts({ fields: [field], text = '' }: Term): string[] {
  if (field?.type !== 'Duration' || field.isExact) {
    return [];
  }

  // In ISO 8601, M before the T means months.
  const times = text.slice(text.indexOf(':')).replaceAll(/P[\d.,YMWD]+/g, '');
  return times.match(/\d+(?:[.,]\d+)?(?:ms|[hs]|m(?!o))/gi) ?? [];
}

/** A policy whose query is parsed for a day. */
export interface ReadPolicy extends PublishedNamedPolicy {
  readonly selects: Query;
}

/** Reads the query of a policy. Minutes are an error: the author meant months, and a gate would silently pass. */
export function parsePolicyQuery(query: string, day: string): Query {
  const parsed = parseQuery(query, day);

  for (const term of listTerms(parsed)) {
    const minutes = listTimeParts(term).find((part) => /\dm$/i.test(part));
    if (minutes !== undefined) {
      const expected = 'a length in days, or in months such as 3mo';
      throw createQueryError(query, term.offset ?? 0, expected, `"${minutes}", in minutes`);
    }
  }

  return parsed;
}

/** The Boolean fields that a query negates, except in `field:*`. `isNegated`: a negation is around the whole query. */
export function listNegatedFlags(query: Query, isNegated = false): string[] {
  if ('not' in query) {
    return listNegatedFlags(query.not, !isNegated);
  }
  if ('fields' in query) {
    const isFlag = query.fields.every(({ type }) => type === 'Boolean') && !asksIfKnown(query.test);
    return isFlag && isNegated ? query.fields.map(({ name }) => name) : [];
  }

  const parts = 'and' in query ? query.and : query.or;
  return [...new Set(parts.flatMap((part) => listNegatedFlags(part, isNegated)))];
}

/** The only component that a query can select from, where it names one exactly; in lower case, as all names are. */
export function findNamedComponent(query: Query): string | undefined {
  if ('and' in query) {
    return query.and.map(findNamedComponent).find((name) => name !== undefined);
  }
  if (!('fields' in query)) {
    return undefined;
  }

  const [field] = query.fields;
  const { pieces = [] } = query.test;
  return field?.name === 'component' && pieces.length === 1 ? pieces[0] : undefined;
}
