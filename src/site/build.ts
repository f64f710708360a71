/** Builds the site: every published path with its content. */
import { formatJson } from '../core/files.ts';
import { publishedSchemas } from '../core/schema/documents.ts';
import { listNames } from '../core/schema/names.ts';
import { renderSchema, writtenSchemas } from '../core/schema/json-schema.ts';
import { toXmlText } from '../core/text.ts';
import { describeApi } from '../serve/api/openapi.ts';
import { listEnds, renderCalendar } from './documents/calendars.ts';
import { listAllChanges, listChanges, renderChanges, viewFeed } from './documents/changes.ts';
import { findUnpublishedPatterns, renderSearch, renderStatus } from './documents/components.ts';
import { renderLifeCycles } from './documents/endoflife-date.ts';
import * as releases from './documents/release-files.ts';
import { renderHeaders, unservedFile } from './headers.ts';
import type { Index } from './load-index.ts';
import { writeSite, type File } from './output.ts';
import { findPackage, readPackages } from './packages.ts';
import { renderAssets } from './pages/assets.ts';
import { renderPages } from './pages/pages.ts';
import { openTemplates } from './pages/templates.ts';
import { createDaysPreset, createPreset, createStopsPreset } from './renovate/preset.ts';
import { renderKeys } from './signing-key.ts';

interface Folders {
  /** The folder of this program, with templates, styles, assets and built-in policies. */
  program: string;
  /** The folder of the index. */
  root: string;
  out: string;
}

/** Builds the site, and replaces the former site. */
export function buildSite(index: Index, folders: Folders) {
  const { preset, warnings } = createPreset(index);
  const files = writeSite(folders.out, renderSite(index, folders, preset));
  const found = [...findUnpublishedPatterns(index), ...releases.findBehind(index)];
  return { files, warnings: [...warnings, ...found] };
}

/** Yields every file, except `SHA256SUMS`. */
function* renderSite(index: Index, { program, root }: Folders, preset: object): Generator<File> {
  const { asOf, components, settings, policies, statements } = index;
  const render = openTemplates(program, index);
  // An earlier version may have recorded characters that would make a whole feed unreadable.
  const renderFeed = (view: object, path: string) => toXmlText(render('feed', view, path));

  const releaseFiles = new Map<string, string>();
  const allEnds: string[] = [];
  for (const component of components) {
    const { component: name, title, files = [] } = component;
    const signed = statements.get(name);
    if (signed) {
      yield [`statements/${name}.ndjson`, signed];
    }

    const releaseFile = releases.renderReleaseFile(component, asOf);
    releaseFiles.set(name, releaseFile);
    const feed = viewFeed(listChanges(component, index), index, component);
    const ends = listEnds(component, index);
    allEnds.push(...ends);
    for (const each of listNames(component)) {
      yield [`${each}.json`, releaseFile];
      for (const file of files) {
        yield [`${each}/${file}.json`, releases.renderFileOfName(component, file, asOf)];
      }
      yield [`details/${each}.json`, releases.renderDetails(component)];
      yield [`supported/${each}.json`, releases.renderSupported(component)];
      yield* releases.renderLatest(each, component);
      yield [`feeds/${each}.atom`, renderFeed(feed, `feeds/${name}.atom`)];
      const calendar = renderCalendar(`calendars/${name}`, title, ends, index);
      yield [`calendars/${each}.ics`, calendar];
    }
  }

  const changes = listAllChanges(index);
  yield ['all.json', releases.renderAll(releaseFiles)];
  yield ['index.json', releases.renderNames(components)];
  yield* renderLifeCycles(index);
  yield* renderSearch(index);
  yield ['status.json', renderStatus(index)];
  yield ['policies.json', formatJson({ policies })];
  yield* renderChanges(changes, index);
  yield ['feed.atom', renderFeed(viewFeed(changes, index), 'feed.atom')];
  yield ['support.ics', renderCalendar('support', settings.title, allEnds, index)];
  yield ['renovate.json', `${JSON.stringify(preset)}\n`];
  yield ['renovate/days.json', `${JSON.stringify(createDaysPreset(index))}\n`];
  yield ['renovate/stops.json', `${JSON.stringify(createStopsPreset(index))}\n`];
  const api = describeApi(settings.title, settings.releasesUrl, settings.hosting === 'cloudflare');
  yield ['openapi.json', `${JSON.stringify(api)}\n`];
  for (const [name, schema] of Object.entries({ ...writtenSchemas, ...publishedSchemas })) {
    yield [`schema/${name}.json`, renderSchema(schema)];
  }
  const packages = readPackages(root);
  yield* packages;
  yield* renderPages(render, index, findPackage(root, packages));
  yield [unservedFile, renderHeaders()];
  yield ['robots.txt', render('robots', {}, 'robots.txt')];
  yield* renderKeys(settings);
  yield* renderAssets(program);
}
