import { addDays, addMonths, startOfQuarter, type Day, newestFirst } from '../core/dates.ts';
import type { Component, ComponentSummary } from './component.ts';
import type { JudgedRelease, Judgement } from './judge.ts';

/** A release of the last half year, and what it is a release of. */
export interface RecentRelease extends Pick<JudgedRelease, 'version' | 'isDeprecated'> {
  readonly component: string;
  readonly title: string;
  /** The day of its release; the earliest day on which it was seen, where that is all that is known. */
  readonly day: Day;
  readonly isObserved: boolean;
}

/** The most that "lately" means, in days back from the newest release: 26 weeks. */
const recentDays = 26 * 7;

/** Some products have a release every few hours. */
const maxRecent = 60;

/**
 * The newest by day, at most half a year older than the newest of all; of one day, the greatest version first. They are
 * counted back from a release and not from today, so that nothing moves on a day without news.
 */
export function recentReleases({ name: component, definition, judgement }: Component): RecentRelease[] {
  const about = { component, title: definition.title };
  const dated = judgement.releases.flatMap(({ version, releaseDay: day, timestampKind, isDeprecated }) =>
    day === undefined
      ? []
      : { ...about, version, day, isObserved: timestampKind === 'observed', isDeprecated },
  );
  const [newest, ...others] = dated.reverse().sort((a, b) => newestFirst(a.day, b.day));
  if (!newest) return [];
  const from = addDays(newest.day, 1 - recentDays);
  return [newest, ...others.slice(0, maxRecent - 1).filter(({ day }) => day >= from)];
}

/**
 * The releases of all components by the day on which they came out, newest first; those of a day by component, the greatest
 * version first. If a component releases very often, only its newest.
 */
export function releasedLately(summaries: readonly ComponentSummary[]): RecentRelease[] {
  return summaries.flatMap(({ recent }) => recent).sort((a, b) => newestFirst(a.day, b.day));
}

/** The days since a year before the quarter on which something came out, oldest first. The first day moves once a quarter. */
export function releaseDays({ releases, day }: Judgement): Day[] {
  const from = addMonths(startOfQuarter(day), -12);
  const days = releases.flatMap(({ releaseDay }) => releaseDay ?? []);
  return [...new Set(days)].filter((on) => on >= from).sort();
}
