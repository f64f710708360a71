import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { sha256 } from '../../harness/imitation.ts';
import { packets } from '../../harness/imitated-git-hosts.ts';
import { addComponent, createIndex } from '../../harness/index-folder.ts';
import { serveAnswers } from '../../harness/upstream.ts';

/** Runs `add` in an index. */
async function add(words: string, registry?: string, index = createIndex()) {
  const args = ['add', ...words.split(' '), '--root', index.root];
  const ended = await runCli(registry ? [...args, '--registry-url', registry] : args);
  const readJson = (path: string) => JSON.parse(index.read(path)) as unknown;
  return { ...ended, root: index.root, readJson };
}

test("add writes a definition from the registry's data, and records the releases", async () => {
  const registry = await serveAnswers({
    '/@example/agent': {
      name: '@example/agent',
      description: 'Connects\nbuilds.',
      versions: {
        '1.0.0': {},
        // Some registries give the home page and the repository only for a version, not for the package.
        '1.1.0': { homepage: 'https://example.com/agent', repository: 'example/agent' },
      },
    },
  });

  const { status, stdout, stderr, readJson } = await add(
    'npm @example/agent --support term:18 --as-of 2026-11-27',
    registry,
  );

  expect(stdout).toBe(
    'example-agent: 2 releases recorded; the latest is 1.1.0. components/example-agent.json\n  1 line: 1\n',
  );
  expect(stderr).toContain(
    'changelogUrl: the source gives none, so https://github.com/example/agent/releases is used',
  );
  expect(readJson('components/example-agent.json')).toEqual({
    $schema: '../site/schema/definition.json',
    title: '@example/agent',
    description: 'Connects builds.',
    homepage: 'https://example.com/agent',
    sourceRepository: 'https://github.com/example/agent',
    changelogUrl: 'https://github.com/example/agent/releases',
    sources: [{ datasource: 'npm', packageName: '@example/agent', registryUrl: registry }],
    support: { policy: 'term', months: 18, line: 'semver' },
  });
  expect(readJson('data/example-agent.json')).toMatchObject({
    releases: [{ version: '1.0.0' }, { version: '1.1.0' }],
  });
  expect(status).toBe(0);
});

test.each([
  ['npm agnet', 1, 'agnet: the registry shows no such package (GET '],
  ['npm bare', 1, 'Nothing was written. Give the URL with --homepage'],
  ['lifecycle', 1, 'lifecycle is not a product file of endoflife.date'],
  ['nmp', 2, 'a datasource nor a product of endoflife.date. Did you mean "npm"?'],
  ['nmp left-pad', 2, '"nmp" is not a datasource. Did you mean: add npm left-pad'],
])('"add %s" exits with %i, and writes nothing', async (words, expected, problem) => {
  const registry = await serveAnswers({
    '/bare': { name: 'bare', versions: { '1.0.0': {} } },
    '/lifecycle.md': '<html>',
  });

  const { status, stderr, root } = await add(words, registry);

  expect(stderr).toContain(problem);
  expect(status).toBe(expected);
  expect(readdirSync(join(root, 'components'))).toEqual(['edge-node.json', 'svc.json']);
});

test('add keeps the plain versions of an image, and says how many tags it leaves out', async () => {
  const tags = ['1.0.0', '1.0.0-alpine', '1.0.0-slim', '1.1.0', '1.1.0-alpine', '2.0.0-alpine'];
  const manifests = tags.map((tag) => [`/v2/team/api/manifests/${tag}`, { tag }]);
  const registry = await serveAnswers({
    '/v2/team/api/tags/list?n=1000': { tags: [...tags, 'latest'] },
    ...Object.fromEntries(manifests),
  });

  const { stdout, stderr, readJson } = await add(
    'docker team/api --name api-image --homepage https://example.com --support latest-lines:2',
    registry,
  );

  expect(stdout).toContain('api-image: 2 releases recorded; the latest is 1.1.0. ');
  expect(stderr).toContain(
    'extractVersion: keeps plain versions, and leaves out 4 tags (-alpine, -slim). To add a variant as a component, copy the definition to another file in components/, with "extractVersion": "^(?<version>\\\\d[\\\\d.]*)-alpine$"\n',
  );
  expect(readJson('components/api-image.json')).toMatchObject({
    sources: [{ packageName: 'team/api', extractVersion: String.raw`^(?<version>\d[\d.]*)$` }],
  });
});

