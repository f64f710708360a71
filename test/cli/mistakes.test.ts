/** Makes mistakes at the shell. Each message must name the mistake, and what to do. */
import { execSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, openSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, spawnCli } from '../harness/cli.ts';
import { program } from '../harness/example.ts';
import { createFolder, createIndex } from '../harness/index-folder.ts';
import { serveAnswers } from '../harness/upstream.ts';
import { startPreview } from '../publish/preview.ts';

const registry = await serveAnswers({});
const index = createIndex({ hosting: { folder: '/srv/releases' } });
await index.prepare('build');
index.write('list.txt', 'svc 2026.1.4\n');
index.write('empty.txt', '\n');
index.write('broken.json', '{"bomFormat": "CycloneDX", ');
const empty = createFolder();

/**
 * `ROOT` stands for the folder of the index, `REGISTRY` for the address of a registry without
 * packages.
 */
test.each<[line: string, status: number, message: string]>([
  ['explian svc', 2, "unknown command 'explian'\n(Did you mean explain?)"],
  ['explain', 2, "missing required argument 'component'"],
  ['explain svcc', 2, '"svcc" names no component of this index. Did you mean "svc"?'],
  ['explain zzz', 2, '"zzz" names no component of this index. index.json lists all'],
  ['explain svc 2026,1', 2, 'version: '],
  ['explain svc --indx x', 2, "unknown option '--indx'\n(Did you mean --index?)"],
  ['explain svc --index releases.example.com', 2, 'Expected an http or https address.'],
  ['explain svc --as-of 2026-01-01', 2, 'the index was built as of 2026-11-20. For another day:'],
  ['explain svc --as-of yesterday', 2, 'Expected a day that exists, YYYY-MM-DD.'],
  ['explain svc --out nowhere', 3, 'there is no built site. Run: npx release-index build'],
  [`build --root ${empty}`, 1, 'site/site.json is missing. Is this the folder of an index?'],
  ['build --root ROOT/components', 1, 'site/site.json is missing. The index is in ROOT. Change to'],
  ['build svc', 2, "too many arguments for 'build'"],
  ['add nmp semver', 2, '"nmp" is not a datasource. Did you mean: add npm semver'],
  ['add NPM semver', 2, '"NPM" is not a datasource. Did you mean: add npm semver'],
  ['add cargo serde tokio', 2, '"cargo" is not a datasource. Did you mean: add crate serde tokio'],
  ['add gitlab a/b', 2, '"gitlab" is not a datasource. Did you mean: add gitlab-releases a/b'],
  ['add nmp --registry-url REGISTRY', 2, '"nmp" is neither a datasource nor a product of'],
  ['add npm', 2, 'add npm expects one package, such as @scope/package'],
  [
    'add npm semmver --registry-url REGISTRY',
    1,
    'semmver: the registry shows no such package (GET REGISTRY/semmver answered 404). Check the name, or set a credential if the package is private. Nothing was written',
  ],
  [
    'add crate serd --registry-url REGISTRY --homepage https://example.com',
    1,
    'answered 404. Nothing was written',
  ],
  ['add pypi requests==2.0 --registry-url REGISTRY', 1, 'requests: the registry shows no such'],
  ['add npm semver@7 --registry-url REGISTRY', 1, 'semver: the registry shows no such package'],
  ['add npm @a/b@^1.2 --registry-url REGISTRY', 1, '@a/b: the registry shows no such package'],
  [
    'add npm https://example.com/package/semver',
    2,
    'add npm expects the name of a package, not the address https://example.com/package/semver. For example: add npm semver',
  ],
  ['add pypi https://example.com/project/requests/', 2, 'For example: add pypi requests'],
  ['add npm https://example.com/package/@a/b/v/1.0', 2, 'For example: add npm @a/b'],
  ['add https://example.com/package/semver', 2, 'Name the datasource and the package: add npm s'],
  ['add npm x --support 18', 2, 'Expected term:<months>, latest-lines:<count> or none.'],
  ['add npm x --line major', 2, 'Expected 1, 2 or semver.'],
  [
    'add npm x --tags core-v',
    2,
    '--tags: expected a repository, such as add github-tags owner/repo',
  ],
  ['add github-tags a/b c/d --tags v', 2, '--tags: expected one package or product'],
  [
    'add git-tags acme/agent',
    2,
    'add git-tags expects the address of a repository, such as https:',
  ],
  ['add helm chart', 2, '--registry-url: helm has no default registry'],
  ['add page x', 2, 'add writes no page: write a source with datasource, url, matchStrings into'],
  ['add static nowhere.csv', 1, 'nowhere.csv: no such file or directory'],
  ['gather svcc', 2, 'There is no component "svcc". Did you mean svc?'],
  ['scan', 2, "missing required argument 'files'"],
  ['scan nowhere.txt', 3, 'nowhere.txt: no such file or directory'],
  ['scan ROOT', 3, 'ROOT: expected a file; got a folder'],
  ['scan ROOT/empty.txt', 3, 'ROOT/empty.txt does not contain an entry'],
  ['scan ROOT/broken.json', 3, 'ROOT/broken.json begins as JSON does, but is not JSON: Expected'],
  [
    'scan ROOT/list.txt --policy suported',
    2,
    'There is no policy "suported". Policies: supported, secure, current, patched, lasting, stable. Did you mean supported?',
  ],
  ['scan ROOT/list.txt ROOT/empty.txt --write x', 2, '--write: expected one SBOM; got 2 files'],
  ['search isSuported', 2, 'did you mean isSupported?'],
  ['preview --port http', 2, 'Expected a port, 0 to 65535.'],
  ['accept svc-1', 2, 'There is no hold "svc-1"'],
  ['key new --user anna --expires 2027-01-31', 1, 'site/access.json: users: there is no user'],
  ['key new --user anna', 2, "required option '--expires <day>' not specified"],
  ['daily', 1, 'ROOT: not a git repository, but the history is needed. To make one: git init && '],
  [
    'plan --base HEAD',
    1,
    'ROOT: not a git repository, but the history is needed. To make one: git ',
  ],
  ['add', 2, "missing required argument 'datasource|product'"],
])(
  'the mistaken command "%s" exits with %i, and its message names the mistake',
  async (line, expected, message) => {
    const fill = (text: string) =>
      text.replaceAll('REGISTRY', registry).replaceAll('ROOT', index.root);
    const words = fill(line).split(' ');
    const place = line.includes('--root') ? [] : ['--root', index.root];

    const { status, stderr } = await runCli([...words, ...place], { CI: '' });

    expect(stderr).toContain(fill(message));
    expect(stderr).not.toMatch(/\n +at /);
    expect(status).toBe(expected);
  },
);

