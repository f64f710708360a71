import type { Query } from './parse.ts';
import type { Test } from './term.ts';
import type { FieldType } from './fields.ts';

/** There is more to search than may be searched at once. */
export class TooMuchToSearchError extends Error {
  override readonly name = 'TooMuchToSearchError';
}

/** The remedy, behind the message of that error. */
export const howToNarrow = 'Name one component exactly, as in component:<component> isSupported';

/** Of all tests of a query on all releases: some 50 ns each, so that no query keeps others waiting for more than 0.1 s. */
const mostWork = 1_600_000;

/** To parse a version or a time takes several times as long as to compare texts. */
const orderWork: Partial<Record<FieldType, number>> = { Version: 10, Timestamp: 9, Duration: 6 };

/** Throws a `TooMuchToSearchError` where a query may take too long on so many releases, or other things. */
export function limitWork(query: Query, size: number, things = 'releases'): void {
  const work = Math.ceil(workOf(query) * size);
  if (work <= mostWork) return;
  const [needed, limit, among] = [work, mostWork, size].map((count) => count.toLocaleString('en-US'));
  const message = `it takes up to ${needed} comparisons among ${among} ${things}, and at most ${limit} are made`;
  throw new TooMuchToSearchError(message);
}

/** The most that a query takes on one release, in comparisons of short texts. */
export function workOf(query: Query): number {
  if ('not' in query) return 0.5 + workOf(query.not);
  if ('asks' in query) return sumOf(query.fields, ({ type }) => workOfTest(query.asks, type));
  return sumOf('and' in query ? query.and : query.or, workOf);
}

/** Each piece between wildcards is looked for by itself. */
function workOfTest(test: Test, type: FieldType): number {
  if (!test.pieces) return orderWork[type] ?? 1;
  return 1 + (test.pieces.length + (test.pairKey?.length ?? 0)) / 4;
}

function sumOf<Item>(items: readonly Item[], work: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + work(item), 0);
}
