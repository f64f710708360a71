/** Renders every page of the site, and the sitemap, which lists them. */
import { listNames } from '../../core/schema/names.ts';
import { listAllNews } from '../documents/changes.ts';
import type { Index } from '../load-index.ts';
import type { File } from '../output.ts';
import type { ProgramPackage } from '../packages.ts';
import { viewChanges } from './changes-page.ts';
import { viewComponent } from './component-page.ts';
import { listActions, listAllEnds, viewIndex } from './index-page.ts';
import { renderToday } from './picture.ts';
import { viewStatus } from './status-page.ts';
import { viewSupport } from './support-page.ts';
import type { RenderPage } from './templates.ts';
import { viewUse } from './use-page.ts';

export function* renderPages(
  render: RenderPage,
  index: Index,
  programPackage?: ProgramPackage,
): Generator<File> {
  const axes = new Set<string>();
  for (const component of index.components) {
    const { component: name, title } = component;
    const path = `${name}.html`;
    const view = viewComponent(component, index);
    axes.add(view.lineList ? view.lineList.picture.axis : '');
    yield [path, render('component', view, path)];
    for (const old of listNames(component).slice(1)) {
      yield [`${old}.html`, render('renamed', { old, name, title }, `${old}.html`)];
    }
  }

  const ends = listAllEnds(index);
  const actions = listActions(index, ends);
  const news = listAllNews(index);
  const views = {
    index: viewIndex(index, ends, actions, news),
    changes: viewChanges(index, news),
    status: viewStatus(index, actions),
    support: viewSupport(index.asOf, ends),
    use: viewUse(index, programPackage),
    mine: {},
    '404': {},
  };
  for (const [name, view] of Object.entries(views)) {
    yield [`${name}.html`, render(name, view)];
  }
  const pages = Object.keys(views).filter((name) => name !== 'index' && name !== '404');
  const { components } = index;
  yield ['sitemap.xml', render('sitemap', { pages, components }, 'sitemap.xml')];
  axes.add(views.index.support?.picture.axis ?? '').delete('');
  yield ['assets/today.css', renderToday(index.asOf, axes)];
}
