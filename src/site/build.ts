/** The built site: every published path, and what is at it. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { Day } from '../core/day.ts';
import type { Problem } from '../core/errors.ts';
import { formatJson, readIfThere } from '../core/files.ts';
import { renderSchema, writtenSchemas } from '../core/schema/json-schema.ts';
import type { Component } from '../core/schema/published.ts';
import { publishedSchemas } from '../core/schema/site-documents.ts';
import { toExtraction } from '../core/index/extract.ts';
import { formatCount, quote } from '../core/text.ts';
import { readDataFiles } from '../record/data-files.ts';
import { describeApi } from '../serve/api/openapi.ts';
import { renderCalendar } from './documents/calendars.ts';
import { renderCle } from './documents/cle.ts';
import { listAllChanges, listChanges, renderChanges, viewFeed } from './documents/changes.ts';
import { renderSearch, renderStatus } from './documents/components.ts';
import * as releases from './documents/releases.ts';
import { renderHeaders } from './headers.ts';
import { readStatements, type Index } from './load-index.ts';
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

/** Takes the place of the former site. */
export function buildSite(index: Index, folders: Folders) {
  const { preset, omitted } = createPreset(index);
  const warnings = [...findUnpublished(index)];
  if (omitted > 0) {
    const message = `leaves out ${formatCount(omitted, 'note')} without a label, since there are more than 1,000`;
    warnings.unshift({ level: 'warning', subject: 'renovate.json', message });
  }
  const files = writeSite(folders.out, renderSite(index, folders, preset));
  return { files, warnings };
}

function* findUnpublished({ components }: Index): Generator<Problem> {
  for (const { component: subject, sources } of components) {
    for (const { extractVersion: pattern } of sources) {
      if (pattern && !toExtraction(pattern)) {
        const message = `extractVersion ${quote(pattern)} is not published: JavaScript cannot run it safely`;
        yield { level: 'notice', subject, message };
      }
    }
  }
}

/** Every file but the digests. */
function* renderSite(index: Index, { program, root }: Folders, preset: object): Generator<File> {
  const { components, settings, policies } = index;
  const render = openTemplates([program, root], index);

  const releaseFiles = new Map<string, string>();
  for (const component of components) {
    const { component: name, title, renamedFrom = [] } = component;
    const releaseFile = releases.renderReleaseFile(component, index.asOf);
    const feed = viewFeed(listChanges(component, index), settings, component);
    releaseFiles.set(name, releaseFile);
    const statements = readStatements(root, name);
    if (statements !== '') {
      yield [`statements/${name}.ndjson`, statements];
    }
    const cle = renderCle(component, index);
    for (const each of [name, ...renamedFrom]) {
      yield* renderReleases(each, releaseFile, component, index.asOf);
      yield [`details/${each}.json`, releases.renderDetails(component)];
      yield [`supported/${each}.json`, releases.renderSupported(component)];
      yield [`badges/${each}.json`, releases.renderBadge(component)];
      if (cle !== undefined) {
        yield [`cle/${each}.json`, cle];
      }
      yield [`feeds/${each}.atom`, render('feed', feed, `feeds/${name}.atom`)];
      yield [
        `calendars/${each}.ics`,
        renderCalendar(`calendars/${name}`, title, [component], index),
      ];
    }
  }

  const changes = listAllChanges(index);
  yield ['all.json', releases.renderAll(releaseFiles)];
  yield ['index.json', releases.renderNames(components)];
  yield ['search.json', renderSearch(index)];
  yield ['status.json', renderStatus(index)];
  yield ['policies.json', formatJson({ policies })];
  yield* renderChanges(changes, index);
  yield ['feed.atom', render('feed', viewFeed(changes, settings), 'feed.atom')];
  yield ['support.ics', renderCalendar('support', settings.title, components, index)];
  yield ['renovate.json', `${JSON.stringify(preset)}\n`];
  yield ['renovate/days.json', `${JSON.stringify(createDaysPreset(index))}\n`];
  yield ['openapi.json', `${JSON.stringify(describeApi(settings.title, settings.releasesUrl))}\n`];
  for (const [schema, described] of Object.entries({ ...writtenSchemas, ...publishedSchemas })) {
    yield [`schema/${schema}.json`, renderSchema(described)];
  }
  const packages = readPackages(root);
  const isPacked = packages.some(([path]) => path === packageFile);
  yield* packages;
  yield* renderPages(render, index, isPacked ? packageFile : undefined);
  yield* readDataFiles(root);
  yield ['_headers', renderHeaders()];
  yield ['robots.txt', render('robots', {}, 'robots.txt')];
  yield ['sitemap.xml', render('sitemap', { components }, 'sitemap.xml')];
  yield* renderKeys(settings);
  yield* renderAssets(program);
}

const packageFile = `release-index-${manifest.version}.tgz`;

/** The program, packed. Pipelines of readers may name the package of an earlier version, so all that lie there are published. */
export function readPackages(root: string): File[] {
  const folder = join(root, 'program');
  const paths = globSync('release-index-*.tgz', { cwd: folder });
  return paths.map((path) => [path, readIfThere(join(folder, path), `program/${path}`)!]);
}

/** `<component>.json`, and that of each file by its name. */
function* renderReleases(
  name: string,
  releaseFile: string,
  component: Component,
  asOf: Day,
): Generator<File> {
  yield [`${name}.json`, releaseFile];
  for (const file of component.files ?? []) {
    yield [`${name}/${file}.json`, releases.renderFileOfName(component, file, asOf)];
  }
}
