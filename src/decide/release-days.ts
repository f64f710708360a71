import { addDays, addMonths, startOfQuarter, newestFirst, type Day } from '../core/model/dates.ts';
import { pick } from '../core/model/objects.ts';
import type { JudgedRelease, Judgement } from './judge.ts';

/** A release of the last half year, with its component. */
export interface RecentRelease extends Pick<
  JudgedRelease,
  'version' | 'isDeprecated' | 'line' | 'changelogUrl'
> {
  readonly component: string;
  readonly title: string;
  /** Its release day, or the day it was first seen. */
  readonly day: Day;
  readonly isObserved: boolean;
  /** Whether it is the first release of its line. */
  readonly opensLine: boolean;
  /** The first words of its release notes. */
  readonly notes: string;
}

/** Counted back from the newest release. */
const recentDays = 26 * 7;

/** Some products publish releases every few hours. */
const maxRecent = 60;

type DatedRelease = JudgedRelease & { readonly releaseDay: Day };

/** So many releases do not come on one day. */
const manyAtOnce = 10;

/**
 * The releases whose day says something about them. Where a registry states no days, many releases were first seen on one day: on
 * that day, the index first asked.
 */
export function listDatedReleases({ releases }: Pick<Judgement, 'releases'>): DatedRelease[] {
  const observedByDay = Map.groupBy(releases.filter(isObserved), ({ releaseDay }) => releaseDay);
  const groups = [...observedByDay.values()];
  const seenAtOnce = new Set(groups.filter(({ length }) => length >= manyAtOnce).flat());
  return releases.filter(
    (release): release is DatedRelease =>
      release.releaseDay !== undefined && !seenAtOnce.has(release),
  );
}

function isObserved({ timestampKind }: JudgedRelease): boolean {
  return timestampKind === 'observed';
}

/**
 * The releases of the half year before the newest one; newest day first, then the greatest version first. Counting back from a
 * release instead of today keeps the list unchanged on days without news.
 */
export function listRecentReleases(
  component: string,
  title: string,
  judgement: Judgement,
): RecentRelease[] {
  const firstReleases = new Set(judgement.lines.map(({ releases }) => releases[0]));

  const releases = listDatedReleases(judgement).map((release) => ({
    ...pick(release, ['version', 'isDeprecated', 'line', 'changelogUrl']),
    component,
    title,
    day: release.releaseDay,
    isObserved: isObserved(release),
    opensLine: firstReleases.has(release),
    notes: release.recorded.notes ?? '',
  }));
  releases.reverse().sort((a, b) => newestFirst(a.day, b.day));

  const [newest] = releases;
  if (!newest) {
    return [];
  }

  const from = addDays(newest.day, 1 - recentDays);
  return releases.slice(0, maxRecent).filter(({ day }) => day >= from);
}

/**
 * The recent releases of all components: newest day first, then by component, the greatest version first. Frequently released
 * components have only their newest.
 */
export function mergeRecentReleases(
  summaries: readonly { readonly recent: readonly RecentRelease[] }[],
): RecentRelease[] {
  return summaries.flatMap(({ recent }) => recent).sort((a, b) => newestFirst(a.day, b.day));
}

/** The release days since a year before this quarter, oldest first. The range moves once a quarter. */
export function listReleaseDays(judgement: Judgement): Day[] {
  const from = addMonths(startOfQuarter(judgement.day), -12);
  const days = listDatedReleases(judgement).map(({ releaseDay }) => releaseDay);
  return [...new Set(days)].filter((on) => on >= from).sort();
}
