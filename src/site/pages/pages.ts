/** Every page of the site. */
import type { Index } from '../load-index.ts';
import type { Component } from '../../core/schema/published.ts';
import { releaseFields } from '../../core/query/release-fields.ts';
import type { File } from '../output.ts';
import { listPackageConditions } from '../renovate/conditions.ts';
import { writeComment } from '../words.ts';
import { listModules } from './assets.ts';
import { viewChanges } from './changes-page.ts';
import { viewComponent } from './component-page.ts';
import { viewIndex } from './index-page.ts';
import { viewStatus } from './status-page.ts';
import type { RenderPage } from './templates.ts';

/** The page of a component, and one for each of its former names. */
export function* renderComponentPages(
  render: RenderPage,
  component: Component,
  index: Index,
): Generator<File> {
  const { component: name, title, renamedFrom = [] } = component;
  const path = `${name}.html`;
  yield [path, render('component', viewComponent(component, index), path)];
  for (const old of renamedFrom) {
    yield [`${old}.html`, render('renamed', { old, name, title }, `${old}.html`)];
  }
}

/** The pages that are not of one component. `packageFile`: the program, if it is published. */
export function* renderPages(
  render: RenderPage,
  index: Index,
  packageFile: string | undefined,
): Generator<File> {
  const views: Readonly<Record<string, object>> = {
    index: viewIndex(index),
    changes: viewChanges(index),
    status: viewStatus(index),
    use: viewUse(index, packageFile),
    mine: { modules: listModules(['site/browser/site.js', 'site/browser/mine.js']) },
    '404': {},
  };
  for (const [name, view] of Object.entries(views)) {
    yield [`${name}.html`, render(name, view)];
  }
}

/** What to copy into Renovate, pipelines, and an index of one's own. */
function viewUse({ settings, components }: Index, packageFile: string | undefined) {
  const { datasource, signingPublicKey, hosting = 'cloudflare' } = settings;
  const example = components.find(({ latest }) => latest !== undefined);
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
    waitingRules: JSON.stringify({ packageRules }, undefined, 2),
  };
}