test.each<[path: string, keys: object, message: string]>([
  [
    'components/svc.json',
    { support: { policy: 'latest-line', count: 3 } },
    'none, ended, term, latest-lines, dated, stated; got "latest-line". Did you mean latest-lines?',
  ],
  [
    'components/svc.json',
    { sources: [{ datasource: 'nmp', packageName: 'svc' }] },
    'got "nmp". Did you mean npm?',
  ],
  ['components/svc.json', { title: null }, 'title: expected a text; got null'],
  ['components/svc.json', { sources: {} }, 'sources: expected a list'],
  ['site/site.json', { staleAfterDays: '3' }, 'staleAfterDays: expected a number; got "3"'],
])('check reports the mistake in %s: %j', async (path, keys, message) => {
  const own = createIndex();
  own.edit(path, keys);

  const { status, stderr } = await own.run('check');

  expect(stderr).toContain(`error: ${path}: `);
  expect(stderr).toContain(message);
  expect(status).toBe(1);
});

test('explain warns if the definition of the component was edited after the build', async () => {
  const explain = async (name: string) => (await index.run('explain', name)).stderr;
  const later = Date.now() / 1000 + 60;
  expect(await explain('svc')).not.toContain('components/');

  utimesSync(join(index.root, 'components/svc.json'), later, later);

  expect(await explain('svc')).toContain(
    'warning: components/svc.json was changed after the build, so this answer is that of the former definition. For the present one: npx release-index build\n',
  );
  expect(await explain('edge-node')).not.toContain('components/');
});

