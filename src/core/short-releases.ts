/** The releases of `search.json` in full. No zod and no Node: pages load it. */
import type { Release } from './schema/published.ts';
import type { SearchedComponent, ShortRelease, ShownRelease } from './schema/search.ts';
import { countDays, toTimestamp, type Day } from './day.ts';

export type SearchLine = SearchedComponent['lines'][number];

/** What order says of a release. */
type Place = Pick<Release, 'isLatest' | 'isLatestOfLine' | 'releasesBehind' | 'behind'>;
export type SearchRelease = ShownRelease & Place;

export type WithReleases<R> = Pick<SearchedComponent, 'latest' | 'watchesAdvisories' | 'lines'> & {
  readonly releases: readonly R[];
};

export function expandReleases(component: WithReleases<ShortRelease>): SearchRelease[] {
  const imply = createImply(component);
  const releases = component.releases.map(({ without = [], ...short }) => {
    const lacking = Object.fromEntries(without.map((key) => [key, undefined]));
    const releaseTimestamp = short.releaseTimestamp && toTimestamp(short.releaseTimestamp);
    // A line implies every key that a release needs.
    return { ...imply(short), ...short, ...lacking, releaseTimestamp } as ShownRelease;
  });
  const places = findPlaces({ ...component, releases });
  return releases.map((release) => ({ ...release, ...places.get(release.version) }));
}

/** By version, of releases in their order. */
export function findPlaces({
  latest,
  lines,
  releases,
}: Omit<WithReleases<ShownRelease>, 'watchesAdvisories'>): Map<string, Place> {
  const latestByLine = new Map(lines.map((line) => [line.line, line.latest]));
  const latestDay = findStatedDay(releases.findLast(({ version }) => version === latest));
  const places = new Map<string, Place>();
  let newer = 0;
  for (const release of releases.toReversed()) {
    const { version, line, isPrerelease, isDeprecated } = release;
    const isBehind = latest !== undefined && version !== latest;
    places.set(version, {
      isLatest: version === latest || undefined,
      isLatestOfLine: version === latestByLine.get(line) || undefined,
      releasesBehind: isBehind ? newer : undefined,
      behind: isBehind ? countDaysBehind(findStatedDay(release), latestDay) : undefined,
    });
    newer += Number(!isPrerelease && !isDeprecated);
  }
  return places;
}

/** The day that upstream states. */
function findStatedDay(release: ShownRelease | undefined): Day | undefined {
  return release?.timestampKind === 'observed'
    ? undefined
    : release?.releaseTimestamp?.slice(0, 10);
}

/** Undefined for a release after the latest one. */
function countDaysBehind(day: Day | undefined, latestDay: Day | undefined): number | undefined {
  return day !== undefined && latestDay !== undefined && day <= latestDay
    ? countDays(day, latestDay)
    : undefined;
}

/** What a release is if nothing else is said: as its line says, and its day as upstream states it. */
export function createImply({ lines, watchesAdvisories }: WithReleases<unknown>) {
  const byLine = new Map(
    lines.map((line) => [line.line, implyByLine(line, watchesAdvisories)] as const),
  );
  return ({ line, releaseTimestamp }: ShortRelease): Partial<ShownRelease> => ({
    ...byLine.get(line),
    timestampKind: releaseTimestamp === undefined ? undefined : 'published',
  });
}

function implyByLine(line: SearchLine, watchesAdvisories: boolean): Partial<ShownRelease> {
  const { state, isSupported, moveTo, moveBy, reason } = line;
  const reasons = state === 'ended' && reason ? [reason] : [];
  return {
    state,
    isSupported,
    moveTo,
    moveBy,
    reasons,
    fixes: [],
    advisories: watchesAdvisories ? [] : undefined,
    isDeprecated: reasons.length > 0,
    deprecatedSince: reasons[0]?.fromAtMost ?? reasons[0]?.from,
  };
}
