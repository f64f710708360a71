import { cutDay, toTimestamp } from '../model/dates.ts';
import { computeStates, type ReleaseOn } from '../model/states.ts';
import { joinInVersionOrder } from '../model/version.ts';
import type { PublishedRelease } from '../schemas/published/details-file.ts';
import type { SearchedComponent, SearchedLine } from '../schemas/published/search-file.ts';
import {
  fields,
  type Level,
  type QueriedComponent,
  type QueriedLine,
  type QueriedRelease,
  type Row,
} from './fields.ts';
import { formatDuration } from './times.ts';

/** The fields of a release in two parts. */
export interface SplitRow {
  /** The fields that all releases of the line have in common, stored once: an index may have a hundred thousand releases. */
  readonly lineFields: Row;
  readonly releaseFields: Row & { readonly version: string };
}

/** The row of a release, without distances. */
export function joinRow({ lineFields, releaseFields }: SplitRow): Row {
  return { ...lineFields, ...releaseFields };
}

/** A field of a release; not a distance. */
export function readField<F extends keyof Row>(release: SplitRow, field: F): Row[F] {
  return release.releaseFields[field] ?? release.lineFields[field];
}

/**
 * The releases of a component in `search.json` as queries see them on a day, oldest first. `identity`: its name and freshness, which
 * its document does not state.
 */
export function listSearchRows(
  component: SearchedComponent,
  day: string,
  identity: Pick<QueriedComponent, 'component' | 'freshness'>,
): SplitRow[] {
  const lines = component.lines.map((line) => ({
    ...line,
    releases: expandReleases(line, component),
  }));
  const states = computeStates<(typeof lines)[number], QueriedRelease>(lines, day);
  return listRows({ ...component, ...identity, ...states });
}

/** A component with its states on a day. */
type QueriedComponentOn = QueriedComponent & {
  readonly day: string;
  readonly lines: readonly (QueriedLine & {
    readonly releases: readonly ReleaseOn<QueriedRelease>[];
  })[];
};

/** The releases of a component whose states are known, oldest first. */
export function listRows(component: QueriedComponentOn): SplitRow[] {
  const componentFields = copyProperties('component', component);
  for (const { name, readComponent } of fields) {
    addKnown(componentFields, name, readComponent?.(component));
  }

  const rowsByLine = component.lines.map((line) => {
    const lineFields = { ...componentFields, ...copyProperties('line', line) };
    for (const { name, readLine } of fields) {
      addKnown(lineFields, name, readLine?.(line, component.day));
    }

    return line.releases.map((release): SplitRow => {
      const releaseFields = copyProperties('release', release);
      for (const { name, readRelease } of fields) {
        addKnown(releaseFields, name, readRelease?.(release, component));
      }
      return { lineFields, releaseFields: { ...releaseFields, version: release.version } };
    });
  });
  return joinInVersionOrder(rowsByLine, ({ releaseFields }) => releaseFields.version);
}

type RowDraft = Record<string, unknown>;

/** The fields of a level whose value is the property of the same name; without those that are unknown. */
function copyProperties(level: Level, subject: object): RowDraft {
  const row: RowDraft = {};
  for (const { name, fact, added } of fields) {
    if (fact === level || added === level) {
      addKnown(row, name, (subject as Row)[name]);
    }
  }
  return row;
}

function addKnown(row: RowDraft, name: string, value: unknown): void {
  if (value !== undefined) {
    row[name] = value;
  }
}

function expandReleases(
  { shared, releases }: SearchedLine,
  component: Pick<SearchedComponent, 'isSeenWhenReleased'>,
): QueriedRelease[] {
  return releases.map((ownValues) => {
    const release = { ...shared, ...ownValues };
    const releaseTimestamp = release.releaseTimestamp && toTimestamp(release.releaseTimestamp);
    return addUsualValues({ ...release, releaseTimestamp }, component);
  });
}

/** Adds the values that documents leave out, because most releases have them. */
export function addUsualValues<R extends Partial<PublishedRelease>>(
  release: R,
  { isSeenWhenReleased }: Pick<SearchedComponent, 'isSeenWhenReleased'>,
) {
  const { isPrerelease = false, releaseTimestamp } = release;
  let { timestampKind, firstSeen } = release;
  if (releaseTimestamp !== undefined) {
    timestampKind ??= 'published';
    firstSeen ??= isSeenWhenReleased ? cutDay(releaseTimestamp) : undefined;
  }

  return { ...release, isPrerelease, timestampKind, firstSeen };
}

/** The distances: fields that are computed from the day of the question, each with the field of the time to which it is measured. */
export const distances = {
  age: 'releaseTimestamp',
  supportLeft: 'supportedUntil',
  phaseLeft: 'phaseUntil',
} as const;
type Distance = keyof typeof distances;

export function isDistance(name: string): name is Distance {
  return name in distances;
}

/** In milliseconds; undefined where the other time is unknown, and for an end that is over. */
export function computeDistance(
  name: Distance,
  time: string | undefined,
  now: number,
): number | undefined {
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

/** The row with its distances from the start of a day. */
export function addDistances(row: Row, day: string): Row {
  const now = Date.parse(day);
  const result: RowDraft = { ...row };
  for (const name of Object.keys(distances) as Distance[]) {
    const distance = computeDistance(name, row[distances[name]], now);
    addKnown(result, name, distance === undefined ? undefined : formatDuration(distance));
  }
  return result;
}

/** A row as answered: with distances, and with its fields in the documented order. */
export function completeRow(row: Row, day: string): Row {
  return orderFields(addDistances(row, day));
}

/** The row with its fields in the documented order. */
export function orderFields(row: Row): Row {
  return Object.fromEntries(
    fields.filter(({ name }) => name in row).map(({ name }) => [name, row[name]]),
  );
}
