import {
  addDays,
  addMonths,
  cutDay,
  startOfQuarter,
  newestFirst,
  type Day,
} from '../core/model/dates.ts';
import { pick } from '../core/model/objects.ts';
import type { JudgedRelease, Judgement } from './judge.ts';

/** A release of the half year before the newest one, with its component. */
export type RecentRelease = ReturnType<typeof listRecentReleases>[number];

/** Counted back from the newest release. */
const recentDays = 26 * 7;

/** Some products publish releases every few hours. */
const maxRecent = 60;

/** The facts about the day of a judged or published release. */
type DayFacts = Partial<Pick<JudgedRelease, 'releaseTimestamp' | 'timestampKind' | 'firstSeen'>>;

/** If so many releases were first seen on one day, the index first asked a registry on it that states no days. */
const manyAtOnce = 10;

/**
 * The releases whose day says something about them: not those that were first seen together with many others, or with a greater one
 * whose day upstream states. `releases`: oldest version first.
 */
export function listDatedReleases<Release extends DayFacts>(
  releases: readonly Release[],
): (Release & { readonly releaseTimestamp: string })[] {
  const observedByDay = Map.groupBy(releases.filter(isObserved), readDay);
  const groups = [...observedByDay.values()];
  const seenAtOnce = new Set(groups.filter(({ length }) => length >= manyAtOnce).flat());
  for (const release of listSeenBelowStated(releases)) {
    seenAtOnce.add(release);
  }

  return releases.filter(
    (release): release is Release & { readonly releaseTimestamp: string } =>
      release.releaseTimestamp !== undefined && !seenAtOnce.has(release),
  );
}

/** The observed releases of sources that state a day for their newest release only. */
function listSeenBelowStated<Release extends DayFacts>(releases: readonly Release[]): Release[] {
  const daysWithStated = new Set<Day | undefined>();
  return releases.toReversed().filter((release) => {
    if (isObserved(release)) {
      return daysWithStated.has(readDay(release));
    }

    if (release.releaseTimestamp !== undefined) {
      daysWithStated.add(release.firstSeen);
    }

    return false;
  });
}

function isObserved({ timestampKind }: DayFacts): boolean {
  return timestampKind === 'observed';
}

/** Empty for an unknown day. */
function readDay({ releaseTimestamp = '' }: DayFacts): string {
  return cutDay(releaseTimestamp);
}

/**
 * Sorts releases that are in the order of their versions: newest day first, then the greatest version first. Those whose day says
 * nothing about them are at the end. `all`: the releases of their component.
 */
export function sortByDay<Release extends DayFacts>(
  releases: readonly Release[],
  all: readonly Release[] = releases,
): Release[] {
  const dated = new Set<Release>(listDatedReleases(all));
  const readKnownDay = (release: Release) => (dated.has(release) ? readDay(release) : '');
  return releases.toReversed().sort((a, b) => newestFirst(readKnownDay(a), readKnownDay(b)));
}

/**
 * The releases of each year. `undated`: those whose day says nothing about them; the day is removed. `releases`: sorted by day. `all`:
 * the releases of their component.
 */
export function groupByYear<Release extends DayFacts>(
  releases: readonly Release[],
  all: readonly Release[],
) {
  const dated = new Set<Release>(listDatedReleases(all));
  const { withDay = [], without = [] } = Object.groupBy(releases, (release) =>
    dated.has(release) ? 'withDay' : 'without',
  );
  return {
    years: Map.groupBy(withDay, (release) => readDay(release).slice(0, 4)),
    undated: without.map((release) => ({ ...release, releaseTimestamp: undefined })),
  };
}

/**
 * The releases of the half year before the newest one; newest day first, then the greatest version first. Counting back from a
 * release instead of today keeps the list unchanged on days without news.
 */
export function listRecentReleases(component: string, title: string, judgement: Judgement) {
  const firstReleases = new Set(judgement.lines.map(({ releases }) => releases[0]));

  const releases = sortByDay(listDatedReleases(judgement.releases)).map((release) => ({
    ...pick(release, ['version', 'isDeprecated', 'line', 'changelogUrl']),
    component,
    title,
    /** Its release day, or the day it was first seen. */
    day: cutDay(release.releaseTimestamp),
    isObserved: isObserved(release),
    /** Whether it is the first release of its line. */
    opensLine: firstReleases.has(release),
    /** The first words of its release notes. */
    notes: release.recorded.notes ?? '',
  }));

  const [newest] = releases;
  if (!newest) {
    return [];
  }

  const from = addDays(newest.day, 1 - recentDays);
  // They are in the order of their days, so the cut leaves the newest.
  return releases.slice(0, maxRecent).filter(({ day }) => day >= from);
}

/** The recent releases of all components: newest day first, then in the order of `summaries`, the greatest version first. */
export function mergeRecentReleases(
  summaries: readonly { readonly recent: readonly RecentRelease[] }[],
): RecentRelease[] {
  return summaries.flatMap(({ recent }) => recent).sort((a, b) => newestFirst(a.day, b.day));
}

/** The days of all releases whose day says something about them, oldest first. */
export function listKnownDays(releases: readonly DayFacts[]): Day[] {
  return listDatedReleases(releases).map(readDay).sort();
}

/** The release days since a year before this quarter, oldest first. The range moves once a quarter. */
export function listReleaseDays(judgement: Judgement): Day[] {
  const from = addMonths(startOfQuarter(judgement.day), -12);
  return [...new Set(listKnownDays(judgement.releases))].filter((on) => on >= from);
}
