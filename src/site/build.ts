/** The built site: every published path, and what is at it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { Problem } from '../core/errors.ts';
import { formatJson } from '../core/files.ts';
import { toExtraction } from '../core/index/extract.ts';
import type { Index } from './load-index.ts';
import { formatCount, quote } from '../core/text.ts';
import { listEndEvents, renderCalendar } from './documents/calendars.ts';
import { listAllChanges, listChanges, renderChanges, viewFeed } from './documents/changes.ts';
import { renderSearch, renderSearched, renderStatus } from './documents/components.ts';
import * as releases from './documents/releases.ts';
import { renderSchemas } from './documents/schemas.ts';
import { renderHeaders } from './headers.ts';
import { readStatements } from './load-index.ts';
import { writeSite, type File } from './output.ts';
import { renderKeys } from './signing-key.ts';
import { renderAssets } from './pages/assets.ts';
import { renderPages } from './pages/pages.ts';
import { openTemplates } from './pages/templates.ts';
import { createDaysPreset, createPreset } from './renovate/preset.ts';

interface Folders {
  /** That of the program: templates, styles, assets, policies. */
  program: string;
  /** That of the index. */
  root: string;
  out: string;
}

export interface BuiltSite {
  files: number;
  warnings: Problem[];
}

/** Takes the place of the former site. `openApi`: the description of the Worker. */
export function buildSite(index: Index, folders: Folders, openApi: object): BuiltSite {
  const { preset, omitted } = createPreset(index);
  const warnings = index.components.flatMap(({ component: subject, sources }) =>
    sources.flatMap(({ extractVersion: pattern = '' }): Problem[] => {
      const message = `extractVersion ${quote(pattern)} is not published: JavaScript cannot run it safely`;
      return pattern === '' || toExtraction(pattern) ? [] : [{ level: 'notice', subject, message }];
    }),
  );
  if (omitted > 0) {
    const message = `leaves out ${formatCount(omitted, 'note')} without a label, to stay near 1,000 rules`;
    warnings.unshift({ level: 'warning', subject: 'renovate.json', message });
  }
  const files = writeSite(folders.out, renderSite(index, folders, openApi, preset));
  return { files, warnings };
}

/** Every file but the digests. */
function* renderSite(
  index: Index,
  { program, root }: Folders,
  openApi: object,
  preset: object,
): Generator<File> {
  const { components, settings, journals, freshness, asOf, policies } = index;
  const render = openTemplates([program, root], index);

  const all: [string, string][] = [];
  const searched: string[] = [];
  const ends: string[] = [];
  for (const component of components) {
    const { component: name, renamedFrom = [] } = component;
    const releaseFile = releases.renderReleaseFile(component, asOf);
    const events = listEndEvents(component, index);
    const feed = viewFeed(listChanges(component, journals.get(name)), settings, component);
    all.push([name, releaseFile]);
    searched.push(renderSearched(component, freshness.get(name)!.state));
    ends.push(...events);
    const statements = readStatements(root, name);
    if (statements !== '') {
      yield [`statements/${name}.ndjson`, statements];
    }
    const bodies = {
      '*.json': releaseFile,
      'details/*.json': releases.renderDetails(component),
      'supported/*.json': releases.renderSupported(component),
      'badges/*.json': releases.renderBadge(component),
      'feeds/*.atom': render('feed', feed, `feeds/${name}.atom`),
      'calendars/*.ics': renderCalendar(events, settings, component),
    };
    for (const [path, body] of Object.entries(bodies)) {
      yield* [name, ...renamedFrom].map((each): File => [path.replace('*', each), body]);
    }
  }

  const changes = listAllChanges(index);
  yield ['all.json', releases.renderAll(all)];
  yield ['index.json', releases.renderNames(components)];
  yield ['search.json', renderSearch(asOf, searched)];
  yield ['status.json', renderStatus(index)];
  yield ['policies.json', formatJson({ policies })];
  yield* renderChanges(changes, index);
  yield ['feed.atom', render('feed', viewFeed(changes, settings), 'feed.atom')];
  yield ['support.ics', renderCalendar(ends, settings)];
  yield ['renovate.json', `${JSON.stringify(preset)}\n`];
  yield ['renovate/days.json', `${JSON.stringify(createDaysPreset(index))}\n`];
  yield ['openapi.json', `${JSON.stringify(openApi)}\n`];
  yield* renderSchemas();
  const packages = new Map(readPackages(root));
  yield* packages;
  yield* renderPages(render, index, packages.has(packageFile) ? packageFile : undefined);
  yield ['_headers', renderHeaders()];
  yield ['robots.txt', render('robots', {}, 'robots.txt')];
  yield ['sitemap.xml', render('sitemap', { components }, 'sitemap.xml')];
  yield* renderKeys(settings);
  yield* renderAssets(program);
}

const packageFile = `release-index-${manifest.version}.tgz`;

/** The program, packed. Pipelines of readers may name the package of an earlier version, so all that lie there are published. */
function readPackages(root: string): File[] {
  const folder = join(root, 'program');
  const paths = globSync('release-index-*.tgz', { cwd: folder });
  return paths.map((path) => [path, readFileSync(join(folder, path))]);
}
