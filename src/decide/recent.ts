import { addDays, addMonths, startOfQuarter, type Day, newestFirst } from '../core/dates.ts';
import type { JudgedRelease, Judgement } from './judge.ts';
import type { ComponentSummary } from './component.ts';

/** A release of the last half year of a component. */
export interface RecentRelease {
  readonly version: string;
  /** The day of its release; the earliest day on which it was seen, where that is all that is known. */
  readonly day: Day;
  readonly isObserved: boolean;
  readonly isDeprecated: boolean;
}

/** What "lately" means at most, in days back from the newest release: 26 weeks. */
const recentDays = 26 * 7;

/** Some products have a release every few hours. */
const maxRecent = 60;

/**
 * The newest by day, at most half a year older than the newest of all; of one day, the greatest version first. They are
 * counted back from a release and not from today, so that nothing moves on a day without news.
 */
export function recentReleases(releases: readonly JudgedRelease[]): RecentRelease[] {
  const dated = releases.flatMap(({ version, releaseDay, timestampKind, isDeprecated }) =>
    releaseDay === undefined
      ? []
      : { version, day: releaseDay, isObserved: timestampKind === 'observed', isDeprecated },
  );
  const newest = dated
    .map(({ day }) => day)
    .sort()
    .at(-1);
  if (newest === undefined) return [];
  const from = addDays(newest, 1 - recentDays);
  return dated
    .filter(({ day }) => day >= from)
    .reverse()
    .sort((a, b) => newestFirst(a.day, b.day))
    .slice(0, maxRecent);
}

/** A release, and what it is a release of. */
export interface ReleasedLately extends RecentRelease {
  readonly component: string;
  readonly title: string;
}

/**
 * The releases of all components by the day on which they came out, newest first; those of a day by component, the greatest
 * version first. Of a component that releases very often, only the newest.
 */
export function releasedLately(summaries: readonly ComponentSummary[]): ReleasedLately[] {
  return summaries
    .flatMap(({ name, definition, recent }) =>
      recent.map((release) => ({ component: name, title: definition.title, ...release })),
    )
    .sort((a, b) => newestFirst(a.day, b.day));
}

/** The days since a year before the quarter on which something came out, oldest first. The first day moves once a quarter. */
export function releaseDays({ releases, day }: Judgement): Day[] {
  const from = addMonths(startOfQuarter(day), -12);
  const days = releases.flatMap(({ releaseDay }) => releaseDay ?? []);
  return [...new Set(days)].filter((on) => on >= from).sort();
}
