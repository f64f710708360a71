/** Every page of the site. */
import type { Index } from '../../core/judged-index.ts';
import type { Component } from '../../core/schema/published.ts';
import type { ShortRelease } from '../../core/search.ts';
import { listModules } from './assets.ts';
import { viewChanges } from './changes-page.ts';
import { viewComponent } from './component-page.ts';
import { viewIndex } from './index-page.ts';
import { viewStatus } from './status-page.ts';
import type { RenderPage } from './templates.ts';
import { viewUse } from './use-page.ts';

type Page = [path: string, body: string];

/** The page of a component, and one for each of its former names. */
export function* renderComponentPages(
  render: RenderPage,
  component: Component,
  short: readonly ShortRelease[],
  index: Index,
): Generator<Page> {
  const { component: name, title, renamedFrom = [] } = component;
  const path = `${name}.html`;
  yield [path, render('component', viewComponent(component, short, index), path)];
  for (const old of renamedFrom) {
    yield [`${old}.html`, render('renamed', { old, name, title }, `${old}.html`)];
  }
}

/** The pages that are not of one component. */
export function* renderPages(render: RenderPage, index: Index): Generator<Page> {
  const usual = new Set(listModules('site/browser/site'));
  const views: Readonly<Record<string, object>> = {
    index: viewIndex(index),
    changes: viewChanges(index),
    status: viewStatus(index),
    use: viewUse(index),
    mine: { modules: listModules('site/browser/mine').filter((path) => !usual.has(path)) },
    '404': {},
  };
  for (const [name, view] of Object.entries(views)) {
    yield [`${name}.html`, render(name, view)];
  }
}
