/** The releases of `search.json` in full, and the places of releases among each other. No zod and no Node: pages load it. */
import type { Release } from './schema/published.ts';
import type {
  SearchedComponent,
  SearchedLine,
  SearchedRelease,
  ShortRelease,
} from './schema/search.ts';
import { countDays, toTimestamp, type Day } from './day.ts';

/** What order says of a release. */
type Place = Pick<Release, 'isLatest' | 'isLatestOfLine' | 'releasesBehind' | 'behind'>;
export type PlacedRelease = SearchedRelease & Place;

export type WithReleases<R> = Pick<SearchedComponent, 'latest' | 'watchesAdvisories' | 'lines'> & {
  readonly releases: readonly R[];
};

export function expandReleases(component: WithReleases<ShortRelease>): PlacedRelease[] {
  const imply = createImplier(component);
  const releases = component.releases.map(({ without = [], ...short }) => {
    const lacking = Object.fromEntries(without.map((key) => [key, undefined]));
    const releaseTimestamp = short.releaseTimestamp && toTimestamp(short.releaseTimestamp);
    // A line implies every key that a release needs.
    return { ...imply(short), ...short, ...lacking, releaseTimestamp } as SearchedRelease;
  });
  return placeReleases({ ...component, releases });
}

/** Releases in their order, each with its place. */
export function placeReleases<R extends SearchedRelease>({
  latest,
  lines,
  releases,
}: Omit<WithReleases<R>, 'watchesAdvisories'>): (R & Place)[] {
  const latestByLine = new Map(lines.map((line) => [line.line, line.latest]));
  const latestDay = findStatedDay(releases.findLast(({ version }) => version === latest));
  let newer = releases.filter(isCounted).length;
  return releases.map((release) => {
    const { version, line } = release;
    newer -= Number(isCounted(release));
    const isBehind = latest !== undefined && version !== latest;
    return {
      ...release,
      isLatest: version === latest || undefined,
      isLatestOfLine: version === latestByLine.get(line) || undefined,
      releasesBehind: isBehind ? newer : undefined,
      behind: isBehind ? countDaysBehind(findStatedDay(release), latestDay) : undefined,
    };
  });
}

/** Older releases are behind it. */
function isCounted({ isPrerelease, isDeprecated }: SearchedRelease): boolean {
  return !isPrerelease && !isDeprecated;
}

/** The day that upstream states. */
function findStatedDay(release: SearchedRelease | undefined): Day | undefined {
  return release?.timestampKind === 'observed'
    ? undefined
    : release?.releaseTimestamp?.slice(0, 10);
}

/** Undefined for a release after the latest one, and where upstream states no day. */
function countDaysBehind(day: Day | undefined, latestDay: Day | undefined): number | undefined {
  return day !== undefined && latestDay !== undefined && day <= latestDay
    ? countDays(day, latestDay)
    : undefined;
}

/** What a release is if nothing else is said: as its line says, and its day as upstream states it. */
export function createImplier({ lines, watchesAdvisories }: WithReleases<unknown>) {
  const byLine = new Map(
    lines.map((line) => [line.line, implyByLine(line, watchesAdvisories)] as const),
  );
  return ({ line, releaseTimestamp }: ShortRelease): Partial<SearchedRelease> => ({
    ...byLine.get(line),
    timestampKind: releaseTimestamp === undefined ? undefined : 'published',
  });
}

function implyByLine(line: SearchedLine, watchesAdvisories: boolean): Partial<SearchedRelease> {
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
