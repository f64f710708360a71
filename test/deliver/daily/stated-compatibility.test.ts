import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HeldFile } from '../../../src/core/schemas/held.ts';
import {
  addComponent,
  createRoot,
  definition,
  readJsonIn,
  removeTemporaryFolders,
  temporaryFolder,
  type TestRoot,
} from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { startUpstream, type Upstream } from '../../harness/upstream.ts';

interface Stated {
  version: string;
  worksWith?: object;
}

// What an upstream states of its releases, changed from one day to the next.
let root: TestRoot;
let upstream: Upstream;
let stated: Stated[];
const served = temporaryFolder();

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root.dir, ...args], { encoding: 'utf8' }).trim();
const commit = (message: string) => {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
};
const verb = (line: string, day: string) => {
  const to = line === 'daily' ? ['--to', served] : [];
  const env = { PATH: process.env['PATH']!, NO_COLOR: '1', CI: '1' };
  return runHere([...line.split(' '), '--root', root.dir, '--as-of', day, ...to], env);
};
const held = () => readJsonIn<HeldFile>(root.dir, 'data/held.json').held;
const withBounds = (bounds: (version: string) => object): Stated[] =>
  ['4.0', '4.1', '4.2', '4.3', '4.4'].map((version) => ({ version, worksWith: { svc: bounds(version) } }));
const published = () =>
  readJsonIn<{ worksWith: { svc: object[] } }>(served, 'details/agent.json').worksWith.svc;

beforeAll(async () => {
  upstream = await startUpstream(
    () => (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(stated)),
  );
  root = createRoot({ releasesUrl: 'https://releases.example.org', hosting: 'files' });
  addComponent(root, 'svc', [{ version: '2025.1' }, { version: '2026.1' }]);
  const source = { datasource: 'json', url: `${upstream.url}releases`, transform: '$' };
  root.write('components/agent.json', definition({ title: 'The agent', sources: [source] }));
  root.write('.gitignore', 'dist/\n.cache/\n');
  git('init', '--quiet');
  git('config', 'user.name', 'Jane');
  git('config', 'user.email', 'jane@example.com');
  commit('Define an agent and its server');
  stated = withBounds(() => ({ from: '2025.1' }));
  expect((await verb('daily', '2026-06-01')).status).toBe(0);
});

afterAll(async () => {
  await upstream.close();
  removeTemporaryFolders();
});

test('statements that most of an answer changes are held until a person accepts them', async () => {
  stated = [...withBounds(() => ({ from: '2025.1', testedTo: '2026.1' })), { version: '4.5' }];

  const ran = await verb('daily', '2026-06-02');

  expect(ran.status).toBe(1);
  expect(held()).toEqual([
    expect.objectContaining({
      cause: expect.stringMatching(/^json:/) as string,
      components: ['agent'],
      reason: '5 of 5 statements on other components would change',
    }),
  ]);
  expect(published()).toEqual([expect.not.objectContaining({ testedTo: '2026.1' })]);
  expect(readFileSync(join(served, 'latest/agent.txt'), 'utf8')).toBe('4.5\n');

  await verb(`accept ${held()[0]!.id}`, '2026-06-03');
  commit('Accept it');
  const taken = await verb('daily', '2026-06-03');

  expect(taken.status, taken.stderr).toBe(0);
  expect(published()).toEqual([expect.objectContaining({ from: '2025.1', testedTo: '2026.1' })]);
});

test('new statements by which a fifth of the releases no longer works with something are held', async () => {
  const svc = [{ versions: '4.0 || 4.1 || 4.2', from: '2025.4', reason: 'Refused before.' }];
  const agent = readJsonIn<object>(root.dir, 'components/agent.json');
  root.write('components/agent.json', { ...agent, worksWith: { svc } });
  commit('State what the server refuses');

  const ran = await verb('daily', '2026-06-04');

  expect(ran.status).toBe(1);
  expect(held()).toEqual([
    expect.objectContaining({
      cause: 'components/agent.json',
      items: ['4.0', '4.1', '4.2'].map((version) => `${version} no longer works with svc 2025.1`),
      reason: expect.stringContaining('3 of 6 releases in use would change for the worse') as string,
    }),
  ]);
  expect(published()).toEqual([expect.not.objectContaining({ reason: 'Refused before.' })]);
});
