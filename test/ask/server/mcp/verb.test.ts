import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { Invocation } from '../../../../src/cli/command.ts';
import { openCheckoutIndex } from '../../../../src/cli/open-index.ts';
import { openRoot } from '../../../../src/io/files/root.ts';
import { checkout, fixtureDay, fixtureIndex } from '../../../harness/checkout.ts';
import { linesOf, ownProgram } from '../../../harness/cli.ts';
import { connect } from '../../../harness/mcp-clients.ts';
import { copyOfFixtureIndex, makeRoot, writeIn } from '../../../harness/root.ts';
import { runHere } from '../../../harness/run-here.ts';
import { siteOf, siteOfFixtureIndex } from '../../../harness/site.ts';
import { startSite } from '../../../harness/static-site.ts';

const clientInfo = { name: 'test', version: '1' };
const message = (fields: object) => JSON.stringify({ jsonrpc: '2.0', ...fields });
const callOf = (id: number, name: string, given: object) =>
  message({ id, method: 'tools/call', params: { name, arguments: given } });
/** Lines of input that start a session. */
const begin = [
  message({
    ...{ id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  }),
  message({ method: 'notifications/initialized' }),
];

/** The output of the command for these lines of input, which end once it has written all answers. */
async function say(args: readonly string[], lines: readonly string[], answers: number) {
  const child = spawn(process.execPath, [ownProgram, 'mcp', ...args], { stdio: 'pipe' });
  const closed = once(child, 'close') as Promise<[number]>;
  const stderr = text(child.stderr);
  child.stdin.write(lines.map((line) => `${line}\n`).join(''));
  let stdout = '';
  for await (const chunk of child.stdout) {
    stdout += String(chunk);
    if (stdout.split('\n').length > answers) {
      child.stdin.end();
    }
  }
  return { status: (await closed)[0], stdout, stderr: await stderr };
}

const questions = [
  ['check_versions', { text: 'svc v2025.01' }],
  ['check_versions', { text: 'nothing 1' }],
  ['find_releases', { query: 'supportLeft:<400d' }],
  ['show_component', { component: 'svc' }],
  ['show_component', { component: 'nothing' }],
  ['show_component', {}],
  ['changes_since', { date: '2020-01-01' }],
  ['list_runs', {}],
] as const;

test('checkout, folder and published index give the same answers, without any other output', async () => {
  const root = copyOfFixtureIndex();
  const out = siteOfFixtureIndex();
  const sources = [['--root', root], [out], ['--index', await startSite(out)]];
  const lines = [
    ...begin,
    ...questions.map(([name, given], place) => callOf(place + 2, name, given)),
  ];

  const runs = await Promise.all(
    sources.map((source) => say([...source, '--as-of', fixtureDay], lines, 1 + questions.length)),
  );

  for (const { status, stderr } of runs) {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
  const [here, ...others] = runs.map(({ stdout }) => linesOf(stdout).sort());
  expect(here).toHaveLength(1 + questions.length);
  expect(here!.join()).toContain('The latest version is 2026.3.');
  for (const answers of others) {
    expect(answers).toEqual(here);
  }
  expect(existsSync(join(root, '.cache'))).toBe(false);
});

test('it exits when it is interrupted', async () => {
  const child = spawn(process.execPath, [ownProgram, 'mcp', siteOfFixtureIndex()], {
    stdio: 'pipe',
  });
  child.stdin.write(`${begin[0]}\n`);
  await once(child.stdout, 'data');

  child.kill('SIGTERM');

  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('an invalid message only causes a line on standard error', async () => {
  const { status, stdout, stderr } = await say(
    [siteOfFixtureIndex()],
    ['hello', '{"jsonrpc":"2.0"}', '[]', ...begin, callOf(2, 'show_component', {})],
    2,
  );

  expect(status).toBe(0);
  expect(linesOf(stdout)).toHaveLength(2);
  expect(linesOf(stderr)).not.toEqual([]);
  for (const line of linesOf(stderr)) {
    expect(line).toMatch(/^warning: /);
  }
});

test('a published index that is unavailable for a while is read again', async () => {
  const out = siteOfFixtureIndex();
  const url = await startSite(out, {
    isDown: (path, count) => path.includes('/details/') && count <= 2,
  });
  const client = await connect({ args: ['--index', url] }, 'modern');
  onTestFinished(() => client.close());
  const given = { text: 'svc 2025.1' };

  const failed = await client.callTool('check_versions', given);
  const answered = await client.callTool('check_versions', given);

  expect(failed).toMatchObject({ isError: true });
  expect(failed.text).toMatch(
    /^The index cannot be read now: GET .*details\/svc\.json answered 503/,
  );
  expect(answered).toMatchObject({ isError: false });
});

test('a question goes on while another one makes the index be read again', async () => {
  const slow = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const url = await startSite(siteOfFixtureIndex(), {
    isDown: (path, count) => path.endsWith('/details/svc.json') && count <= 2,
    waitFor(path) {
      if (!path.endsWith('/details/edge-node.json')) {
        return undefined;
      }
      asked.resolve();
      return slow.promise;
    },
  });
  const client = await connect({ args: ['--index', url] }, 'modern');
  onTestFinished(() => client.close());

  const waiting = client.callTool('show_component', { component: 'edge-node' });
  await asked.promise;
  const failed = await client.callTool('show_component', { component: 'svc' });
  const answered = await client.callTool('show_component', { component: 'svc' });
  slow.resolve();

  expect([failed.isError, answered.isError]).toEqual([true, false]);
  expect(await waiting).toMatchObject({ isError: false });
});

test('an address or folder without an index is rejected at the start', async () => {
  const broken = siteOf(fixtureIndex);
  writeIn(broken, 'status.json', '{"asOf": 1}');
  const empty = makeRoot({});
  const notAnIndex = 'status.json does not belong to a release index: asOf: expected string; got 1';

  expect(await runHere(['mcp', broken])).toMatchObject({
    ...{ status: 3, stdout: '' },
    stderr: expect.stringContaining(notAnIndex) as string,
  });
  expect(await runHere(['mcp', join(empty, 'components')])).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('there is no status.json') as string,
  });
  expect(await runHere(['mcp', empty, '--index', 'https://releases.example.com'])).toMatchObject({
    status: 2,
  });
});

test('a broken definition is reported, and the server does not start', async () => {
  const root = copyOfFixtureIndex();
  writeIn(root, 'components/svc.json', '{}');

  expect(await runHere(['mcp', '--root', root])).toMatchObject({
    ...{ status: 3, stdout: '' },
    stderr: expect.stringContaining('components/svc.json') as string,
  });
});

test('a checkout that stays open answers as of the day of the question', async () => {
  const root = openRoot(fixtureIndex, checkout);
  const days = ['2026-11-20', '2026-11-21'];
  const today = () => days[0]!;
  const { index } = openCheckoutIndex({ root, report: {} } as Invocation, today);
  await index.status();

  const before = await index.day();
  days.shift();

  expect([before, await index.day()]).toEqual(['2026-11-20', '2026-11-21']);
});
