/** Computes and describes how fresh the data of components are. */
import { countDays, findEarliest, type Day } from '../core/day.ts';
import type { Definition } from '../core/schema/written.ts';
import type { ComponentFreshness } from '../core/schema/documents.ts';
import type { Freshness, Hold } from '../core/schema/recorded.ts';
import { formatCount } from '../core/text.ts';

/** The day of an index, and for how many days an answer of a source is fresh. */
interface Age {
  asOf: Day;
  settings: { staleAfterDays: number };
}

/** Computes the freshness of a component. `held`, `answers`: its recorded holds and answers. */
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
  // The day of the source that answered least recently. Until that day, all sources answered.
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

/** Tells whether releases may be missing. A component with a held change may be stale, too. */
function isStale({ state, lastChecked }: ComponentFreshness, age: Age): boolean {
  return state !== 'static' && isOld(lastChecked, age);
}

/** The words of each state on `status.html`. */
export const freshnessWords = {
  held: { words: 'a change is held', tone: 'soon' },
  stale: { words: 'may be out of date', tone: 'soon' },
  live: { words: 'up to date', tone: 'ok' },
  static: { words: 'kept by hand', tone: 'none' },
};

/** Describes what readers of a component's page should know. Empty if its data are up to date. */
export function describeTrouble(freshness: ComponentFreshness, age: Age): string {
  const sentences = [
    freshness.held && 'A change is held until a person decides.',
    isStale(freshness, age) &&
      'Newer releases may be missing: some sources failed or answered only in part.',
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Tells in a sentence whether every source was checked. `mayMiss`: whether releases may be missing. */
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
