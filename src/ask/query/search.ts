/**
 * Finds the releases that a query selects, from `status.json` and the parts of `search/`. Pages run this file, so it imports neither zod
 * nor Node.
 */
import { countDays, msPerDay, type Day } from '../../core/day.ts';
import {
  describeUntil,
  describeWay,
  findStateTone,
  nameState,
  vulnerableLabel,
} from '../../core/phrases.ts';
import type { Status, Search, SearchedColumn } from '../../core/schema/documents.ts';
import { includeUnchecked } from './hints.ts';
import {
  excludes,
  readCell,
  selectRows,
  type Column,
  type ReadColumn,
  type Values,
} from './match.ts';
import type { Query } from './parse.ts';
import type { ReleaseFacts } from './release-facts.ts';
import { releaseFields, type DailyField, type SharedField } from './release-fields.ts';

/** All releases of a component as columns, in the order of versions. */
type Table = ReturnType<typeof openReleases>;

/** A selected release: its component and the index of its row. `listRows` returns the row itself. */
export interface Found {
  readonly table: Table;
  readonly row: number;
}

/** A release as a row: the value of each query field. */
export type SearchRow = Values &
  ReleaseFacts &
  Readonly<Record<'component' | 'title', string>> &
  Readonly<Record<SharedField | DailyField, unknown>>;

/** Reads a part of `search/` by its path. */
type ReadPart = (path: string) => Promise<Search>;

/** Means that `status.json` and a part of `search/` come from different builds. The site was published between the two requests. */
export class OtherBuildError extends Error {}

/**
 * The number of parts that are requested at once. With twelve, a phone needs fewer round trips than with six. Requesting all parts at once
 * would take more memory than a Worker has.
 */
const partsAtOnce = 12;

/** The releases that a query selects. */
interface Selected {
  /** The selected releases, sorted by component and then by version. */
  readonly found: readonly Found[];
  /** The number of further releases that the query may select once their advisories are known. */
  readonly unchecked: number;
}

/** Returns the releases that a query selects. Reads only the parts of `search/` that may contain such releases. */
export async function search(query: Query, status: Status, readPart: ReadPart): Promise<Selected> {
  const wider = includeUnchecked(query);
  const names = Object.keys(status.components).filter(
    (name) => !excludes(wider ?? query, readShared(name, status)),
  );
  const parts = [...Map.groupBy(names, nameParts(status))];
  const found: Found[] = [];
  let possible = 0;
  while (parts.length > 0) {
    const asked = parts.splice(0, partsAtOnce);
    const read = await Promise.all(asked.map(([path]) => readPart(path)));
    for (const [index, [path, namesOfPart]] of asked.entries()) {
      for (const name of namesOfPart) {
        const table = openTable(name, status, read[index]!, path);
        for (const row of selectRows(query, table.readColumn, table.size)) {
          found.push({ table, row });
        }
        possible += wider ? selectRows(wider, table.readColumn, table.size).length : 0;
      }
    }
  }
  return { found, unchecked: wider ? possible - found.length : 0 };
}

/** Returns all releases of a component. */
export async function readComponent(
  name: string,
  status: Status,
  readPart: ReadPart,
): Promise<Found[]> {
  const path = nameParts(status)(name);
  const table = openTable(name, status, await readPart(path), path);
  return Array.from({ length: table.size }, (_, row) => ({ table, row }));
}

export function listRows(found: readonly Found[]): SearchRow[] {
  return found.map(({ table, row }) => table.row(row));
}

/** Returns the label, the tone (colour) and the end of support of a release, for a row of a table. */
export function describeRow(row: SearchRow) {
  const tone = findStateTone(row);
  const isBad = row.isVulnerable === true && tone !== 'over';
  return {
    label: isBad ? vulnerableLabel : nameState(row),
    tone: isBad ? 'gone' : tone,
    until: describeUntil(row) || 'not known',
  };
}

/**
 * Describes the release to move to:
 * - `2026.3`, or `Edge node 2.1.0` if it belongs to another component
 * - `Orders or Billing` if the component was split
 * - `nothing yet` if users should move, but there is no such release
 * - an empty text if there is no reason to move
 */
