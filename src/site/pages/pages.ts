/** Every page of the site. */
import { refusedKinds } from '../../core/lists/refused.ts';
import type { Index } from '../load-index.ts';
import { releaseFields } from '../../core/query/release-fields.ts';
import { findPlace, listNews, listYears } from '../documents/changes.ts';
import type { File } from '../output.ts';
import { listPackageConditions } from '../renovate/conditions.ts';
import { writeComment } from '../renovate/comments.ts';
import { entries, listModules } from './assets.ts';
import { viewComponent } from './component-page.ts';
import { viewIndex } from './index-page.ts';
import { viewStatus } from './status-page.ts';
import type { RenderPage } from './templates.ts';

const maxChanges = 40;

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
