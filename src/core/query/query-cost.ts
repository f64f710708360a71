import { formatNumber } from '../text/wording.ts';
import type { Test } from './field-test.ts';
import type { FieldType } from './field-types.ts';
import type { Query } from './parse.ts';
import { listOperands } from './query-terms.ts';

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
