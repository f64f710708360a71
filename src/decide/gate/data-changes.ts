import { isDeepStrictEqual } from 'node:util';
import type { RecordedData, RecordedLine, RecordedRelease } from '../../core/schemas/recorded.ts';

/** The changes of one source in the recorded data, accepted or held as a whole. */
export interface DataChange {
  /** A source, or the data file for data recorded by hand. */
  readonly cause: string;
  readonly key?: string;
  apply(data: RecordedData): RecordedData;
}

/** Adds new releases, advisories and release lines to the data before a run. */
export function withAdditions(
  before: RecordedData,
  added: readonly RecordedRelease[],
  after: RecordedData,
) {
  const advised = newOnes(before.advisories, after.advisories, advisoryKey);
  return rebuild(before, {
    releases: [...before.releases, ...added],
    advisories: (before.advisories ?? after.advisories) && [
      ...(before.advisories ?? []),
      ...advised,
    ],
    lines: [...(before.lines ?? []), ...addedLines(before, after)],
  });
}

export function addedReleases(before: RecordedData, after: RecordedData): RecordedRelease[] {
  return newOnes(before.releases, after.releases, versionKey);
}

export function addedLines(before: RecordedData, after: RecordedData): RecordedLine[] {
  return newOnes(before.lines, after.lines, lineKey);
}

/** The changes of previously recorded data, each to be judged separately. `file`: the cause of changes without a source. */
export function dataChanges(before: RecordedData, after: RecordedData, file: string): DataChange[] {
  const releases = changed(before.releases, after.releases, versionKey);
  const bySource = Map.groupBy(releases, ({ was, now }) => (now ?? was).source ?? file);
  const lines = Map.groupBy(changed(before.lines, after.lines, lineKey), ({ was }) => was.source);
  const advisories = changed(before.advisories, after.advisories, advisoryKey);
  return [
    ...Array.from(bySource, ([cause, changes]) => ({
      cause,
      apply: (data: RecordedData) =>
        rebuild(data, { releases: replace(data.releases, changes, versionKey) }),
    })),
    ...Array.from(lines, ([cause, changes]) => ({
      cause,
      key: 'lines',
      apply: (data: RecordedData) =>
        rebuild(data, { lines: replace(data.lines, changes, lineKey) }),
    })),
    ...advisories.map((change) => ({
      cause: change.was.source,
      key: change.was.id,
      apply: (data: RecordedData) =>
        rebuild(data, { advisories: replace(data.advisories, [change], advisoryKey) }),
    })),
  ];
}

interface Change<T> {
  was: T;
  /** Undefined if it is gone. */
  now: T | undefined;
}

function changed<T>(
  before: readonly T[] = [],
  after: readonly T[] = [],
  keyOf: (item: T) => string,
): Change<T>[] {
  const present = new Map(after.map((item) => [keyOf(item), item]));
  return before.flatMap((was) => {
    const now = present.get(keyOf(was));
    return isDeepStrictEqual(was, now) ? [] : { was, now };
  });
}

function newOnes<T>(
  before: readonly T[] = [],
  after: readonly T[] = [],
  keyOf: (item: T) => string,
): T[] {
  const known = new Set(before.map(keyOf));
  return after.filter((item) => !known.has(keyOf(item)));
}

/** Releases that are gone stay: data only grows. */
function replace<T>(
  items: readonly T[] = [],
  changes: readonly Change<T>[],
  keyOf: (item: T) => string,
) {
  const byKey = new Map(changes.map((change) => [keyOf(change.was), change]));
  return items.flatMap((item) => {
    const change = byKey.get(keyOf(item));
    return change ? (change.now ?? []) : item;
  });
}

function rebuild(data: RecordedData, parts: Partial<RecordedData>): RecordedData {
  const { releases, advisories, lines } = { ...data, ...parts };
  return {
    releases,
    ...(advisories && { advisories: advisories.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }),
    ...(lines?.length && { lines }),
  };
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
