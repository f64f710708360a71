import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { linesOf, runCli } from '../harness/cli.ts';
import {
  createRoot,
  definition,
  differences,
  filesIn,
  identitiesIn,
  pathsIn,
  readJsonIn,
  writeIn,
  smallRoot,
  svcDefinition,
  svcRecorded,
  temporaryFolder,
} from '../harness/root.ts';
import type { StatusFile } from '../../src/core/schemas/published/status-file.ts';
import { run } from '../harness/run.ts';
import { makeSecretKey, publicKeyOf } from '../harness/signing-key.ts';
import { covers } from '../harness/covers.ts';

const day = ['--as-of', '2026-06-01'];

test('a component file is what Renovate reads, key by key', async () => {
  covers(
    'Release index: static JSON of released versions per component',
    '<component>.json, one each',
    'index.json lists the names',
    'all.json: object components by name, same shapes',
    'homepage, changelogUrl, releases',
    'version: string',
    'releaseTimestamp: ISO 8601 UTC timestamp string, the release date, on every release whose day is known, of the example that ships as of fixtures',
    'changelogUrl of a release: absent for the oldest entries, never empty',
    'isDeprecated: boolean',
    'Components versioned independently; the files of components state no compatibility',
    'No checksum or signature in the files',
  );
  const sourceRepository = 'https://github.com/example/svc';
  const root = smallRoot({ 'components/svc.json': { ...svcDefinition, sourceRepository } });

  const run = await runCli(['build', '--root', root, ...day]);

  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(`${root}/dist/svc.json`, 'utf8')).toBe(`{
  "homepage": "https://example.com/",
  "changelogUrl": "https://example.com/changes",
  "sourceUrl": "https://github.com/example/svc",
  "tags": { "latest": "2025.2" },
  "releases": [
{"version":"2024.2","releaseTimestamp":"2024-08-19T00:00:00Z","isDeprecated":true},
{"version":"2025.1","changelogUrl":"https://example.com/2025.1","isDeprecated":false},
{"version":"2025.2","releaseTimestamp":"2025-07-15T00:00:00Z","changelogUrl":"https://example.com/2025.2","isDeprecated":false}
]
}
`);
  expect(readJsonIn(root, 'dist/index.json')).toEqual(['svc']);
  expect(readJsonIn(root, 'dist/all.json')).toEqual({
    components: { svc: readJsonIn(root, 'dist/svc.json') },
  });
  expect(readFileSync(`${root}/dist/latest/svc.txt`, 'utf8')).toBe('2025.2\n');
});

test('SHA256SUMS lists each other file of a site with its digest', async () => {
  const root = smallRoot({ 'components/empty.json': definition() });

  await runCli(['build', '--root', root, ...day]);

  const listed = linesOf(readFileSync(`${root}/dist/SHA256SUMS`, 'utf8')).map((line) =>
    line.split('  '),
  );
  const paths = pathsIn(`${root}/dist`).filter((path) => path !== 'SHA256SUMS');
  expect(listed.map(([, path]) => path)).toEqual(paths);
  for (const [digest, path] of listed) {
    const bytes = readFileSync(`${root}/dist/${path}`);
    expect(createHash('sha256').update(bytes).digest('hex'), path).toBe(digest);
  }
  expect(paths).not.toContain('latest/empty.txt');
});

test('the same inputs and day give the same bytes in any folder, whatever the order of the data', async () => {
  const one = smallRoot();
  const other = smallRoot({ 'data/svc.json': { releases: svcRecorded.releases.toReversed() } });

  await Promise.all([one, other].map((root) => runCli(['build', '--root', root, ...day])));

  const changed = differences(filesIn(`${one}/dist`), filesIn(`${other}/dist`));
  // The digest of what it was built from is another one.
  expect(changed).toEqual(['SHA256SUMS', 'status.json']);
});

test('a build without news writes nothing, and on the next day three files', async () => {
  const root = smallRoot();
  await runCli(['build', '--root', root, ...day]);
  const before = filesIn(`${root}/dist`);

  const again = await runCli(['build', '--root', root, ...day]);
  const next = await runCli(['build', '--root', root, '--as-of', '2026-06-02']);

  expect(linesOf(again.stdout).at(-1)).toMatch(
    new RegExp(
      `^${root}/dist: (\\d+) files for 2026-06-01; 0 written, \\1 unchanged, 0 removed\\.$`,
    ),
  );
  expect(linesOf(next.stdout).at(-1)).toContain('; 3 written, ');
  expect(differences(before, filesIn(`${root}/dist`))).toEqual([
    'SHA256SUMS',
    'assets/today.css',
    'status.json',
  ]);
  expect(readFileSync(`${root}/dist/assets/today.css`, 'utf8')).toBe(
    ':root{--today:20606;--day:"2 Jun 2026"}\n',
  );
});

test('news about one component moves no file of another', async () => {
  const root = smallRoot({ 'components/edge.json': definition() });
  await runCli(['build', '--root', root, ...day]);
  const before = filesIn(`${root}/dist`);
  writeIn(root, 'data/edge.json', { releases: [{ version: '7.1' }] });

  await runCli(['build', '--root', root, ...day]);

  const moved = differences(before, filesIn(`${root}/dist`));
  expect(moved).toEqual(
    expect.arrayContaining(['edge.json', 'edge.html', 'all.json', 'status.json']),
  );
  expect(moved.filter((path) => path.includes('svc'))).toEqual([]);
});