test.each([
  ['scan', 3],
  ['build', 1],
])('on a Node that is too old, %s exits with %i', (verb, status) => {
  const ended = spawnSync(process.execPath, [
    '--eval',
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } }); process.argv.splice(1, 0, 'cli'); import(${JSON.stringify(join(program, 'src/cli.js'))})`,
    verb,
  ]);

  expect(String(ended.stderr)).toContain('release-index needs Node 22.22.2 or later');
  expect(ended.status).toBe(status);
});

test.each([
  ['scan', 3],
  ['build', 1],
])('in a checkout without packages, %s exits with %i and says: npm ci', (verb, status) => {
  const checkout = createFolder();
  for (const path of ['src/cli', 'src/core', 'src/cli.js', 'package.json']) {
    cpSync(join(program, path), join(checkout, path), { recursive: true });
  }

  const ended = spawnSync(process.execPath, [join(checkout, 'src/cli.js'), verb]);

  expect(String(ended.stderr)).toBe(
    'The packages of this checkout are not installed. Run: npm ci\n',
  );
  expect(ended.status).toBe(status);
});

test.each([
  ['scan list.txt', 3],
  ['explain svc', 1],
  ['--help', 1],
])('"%s" exits with %i if the disk behind standard output is full', (line, status) => {
  const words = [join(program, 'src/cli.js'), ...line.split(' ')];

  const ended = spawnSync(process.execPath, words, {
    cwd: index.root,
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });

  expect(String(ended.stderr)).toMatch(
    /^(?:[a-z]+: .+\n)*error: standard output: no space left on device\n$/,
  );
  expect(ended.status).toBe(status);
});

test.each([
  ['without a remote repository', 'git init --quiet'],
  ['on a branch of its own', 'git init --quiet && git remote add origin .'],
])('daily --push %s says how to connect the branch', async (_, command) => {
  const own = createIndex();
  const commit = 'git add --all && git -c user.name=a -c user.email=a@b.c commit --quiet -m Begin';
  execSync(`${command} && ${commit}`, { cwd: own.root });

  const { status, stderr } = await own.run('daily', '--push');

  expect(stderr).toBe(
    'error: git: this branch has no branch to push to. Run: git push --set-upstream origin HEAD. If there is no remote repository, first: git remote add origin <url>\n',
  );
  expect(status).toBe(1);
});

test('a preview without a Worker reports that the host has no API', async () => {
  const origin = await startPreview(index.root);

  const { status } = await fetch(`${origin}/api/components/svc`);
  const text = await (await fetch(`${origin}/mcp`)).text();

  expect(status).toBe(404);
  expect(text).toContain('This host has no API, no scans and no /mcp, because "hosting" in site/');
});

test('the command plan announces that a hold on new releases will end', async () => {
  const own = createIndex();
  for (const name of ['svc', 'edge-node']) {
    own.edit(`components/${name}.json`, { sources: [] });
  }
  own.write('data/held.json', {
    held: [
      {
        ...{ id: 'edge-node-1b4e28ba7c', component: 'edge-node', kind: 'outlier' },
        ...{ since: '2026-11-19', reason: 'An outlier.', versions: ['20250101'] },
        command: 'npx release-index accept edge-node-1b4e28ba7c',
      },
    ],
  });

  const { stdout, stderr } = await own.run('plan');

  expect(stderr + stdout).toContain('edge-node: the hold edge-node-1b4e28ba7c ends\n');
});

test('mcp prints nothing when a signal ends it', async () => {
  const { child, ended, stderr } = spawnCli(['mcp', '--out', index.out]);
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(child.stdout, 'data');

  child.kill();

  expect([await ended, await stderr]).toEqual([[130, null], '']);
});
