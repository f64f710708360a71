import { cutDay, toTimestamp } from '../model/dates.ts';
import { statesOn, type ReleaseOn } from '../model/states.ts';
import type { PublishedRelease } from '../schemas/published/details-file.ts';
import type { SearchedComponent, SearchedLine } from '../schemas/published/search-file.ts';
import type { PlacedRow } from './catalogue.ts';
import { fields, type ReadComponent, type ReadLine, type ReadRelease, type Row } from './fields.ts';

/** The name and the freshness of a component, which its documents do not state. */
type ComponentWithFreshness = Pick<ReadComponent, 'component' | 'freshness'>;

/** The releases of a component as queries see them on a day, oldest first. */
export function rowsOn(
  component: SearchedComponent,
  day: string,
  named: ComponentWithFreshness,
): PlacedRow[] {
  return toRows({ ...component, ...named, ...componentOn(component, day), day });
}

/** A component with its states on a day. */
type ComponentOfDay = ReadComponent & {
  readonly day: string;
  readonly lines: readonly (ReadLine & { readonly releases: readonly ReleaseOn<ReadRelease>[] })[];
};

/** The releases of a component whose states are known. */
export function toRows(component: ComponentOfDay): PlacedRow[] {
  const ofComponent = readValues(({ ofComponent }) => ofComponent?.(component));
  const releases: PlacedRow[] = [];
  for (const line of component.lines) {
    const ofLine = readValues(({ ofLine }) => ofLine?.(line, component.day));
    const shared = { ...ofComponent, ...ofLine };
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
function componentOn({ lines, isSeenWhenReleased }: SearchedComponent, day: string) {
  const expanded = lines.map((line): ReadLines => ({
    ...line,
    releases: expandReleases(line, isSeenWhenReleased),
  }));
  return statesOn<ReadRelease, ReadLines>(expanded, day);
}

type ReadLines = Omit<SearchedLine, 'releases'> & { readonly releases: readonly ReadRelease[] };

function expandReleases(
  { shared, releases }: SearchedLine,
  isSeenWhenReleased: true | undefined,
): ReadRelease[] {
  return releases.map((row) => {
    const release = { ...shared, ...row };
    const { version, releaseTimestamp: timestamp } = release;
    const releaseTimestamp = timestamp && toTimestamp(timestamp);
    return withUsualValues({ ...release, version: version!, releaseTimestamp }, isSeenWhenReleased);
  });
}

type Omitting = Pick<
  PublishedRelease,
  'isPrerelease' | 'releaseTimestamp' | 'timestampKind' | 'firstSeen'
>;

/** Adds the values that documents leave out, because most releases have them. */
export function withUsualValues<R extends Partial<Omitting>>(
  release: R,
  isSeenWhenReleased?: true,
) {
  const { releaseTimestamp } = release;
  const day = releaseTimestamp && cutDay(releaseTimestamp);
  const usualKind = day === undefined ? undefined : ('published' as const);
  const usualDay = isSeenWhenReleased && day;
  const { isPrerelease = false, timestampKind = usualKind, firstSeen = usualDay } = release;
  return { ...release, isPrerelease, timestampKind, firstSeen };
}
