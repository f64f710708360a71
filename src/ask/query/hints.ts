/** Lists hints about the releases that a query selects. Pages run this file, so it imports neither zod nor Node. */
import { formatCount } from '../../core/text.ts';
import type { Query, Term } from './parse.ts';
import { releaseFields } from './release-fields.ts';

/** The selected releases, as `search` returns them. */
interface Selected {
  readonly found: readonly { readonly table: ReadsValues; readonly row: number }[];
  readonly unchecked: number;
}

interface ReadsValues {
  value(field: string, row: number): unknown;
}

/**
 * Says for how many releases a field of the query is unknown, because the answer may be wrong for them:
 * - `not isVulnerable` also selects releases for which `isVulnerable` is unknown
 * - `isVulnerable` does not select releases whose advisories were not checked
 */
export function describeUnknown(query: Query, { found, unchecked }: Selected): string[] {
  const negated = listNegatedFlags(query).flatMap((flag) => {
    const { length } = found.filter(({ table, row }) => table.value(flag, row) === undefined);
    return length > 0
      ? `${flag} is unknown for ${length} of these; ${flag}:* leaves them out.`
      : [];
  });
  const [field] = listAdvisoryFields(query);
  return unchecked > 0
    ? [
        ...negated,
        `${field} is unknown for ${formatCount(unchecked, 'release')}: their advisories were not checked.`,
      ]
    : negated;
}

/** Lists the Boolean fields that a query negates: `not isLatest` → `isLatest`. Ignores `not isLatest:*`, which does not test the value. */
export function listNegatedFlags(query: Query): string[] {
  const negated = [...listTerms(query)].filter(
    ({ fields, test, isNegated }) =>
      isNegated && !('isKnown' in test) && fields.every(({ type }) => type === 'Boolean'),
  );
  return [...new Set(negated.flatMap(({ fields }) => fields.map(({ name }) => name)))];
}

/**
 * Yields the terms of a query, such as `field:value`, and tells which of them are negated. Set `isNegated` if the query is itself a negated
 * part of another query.
 */
export function* listTerms(
  query: Query,
  isNegated = false,
): Generator<Term & { isNegated: boolean }> {
  if ('not' in query) {
    yield* listTerms(query.not, !isNegated);
  } else if ('fields' in query) {
    yield { ...query, isNegated };
  } else {
    for (const part of 'and' in query ? query.and : query.or) {
      yield* listTerms(part, isNegated);
    }
  }
}

/*
 * Hints about advisories. Without these hints, the answer to "Which releases are vulnerable?" would be "none" if no advisory source has
 * answered.
 */

/** The fields whose value is unknown if no source has answered with the advisories of a release. */
export const advisoryFields: readonly string[] = [
  'isVulnerable',
  'isExploited',
  'advisory',
  'severity',
  'exploitedSince',
];
const isUnchecked: Query = {
  not: {
    fields: releaseFields.filter(({ name }) => name === 'isVulnerable'),
    test: { isKnown: true },
  },
};

function isOfAdvisories({ fields, test }: Term): boolean {
  return !('isKnown' in test) && fields.every(({ name }) => advisoryFields.includes(name));
}

/** Lists the advisory fields that a query asks for, except negated fields. */
function listAdvisoryFields(query: Query): string[] {
  const asked = [...listTerms(query)].filter((term) => !term.isNegated && isOfAdvisories(term));
  return asked.map(({ fields }) => fields[0]!.name);
}

/**
 * Widens a query about advisories. The result also selects releases whose advisories are unknown, but may fit the query. Undefined for
 * other queries.
 */
export function includeUnchecked(query: Query): Query | undefined {
  return listAdvisoryFields(query).length > 0 ? widen(query, false) : undefined;
}

function widen(query: Query, isNegated: boolean): Query {
  if ('not' in query) {
    return { not: widen(query.not, !isNegated) };
  }
  if ('fields' in query) {
    return !isNegated && isOfAdvisories(query) ? { or: [query, isUnchecked] } : query;
  }
  return 'and' in query
    ? { and: query.and.map((part) => widen(part, isNegated)) }
    : { or: query.or.map((part) => widen(part, isNegated)) };
}
