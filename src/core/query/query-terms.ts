import type { PublishedNamedPolicy } from '../schemas/published/policy-scan.ts';
import { formatList, formatNumber } from '../text/wording.ts';
import { asksIfKnown, type Test } from './field-test.ts';
import type { FieldType } from './field-types.ts';
import { parseQuery, type Query, type Term } from './parse.ts';
import { createQueryError } from './scanner.ts';

/** The terms of a query, in the order of its text. */
export function listTerms(query: Query): Term[] {
  if ('fields' in query) {
    return [query];
  }
  if ('not' in query) {
    return listTerms(query.not);
  }

  return listOperands(query).flatMap(listTerms);
}

type Operation = Extract<Query, { and: unknown } | { or: unknown }>;

function listOperands(query: Operation): readonly Query[] {
  return 'and' in query ? query.and : query.or;
}

/** A note on units that may not mean what the author intended. */
export function listUnitNotes(query: Query): string[] {
  const parts = new Set(listTerms(query).flatMap((term) => listTimeParts(term, 'Duration')));
  if (parts.size === 0) {
    return [];
  }

  const quoted = Array.from(parts, (part) => `"${part}"`);
  const claim = parts.size === 1 ? 'has a unit' : 'have units';
  return [
    `${formatList(quoted, 5)} ${claim} finer than a day, and days are all that is known; a month is 1mo.`,
  ];
}

/** The parts below a day, such as `24h` and `90m`, of the durations in a term whose field has one of the types and is known in days. */
function listTimeParts(
  { fields: [field], text = '' }: Term,
  ...types: readonly FieldType[]
): string[] {
  if (!field || field.isExact || !types.includes(field.type)) {
    return [];
  }

  // In ISO 8601, M before the T means months.
  const times = text.slice(text.indexOf(':')).replaceAll(/P[\d.,YMWD]+/gi, '');
  return times.match(/\d+(?:[.,]\d+)?(?:ms|[hs]|m(?!o))/gi) ?? [];
}

/** Fields that only components with watched advisories have. */
const advisoryFields = new Set([
  'isVulnerable',
  'advisory',
  'fixes',
  'severity',
  'isExploited',
  'exploitedSince',
]);

export function asksAboutAdvisories(query: Query): boolean {
  return listTerms(query).some(({ fields }) => fields.some(({ name }) => advisoryFields.has(name)));
}

/** A policy whose query is parsed for a day. */
export interface ReadPolicy extends PublishedNamedPolicy {
  readonly selects: Query;
}

/** Reads the query of a policy. Minutes are an error: the author meant months, and a gate would silently pass. */
export function parsePolicyQuery(query: string, day: string): Query {
  const parsed = parseQuery(query, day);

  for (const term of listTerms(parsed)) {
    const parts = listTimeParts(term, 'Duration', 'Timestamp');
    const minutes = parts.find((part) => /\dm$/i.test(part));
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

  const flags = listOperands(query).flatMap((part) => listNegatedFlags(part, isNegated));
  return [...new Set(flags)];
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

/** At most 1.6 million tests for a query, about 0.1 s at 50 ns each: requests of others wait meanwhile. */
const maxWork = 1_600_000;

/** Parsing a version or a time takes several times as long as comparing texts. */
const orderWork: Partial<Record<FieldType, number>> = { Version: 10, Timestamp: 9, Duration: 6 };

/** Why a query may take too long on so many items; undefined if it does not. */
export function describeExcess(query: Query, size: number, noun: string): string | undefined {
  const work = Math.ceil(estimateWork(query) * size);
  if (work <= maxWork) {
    return undefined;
  }

  return `it takes up to ${formatNumber(work)} comparisons among ${formatNumber(size)} ${noun}, and at most ${formatNumber(maxWork)} are made`;
}

/** The greatest work of a query on one item, in comparisons of short texts. */
function estimateWork(query: Query): number {
  // A negation counts as half a comparison.
  if ('not' in query) {
    return 0.5 + estimateWork(query.not);
  }

  const parts =
    'fields' in query
      ? query.fields.map(({ type }) => estimateTest(query.test, type))
      : listOperands(query).map(estimateWork);
  return parts.reduce((sum, work) => sum + work, 0);
}

/** Each piece between wildcards is a separate search. */
function estimateTest(test: Test, type: FieldType): number {
  if (!test.pieces) {
    return orderWork[type] ?? 1;
  }

  return 1 + (test.pieces.length + (test.pairKey?.length ?? 0)) / 4;
}
