import type { PublishedChange, PublishedIndex } from './published-index.ts';

/** The changes on a time and later, oldest first: by day, then as in the file of their year. `since`: milliseconds since 1970. */
export async function* changesFrom(index: PublishedIndex, since: number): AsyncGenerator<PublishedChange> {
  const first = new Date(since).getUTCFullYear();
  for (const year of (await index.yearsOfChanges()).toReversed()) {
    if (Number(year) < first) continue;
    for (const change of await inOrder(index, year)) if (Date.parse(change.on) >= since) yield change;
  }
}

/** Those that come after a change in this order; undefined where there is no such change. */
export async function changesAfter(
  index: PublishedIndex,
  id: string,
): Promise<AsyncGenerator<PublishedChange> | undefined> {
  const years = await index.yearsOfChanges();
  for (const [place, year] of years.entries()) {
    const changes = await inOrder(index, year);
    const found = changes.findIndex((change) => change.id === id);
    if (found !== -1) return goOn(index, changes.slice(found + 1), years.slice(0, place).toReversed());
  }
  return undefined;
}

/** The last one in this order. */
export async function newestChange(index: PublishedIndex): Promise<PublishedChange | undefined> {
  const [newest] = await index.yearsOfChanges();
  return newest === undefined ? undefined : (await inOrder(index, newest)).at(-1);
}

async function* goOn(
  index: PublishedIndex,
  changes: readonly PublishedChange[],
  years: readonly string[],
): AsyncGenerator<PublishedChange> {
  yield* changes;
  for (const year of years) yield* await inOrder(index, year);
}

async function inOrder(index: PublishedIndex, year: string): Promise<PublishedChange[]> {
  const changes = await index.changesOf(year);
  return changes.toSorted((a, b) => (a.on < b.on ? -1 : Number(a.on > b.on)));
}
