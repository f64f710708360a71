import { newestFirst } from '../../core/dates.ts';
import type { ComponentSummary } from '../component.ts';
import type { RecentRelease } from '../recent.ts';

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
