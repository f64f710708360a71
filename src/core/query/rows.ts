import { cutDay, toTimestamp } from '../model/dates.ts';
import { computeStates, type ReleaseOn } from '../model/states.ts';
import type { PublishedRelease } from '../schemas/published/details-file.ts';
import type { SearchedComponent, SearchedLine } from '../schemas/published/release-documents.ts';
import { fields, type ReadComponent, type ReadLine, type ReadRelease, type Row } from './fields.ts';
import { createTest, isSelectedBy, limitWork } from './match.ts';
import { findNamedComponent, type Query } from './parse.ts';
import { formatDuration } from './values.ts';

/** The releases of an index by component, then in version order. */
export type Catalogue = readonly PlacedRow[];

/** A row in two parts. */
export interface PlacedRow {
  /** The fields that all releases of the line share, stored once: an index may have a hundred thousand releases. */
  readonly shared: Row;
  readonly row: Row & { readonly version: string };
}

const groupCache = new WeakMap<Catalogue, ReadonlyMap<string, Catalogue>>();

/** The releases of one component. The first call groups the whole catalogue. */
function listReleasesIn(catalogue: Catalogue, component: string): Catalogue {
  const groups =
    groupCache.get(catalogue) ?? Map.groupBy(catalogue, ({ shared }) => shared.component as string);
  groupCache.set(catalogue, groups);
  return groups.get(component) ?? [];
}

/** A release with all of its fields. */
export function toRow({ shared, row }: PlacedRow): Row {
  return { ...shared, ...row };
}

/**
 * The releases that a query has to test: of the component that it names, or all. Throws a `QuestionError` where they are
 * too many.
 */
export function findCandidates(catalogue: Catalogue, query: Query): Catalogue {
  const name = findNamedComponent(query);
  const candidates = name === undefined ? catalogue : listReleasesIn(catalogue, name);
  limitWork(query, candidates.length);
  return candidates;
}

/** The releases that a query selects as of a day. Throws a `QuestionError`. */
export function select(catalogue: Catalogue, query: Query, day: string): Catalogue {
  return findCandidates(catalogue, query).filter(createSelection(query, day));
}

/** Whether a query selects a release as of a day. Ages are computed at its start, since no document holds them. */
export function createSelection(query: Query, day: string): (release: PlacedRow) => boolean {
  const now = Date.parse(day);

  return isSelectedBy(query, ({ name, type }, test) => {
    const field = (ages[name as Age] ?? name) as keyof Row;
    const passes = createTest(test, type);
    const passesValue = (value: unknown) =>
      passes(
        name in ages && typeof value === 'string' ? computeAge(name as Age, value, now) : value,
      );

    // Releases of one line are adjacent, so a shared value is tested once.
    let lastShared: Row | undefined;
    let isSharedPassing = false;

    return ({ shared, row }) => {
      const value = row[field];
      if (value !== undefined) {
        return passesValue(value);
      }
      if (shared !== lastShared) {
        [lastShared, isSharedPassing] = [shared, passesValue(shared[field])];
      }

      return isSharedPassing;
    };
  });
}

/** The name and the freshness of a component, which its documents do not state. */
type ComponentWithFreshness = Pick<ReadComponent, 'component' | 'freshness'>;

/** The releases of a component as queries see them on a day, oldest first. */
export function listRowsOn(
  component: SearchedComponent,
  day: string,
  identity: ComponentWithFreshness,
): PlacedRow[] {
  return toRows({ ...component, ...identity, ...computeComponentOn(component, day), day });
}

/** A component with its states on a day. */
type ComponentOfDay = ReadComponent & {
  readonly day: string;
  readonly lines: readonly (ReadLine & { readonly releases: readonly ReleaseOn<ReadRelease>[] })[];
};

/** The releases of a component whose states are known. */
export function toRows(component: ComponentOfDay): PlacedRow[] {
  const componentValues = readValues(({ ofComponent }) => ofComponent?.(component));
  const releases: PlacedRow[] = [];
  for (const line of component.lines) {
    const lineValues = readValues(({ ofLine }) => ofLine?.(line, component.day));
    const shared = { ...componentValues, ...lineValues };
    for (const release of line.releases) {
      const releaseValues = readValues(({ ofRelease }) => ofRelease?.(release, component));
      releases.push({ shared, row: { ...releaseValues, version: release.version } });
    }
  }
  return releases;
}

function readValues(read: (field: (typeof fields)[number]) => unknown): Row {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const value = read(field);
    if (value !== undefined) {
      values[field.name] = value;
    }
  }
  return values;
}

/** The states of a component on a day, from the facts in `search.json`. */
function computeComponentOn(component: SearchedComponent, day: string) {
  const lines = component.lines.map((line): ExpandedLine => ({
    ...line,
    releases: expandReleases(line, component),
  }));
  return computeStates<ReadRelease, ExpandedLine>(lines, day);
}

type ExpandedLine = Omit<SearchedLine, 'releases'> & { readonly releases: readonly ReadRelease[] };

function expandReleases(
  { shared, releases }: SearchedLine,
  component: SeenWhenReleased,
): ReadRelease[] {
  return releases.map((row) => {
    const release = { ...shared, ...row };
    const { version, releaseTimestamp: timestamp } = release;
    const releaseTimestamp = timestamp && toTimestamp(timestamp);
    return addUsualValues({ ...release, version: version!, releaseTimestamp }, component);
  });
}

type OmittedValues = Pick<
  PublishedRelease,
  'isPrerelease' | 'releaseTimestamp' | 'timestampKind' | 'firstSeen'
>;

type SeenWhenReleased = Pick<SearchedComponent, 'isSeenWhenReleased'>;

/** Adds the values that documents leave out, because most releases have them. */
export function addUsualValues<R extends Partial<OmittedValues>>(
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

/** Fields that depend on the day of the question, and the field each is computed from. */
export const ages = {
  age: 'releaseTimestamp',
  supportLeft: 'supportedUntil',
  phaseLeft: 'phaseUntil',
} as const;
type Age = keyof typeof ages;

/** In milliseconds, at the start of a day; undefined where support is over. */
function computeAge(name: Age, time: string, now: number): number | undefined {
  const since = now - Date.parse(time);

  // A release later on the same day has the age 0.
  if (name === 'age') {
    return Math.max(0, since);
  }

  return since <= 0 ? Math.abs(since) : undefined;
}

/** The row with its ages at the start of a day. */
export function addAges(row: Row, day: string): Row {
  const now = Date.parse(day);
  const result: Record<string, unknown> = { ...row };
  for (const name of Object.keys(ages) as Age[]) {
    const time = row[ages[name]];
    const age = time === undefined ? undefined : computeAge(name, time, now);
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
    fields.filter(({ name }) => name in row).map(({ name }) => [name, row[name as keyof Row]]),
  );
}
