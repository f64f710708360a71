/** The view of `status.html`: when sources were last checked, and what is wrong. */
import type { Index } from '../load-index.ts';
import { formatCount } from '../../core/text.ts';
import { listYears } from '../documents/changes.ts';
import { freshnessWords, summariseFreshness } from '../words.ts';

export function viewStatus(index: Index) {
  const lastRun = index.runs.at(-1);
  const rows = index.components.map(({ component: name, title }) => {
    const { state, lastChecked, held = [], failures = [] } = index.freshness.get(name)!;
    const never = state === 'static' ? 'no source' : 'never in full';
    const { words, tone } = freshnessWords[state];
    return { name, title, words, tone, checked: lastChecked ?? never, held, failures };
  });
  const failures = rows.flatMap((row) => row.failures.map((failure) => ({ ...failure, row })));
  const byHost = Map.groupBy(
    failures,
    ({ reason, source }) => /https?:\/\/([^\s/:]+)/.exec(reason)?.[1] ?? source,
  );
  const hosts = Array.from(byHost, ([host, group]) => {
    const components = [...new Set(group.map(({ row }) => row))];
    const [since] = group.map((failure) => failure.since).sort();
    const size = formatCount(components.length, 'component');
    return {
      host,
      size: since ? `${size}, since ${since}` : size,
      components,
      reason: group[0]!.reason,
    };
  });
  return {
    summary: rows.length > 0 ? summariseFreshness(index).text : 'There is no component yet.',
    // What a person has to decide.
    holds: rows.flatMap((row) => row.held.map((hold) => ({ ...hold, row }))),
    hosts,
    rows,
    run: lastRun
      ? `It ended on ${lastRun.finishedAt.slice(0, 10)} and recorded ${formatCount(lastRun.events, 'event')}.`
      : 'No run is recorded.',
    years: listYears(index.runs).reverse(),
  };
}
