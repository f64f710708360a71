/** The view of `status.html`: when sources were last checked, and what is wrong. */
import type { ComponentFreshness } from '../../core/schema/documents.ts';
import type { Index } from '../load-index.ts';
import { formatCount } from '../../core/text.ts';
import { listYears } from '../documents/changes.ts';

/** What is known of the sources of a component, in words. */
const stateWords: Readonly<Record<ComponentFreshness['state'], string>> = {
  held: 'a change waits',
  stale: 'may be out of date',
  live: 'up to date',
  static: 'kept by hand',
};

const tones: typeof stateWords = { held: 'soon', stale: 'soon', live: 'ok', static: 'none' };

export function viewStatus(index: Index) {
  const lastRun = index.runs.at(-1);
  const rows = index.components.map(({ component: name, title }) => {
    const freshness = index.freshness.get(name)!;
    const isStatic = freshness.state === 'static';
    const tone = tones[freshness.state];
    return { ...freshness, name, title, tone, words: stateWords[freshness.state], isStatic };
  });
  // What a person has to decide, and what failed.
  const holds = rows.flatMap(({ held = [], ...row }) => held.map((hold) => ({ ...row, ...hold })));
  const failures = rows.flatMap(({ failures = [], name, title }) =>
    failures.map((failure) => ({ ...failure, name, title })),
  );
  const byHost = Map.groupBy(
    failures,
    ({ reason, source }) => /https?:\/\/([^\s/:]+)/.exec(reason)?.[1] ?? source,
  );
  return {
    summary: rows.length > 0 && summariseFreshness(index),
    holds,
    hosts: Array.from(byHost, ([host, group]) => {
      const components = [...new Map(group.map((failure) => [failure.name, failure])).values()];
      return {
        host,
        size: formatCount(components.length, 'component'),
        since: group.map(({ since }) => since).sort()[0],
        components,
        reason: group[0]!.reason,
      };
    }),
    rows,
    run:
      lastRun &&
      `It ended on ${lastRun.finishedAt.slice(0, 10)} and recorded ${formatCount(lastRun.events, 'event')}.`,
    years: listYears(index.runs).reverse(),
  };
}

/** Whether every source was checked, in a sentence. */
export function summariseFreshness({ freshness }: Index): string {
  const stale = [...freshness.values()].filter(({ state }) => state === 'stale').length;
  return stale === 0
    ? 'All sources were checked.'
    : `${stale} of ${formatCount(freshness.size, 'component')} could not be fully checked. Newer releases may be missing.`;
}
