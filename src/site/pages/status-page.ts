/** Creates the view of `status.html`: the last checks of sources, failures, and held changes. */
import { findEarliest, toDay } from '../../core/day.ts';
import { endSentence, formatCount, formatList } from '../../core/text.ts';
import { listUnused } from '../../record/decisions.ts';
import { listYears } from '../documents/changes.ts';
import { describeCheck, summariseFreshness } from '../freshness.ts';
import type { Index } from '../load-index.ts';
import type { Action } from './index-page.ts';

const maxDecisions = 20;

/**
 * Returns the view. `actions`: all actions that users need. The home page joins the actions of a component into one row, but this page has
 * a row for each action.
 */
export function viewStatus(index: Index, actions: readonly Action[]) {
  const rows = listRows(index);
  const lastRun = index.runs.at(-1);
  return {
    summary:
      rows.length > 0 ? summariseFreshness(index.freshness).text : 'There is no component yet.',
    holds: listHolds(rows, index),
    decisions: listDecisions(rows, index),
    hosts: listHosts(rows, index),
    rows,
    actions,
    run: lastRun
      ? `It ended on ${toDay(lastRun.finishedAt)} and recorded ${formatCount(lastRun.events, 'event')}.`
      : 'No run is recorded.',
    years: listYears(index.runs).reverse(),
  };
}

type Row = ReturnType<typeof listRows>[number];

/** Lists components. Components with a held change, a failing source or old data come first. */
function listRows({ components, freshness }: Index) {
  const rows = components.map(({ component: name, title }) => {
    const component = freshness.get(name)!;
    const { state, lastChecked, held = [], failures = [] } = component;
    const never = state === 'static' ? 'no source' : 'never completely';
    const { words, tone } = describeCheck(component);
    const needsLook = tone === 'soon' || failures.length > 0;
    return { name, title, words, tone, checked: lastChecked ?? never, held, failures, needsLook };
  });
  return rows.sort((a, b) => Number(b.needsLook) - Number(a.needsLook));
}

/** Lists the changes that a person must decide about. */
function listHolds(rows: readonly Row[], { decisions, runs }: Index) {
  const unused = listUnused(decisions, runs);
  return rows.flatMap((row) =>
    row.held.map((hold) => {
      const decision = unused.find(({ id, at }) => id === hold.id && hold.since <= at);
      return { hold, row, decision: decision && describeDecision(decision) };
    }),
  );
}

/** Lists the newest decisions. */
function listDecisions(rows: readonly Row[], { decisions }: Index) {
  const newestFirst = decisions.slice(-maxDecisions).reverse();
  return newestFirst.map((decision) => {
    const { id, component = 'publication' } = decision;
    const title = rows.find(({ name }) => name === component)?.title ?? component;
    return { id, title, text: describeDecision(decision) };
  });
}

/** Describes a decision: `On 2026-11-20, mb accepted 1.2, 1.3. The vendor removed them.` */
function describeDecision({ at, by, versions = [], reason }: Index['decisions'][number]): string {
  const extent = versions.length > 0 ? ` ${formatList(versions, 5)}` : '';
  const decision = endSentence(`On ${toDay(at)}, ${by} accepted${extent || ' a change'}`);
  return reason === undefined ? decision : `${decision} ${endSentence(reason)}`;
}

/** Lists failing hosts, each with the components whose sources fail there. */
function listHosts(rows: readonly Row[], { answers }: Index) {
  const pairs = rows.flatMap((row) => row.failures.map((failure) => ({ failure, row })));
  const byHost = Map.groupBy(
    pairs,
    ({ failure: { source }, row }) => answers[row.name]?.[source]?.host ?? source,
  );
  return Array.from(byHost, ([host, group]) => {
    const components = [...new Set(group.map(({ row }) => row))];
    const since = findEarliest(group.map(({ failure }) => failure.since));
    const size = `${formatCount(components.length, 'component')}, since ${since}`;
    return { host, size, components, reason: group[0]!.failure.reason };
  });
}
