import { formatList } from '../text/wording.ts';
import type { FieldType } from './field-types.ts';
import { parseQuery, type Query, type Term } from './parse.ts';
import { listTerms } from './query-terms.ts';
import { createQueryError } from './scanner.ts';

/** A note on units that may not mean what the author intended. */
export function listUnitNotes(query: Query): string[] {
  const parts = new Set(listTerms(query).flatMap((term) => listTimeParts(term, ['Duration'])));
  if (parts.size === 0) {
    return [];
  }

  const quoted = Array.from(parts, (part) => `"${part}"`);
  const claim = parts.size === 1 ? 'has a unit' : 'have units';
  return [
    `${formatList(quoted, 5)} ${claim} finer than a day, and days are all that is known; a month is 1mo.`,
  ];
}

/**
 * The parts below a day of the durations in a term, such as `24h` and `90m`: all, since a note quotes them as written. Empty for a field
 * that has none of the types, or is known more exactly than in days.
 */
function listTimeParts(
  { fields: [field], text = '' }: Term,
  types: readonly FieldType[],
): string[] {
  if (!field || field.isExact || !types.includes(field.type)) {
    return [];
  }

  // In ISO 8601, M before the T means months.
  const times = text.slice(text.indexOf(':')).replaceAll(/P[\d.,YMWD]+/gi, '');
  return times.match(/\d+(?:[.,]\d+)?(?:ms|[hs]|m(?!o))/gi) ?? [];
}

/** Reads the query of a policy. Minutes are an error: the author meant months, and a gate would silently pass. */
export function parsePolicyQuery(query: string, day: string): Query {
  const parsed = parseQuery(query, day);

  for (const term of listTerms(parsed)) {
    const parts = listTimeParts(term, ['Duration', 'Timestamp']);
    const minutes = parts.find((part) => /\dm$/i.test(part));
    if (minutes !== undefined) {
      const expected = 'a length in days, or in months such as 3mo';
      throw createQueryError(query, term.offset ?? 0, expected, `"${minutes}", in minutes`);
    }
  }

  return parsed;
}
