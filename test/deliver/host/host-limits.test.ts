import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { describeHosting, createWorkerConfig } from '../../../src/deliver/host/worker-config.ts';
import { checkHostLimits } from '../../../src/deliver/host/host-limits.ts';
import { renderHeadersFile } from '../../../src/site/render/headers.ts';
import { checkout } from '../../harness/checkout.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { createRoot, definition, makeRoot, pathsIn, readJsonIn } from '../../harness/root.ts';

describe('the limits of the host', () => {
  const out = makeRoot({ 'svc.json': {}, 'all.json': '', 'a.json': '', 'movie.mp4': '' });
  truncateSync(join(out, 'all.json'), 26 * 1024 * 1024);
  truncateSync(join(out, 'a.json'), 25 * 1024 * 1024 + 1);
  const many = (path: string) => Array.from({ length: 20_001 }, () => path);
  const check = (paths: string[], plan: 'free' | 'paid' = 'free') =>
    checkHostLimits(out, paths, plan).map(({ subject, message }) => `${subject}: ${message}`);

  test.each([
    ['a small site', ['svc.json', '_headers']],
    ['files that signing adds later', ['statements/svc.ndjson', 'SHA256SUMS.minisig']],
  ])('accept %s', (_what, paths) => {
    expect(check(paths)).toEqual([]);
  });

  test.each([
    [
      'all.json',
      'has 26 MiB; the host accepts 25 MiB per file. Narrow allowedVersions of sources, or split the index into two sites',
    ],
    [
      'a.json',
      'has 25.1 MiB; the host accepts 25 MiB per file. Narrow allowedVersions of sources, or split the index into two sites',
    ],
  ])('reject the file %s', (path, message) => {
    expect(check([path])).toEqual([`${path}: ${message}`]);
  });

  test('reject too many files, also files that signing adds later, and name the plan for more', () => {
    expect(check(many('statements/svc.ndjson'))).toEqual([
      `${out}: has 20,001 files; the host accepts 20,000 on the free plan. The paid plan accepts 100,000: ` +
        'set "hosting": {"plan": "paid"} in site/site.json once you have it',
    ]);
    expect(check(many('svc.json'), 'paid')).toEqual([]);
  });

  test.each([undefined, 'mcp', 'everything'] as const)(
    'accept the file of headers where %s is protected: 100 rules of 2,000 characters at most',
    (protect) => {
      const lines = renderHeadersFile(protect).split('\n');

      expect(lines.filter((line) => /^\S/.test(line)).length).toBeLessThan(100);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2000);
    },
  );
});

const configFor = (address: string, more = {}) =>
  createWorkerConfig({ hosting: describeHosting(address), out: '/out', ...more });

test('an own domain names the Worker and is its custom domain', () => {
  expect(configFor('https://releases.example.com')).toMatchObject({
    name: 'releases-example-com',
    workers_dev: false,
    routes: [{ pattern: 'releases.example.com', custom_domain: true }],
  });
});

test('an address at workers.dev has the name of the Worker, and no route', () => {
  expect(configFor('https://index.acme.workers.dev')).toMatchObject({
    name: 'index',
    workers_dev: true,
    routes: undefined,
  });
});

test('the Worker of a preview is asked before each file, as it may refuse it', () => {
  expect(configFor('https://releases.example.com', { localSecrets: {} })).toMatchObject({
    main: expect.stringContaining('preview-worker'),
    assets: { run_worker_first: true },
  });
});

test('no two addresses share a Worker', () => {
  const long = `${'a'.repeat(40)}.${'b'.repeat(40)}.example.com`;
  const addresses = [
    'https://releases.staging.example.com',
    'https://releases-staging.example.com',
    'https://releases-staging.example.com:8443',
    'https://releases.staging-example.com',
    `https://one.${long}`,
    `https://one.${long}.au`,
  ];

  const workers = addresses.map((address) => describeHosting(address).worker);

  expect(new Set(workers).size).toBe(addresses.length);
  for (const name of workers) {
    expect(name).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
  }
});

/** An index with a component whose details are larger than Cloudflare accepts, and with a small one. */
async function makeLargeIndex(config = {}): Promise<string> {
  const flood = Array.from({ length: 20_000 }, (_, index) => {
    return [`2.${Math.floor(index / 100)}.${index % 100}`, {}] as const;
  });
  const registry = await npmRegistry({ large: Object.fromEntries(flood), small: { '1.0.0': {} } });
  const template = `https://docs.example.com/${'x'.repeat(1_500)}/{version}`;
  const componentOf = (packageName: string) =>
    definition({
      sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }],
      releaseChangelogUrl: { template },
    });
  const root = createRoot(config);
  root.write('components/large.json', componentOf('large'));
  root.write('components/small.json', componentOf('small'));
  root.write('data/large.json', { releases: [{ version: '1.0.0' }] });
  return root.dir;
}

test('a server of your own accepts a large component', async () => {
  const root = await makeLargeIndex({ hosting: { folder: '/srv/releases' } });

  const ran = await runCli(['gather', '--root', root, '--as-of', '2026-06-01']);

  expect(ran.status, ran.stderr).toBe(0);
});

test('a component too large for the host keeps its recorded data, and the others are updated', async () => {
  const root = await makeLargeIndex();

  const ran = await runCli(['gather', '--root', root, '--as-of', '2026-06-01']);

  expect(ran.status, ran.stderr).toBe(1);
  expect(linesOf(ran.stderr)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^error: large: with the gathered releases, \S+ would have [\d.]+ MiB; the host accepts 25 MiB per file\./,
      ),
    ]),
  );
  expect(readJsonIn(root, 'data/large.json')).toEqual({ releases: [{ version: '1.0.0' }] });
  expect(readJsonIn(root, 'data/small.json')).toMatchObject({ releases: [{ version: '1.0.0' }] });

  const built = await runCli(['build', '--root', root, '--as-of', '2026-06-01']);

  expect(built.status).toBe(0);
  expect(pathsIn(`${root}/dist`)).toEqual(expect.arrayContaining(['large.json', 'small.json']));
});

/**
 * Every isolate of the host loads it, also for an answer of 404: the server of the protocol for agents is 90 KB of it. RE2 is
 * 46 KB, which are not evaluated before a package is asked for whose definition takes its version out of another text. The
 * readers of what people paste, bills of materials among them, are 15 KB.
 */
const maxBytes = 220 * 1024;

/** That of a private index also checks keys, makes and reads tokens, and narrows the index to what a client may see. */
const mostBytesOfPrivate = 234 * 1024;

test.each([
  ['worker.ts', maxBytes],
  ['auth-worker.ts', mostBytesOfPrivate],
])('the Worker %s is small, and carries zod without its translations', async (file, most) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(checkout, 'src/ask/server/worker', file)],
    absWorkingDir: checkout,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
  });

  // `import { z }` carries all of them, `import * as z` what is used.
  const translations = Object.keys(Object.values(metafile.outputs)[0]!.inputs).filter((path) =>
    /zod\/v4\/locales\/(?!en\.js)/.test(path),
  );
  expect(translations).toEqual([]);
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(most);
});