test('add --json prints one document for several products of endoflife.date', async () => {
  const product = `---
title: A
releasePolicyLink: https://example.com
auto:
  methods:
    - npm: agent
---
`;
  const registry = await serveAnswers({
    '/nodejs.md': product,
    '/postgresql.md': product,
    '/agent': { name: 'agent', versions: { '1.0.0': {} } },
  });
  const options = ['--registry-url', registry, '--json', '--root', createIndex().root];
  vi.stubEnv('npm_config_registry', registry);
  onTestFinished(() => void vi.unstubAllEnvs());

  const { stdout } = await runCli(['add', 'nodejs', 'postgresql', ...options]);

  expect(JSON.parse(stdout)).toMatchObject({
    added: [{ component: 'nodejs' }, { component: 'postgresql' }],
  });
});

test('add skips a package with a problem, but adds the other packages', async () => {
  const describe = (name: string) => ({
    ...{ name, description: 'x', homepage: 'https://example.com/', repository: 'example/agent' },
    versions: { '1.0.0': {} },
  });
  const answers: Record<string, object> = {
    '/agent': describe('agent'),
    '/kit': describe('kit'),
    // The index already has a component svc, of another package.
    '/@example/svc': describe('@example/svc'),
    '/svc': describe('svc'),
  };
  const registry = await serveAnswers(answers);
  const index = createIndex();
  addComponent(index, 'svc', ['1.0'], { sources: [{ datasource: 'npm', packageName: 'other' }] });

  const first = await add('npm agent svc missing kit', registry, index);
  expect(first.stdout).toMatch(/^agent: [^]*^kit: [^]*^Left out: svc, missing\.\n$/m);
  expect(first.stderr).toContain('components/svc.json exists already');
  expect(first.stderr).toContain('/missing answered 404');
  expect(first.status).toBe(1);
  for (const title of ['agent', 'kit']) {
    expect(first.readJson(`components/${title}.json`)).toMatchObject({ title });
  }

  answers['/missing'] = describe('missing');
  const again = await serveAnswers(answers);
  const second = await add('npm agent missing kit --json', again, index);
  expect(JSON.parse(second.stdout)).toMatchObject({
    added: [{ component: 'missing' }],
    kept: ['agent', 'kit'],
    leftOut: [],
  });
  expect(second.status).toBe(0);
  for (const words of ['nodjes kyt', 'npm agent kit --name both']) {
    expect((await add(words, registry, index)).status).toBe(2);
  }
});

test.each<[words: string, support: object | undefined, lines: string, defaults?: object]>([
  ['npm agent', { policy: 'none', line: 'semver' }, '4 lines: 2, 1, 0.2, 0.1'],
  [
    'crate agent --support term:3',
    { policy: 'term', months: 3, line: 'semver' },
    '4 lines: 2, 1, 0.2, 0.1',
  ],
  ['npm agent --line 2', { policy: 'none', line: 2 }, '5 lines: 2.0, 1.2, 1.1, 0.2, 0.1'],
  ['npm agent --line 1', { policy: 'none', line: 1 }, '3 lines: 2, 1, 0'],
  ['static LIST', undefined, '5 lines: 2.0, 1.2, 1.1, 0.2, 0.1'],
  ['static LIST --line semver', { policy: 'none', line: 'semver' }, '4 lines: 2, 1, 0.2, 0.1'],
  ['npm agent', undefined, '3 lines: 2, 1, 0', { policy: 'none', line: 1 }],
  [
    'npm agent --line 2',
    { policy: 'term', months: 3, line: 2 },
    '5 lines: 2.0, 1.2, 1.1, 0.2, 0.1',
    { policy: 'term', months: 3, line: 1 },
  ],
])(
  '"add %s" writes the support policy %o, and the line then has the end "%s"',
  async (words, support, lines, defaults) => {
    const versions = ['0.1.0', '0.2.0', '0.2.1', '1.1.0', '1.2.0', '2.0.0'];
    const link = 'https://example.com/';
    const settings = { homepage: link, changelogUrl: link, ...(defaults && { support: defaults }) };
    const index = createIndex({ defaults: settings });
    index.write('agent.csv', ['version', ...versions].join('\n'));
    const registry = await serveAnswers({
      '/agent': { name: 'agent', versions: Object.fromEntries(versions.map((name) => [name, {}])) },
      '/ag/en/agent': versions.map((vers) => JSON.stringify({ vers })).join('\n'),
    });

    const ended = await add(
      words.replace('LIST', join(index.root, 'agent.csv')),
      words.startsWith('static') ? undefined : registry,
      index,
    );

    expect(ended.stderr).not.toContain('error');
    expect(ended.stdout).toContain(`\n  ${lines}\n`);
    expect((ended.readJson('components/agent.json') as { support?: object }).support).toEqual(
      support,
    );
  },
);

