/** How fresh the data of components are, and how pages say it. */
import { countDays, findEarliest, type Day } from '../core/day.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { ComponentFreshness } from '../core/schema/documents.ts';
import type { Freshness, Hold } from '../core/schema/recorded.ts';
import { formatCount } from '../core/text.ts';

/** `answers`, `held`: what is recorded of a component. */
export function describeFreshness(
  { sources }: Definition,
  { answers = {}, held }: { answers?: Freshness[string] | undefined; held?: Hold[] | undefined },
  day: Day,
  staleAfterDays: number,
): ComponentFreshness {
  if (sources.every(({ datasource }) => datasource === 'static')) {
    return { state: 'static' };
  }

  const days = Object.values(answers).map(({ answeredOn }) => answeredOn);
  // The oldest last answer: until then, all is known.
  const lastChecked = days.includes(undefined) ? undefined : findEarliest(days);
  const failures = Object.entries(answers).flatMap(([source, { failingSince, reason }]) =>
    failingSince === undefined ? [] : [{ source, since: failingSince, reason: reason ?? 'failed' }],
  );
  const isStale = lastChecked === undefined || countDays(lastChecked, day) > staleAfterDays;
  const freshState = isStale ? 'stale' : 'live';
  return {
    state: held ? 'held' : freshState,
    lastChecked,
    failures: failures.length > 0 ? failures : undefined,
    held: held?.map(({ id, since, reason }) => ({ id, since, reason })),
  };
}

/** What is known of the sources of a component. `trouble`: what it means for readers of its page. */
export const freshnessWords = {
  held: { words: 'a change waits', tone: 'soon', trouble: 'A change waits for a decision.' },
  stale: {
    words: 'may be out of date',
    tone: 'soon',
    trouble: 'Newer releases may be missing: sources failed.',
  },
  live: { words: 'up to date', tone: 'ok', trouble: '' },
  static: { words: 'kept by hand', tone: 'none', trouble: '' },
};

/** Whether every source was checked, in a sentence, too. */
export function summariseFreshness(freshness: ReadonlyMap<string, ComponentFreshness>) {
  const stale = [...freshness.values()].filter(({ state }) => state === 'stale').length;
  const gap = `${stale} of ${formatCount(freshness.size, 'component')} could not be fully checked. Newer releases may be missing.`;
  return { isStale: stale > 0, text: stale > 0 ? gap : 'All sources were checked.' };
}
