import { cutDay, toTimestamp } from '../model/dates.ts';
import { pickDefined } from '../model/objects.ts';
import { computeStates, type ReleaseOn } from '../model/states.ts';
import { joinInVersionOrder } from '../model/version.ts';
import type { PublishedRelease } from '../schemas/published/details-file.ts';
import type { SearchedComponent, SearchedLine } from '../schemas/published/search-file.ts';
import { computeDistance, distances, type Distance } from './distances.ts';
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
  readonly lineFields: Partial<Row> & { readonly component: string };
  readonly releaseFields: Partial<Row> & { readonly version: string };
}

/** A field of a release; undefined for a distance, which is computed from a day. */
export function readField<F extends keyof Row>(release: SplitRow, field: F): Partial<Row>[F] {
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
  const componentFields = createRow('component', component, ({ readComponent }) =>
    readComponent?.(component),
  );

  const rowsByLine = component.lines.map((line) => {
    const lineFields = {
      ...componentFields,
      ...createRow('line', line, ({ readLine }) => readLine?.(line, component.day)),
      component: component.component,
    };

    return line.releases.map((release): SplitRow => {
      const releaseFields = createRow('release', release, ({ readRelease }) =>
        readRelease?.(release, component),
      );
      return { lineFields, releaseFields: { ...releaseFields, version: release.version } };
    });
  });
  return joinInVersionOrder(rowsByLine, ({ releaseFields }) => releaseFields.version);
}

/** The known fields of a level: the properties of the same name, and the values that are computed. */
function createRow(
  level: Level,
  subject: object,
  compute: (field: (typeof fields)[number]) => unknown,
): Partial<Row> {
  const row: Record<string, unknown> = {};
  for (const field of fields) {
    const { name, fact, added } = field;
    const isProperty = fact === level || added === level;
    const value = isProperty ? (subject as Row)[name] : compute(field);
    if (value !== undefined) {
      row[name] = value;
    }
  }
  return row;
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

/** A release as answered: its fields in the documented order, and on a `day` with distances from its start. */
export function completeRow({ lineFields, releaseFields }: SplitRow, day?: string): Row {
  const row: Record<string, unknown> = { ...lineFields, ...releaseFields };
  if (day !== undefined) {
    const now = Date.parse(day);
    for (const name of Object.keys(distances) as Distance[]) {
      const distance = computeDistance(name, row[distances[name]] as string | undefined, now);
      row[name] = distance === undefined ? undefined : formatDuration(distance);
    }
  }

  const names = fields.map(({ name }) => name);
  return pickDefined(row, names) as Row;
}
