import { afterAll, beforeAll, expect, test } from 'vitest';
import { importRenovate } from './install.ts';
import { daysAgo, serveComponents, type ServedSite } from './site.ts';

interface Dependency {
  datasource: string;
  packageName: string;
}

const releases = [
  { version: '1.0', releaseTimestamp: daysAgo(200) },
  { version: '1.1', releaseTimestamp: daysAgo(20) },
];
const docker = (packageName: string) => ({
  definition: { sources: [{ datasource: 'docker', packageName }] },
  releases,
});
let served: ServedSite;

beforeAll(async () => {
  const { init } = await importRenovate<{ init(): Promise<void> }>('logger/index.js');
  await init();
  served = await serveComponents({
    'short-source': docker('nginx'),
    'long-source': docker('library/memcached'),
    'short-alias': { definition: { aliases: ['pkg:docker/httpd'] }, releases },
    'long-alias': { definition: { aliases: ['pkg:docker/library/redis'] }, releases },
    kit: docker('example/kit'),
    'at-registry': {
      definition: {
        aliases: [
          'pkg:oci/agent?repository_url=ghcr.io/example/agent&repository_url=docker.io/example/agent',
          'pkg:docker/quay.io/example/agent',
          'pkg:oci/tool?repository_url=quay.io/example/tool/',
          'pkg:oci/nothing?repository_url=ghcr.io',
        ],
      },
      releases,
    },
  });
});

afterAll(() => served?.close());

/** The names in the notes on the images of a Dockerfile, by Renovate's own functions. */
async function listNoted(images: readonly string[]): Promise<string[]> {
  const { extractPackageFile } = await importRenovate<{
    extractPackageFile(text: string, file: string, config: object): { deps: Dependency[] };
  }>('modules/manager/dockerfile/extract.js');
  const { applyPackageRules } = await importRenovate<{
    applyPackageRules(config: object): Promise<Dependency & { prBodyNotes: string[] }>;
  }>('util/package-rules/index.js');
  const { compile } = await importRenovate<{ compile(text: string, view: object): string }>(
    'util/template/index.js',
  );
  const preset = (await (await fetch(`${served.origin}/renovate.json`)).json()) as object;

  const text = images.map((image) => `FROM ${image}:1.0\n`).join('');
  const notes: string[] = [];
  for (const dependency of extractPackageFile(text, 'Dockerfile', {}).deps) {
    const options = { currentVersion: '1.0', newVersion: '1.1', prBodyNotes: [] };
    const applied = await applyPackageRules({ ...preset, ...dependency, ...options });
    const note = applied.prBodyNotes.map((each) => compile(each, applied)).join('');
    notes.push(/^\*\*\[(\S+) 1\.0\]/.exec(note)?.[1] ?? 'none');
  }
  return notes;
}

test.each([
  ['nginx', 'short-source'],
  ['memcached', 'long-source'],
  ['httpd', 'short-alias'],
  ['redis', 'long-alias'],
])('each spelling of the official image %s belongs to %s', async (image, component) => {
  const names = [image, `library/${image}`];
  const spellings = [...names, ...names.map((name) => `docker.io/${name}`)];

  expect(await listNoted(spellings)).toEqual(spellings.map(() => component));
});

test('an image of an owner has no spelling with the namespace of official images', async () => {
  const spellings = ['example/kit', 'docker.io/example/kit', 'library/example/kit', 'library/kit'];

  expect(await listNoted(spellings)).toEqual(['kit', 'kit', 'none', 'none']);
});

test('an alias names an image with the host of its registry', async () => {
  const agents = ['ghcr.io/example/agent', 'example/agent', 'quay.io/example/agent'];
  const spellings = [...agents, 'quay.io/example/tool'];
  const others = ['ghcr.io/nothing', 'quay.io/example/kit'];

  expect(await listNoted(spellings)).toEqual(spellings.map(() => 'at-registry'));
  expect(await listNoted(others)).toEqual(others.map(() => 'none'));
});
