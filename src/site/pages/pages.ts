/** Every page of the site. */
import { findEarliest, toDay } from '../../core/day.ts';
import { refusedKinds } from '../../core/lists/refused.ts';
import type { Index } from '../load-index.ts';
import { endSentence, formatCount, formatList } from '../../core/text.ts';
import { releaseFields } from '../../core/query/release-fields.ts';
import { listUnused } from '../../record/decisions.ts';
import { findPlace, listNews, listYears } from '../documents/changes.ts';
import type { File } from '../output.ts';
import { listPackageConditions } from '../renovate/conditions.ts';
import { freshnessWords, summariseFreshness } from '../freshness.ts';
import { writeComment } from '../words.ts';
import { entries, listModules } from './assets.ts';
import { viewComponent } from './component-page.ts';
import { viewIndex } from './index-page.ts';
import type { RenderPage } from './templates.ts';

const maxChanges = 40;
const maxDecisions = 20;

/** `packageFile`: the program, if it is published. */
export function* renderPages(
  render: RenderPage,
  index: Index,
  packageFile?: string,
): Generator<File> {
  for (const component of index.components) {
    const { component: name, title, renamedFrom = [] } = component;
    const path = `${name}.html`;
    yield [path, render('component', viewComponent(component, index), path)];
    for (const old of renamedFrom) {
      yield [`${old}.html`, render('renamed', { old, name, title }, `${old}.html`)];
    }
  }

  const views = {
    index: viewIndex(index),
    changes: viewChanges(index),
    status: viewStatus(index),
    use: viewUse(index, packageFile),
    // In place of the modules of every page.
    mine: { modules: listModules(entries) },
    '404': {},
  };
  for (const [name, view] of Object.entries(views)) {
    yield [`${name}.html`, render(name, view)];
  }
}

function viewChanges(index: Index) {
  const news = index.components.flatMap((component) => listNews(component, index));
  const newestFirst = news.sort((a, b) => b.on.localeCompare(a.on)).slice(0, maxChanges);
  return {
    changes: newestFirst.map((change) => ({ ...change, place: findPlace(change) })),
    years: listYears([...index.journals.values()].flat()).reverse(),
  };
}

/** When sources were last checked, and what is wrong. */
function viewStatus(index: Index) {
  const lastRun = index.runs.at(-1);
  const rows = index.components.map(({ component: name, title }) => {
    const { state, lastChecked, held = [], failures = [] } = index.freshness.get(name)!;
    const never = state === 'static' ? 'no source' : 'never in full';
    const { words, tone } = freshnessWords[state];
    return { name, title, words, tone, checked: lastChecked ?? never, held, failures };
  });
  const pairs = rows.flatMap((row) => row.failures.map((failure) => ({ failure, row })));
  const byHost = Map.groupBy(
    pairs,
    ({ failure: { source }, row }) => index.answers[row.name]?.[source]?.host ?? source,
  );
  const hosts = Array.from(byHost, ([host, group]) => {
    const components = [...new Set(group.map(({ row }) => row))];
    const since = findEarliest(group.map(({ failure }) => failure.since));
    return {
      host,
      size: `${formatCount(components.length, 'component')}, since ${since}`,
      components,
      reason: group[0]!.failure.reason,
    };
  });
  const events = lastRun && formatCount(lastRun.events, 'event');
  const unused = listUnused(index.decisions, index.runs);
  return {
    summary:
      rows.length > 0 ? summariseFreshness(index.freshness).text : 'There is no component yet.',
    // What a person has to decide.
    holds: rows.flatMap((row) =>
      row.held.map((hold) => {
        const decision = unused.find(({ id, at }) => id === hold.id && hold.since <= at);
        return { hold, row, decision: decision && describeDecision(decision) };
      }),
    ),
    decisions: index.decisions
      .slice(-maxDecisions)
      .reverse()
      .map((decision) => {
        const { id, component = 'publication' } = decision;
        const title = rows.find(({ name }) => name === component)?.title ?? component;
        return { id, title, text: describeDecision(decision) };
      }),
    hosts,
    rows,
    run: lastRun
      ? `It ended on ${toDay(lastRun.finishedAt)} and recorded ${events}.`
      : 'No run is recorded.',
    years: listYears(index.runs).reverse(),
  };
}

/** Who decided what, when and why. */
function describeDecision({ at, by, versions = [], reason }: Index['decisions'][number]): string {
  const extent = versions.length > 0 ? ` ${formatList(versions, 5)}` : '';
  const decision = endSentence(`On ${toDay(at)}, ${by} accepted${extent || ' a change'}`);
  return reason === undefined ? decision : `${decision} ${endSentence(reason)}`;
}

/** What to copy into Renovate, pipelines, and an index of one's own. */
function viewUse({ settings, components }: Index, packageFile?: string) {
  const { datasource, signingPublicKey, hosting } = settings;
  // One of which all that is printed here says something.
  const dated = components.find(({ lines }) =>
    lines.some((line) => line.isSupported && line.latest),
  );
  const example = dated ?? components.find(({ latest }) => latest !== undefined);
  // By these rules, the packages of the index do not wait, neither below a comment nor where Renovate finds them by itself.
  const packages = [
    { matchDatasources: [`custom.${datasource}`] },
    ...listPackageConditions(components),
  ];
  const packageRules = packages.map((each) => ({ ...each, minimumReleaseAge: '0 days' }));
  return {
    packageFile,
    example: example?.component,
    latest: example?.latest,
    comment: example && writeComment(datasource, example.component),
    publicKey: signingPublicKey,
    hasWorker: hosting === 'cloudflare',
    fields: releaseFields,
    refused: listRefused(),
    waitingRules: JSON.stringify({ packageRules }, undefined, 2),
  };
}

/** The kinds of lists that are refused, by the command that prints a better one. */
function listRefused() {
  const byCommand = Map.groupBy(Object.entries(refusedKinds), ([, [command]]) => command);
  return Array.from(byCommand, ([command, entries]) => ({
    command,
    kinds: entries.map(([kind]) => kind).join(', '),
  }));
}
