/** How fresh the data of components are, and how pages say it. */
import { countDays, findEarliest, type Day } from '../core/day.ts';
import type { Definition } from '../core/schema/written.ts';
import type { ComponentFreshness } from '../core/schema/documents.ts';
import type { Freshness, Hold } from '../core/schema/recorded.ts';
import { formatCount } from '../core/text.ts';

/** Of an index: its day, and for how many days an answer serves. */
interface Age {
  asOf: Day;
  settings: { staleAfterDays: number };
}

/** `held`, `answers`: what is recorded of a component. */
export function describeFreshness(
  { sources }: Definition,
  held: readonly Hold[],
  age: Age,
  answers: Freshness[string] = {},
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
  const isHeld = held.length > 0;
  const freshState = isOld(lastChecked, age) ? 'stale' : 'live';
  return {
    state: isHeld ? 'held' : freshState,
    lastChecked,
    failures: failures.length > 0 ? failures : undefined,
    held: isHeld ? held.map(({ id, since, reason }) => ({ id, since, reason })) : undefined,
  };
}

function isOld(lastChecked: Day | undefined, { asOf, settings }: Age): boolean {
  return lastChecked === undefined || countDays(lastChecked, asOf) > settings.staleAfterDays;
}

/** Whether releases may be missing, also where a change waits. */
function isStale({ state, lastChecked }: ComponentFreshness, age: Age): boolean {
  return state !== 'static' && isOld(lastChecked, age);
}

/** What is known of the sources of a component. */
export const freshnessWords = {
  held: { words: 'a change is held', tone: 'soon' },
  stale: { words: 'may be out of date', tone: 'soon' },
  live: { words: 'up to date', tone: 'ok' },
  static: { words: 'kept by hand', tone: 'none' },
};

/** What it means for readers of the page of a component. */
export function describeTrouble(freshness: ComponentFreshness, age: Age): string {
  const sentences = [
    freshness.held && 'A change is held until a person decides.',
    isStale(freshness, age) &&
      'Newer releases may be missing: some sources failed or answered only in part.',
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Whether every source was checked, in a sentence. `mayMiss`: whether releases may be missing. */
export function summariseFreshness(freshness: ReadonlyMap<string, ComponentFreshness>, age: Age) {
  const unchecked = [...freshness.values()].filter(
    (each) => each.failures !== undefined || isStale(each, age),
  );
  if (unchecked.length === 0) {
    return { mayMiss: false, text: 'All sources were checked.' };
  }

  const gap = `${unchecked.length} of ${formatCount(freshness.size, 'component')} could not be fully checked.`;
  const mayMiss = unchecked.some((each) => isStale(each, age));
  return { mayMiss, text: mayMiss ? `${gap} Newer releases may be missing.` : gap };
}
