import { isDeepStrictEqual } from 'node:util';
import type { RecordedData, RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';

/** A recorded release, line or advisory. */
interface Item {
  version?: string;
  line?: string;
  id?: string;
  source?: string | undefined;
}

/** The sources whose data differs. `file` stands for data without a source. */
export function findChangedSources(
  before: RecordedData,
  after: RecordedData,
  file: string,
): string[] {
  const changed: Item[] = [
    ...listChanged(before.releases, after.releases),
    ...listChanged(before.lines, after.lines),
    ...listChanged(before.advisories, after.advisories),
  ];
  return [...new Set(changed.map(({ source }) => source ?? file))].sort();
}

/** The releases that are new, in the order of the data. */
export function findAddedReleases(before: RecordedData, after: RecordedData): RecordedRelease[] {
  const recorded = new Set(before.releases.map(({ version }) => version));
  return after.releases.filter(({ version }) => !recorded.has(version));
}

/** The items that differ, as they are now; those that are gone, as they were. */
function listChanged(before: readonly Item[] = [], after: readonly Item[] = []): Item[] {
  const formerItems = new Map(before.map((item) => [createKey(item), item]));
  const changed: Item[] = [];
  for (const item of after) {
    if (!isDeepStrictEqual(formerItems.get(createKey(item)), item)) {
      changed.push(item);
    }

    formerItems.delete(createKey(item));
  }
  return [...changed, ...formerItems.values()];
}

/** Sources may state the same line or advisory. */
function createKey({ version, line, id, source }: Item): string {
  return version ?? `${line ?? id} ${source}`;
}
