/** Checks that a signal ends every command, even while it waits for a server that never answers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnCli, startCli } from '../harness/cli.ts';
import { createFolder, createIndex } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import {
  createCopies,
  listReleases,
  openDefined,
  type OperatedIndex,
} from '../harness/operated-index.ts';
import { buildExample } from '../harness/site.ts';

const call = { name: 'find_releases', arguments: { query: 'isLatest' } };
const client = { name: 'x', version: '1' };
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
const questions = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
];

test.each<[line: string, signal: 'SIGINT' | 'SIGTERM', answered: RegExp]>([
  // The server answers only requests that match `answered`. After its answers, the command waits for standard input.
  ['scan - --index ORIGIN', 'SIGINT', /status|policies/],
  ['mcp --index ORIGIN', 'SIGTERM', /status/],
])('"%s" exits with 130 after the signal %s', async (line, signal, answered) => {
  const asked = Promise.withResolvers<void>();
  const origin = await listen(({ url = '' }, response) => {
    if (answered.test(url)) {
      response.end(readFileSync(join(buildExample(), url)));
    }
    // status.json is only the first request, so wait for another one.
    if (!url.includes('status')) {
      asked.resolve();
    }
  });
  const run = spawnCli(line.replace('ORIGIN', origin).split(' '));
  if (line.startsWith('mcp')) {
    run.child.stdin.write(questions.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  await Promise.race([asked.promise, run.ended]);
  run.child.kill(signal);

  expect(await run.ended).toEqual([130, null]);
  // Agents start and stop `mcp` all the time, so it prints no notice.
  expect(await run.stderr).toBe(line.startsWith('mcp') ? '' : notice);
});

const notice = 'notice: stopped: earlier content is unchanged\n';

/**
 * `silent` is a server that never answers. It serves the index's source and its published site. `reached.promise` resolves when the server
 * gets a request.
 */
let reached = Promise.withResolvers<void>();
const silent = await listen(() => reached.resolve());
const asking = createIndex({ releasesUrl: silent, signingPublicKey: undefined });
asking.edit('components/svc.json', {
  sources: [{ datasource: 'json', url: `${silent}/svc.json` }],
});
await asking.run('build');

// These commands run inside this process, because starting a process for each takes longer.
test.each([
  'gather',
  'explain svc --index ORIGIN',
  'search isLatest --index ORIGIN',
  'scan package.json --index ORIGIN',
  'verify ORIGIN --digests-only',
  'publish --dry-run',
  'plan',
  'add json ORIGIN/x.json --homepage https://example.com',
])('"%s" exits with 130 after a signal', async (line) => {
  reached = Promise.withResolvers();

  const run = startCli([...line.replace('ORIGIN', silent).split(' '), '--root', asking.root]);
  await Promise.race([reached.promise, run.ended]);
  run.stop();

  expect(await run.ended).toMatchObject({ status: 130, stderr: expect.stringContaining(notice) });
});

const open = createCopies(await openDefined(listReleases(1)));

/** Makes a command start the program `ask`, which waits for a server that never answers. */
type Prepare = (index: OperatedIndex, ask: string) => unknown;

test.each<[line: string, other: string, prepare: Prepare]>([
  [
    'daily --push',
    'ssh',
    ({ git }, ask) => {
      git('config', 'remote.origin.url', 'git@releases.invalid:x');
      git('config', 'core.sshCommand', ask);
    },
  ],
  [
    'plan --base HEAD',
    'a git filter',
    ({ git, write, commit }, ask) => {
      write('.gitattributes', 'components/* filter=far\n');
      commit();
      git('config', 'filter.far.smudge', ask);
    },
  ],
  ['init SITE', 'the node on PATH', () => undefined],
])('a SIGTERM ends "%s", and also the program that it waits for: %s', async (line, _, prepare) => {
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const origin = await listen(({ socket }) => {
    socket.once('close', gone.resolve);
    asked.resolve();
  });
  const index = open();
  const folder = createFolder();
  const ask = join(folder, 'node');
  writeFileSync(ask, `#!/bin/sh\nexec curl --silent ${origin}/\n`, { mode: 0o755 });
  await prepare(index, ask);

  const words = line.replace('SITE', `${ask}-site`).split(' ');
  const path = [folder, process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path };
  const run = spawnCli([...words, '--root', index.root], { env });
  await Promise.race([asked.promise, run.ended]);
  run.child.kill('SIGTERM');

  expect(await run.ended).toEqual([130, null]);
  expect(await run.stderr).toContain(notice);
  await gone.promise;
});
