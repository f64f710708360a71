import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveAnswers } from '../../harness/upstream.ts';
import { runCli } from '../../harness/cli.ts';
import { createIndex } from '../../harness/index-folder.ts';

const createRoot = (defaults?: object) => createIndex({ defaults }).root;
const readJson = (root: string, path: string) =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as unknown;

const agent = {
  name: '@example/agent',
  description: 'Connects\nbuilds.',
  homepage: 'https://example.com/agent',
  repository: { type: 'git', url: 'git+https://github.com/example/agent.git' },
  'dist-tags': { latest: '1.1.0' },
  versions: { '1.0.0': { version: '1.0.0' }, '1.1.0': { version: '1.1.0' } },
  time: {
    created: '2026-01-01T00:00:00.000Z',
    modified: '2026-02-01T00:00:00.000Z',
    '1.0.0': '2026-01-01T00:00:00.000Z',
    '1.1.0': '2026-02-01T00:00:00.000Z',
  },
};

test('adds a package with what its registry states, and its releases', async () => {
  const root = createRoot();
  const registry = await serveAnswers({ '/@example/agent': agent });

  const { status, stdout, stderr } = await runCli([
    ...['add', 'npm', '@example/agent', '--registry-url', registry],
    ...['--support', 'term:18', '--root', root, '--as-of', '2026-11-27'],
  ]);

  expect(stdout).toBe(
    'example-agent: 2 releases recorded; the latest is 1.1.0. components/example-agent.json\n',
  );
  expect(stderr).toContain(
    'changelogUrl: not stated; used https://github.com/example/agent/releases',
  );
  expect(readJson(root, 'components/example-agent.json')).toEqual({
    $schema: '../site/schema/definition.json',
    title: '@example/agent',
    description: 'Connects builds.',
    homepage: 'https://example.com/agent',
    sourceRepository: 'https://github.com/example/agent',
    changelogUrl: 'https://github.com/example/agent/releases',
    sources: [{ datasource: 'npm', packageName: '@example/agent', registryUrl: registry }],
    support: { policy: 'term', months: 18 },
  });
  expect(readJson(root, 'data/example-agent.json')).toMatchObject({
    releases: [
      { version: '1.0.0', releaseTimestamp: '2026-01-01T00:00:00Z' },
      { version: '1.1.0', releaseTimestamp: '2026-02-01T00:00:00Z' },
    ],
  });
  expect(status).toBe(0);
});

test('takes what a registry states of the latest version alone', async () => {
  const root = createRoot();
  const stated = { homepage: 'https://example.com/tool', repository: 'example/tool' };
  const registry = await serveAnswers({
    '/tool': { name: 'tool', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': stated } },
  });

  await runCli(['add', 'npm', 'tool', '--registry-url', registry, '--root', root]);

  expect(readJson(root, 'components/tool.json')).toMatchObject({
    homepage: 'https://example.com/tool',
    changelogUrl: 'https://github.com/example/tool/releases',
  });
});

test('writes nothing where the registry does not have the package, or states no link', async () => {
  const root = createRoot();
  const registry = await serveAnswers({ '/bare': { name: 'bare', versions: { '1.0.0': {} } } });
  const options = ['--registry-url', registry, '--root', root];

  const missing = await runCli(['add', 'npm', 'agnet', ...options]);
  const bare = await runCli(['add', 'npm', 'bare', ...options]);

  expect(missing.stderr).toContain(`GET ${registry}/agnet answered 404`);
  expect(bare.stderr).toContain('Nothing was written. Give it: --homepage URL');
  expect([missing.status, bare.status]).toEqual([1, 1]);
  expect(readdirSync(join(root, 'components'))).toEqual(['edge-node.json', 'svc.json']);
});

test('a component that exists stays, unless it is to be replaced', async () => {
  const root = createRoot();
  const list = join(root, 'tool.csv');
  writeFileSync(list, 'version,date\n1.0,2026-01-31\n');
  const links = ['--homepage', 'https://example.com', '--changelog', 'https://example.com/news'];
  const add = ['add', 'static', list, '--name', 'tool', ...links, '--root', root];

  await runCli(add);
  writeFileSync(list, 'version,date\n1.0,2026-01-31\n1.1,2026-02-28\n');
  const again = await runCli(add);
  const replaced = await runCli([...add, '--replace']);

  expect(again.stderr).toBe(
    'error: components/tool.json: exists already. Choose another --name, or --replace\n',
  );
  expect([again.status, replaced.status]).toEqual([1, 0]);
  expect(readJson(root, 'components/tool.json')).toMatchObject({
    sources: [{ datasource: 'static', releases: [{ version: '1.0' }, { version: '1.1' }] }],
  });
});

test.each([
  [['example'], 1, 'example: is no product file of endoflife.date'],
  [['nmp', 'left-pad'], 2, 'a datasource nor a product of endoflife.date. Did you mean "npm"?'],
])('add %j ends with %i', async (words, status, problem) => {
  const server = await serveAnswers({ '/example.md': '<html>' });

  const ended = await runCli(['add', ...words, '--registry-url', server, '--root', createRoot()]);

  expect(ended).toMatchObject({ status, stderr: expect.stringContaining(problem) });
});

test('takes a spreadsheet with its ends, and the links of the defaults', async () => {
  const link = 'https://example.com/{component}';
  const root = createRoot({ homepage: link, changelogUrl: link });
  const list = join(root, 'agent.csv');
  writeFileSync(list, 'Version;End of support;Owner\n1.0;31.12.2026;Jane\n');

  const bare = await runCli(['add', 'static', list, '--root', createRoot()]);
  const { stderr } = await runCli(['add', 'static', list, '--root', root]);

  expect(bare.stderr).toContain(`${list}: states no https: homepage. Nothing was written.`);
  expect(stderr).toContain('column "Owner" was not read');
  expect(readJson(root, 'components/agent.json')).toEqual({
    $schema: '../site/schema/definition.json',
    title: 'agent',
    sources: [{ datasource: 'static', releases: [{ version: '1.0' }] }],
    support: { policy: 'dated', lines: { '1.0': '2026-12-31' } },
  });
});
