import { isDeepStrictEqual } from 'node:util';
import type { RecordedData, RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';

/** The sources whose data differs. `file`: stands for data without a source. */
export function changedSources(before: RecordedData, after: RecordedData, file: string): string[] {
  const changed = new Set<string>();

  for (const { was, now } of pairs(before.releases, after.releases, versionKey)) {
    changed.add((now ?? was)!.source ?? file);
  }

  for (const { was, now } of pairs(before.lines, after.lines, lineKey)) {
    changed.add((now ?? was)!.source);
  }

  for (const { was, now } of pairs(before.advisories, after.advisories, advisoryKey)) {
    changed.add((now ?? was)!.source);
  }

  return [...changed].sort();
}

/** The new data without the changes of a source. */
export function withoutSource(
  before: RecordedData,
  after: RecordedData,
  source: string,
  file: string,
): RecordedData {
  const releases = restore(before.releases, after.releases, versionKey, (release) => {
    return (release.source ?? file) === source;
  });
  const isOfSource = (item: { source: string }) => item.source === source;
  const lines = restore(before.lines, after.lines, lineKey, isOfSource);
  const advisories = restore(before.advisories, after.advisories, advisoryKey, isOfSource);

  return {
    releases,
    ...(after.advisories && { advisories }),
    ...(lines.length > 0 && { lines }),
  };
}

/** The releases that are new, in the order of the data. */
export function addedReleases(before: RecordedData, after: RecordedData): RecordedRelease[] {
  const recorded = new Set(before.releases.map(versionKey));
  return after.releases.filter((release) => !recorded.has(versionKey(release)));
}

interface Pair<T> {
  readonly was: T | undefined;
  readonly now: T | undefined;
}

/** The items that differ, before and after. */
function pairs<T>(
  before: readonly T[] = [],
  after: readonly T[] = [],
  keyOf: (item: T) => string,
): Pair<T>[] {
  const earlier = new Map(before.map((item) => [keyOf(item), item]));
  const later = new Map(after.map((item) => [keyOf(item), item]));
  const keys = new Set([...earlier.keys(), ...later.keys()]);

  return Array.from(keys, (key) => ({ was: earlier.get(key), now: later.get(key) })).filter(
    ({ was, now }) => !isDeepStrictEqual(was, now),
  );
}

function restore<T>(
  before: readonly T[] = [],
  after: readonly T[] = [],
  keyOf: (item: T) => string,
  isOfSource: (item: T) => boolean,
): T[] {
  const items = new Map(after.map((item) => [keyOf(item), item]));

  for (const { was, now } of pairs(before, after, keyOf)) {
    const item = (now ?? was)!;
    if (!isOfSource(item)) {
      continue;
    }

    if (was) {
      items.set(keyOf(item), was);
    } else {
      items.delete(keyOf(item));
    }
  }

  return [...items.values()];
}

function versionKey({ version }: RecordedRelease): string {
  return version;
}

function advisoryKey({ id, source }: { id: string; source: string }): string {
  return `${id} ${source}`;
}

function lineKey({ line, source }: { line: string; source: string }): string {
  return `${line} ${source}`;
}