test('add rejects an unknown value of --line, and rejects --line for an endoflife.date product', async () => {
  expect((await add('npm agent --line 3')).stderr).toContain('Expected 1, 2 or semver.');
  expect(await add('nodejs --line 1')).toMatchObject({ status: 2 });
});

test('add keeps an existing component, except with --replace', async () => {
  const index = createIndex();
  const list = join(index.root, 'svc.csv');
  index.write('svc.csv', 'version,date\n1.1,2026-01-31\n');
  const words = `static ${list} --homepage https://example.com`;

  expect(await add(words, undefined, index)).toMatchObject({
    status: 1,
    stderr:
      'error: components/svc.json exists already. Choose another --name, or overwrite it by --replace\n',
  });
  const { readJson } = await add(`${words} --replace`, undefined, index);
  expect(readJson('components/svc.json')).toMatchObject({
    sources: [{ datasource: 'static', releases: [{ version: '1.1' }] }],
  });
});

test('the command "add static" reads end dates from a spreadsheet in UTF-16', async () => {
  const link = 'https://example.com/{component}';
  const index = createIndex({ defaults: { homepage: link, changelogUrl: link } });
  const list = join(index.root, 'agent.csv');
  const text = '\uFEFFVersion;End of support;Owner\n1.0;31.12.2026;Jane\n';
  writeFileSync(list, text, 'utf16le');

  const bare = await add(`static ${list}`);
  const { stderr, readJson } = await add(`static ${list}`, undefined, index);

  expect(bare.stderr).toContain(
    `${list}: homepage: expected an https: URL; got none. Nothing was written.`,
  );
  expect(stderr).toContain('column "Owner" was not read');
  expect(readJson('components/agent.json')).toEqual({
    $schema: '../site/schema/definition.json',
    title: 'agent',
    sources: [{ datasource: 'static', releases: [{ version: '1.0' }] }],
    support: { policy: 'dated', lines: { '1.0': '2026-12-31' } },
  });
});

test('add accepts a PyPI registry that has only the Simple API, and says that the registry gives no release dates', async () => {
  const registry = await serveAnswers({
    '/simple/acme-lib/': { versions: ['1.0'], files: [{ filename: 'acme_lib-1.0.tar.gz' }] },
  });
  const links = '--homepage https://example.com --changelog https://example.com';

  const { status, stderr } = await add(`pypi acme-lib ${links}`, `${registry}/simple/`);

  expect(stderr).toContain(
    'notice: acme-lib: its registry gives no release dates, so each release has',
  );
  expect(status).toBe(0);
  expect((await add(`pypi acme-bil ${links}`, `${registry}/simple/`)).stderr).toContain(
    'answered 404',
  );
});

test('add finds the platforms in the file names of a GitHub release', async () => {
  const names = [
    'agent_1.2.0_linux_amd64.tar.gz',
    'agent_1.2.0_linux_amd64.tar.gz.sha256',
    'agent_1.2.0_Linux_arm64.tar.gz',
    'agent_1.2.0_Linux_arm64.deb',
    'agent-darwin-aarch64-1.2.0.zip',
    'agent-x86_64-pc-windows-msvc.exe',
    // `add` cannot choose between two files for macos-x64, so it adds no pattern for this platform to `digestOf`.
    'agent-macos-x64-a.zip',
    'agent-macos-x64-b.zip',
    'checksums.txt',
    'agent.appx',
  ];
  const assets = names.map((name) => ({ name, digest: sha256(name) }));
  const registry = await serveAnswers({
    '/repos/example/agent/releases?per_page=100': [
      { tag_name: 'v1.2.0', assets },
      { tag_name: 'v1.1.0', assets: [{ name: 'agent_1.1.0_linux_amd64.tar.gz' }] },
    ],
    '/repos/example/agent': {
      homepage: 'https://example.com',
      html_url: 'https://github.com/example/agent',
    },
  });
  const { stderr, readJson } = await add('github-releases example/agent', registry);

  expect(stderr).toContain(
    'digestOf: linux-amd64, linux-arm64, darwin-arm64, windows-amd64, from the names of the files of v1.2.0.',
  );
  expect(readJson('components/agent.json')).toMatchObject({
    sources: [
      {
        digestOf: {
          'linux-amd64': '_linux_amd64\\.tar\\.gz$',
          'linux-arm64': '_Linux_arm64\\.tar\\.gz$',
          'darwin-arm64': '-darwin-aarch64-.+\\.zip$',
          'windows-amd64': '-x86_64-pc-windows-msvc\\.exe$',
        },
      },
    ],
  });
  expect(readJson('data/agent.json')).toMatchObject({
    releases: [
      { version: 'v1.1.0' },
      { version: 'v1.2.0', hasAllFiles: true, files: { 'linux-amd64': sha256(names[0]!) } },
    ],
  });
});

