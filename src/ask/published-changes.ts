import type { PublishedChange, PublishedIndex } from './published-index.ts';

/** What a client wants to hear of; all where a list is absent. */
export interface ChangeFilter {
  readonly components?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
}

/** The changes recorded at an instant and later, in the order of the journal. `since`: milliseconds since 1970. */
export async function* changesFrom(index: PublishedIndex, since: number): AsyncGenerator<PublishedChange> {
  const first = new Date(since).getUTCFullYear();
  for (const year of (await index.yearsOfChanges()).toReversed()) {
    if (Number(year) < first) continue;
    for (const change of await inOrder(index, year)) if (Date.parse(change.at) >= since) yield change;
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

export async function* filterChanges(
  changes: AsyncIterable<PublishedChange>,
  { components, types }: ChangeFilter,
): AsyncGenerator<PublishedChange> {
  for await (const change of changes)
    if (
      (!components || components.some((name) => isAbout(change, name))) &&
      (types?.includes(change.type) ?? true)
    )
      yield change;
}

/** Under its name at that time, or under the first, which its ids keep. */
export function isAbout({ id, component }: PublishedChange, name: string): boolean {
  return component === name || id.slice(0, id.lastIndexOf('/')) === name;
}

async function* goOn(
  index: PublishedIndex,
  changes: readonly PublishedChange[],
  years: readonly string[],
): AsyncGenerator<PublishedChange> {
  yield* changes;
  for (const year of years) yield* await inOrder(index, year);
}

/** The files of the years have the newest first. */
async function inOrder(index: PublishedIndex, year: string): Promise<PublishedChange[]> {
  return (await index.changesOf(year)).toReversed();
}
