import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestsFile, formatDigests } from '../core/sha256sums.ts';
import { inputError } from '../core/errors.ts';
import { listFiles, sha256 } from '../core/files.ts';
import type { Index } from '../core/judged-index.ts';
import { Status } from '../core/schema/documents.ts';
import { renderSchema, writtenSchemas } from '../core/schema/json-schema.ts';
import { Component } from '../core/schema/published.ts';
import { shortenReleases } from '../core/search.ts';
import { renderChanges } from './documents/changes.ts';
import * as documents from './documents/releases.ts';
import { renderHeaders } from './headers.ts';
import { renderAssets } from './pages/assets.ts';
import { renderComponentPages, renderPages } from './pages/pages.ts';
import { openTemplates } from './pages/templates.ts';
import { renderPreset } from './renovate/preset.ts';

export interface Folders {
  /** That of the program: templates, styles, assets, policies. */
  program: string;
  /** That of the index. */
  root: string;
  out: string;
}

/** Writes the site beside the old one, then takes its place. `openApi`: the description of the Worker. */
export function buildSite(
  index: Index,
  { program, root, out }: Folders,
  openApi: object,
): { files: number; components: number } {
  if (existsSync(out) && listFiles(out).length > 0 && !existsSync(join(out, digestsFile))) {
    throw inputError(out, 'holds other files than a built site. Name another folder: --out');
  }

  const part = `${out}.${process.pid}.part`;
  const digests = new Map<string, string>();
  try {
    for (const [path, body] of renderFiles(index, program, root, openApi)) {
      const file = join(part, path);
      mkdirSync(dirname(file), { recursive: true });
      const bytes = Buffer.from(body as string);
      writeFileSync(file, bytes);
      digests.set(path, sha256(bytes));
    }
    writeFileSync(join(part, digestsFile), formatDigests(digests));
    rmSync(out, { recursive: true, force: true });
    renameSync(part, out);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return { files: digests.size + 1, components: index.components.length };
}

type File = readonly [path: string, body: string | Buffer];

function* renderFiles(
  index: Index,
  program: string,
  root: string,
  openApi: object,
): Generator<File> {
  const { components, asOf } = index;
  const site = join(program, 'site');
  const render = openTemplates(
    [site, join(root, 'site')].map((each) => join(each, 'templates')),
    index,
  );
  const all: [string, string][] = [];
  const searched: string[] = [];
  for (const component of components) {
    const releaseFile = documents.renderReleaseFile(component, asOf);
    const short = shortenReleases(component);
    const details = documents.renderDetails(component, short);
    searched.push(
      documents.renderSearched(component, short, index.freshness.get(component.component)!.state),
    );
    all.push([component.component, releaseFile]);
    for (const name of documents.listFileNames(component)) {
      yield [`${name}.json`, releaseFile];
      yield [`details/${name}.json`, details];
      yield [`supported/${name}.json`, documents.renderSupported(component)];
      yield [`badges/${name}.json`, documents.renderBadge(component)];
    }
    yield* renderComponentPages(render, component, short, index);
  }

  yield ['all.json', documents.renderAll(all)];
  yield ['index.json', documents.renderNames(components)];
  yield ['search.json', documents.renderSearch(asOf, searched)];
  yield ['status.json', documents.renderStatus(index)];
  yield ['policies.json', documents.renderPolicies(index)];
  yield* renderChanges(index);
  yield ['renovate.json', renderPreset(index)];
  yield* renderPages(render, index);
  yield ['_headers', renderHeaders()];
  yield ['openapi.json', `${JSON.stringify(openApi)}\n`];
  yield* renderSchemas();
  yield* renderAssets(site);
}

const schemas = { ...writtenSchemas, details: Component, status: Status };

function* renderSchemas(): Generator<File> {
  for (const [name, schema] of Object.entries(schemas)) {
    yield [`schema/${name}.json`, renderSchema(schema)];
  }
}
