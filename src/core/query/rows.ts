import { cutDay, toTimestamp } from '../model/dates.ts';
import { computeStates, type ReleaseOn } from '../model/states.ts';
import type { PublishedRelease } from '../schemas/published/details-file.ts';
import type { SearchedComponent, SearchedLine } from '../schemas/published/release-documents.ts';
import {
  fields,
  type FieldRow,
  type Level,
  type ReadComponent,
  type ReadLine,
  type ReadRelease,
  type Row,
} from './fields.ts';
import { formatDuration } from './times.ts';

/** The fields of a release in two parts. */
export interface SplitRow {
  /** The fields that all releases of the line share, stored once: an index may have a hundred thousand releases. */
  readonly shared: Row;
  readonly row: Row & { readonly version: string };
}

/** A release with all of its fields. */
export function joinRow({ shared, row }: SplitRow): Row {
  return { ...shared, ...row };
}

/** The releases of a component as queries see them on a day, oldest first. `identity`: what its documents do not state. */
export function listRowsOn(
  component: SearchedComponent,
  day: string,
  identity: Pick<ReadComponent, 'component' | 'freshness'>,
): SplitRow[] {
  const lines = component.lines.map((line) => ({
    ...line,
    releases: expandReleases(line, component),
  }));
  const states = computeStates<ReadRelease, (typeof lines)[number]>(lines, day);
  return listRows({ ...component, ...identity, ...states });
}

/** A component with its states on a day. */
type ComponentOfDay = ReadComponent & {
  readonly day: string;
  readonly lines: readonly (ReadLine & { readonly releases: readonly ReleaseOn<ReadRelease>[] })[];
};

/** The releases of a component whose states are known. */
export function listRows(component: ComponentOfDay): SplitRow[] {
  const componentValues = readValues('component', component, ({ readComponent }) =>
    readComponent?.(component),
  );
  const rows: SplitRow[] = [];
  for (const line of component.lines) {
    const lineValues = readValues('line', line, ({ readLine }) => readLine?.(line, component.day));
    const shared = { ...componentValues, ...lineValues };
    for (const release of line.releases) {
      const releaseValues = readValues('release', release, ({ readRelease }) =>
        readRelease?.(release, component),
      );
      rows.push({ shared, row: { ...releaseValues, version: release.version } });
    }
  }
  return rows;
}

/** The known values of the fields about a component, a line or a release. `compute`: the value of a field that needs a function. */
function readValues(level: Level, subject: object, compute: (field: FieldRow) => unknown): Row {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const { name, fact, state } = field;
    const value = fact === level || state === level ? (subject as Row)[name] : compute(field);
    if (value !== undefined) {
      values[name] = value;
    }
  }
  return values;
}

function expandReleases(
  { shared, releases }: SearchedLine,
  component: SeenWhenReleased,
): ReadRelease[] {
  return releases.map((row) => {
    const release = { ...shared, ...row };
    const { version, releaseTimestamp: timestamp } = release;
    const releaseTimestamp = timestamp && toTimestamp(timestamp);
    // Every release has a version; a line with one release may have it among the shared values.
    return addUsualValues({ ...release, version: version!, releaseTimestamp }, component);
  });
}

type SeenWhenReleased = Pick<SearchedComponent, 'isSeenWhenReleased'>;

/** Adds the values that documents leave out, because most releases have them. */
export function addUsualValues<R extends Partial<PublishedRelease>>(
  release: R,
  { isSeenWhenReleased }: SeenWhenReleased,
) {
  const { releaseTimestamp } = release;
  const day = releaseTimestamp && cutDay(releaseTimestamp);
  const usualKind = day === undefined ? undefined : ('published' as const);
  const usualDay = isSeenWhenReleased && day;
  const { isPrerelease = false, timestampKind = usualKind, firstSeen = usualDay } = release;
  return { ...release, isPrerelease, timestampKind, firstSeen };
}

/** Fields that no document holds, as they depend on the day of the question, and the field each is computed from. */
export const ages = {
  age: 'releaseTimestamp',
  supportLeft: 'supportedUntil',
  phaseLeft: 'phaseUntil',
} as const;
type Age = keyof typeof ages;

export function isAge(name: string): name is Age {
  return name in ages;
}

/** The value of an age in milliseconds; undefined where the time is unknown or support is over. */
export function computeAge(name: Age, time: string | undefined, now: number): number | undefined {
  if (time === undefined) {
    return undefined;
  }

  const remaining = Date.parse(time) - now;

  // A release later on the same day has the age 0.
  if (name === 'age') {
    return Math.max(0, -remaining);
  }

  return remaining >= 0 ? remaining : undefined;
}

/** The row with its ages at the start of a day. */
export function addAges(row: Row, day: string): Row {
  const now = Date.parse(day);
  const result: Record<string, unknown> = { ...row };
  for (const name of Object.keys(ages) as Age[]) {
    const age = computeAge(name, row[ages[name]], now);
    if (age !== undefined) {
      result[name] = formatDuration(age);
    }
  }
  return result;
}

/** A row as answered: with ages, and with its fields in the documented order. */
export function completeRow(row: Row, day: string): Row {
  return orderFields(addAges(row, day));
}

/** The row with its fields in the documented order. */
export function orderFields(row: Row): Row {
  return Object.fromEntries(
    fields.filter(({ name }) => name in row).map(({ name }) => [name, row[name]]),
  );
}
