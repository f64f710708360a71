/** The releases of `search.json` in full. No zod and no Node: pages load it. */
import type { Release } from './schema/published.ts';
import type { SearchedComponent, ShortRelease, ShownRelease } from './schema/search.ts';
import { msPerDay, toTimestamp, type Day } from './day.ts';

export type SearchLine = SearchedComponent['lines'][number];
/** With what order says. */
export type SearchRelease = ShownRelease &
  Pick<Release, 'isLatest' | 'isLatestOfLine' | 'releasesBehind' | 'behind'>;

export type Short<R> = Pick<SearchedComponent, 'latest' | 'watchesAdvisories' | 'lines'> & {
  readonly releases: readonly R[];
};

export function expandReleases(component: Short<ShortRelease>): SearchRelease[] {
  const imply = createImply(component);
  const releases = component.releases.map(({ without = [], ...short }) => {
    const { releaseTimestamp: time } = short;
    const lacking = Object.fromEntries(without.map((key) => [key, undefined]));
    const release = { ...imply(short), ...short, ...lacking };
    // A line implies every key that a release needs.
    return { ...release, releaseTimestamp: time && toTimestamp(time) } as SearchRelease;
  });
  addPlaces({ ...component, releases });
  return releases;
}

/** Adds to releases what order says. */
export function addPlaces({ latest, lines, releases }: Short<SearchRelease>): void {
  const latestByLine = new Map(lines.map((line) => [line.line, line.latest]));
  const latestDay = findDay(releases.findLast(({ version }) => version === latest));
  const latestTime = Date.parse(latestDay ?? '');
  let newer = 0;
  for (const release of releases.toReversed()) {
    const { version } = release;
    release.isLatest = version === latest || undefined;
    release.isLatestOfLine = version === latestByLine.get(release.line) || undefined;
    if (latest !== undefined && version !== latest) {
      const day = findDay(release);
      const isOlder = day !== undefined && latestDay !== undefined && day <= latestDay;
      release.releasesBehind = newer;
      release.behind = isOlder ? (latestTime - Date.parse(day)) / msPerDay : undefined;
    }
    newer += Number(!release.isPrerelease && !release.isDeprecated);
  }
}

/** The day that upstream states. */
function findDay(release: ShownRelease | undefined): Day | undefined {
  return release?.timestampKind === 'observed'
    ? undefined
    : release?.releaseTimestamp?.slice(0, 10);
}

/** What a release is if nothing else is said: as its line says, and its day as upstream states it. */
export function createImply({ lines, watchesAdvisories }: Short<unknown>) {
  const byLine = new Map(
    lines.map((line) => {
      const { state, isSupported, moveTo, moveBy, reason } = line;
      const reasons = state === 'ended' && reason ? [reason] : [];
      const implied = {
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
      return [line.line, { dated: { ...implied, timestampKind: 'published' }, implied }];
    }),
  );
  return ({ line, releaseTimestamp }: ShortRelease): Record<string, unknown> => {
    const own = byLine.get(line);
    return (releaseTimestamp ? own?.dated : own?.implied) ?? {};
  };
}
