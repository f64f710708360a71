/** Lists hints about the releases that a query selects. Pages run this file, so it imports neither zod nor Node. */
import { formatCount } from '../../core/text.ts';
import type { Query, Term } from './parse.ts';
import { releaseFields } from './release-fields.ts';

/** The selected releases, in the form that `search` returns. */
interface Selected {
  readonly found: readonly { readonly table: ReadsValues; readonly row: number }[];
  readonly unchecked: number;
}

interface ReadsValues {
  value(field: string, row: number): unknown;
}

/** Describes for how many releases a field of the query is unknown, if that may have left out or added releases. */
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

/** Lists the Boolean fields that a query negates, except in `field:*`. */
export function listNegatedFlags(query: Query): string[] {
  const negated = [...listTerms(query)].filter(
    ({ fields, test, isNegated }) =>
      isNegated && !('isKnown' in test) && fields.every(({ type }) => type === 'Boolean'),
  );
  return [...new Set(negated.flatMap(({ fields }) => fields.map(({ name }) => name)))];
}

/** The tests of a query. `isNegated`: a negation is around the whole query. */
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

/* Advisories: without an answer, "Which releases are vulnerable?" would be answered with "none". */

/** Unknown for a release whose advisories no source has answered. */
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

/** Lists the fields of advisories that a query asks for, except behind a negation. */
function listAdvisoryFields(query: Query): string[] {
  const asked = [...listTerms(query)].filter((term) => !term.isNegated && isOfAdvisories(term));
  return asked.map(({ fields }) => fields[0]!.name);
}

/** Returns a query that also selects the releases that the given one may select once their advisories are known; undefined if that makes no difference. */
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
