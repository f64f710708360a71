/** The built site: every published path, and what is at it. */
import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../core/errors.ts';
import type { Index } from '../core/judged-index.ts';
import type { Component } from '../core/schema/published.ts';
import type { Settings } from '../core/schema/settings.ts';
import { shortenReleases } from '../core/search.ts';
import { listEndEvents, renderCalendar } from './documents/calendars.ts';
import { listAllChanges, listChanges, renderChanges } from './documents/changes.ts';
import { renderDetails, renderSearch, renderSearched } from './documents/details.ts';
import { viewFeed } from './documents/feeds.ts';
import * as releases from './documents/releases.ts';
import { renderSchemas } from './documents/schemas.ts';
import { renderPolicies, renderStatus } from './documents/status.ts';
import { renderHeaders } from './headers.ts';
import { openOutput } from './output.ts';
import { renderAssets } from './pages/assets.ts';
import { renderComponentPages, renderPages } from './pages/pages.ts';
import { openTemplates } from './pages/templates.ts';
import { createDaysPreset } from './renovate/days.ts';
import { createPreset } from './renovate/preset.ts';

export interface Folders {
  /** That of the program: templates, styles, assets, policies. */
  program: string;
  /** That of the index. */
  root: string;
  out: string;
}

export interface BuiltSite {
  files: number;
  components: number;
  warnings: Problem[];
}

/** Writes the site beside the old one, then takes its place. `openApi`: the description of the Worker. */
export function buildSite(index: Index, folders: Folders, openApi: object): BuiltSite {
  const output = openOutput(folders.out);
  const warnings: Problem[] = [];
  try {
    for (const [path, body] of renderSite(index, folders, openApi, warnings)) {
      output.add(path, body);
    }
    return { files: output.finish(), components: index.components.length, warnings };
  } finally {
    output.discard();
  }
}

/** What crawlers find, besides the pages of components. */
const sitePages = ['', 'mine.html', 'changes.html', 'status.html', 'use.html'];

type File = readonly [path: string, body: string | Buffer];

/** Every file but the digests. Adds to `warnings`. */
function* renderSite(
  index: Index,
  { program, root }: Folders,
  openApi: object,
  warnings: Problem[],
): Generator<File> {
  const { components, settings, journals, asOf } = index;
  const site = join(program, 'site');
  const render = openTemplates(
    [site, join(root, 'site')].map((folder) => join(folder, 'templates')),
    index,
  );

  const all: [string, string][] = [];
  const searched: string[] = [];
  const ends: string[] = [];
  for (const component of components) {
    const name = component.component;
    const short = shortenReleases(component);
    const releaseFile = releases.renderReleaseFile(component, asOf);
    const events = listEndEvents(component, index);
    all.push([name, releaseFile]);
    searched.push(renderSearched(component, short, index.freshness.get(name)!.state));
    ends.push(...events);
    yield* renderComponentPages(render, component, short, index);
    yield* repeatForNames(component, {
      '*.json': releaseFile,
      'details/*.json': renderDetails(component, short),
      'supported/*.json': releases.renderSupported(component),
      'badges/*.json': releases.renderBadge(component),
      'feeds/*.atom': render(
        'feed',
        viewFeed(listChanges(component, journals.get(name)), index, component),
        `feeds/${name}.atom`,
      ),
      'calendars/*.ics': renderCalendar(events, settings, component),
    });
  }

  const changes = listAllChanges(index);
  const { preset, warning } = createPreset(index);
  warnings.push(...(warning ? [warning] : []));
  yield ['all.json', releases.renderAll(all)];
  yield ['index.json', releases.renderNames(components)];
  yield ['search.json', renderSearch(asOf, searched)];
  yield ['status.json', renderStatus(index)];
  yield ['policies.json', renderPolicies(index)];
  yield* renderChanges(changes, index);
  yield ['feed.atom', render('feed', viewFeed(changes, index), 'feed.atom')];
  yield ['support.ics', renderCalendar(ends, settings)];
  yield ['renovate.json', `${JSON.stringify(preset)}\n`];
  yield ['renovate/days.json', `${JSON.stringify(createDaysPreset(index))}\n`];
  yield ['openapi.json', `${JSON.stringify(openApi)}\n`];
  yield* renderSchemas();
  yield* renderPages(render, index);
  yield ['_headers', renderHeaders()];
  yield ['robots.txt', `User-agent: *\nAllow: /\n\nSitemap: ${settings.releasesUrl}/sitemap.xml\n`];
  yield [
    'sitemap.xml',
    render(
      'sitemap',
      { paths: [...sitePages, ...all.map(([name]) => `${name}.html`)] },
      'sitemap.xml',
    ),
  ];
  yield* renderKeys(settings);
  yield* copyFolder(join(root, 'site/statements'), 'statements');
  yield* renderAssets(site);
}

/** The files of a component are also under its former names. */
function* repeatForNames(
  { component, renamedFrom = [] }: Component,
  bodies: Readonly<Record<string, string>>,
): Generator<File> {
  for (const name of [component, ...renamedFrom]) {
    for (const [path, body] of Object.entries(bodies)) {
      yield [path.replace('*', name), body];
    }
  }
}

/** The public key for minisign, and for all other programs. */
function* renderKeys({ signingPublicKey: text }: Settings): Generator<File> {
  if (text === undefined) {
    return;
  }

  // The letters Ed, eight bytes that name the key, and the key itself.
  const bytes = Buffer.from(text, 'base64');
  const id = bytes.subarray(2, 10).reverse().toString('hex').toUpperCase();
  const x = Buffer.from(text, 'base64').toString('base64url', 10);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  yield ['signing-key.pub', `untrusted comment: minisign public key ${id}\n${text}\n`];
  yield ['signing-key.pem', key.export({ type: 'spki', format: 'pem' })];
}

/** The files of a folder, if there is one, below a path. */
function* copyFolder(folder: string, path: string): Generator<File> {
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    yield [`${path}/${name}`, readFileSync(join(folder, name))];
  }
}