test('a broken definition or recorded file leaves the site as it was, and every problem is reported', async () => {
  const root = smallRoot();
  await runCli(['build', '--root', root, ...day]);
  const before = identitiesIn(`${root}/dist`);
  writeIn(root, 'components/edge.json', {
    ...svcDefinition,
    title: 1,
    homepage: 'ftp://example.com/',
  });
  writeIn(root, 'data/svc.json', { releases: [{}], more: 1 });

  const run = await runCli(['build', '--root', root, '--as-of', '2026-06-02', '--json']);

  expect(run.status).toBe(1);
  const messages = [
    'components/edge.json: title: expected string; got 1',
    'components/edge.json: homepage: expected an https: address; got "ftp://example.com/"',
    'data/svc.json: releases[0].version: expected string; got nothing, and it is required',
    'data/svc.json: more: unknown key; known are releases, advisories, lines; remove or correct it',
  ];
  expect(linesOf(run.stderr)).toEqual(messages.map((message) => `error: ${message}`));
  const { findings } = JSON.parse(run.stdout) as {
    findings: { subject: string; message: string }[];
  };
  expect(findings.map(({ subject, message }) => `${subject}: ${message}`)).toEqual(messages);
  expect(differences(before, identitiesIn(`${root}/dist`))).toEqual([]);
  expect(pathsIn(root).filter((path) => path.startsWith('.dist'))).toEqual([]);
});

test('a component whose sources were not asked for four days is stale at each interface', async () => {
  const root = smallRoot({
    'components/svc.json': {
      ...svcDefinition,
      sources: [{ datasource: 'npm', packageName: 'svc' }],
    },
    'data/freshness/svc.json': { sources: { 'npm:svc': { since: '2026-06-01' } } },
  });

  for (const [asOf, state] of [
    ['2026-06-04', 'live'],
    ['2026-06-05', 'stale'],
  ] as const) {
    const run = await runCli(['build', '--root', root, '--as-of', asOf]);
    const { components } = readJsonIn<StatusFile>(root, 'dist/status.json');
    const [table, page] = ['status', 'svc'].map((name) =>
      readFileSync(`${root}/dist/${name}.html`, 'utf8'),
    );
    expect(components['svc']!.state).toBe(state);
    expect(run.stdout).toMatch(new RegExp(`^svc .* ${state}$`, 'm'));
    expect(table!.includes('not checked')).toBe(state === 'stale');
    expect(page!.includes('Releases since then may be missing.')).toBe(state === 'stale');
  }
});

describe('a site has few files', () => {
  const secretKey = makeSecretKey();
  const digests = { 'npm:svc': { 'svc@2025.2': `sha256:${'a'.repeat(64)}` } };

  /** The files after two days of runs, on the second of which a version was released. */
  async function filesAfterRuns(config: object, ...names: string[]): Promise<number> {
    const { dir } = createRoot(config);
    for (const name of names) {
      writeIn(dir, `components/${name}.json`, svcDefinition);
    }

    for (const [date, version] of [
      ['2026-06-01', '2025.2'],
      ['2026-06-02', '2025.3'],
    ]) {
      const releases = [...svcRecorded.releases.slice(0, 2), { version, digests }];
      for (const name of names) {
        writeIn(dir, `data/${name}.json`, { releases });
      }
      await runCli(['record', '--root', dir, '--as-of', date!]);
      await runCli(['build', '--root', dir, '--as-of', date!]);
    }

    if ('signingPublicKey' in config) {
      const { status, stderr } = await run(['sign', '--root', dir], {
        RELEASE_INDEX_SIGNING_KEY: secretKey,
      });
      expect(status, stderr).toBe(0);
    }

    const paths = pathsIn(`${dir}/dist`);
    expect(paths).toEqual(expect.arrayContaining(['builds/2026.json', 'changes/2026.json']));

    return paths.length;
  }

  test.each(['files', 'pages', 'cloudflare'])(
    'at %s, 50 for one component with a key',
    async (hosting) => {
      const count = await filesAfterRuns(
        {
          hosting,
          signingPublicKey: publicKeyOf(secretKey),
        },
        'agent',
      );

      expect(count).toBeLessThanOrEqual(50);
    },
  );

  test('11 more for each further component with a key', async () => {
    const config = { hosting: 'cloudflare', signingPublicKey: publicKeyOf(secretKey) };
    const ofOne = await filesAfterRuns(config, 'agent');
    const ofThree = await filesAfterRuns(config, 'agent', 'cache', 'node');

    expect((ofThree - ofOne) / 2).toBeLessThanOrEqual(11);
  });
});

test('the site of the example has at most 210 files', async () => {
  const out = `${temporaryFolder()}/dist`;

  await runCli(['build', '--root', checkout, '--out', out, '--as-of', '2026-11-22']);

  expect(pathsIn(out).length).toBeLessThanOrEqual(210);
});
