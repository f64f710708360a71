import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf, ownProgram } from '../../harness/cli.ts';
import { connect, type McpClient } from '../../harness/mcp-clients.ts';
import { copyOfFixtureIndex, makeRoot, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { siteOf, siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';

const clientInfo = { name: 'test', version: '1' };
/** Lines of input that start a session and ask for a version. */
const asked = [
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'latest_version', arguments: { component: 'svc' } } },
].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));

/** The output of the command for these lines of input. */
async function say(args: readonly string[], lines: readonly string[]) {
  const child = spawn(process.execPath, [ownProgram, 'mcp', ...args], { stdio: 'pipe' });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { status, stdout, stderr };
}

async function connected(...args: string[]): Promise<McpClient> {
  const client = await connect({ args }, 'modern');
  onTestFinished(() => client.close());
  return client;
}

test('it answers from the checkout, writes nothing else, and exits at the end of its input', async () => {
  const root = copyOfFixtureIndex();

  const { status, stdout, stderr } = await say(['--root', root, '--as-of', fixtureDay], asked);

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const answers = linesOf(stdout).map((line) => JSON.parse(line) as { id: number; result: object });
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(JSON.stringify(answers[1]!.result)).toContain('The latest version of svc is 2026.3.');
  expect(readdirSync(join(root, '.cache/mcp'))).toEqual([]);
});

test('it exits when it is interrupted', async () => {
  const child = spawn(process.execPath, [ownProgram, 'mcp', siteOfFixtureIndex()], { stdio: 'pipe' });
  child.stdin.write(`${asked[0]}\n`);
  await once(child.stdout, 'data');

  child.kill('SIGTERM');

  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('an invalid message only causes a line on standard error', async () => {
  const { status, stdout, stderr } = await say(
    [siteOfFixtureIndex()],
    ['hello', '{"jsonrpc":"2.0"}', '[]', ...asked],
  );

  expect(status).toBe(0);
  expect(linesOf(stdout)).toHaveLength(2);
  for (const line of linesOf(stderr)) expect(line).toMatch(/^warning: /);
});

test('checkout, folder and published index give the same answers', { timeout: 120_000 }, async () => {
  const root = copyOfFixtureIndex();
  const out = siteOfFixtureIndex();
  const url = await startSite(out);
  const clients = await Promise.all([
    connected('--root', root, '--as-of', fixtureDay),
    connected(out, '--as-of', fixtureDay),
    connected('--index', url, '--as-of', fixtureDay),
  ]);

  for (const [tool, given] of [
    ['list_components', {}],
    ['find_releases', { query: 'supportLeft:<400d' }],
    ['check_version', { component: 'svc', version: 'v2025.01' }],
    ['check_version', { component: 'nothing', version: '1' }],
    ['coming_changes', { days: 400 }],
    ['changes_since', { date: '2020-01-01' }],
  ] as const) {
    const [here, inFolder, there] = await Promise.all(clients.map((client) => client.callTool(tool, given)));

    expect(inFolder).toEqual(here);
    expect(there).toEqual(here);
  }
});

test('a published index that is unavailable for a while is read again', async () => {
  const out = siteOfFixtureIndex();
  const url = await startSite(out, { isDown: (path, count) => path.includes('/details/') && count <= 2 });
  const client = await connected('--index', url);
  const given = { component: 'svc', version: '2025.1' };

  const failed = await client.callTool('check_version', given);
  const answered = await client.callTool('check_version', given);

  expect(failed).toMatchObject({ isError: true });
  expect(failed.text).toMatch(/^This cannot be answered now: GET .*details\/svc\.json answered 503/);
  expect(answered).toMatchObject({ isError: false });
});

test('an address or folder without an index is rejected at the start', async () => {
  const broken = siteOf(fixtureIndex);
  writeIn(broken, 'status.json', '{"asOf": 1}');
  const empty = makeRoot({});
  const notAnIndex = 'status.json does not belong to a release index: asOf: expected string; got 1';

  expect(await runHere(['mcp', broken])).toMatchObject({
    ...{ status: 1, stdout: '' },
    stderr: expect.stringContaining(notAnIndex) as string,
  });
  expect(await runHere(['mcp', join(empty, 'components')])).toMatchObject({
    status: 1,
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
    ...{ status: 1, stdout: '' },
    stderr: expect.stringContaining('components/svc.json') as string,
  });
  expect(readdirSync(join(root, '.cache/mcp'))).toEqual([]);
});
