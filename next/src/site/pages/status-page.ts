/** The view of `status.html`: when sources were last checked, and what is wrong. */
import type { Index } from '../../core/judged-index.ts';
import type { ComponentFreshness } from '../../core/schema/documents.ts';
import { formatCount } from '../../core/text.ts';
import { summariseFreshness } from './index-page.ts';

/** What is known of the sources of a component, in words. */
export const stateWords: Readonly<Record<ComponentFreshness['state'], string>> = {
  held: 'a change waits',
  stale: 'may be out of date',
  live: 'up to date',
  static: 'kept by hand',
};

export function viewStatus(index: Index) {
  const { components, freshness, runs } = index;
  const lastRun = runs.at(-1);
  const rows = components.map(({ component: name, title }) => {
    const { state, lastChecked } = freshness.get(name)!;
    const isStatic = state === 'static';
    return {
      name,
      title,
      tone: isStatic || state === 'live' ? 'ok' : 'soon',
      words: stateWords[state],
      lastChecked,
      isStatic,
    };
  });
  return {
    summary: components.length > 0 && summariseFreshness(index),
    holds: listHolds(index),
    hosts: listHosts(index),
    rows,
    run:
      lastRun &&
      `It ended on ${lastRun.finishedAt.slice(0, 10)} and recorded ${formatCount(lastRun.events, 'event')}.`,
    years: [...new Set(runs.map((run) => run.asOf.slice(0, 4)))].sort().reverse(),
  };
}

/** What a person has to decide. */
function listHolds({ components, freshness }: Index) {
  return components.flatMap(({ component: name, title }) =>
    (freshness.get(name)!.held ?? []).map((hold) => ({ ...hold, name, title })),
  );
}

/** What failed, by the host that failed. */
function listHosts({ components, freshness }: Index) {
  const failures = components.flatMap(({ component: name, title }) =>
    (freshness.get(name)!.failures ?? []).map((failure) => ({ ...failure, name, title })),
  );
  const byHost = Map.groupBy(
    failures,
    ({ reason, source }) => /https?:\/\/([^\s/:]+)/.exec(reason)?.[1] ?? source,
  );
  return Array.from(byHost, ([host, group]) => {
    const names = new Map(group.map(({ name, title }) => [name, title]));
    return {
      host,
      size: formatCount(names.size, 'component'),
      since: group.map(({ since }) => since).sort()[0],
      components: Array.from(names, ([name, title]) => ({ name, title })),
      reason: group[0]!.reason,
    };
  });
}