test('add finishes in time if a file name repeats the version 60 times', async () => {
  const names = [
    `agent-linux-amd64${'-1'.repeat(60)}.zip`,
    `agent-linux-amd64${'-'.repeat(150)}`,
    'agent-linux-arm64-1.zip',
  ];
  const assets = names.map((name) => ({ name, digest: sha256(name) }));
  const registry = await serveAnswers({
    '/repos/example/agent/releases?per_page=100': [{ tag_name: 'v1', assets }],
    '/repos/example/agent': { homepage: 'https://example.com' },
  });

  expect((await add('github-releases example/agent', registry)).stderr).toContain(
    'digestOf: linux-amd64, linux-arm64, from the names of the files of v1.',
  );
});

test.each<[words: string, path: string]>([
  ['github-releases acme/mono', '/repos/acme/mono/releases?per_page=100'],
  ['github-tags acme/mono', '/repos/acme/mono/tags?per_page=100'],
  ['gitlab-releases acme/mono', '/api/v4/projects/acme/mono/releases?per_page=100'],
  ['gitlab-tags acme/mono', '/api/v4/projects/acme/mono/repository/tags?per_page=100'],
  ['git-tags HOST/acme/mono.git', '/acme/mono.git/info/refs?service=git-upload-pack'],
])('"add %s" finds the prefix of the tags, or lists several prefixes', async (words, path) => {
  const serve = (tags: readonly string[]) => {
    const commit = 'a'.repeat(40);
    const lines = tags.map((tag) => `${commit} refs/tags/${tag}`);
    const entries = tags.map((tag) => ({ name: tag, tag_name: tag, commit: { sha: commit } }));
    return serveAnswers({
      [path]: path.includes('info/refs') ? packets(...lines) : entries,
      [`/repos/acme/mono/commits/${commit}`]: { commit: {} },
      '/repos/acme/mono': {},
      '/api/v4/projects/acme/mono': {},
    });
  };
  const run = async (options: string, tags: readonly string[]) => {
    const url = await serve(tags);
    const line = `${words.replace('HOST', url)}${options} --homepage https://example.com`;
    return add(line, words.includes('HOST') ? undefined : url);
  };
  const several = ['@acme/core@1.2.0', 'cli-v1.2.0', 'cli-v1.3.0'];

  const single = await run('', ['bun-v1.2.0', 'bun-v1.3.0', 'canary']);
  const choice = await run('', several);
  const chosen = await run(' --tags @acme/core@', several);
  const unfit = await run('', ['latest', 'REL_1_2']);

  expect(single.stdout + single.stderr).toContain(
    'mono: 2 releases recorded; the latest is 1.3.0.',
  );
  expect(single.stderr).toContain('only the 2 of 3 tags that begin with bun-v are read');
  expect(single.readJson('components/mono.json')).toMatchObject({
    sources: [{ extractVersion: '^bun-v(?<version>.+)$' }],
  });
  expect(choice.stderr).toMatch(/^error: cli-v: 2 tags\. npx .* add git.*\/mono.* --tags cli-v$/m);
  expect(choice.stderr).toContain(' --tags @acme/core@\n');
  expect(choice.status).toBe(1);
  expect(readdirSync(join(choice.root, 'components'))).not.toContain('mono.json');
  expect(chosen.stdout).toContain('acme-core: 1 release recorded; the latest is 1.2.0.');
  expect(chosen.readJson('components/acme-core.json')).toMatchObject({ title: 'acme-core' });
  expect(unfit.stderr).toContain('no tag ends with a version, for example latest, REL_1_2.');
});
