/** Computes and describes how fresh the data of components is. */
import { countDays, findEarliest, type Day } from '../core/day.ts';
import type { ComponentFreshness } from '../core/schema/documents.ts';
import { nameSources } from '../core/schema/names.ts';
import type { Freshness, Hold } from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import { formatCount } from '../core/text.ts';

/** The date of an index, and the number of days for which a source's answer is fresh. */
interface Age {
  asOf: Day;
  settings: { staleAfterDays: number };
}

/**
 * Computes the freshness of a component.
 * - `held`: its changes that wait for a person's decision
 * - `answers`: when each of its sources last answered or failed
 */
export function describeFreshness(
  definition: Definition,
  held: readonly Hold[],
  age: Age,
  answers: Freshness[string] = {},
): ComponentFreshness {
  const areStatic = definition.sources.every(({ datasource }) => datasource === 'static');
  if (areStatic && definition.support?.policy !== 'stated') {
    return { state: 'static' };
  }

  const lastChecked = findLastChecked(Object.values(answers));
  const failures = Object.entries(answers).flatMap(([source, { failingSince, reason }]) =>
    failingSince === undefined ? [] : [{ source, since: failingSince, reason: reason ?? 'failed' }],
  );
  const isHeld = held.length > 0;
  const freshState = isOld(lastChecked, age) ? 'stale' : 'live';
  const mayMiss = listContents(definition).filter(({ ids }) =>
    isOld(findLastChecked(ids.flatMap((id) => answers[id] ?? [])), age),
  );
  return {
    state: isHeld ? 'held' : freshState,
    lastChecked,
    mayMiss: mayMiss.length > 0 ? mayMiss.map(({ content }) => content) : undefined,
    failures: failures.length > 0 ? failures : undefined,
    held: isHeld ? held.map(({ id, since, reason }) => ({ id, since, reason })) : undefined,
  };
}

/** Finds the date up to which all sources have answered. Undefined if a source has never answered. */
function findLastChecked(answers: readonly Freshness[string][string][]): Day | undefined {
  const days = answers.map(({ answeredOn }) => answeredOn);
  return days.includes(undefined) ? undefined : findEarliest(days);
}

function isOld(lastChecked: Day | undefined, { asOf, settings }: Age): boolean {
  return lastChecked === undefined || countDays(lastChecked, asOf) > settings.staleAfterDays;
}

type Content = NonNullable<ComponentFreshness['mayMiss']>[number];

/** Lists the kinds of content that the sources of a component give, with the ids of these sources. */
function listContents({ sources, support }: Definition): { content: Content; ids: string[] }[] {
  const ends = support?.policy === 'stated' ? [support.source] : [];
  const ids = [...nameSources([...sources, ...ends]).keys()];
  const byContent = Map.groupBy(ids, (_, position): Content | 'static' => {
    const source = sources[position];
    if (!source) {
      return 'ends';
    }
    return contentOf[source.datasource] ?? 'releases';
  });
  return [...byContent].flatMap(([content, named]) =>
    content === 'static' ? [] : { content, ids: named },
  );
}

/** What a datasource gives, if it does not give releases. A `static` list is in the definition itself, so it is always fresh. */
const contentOf: Readonly<Record<string, Content | 'static'>> = {
  osv: 'advisories',
  static: 'static',
};

/** The words of each state on `status.html`. */
const freshnessWords = {
  held: { words: 'a change is held', tone: 'soon' },
  stale: { words: 'may be out of date', tone: 'soon' },
  live: { words: 'up to date', tone: 'ok' },
  static: { words: 'kept by hand', tone: 'none' },
};

/** Describes the state of a component in the table of checks. */
export function describeCheck({ state, mayMiss = [] }: ComponentFreshness) {
  const { words, tone } = freshnessWords[state];
  const isWhole = state !== 'stale' || mayMiss.includes('releases');
  return { words: isWhole ? words : describeGap(mayMiss).toLowerCase(), tone };
}

/** Describes what readers of a component's page should know. Empty if its data are up to date. */
export function describeTrouble({ held, mayMiss = [] }: ComponentFreshness): string {
  const sentences = [
    held && 'A change is held until a person decides.',
    mayMiss.length > 0 && `${describeGap(mayMiss)}: some sources failed or answered only in part.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

const contents: Readonly<Record<Content, string>> = {
  releases: 'releases',
  ends: 'ends of support',
  advisories: 'advisories',
};

/** Says which kinds of content may be missing, as in `Newer releases and advisories may be missing`. */
function describeGap(mayMiss: readonly Content[]): string {
  const names = Object.entries(contents).flatMap(([content, name]) =>
    mayMiss.includes(content as Content) ? name : [],
  );
  return `Newer ${names.join(', ').replace(/, (?!.*, )/, ' and ')} may be missing`;
}

/**
 * Says in a sentence whether every source has answered. `isWhole`: false if newer releases, ends of support or advisories may be missing.
 */
export function summariseFreshness(freshness: ReadonlyMap<string, ComponentFreshness>) {
  const unchecked = [...freshness.values()].filter(
    ({ failures, mayMiss }) => failures !== undefined || mayMiss !== undefined,
  );
  if (unchecked.length === 0) {
    return { isWhole: true, text: 'All sources were checked.' };
  }

  const gap = `${unchecked.length} of ${formatCount(freshness.size, 'component')} could not be fully checked.`;
  const mayMiss = unchecked.flatMap((each) => each.mayMiss ?? []);
  return mayMiss.length > 0
    ? { isWhole: false, text: `${gap} ${describeGap(mayMiss)}.` }
    : { isWhole: true, text: gap };
}
