import { isDeepStrictEqual } from 'node:util';
import type { RecordedData, RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';

/** A recorded release, line or advisory. */
interface Item {
  readonly version?: string;
  readonly line?: string;
  readonly id?: string;
  readonly source?: string | undefined;
}

/** The sources whose data differs. `file`: stands for data without a source. */
export function changedSources(before: RecordedData, after: RecordedData, file: string): string[] {
  const changed: Pair<Item>[] = [
    ...pairs(before.releases, after.releases),
    ...pairs(before.lines, after.lines),
    ...pairs(before.advisories, after.advisories),
  ];
  return [...new Set(changed.map(({ item }) => item.source ?? file))].sort();
}

/** The releases that are new, in the order of the data. */
export function addedReleases(before: RecordedData, after: RecordedData): RecordedRelease[] {
  const recorded = new Set(before.releases.map(({ version }) => version));
  return after.releases.filter(({ version }) => !recorded.has(version));
}

interface Pair<T> {
  /** As it is now, or was. */
  readonly item: T;
  readonly was: T | undefined;
}

/** The items that differ, before and after. */
function pairs<T extends Item>(before: readonly T[] = [], after: readonly T[] = []): Pair<T>[] {
  const earlier = new Map(before.map((item) => [createKey(item), item]));
  const changed: Pair<T>[] = [];
  for (const item of after) {
    const was = earlier.get(createKey(item));
    if (!isDeepStrictEqual(was, item)) {
      changed.push({ item, was });
    }

    earlier.delete(createKey(item));
  }
  return [...changed, ...Array.from(earlier.values(), (was) => ({ item: was, was }))];
}

/** Sources may state the same line or advisory. */
function createKey({ version, line, id, source }: Item): string {
  return version ?? `${line ?? id} ${source}`;
}