export function describeMove(row: SearchRow, { components }: Status): string {
  const { moveTo, moveToComponent, through } = row;
  if (moveTo === null) {
    const parts = components[row.component]?.splitInto?.map((name) => components[name]!.title);
    const target = parts?.join(' or ') ?? 'nothing yet';
    return ['ok', 'none'].includes(describeRow(row).tone) ? '' : target;
  }

  const other = moveToComponent !== row.component && components[moveToComponent ?? ''];
  return other ? `${other.title} ${moveTo}` : moveTo + describeWay(through ?? undefined);
}

/**
 * Returns a function that maps a component to the path of its part of `search/`. Each part has the releases of `componentsPerPart`
 * components, in the order of `status.json`.
 */
function nameParts({ components, componentsPerPart }: Status): (name: string) => string {
  const places = new Map(Object.keys(components).map((name, place) => [name, place]));
  return (name) => `search/${Math.floor(places.get(name)! / componentsPerPart)}.json`;
}

/** Reads the fields that all releases of a component share, from `status.json`. */
function readShared(component: string, { components }: Status): ReadColumn {
  const { title, state: freshness, fields } = components[component]!;
  const shared: Readonly<Record<string, unknown>> = { component, title, freshness, ...fields };
  return (field) => (field in shared ? { values: [shared[field]] } : undefined);
}

/** The tables that queries have opened, so that later queries need not open them again. The key is a component in a part of `search/`. */
const opened = new WeakMap<object, Table>();

function openTable(name: string, status: Status, part: Search, path: string): Table {
  const releases = part.components[name];
  if (!releases) {
    throw new OtherBuildError(`${path} is of another build than status.json. Ask again.`);
  }

  const open = opened.get(releases) ?? openReleases(name, status, releases);
  opened.set(releases, open);
  return open;
}

function openReleases(
  name: string,
  status: Status,
  { size, columns }: Search['components'][string],
) {
  const readSharedColumn = readShared(name, status);
  const kept = new Map<string, Column>();
  const readColumn = (field: string): Column => {
    const known = kept.get(field);
    if (known) {
      return known;
    }

    const { of = field, direction } = daily[field as DailyField] ?? {};
    const stored = readSharedColumn(of) ?? expandColumn(columns[of]);
    const column = direction
      ? {
          ...stored,
          values: stored.values.map((day) => measureTime(day, status.asOf, direction)),
        }
      : stored;
    kept.set(field, column);
    return column;
  };
  const value = (field: string, row: number): unknown => {
    const cell = readCell(readColumn(field), row);
    return field in daily && typeof cell === 'number' ? `P${cell / msPerDay}D` : cell;
  };
  const row = (number: number) =>
    Object.fromEntries(
      releaseFields.map(({ name: field }) => [field, value(field, number)]),
    ) as SearchRow;
  return { size, readColumn, value, row };
}

/**
 * Appends null (no value) and undefined (unknown) to the distinct values of a column, because `search/` leaves them out of `values`. After
 * three values, 3 in `at` means null, and 4 means undefined.
 */
function expandColumn(stored: SearchedColumn | undefined): Column {
  const { values, at }: Column = stored ?? { values: [undefined] };
  if (at) {
    return { values: [...values, null, undefined], at };
  }
  return { values: values.length === 0 ? [null] : values };
}

const daily: Readonly<Record<DailyField, { of: keyof ReleaseFacts; direction: 1 | -1 }>> = {
  age: { of: 'releaseTimestamp', direction: 1 },
  supportLeft: { of: 'supportedUntil', direction: -1 },
};

/** Returns the milliseconds since a day or, if `direction` is -1, until that day. Undefined if the result would be negative. */
function measureTime(day: unknown, asOf: Day, direction: 1 | -1): number | undefined {
  const days = typeof day === 'string' ? countDays(day.slice(0, 10), asOf) * direction : -1;
  return days < 0 ? undefined : days * msPerDay;
}
