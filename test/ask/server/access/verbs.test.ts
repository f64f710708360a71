import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameVariable } from '../../../../src/io/http/credentials.ts';
import { fixtureDay, fixtureIndex } from '../../../harness/checkout.ts';
import { ownProgram } from '../../../harness/cli.ts';
import { connect } from '../../../harness/mcp-clients.ts';
import { copiedFrom } from '../../../harness/page-command.ts';
import { copyOfFixtureIndex, temporaryFolder, writeIn } from '../../../harness/root.ts';
import { runHere } from '../../../harness/run-here.ts';
import { run } from '../../../harness/run.ts';
import { siteOf } from '../../../harness/site.ts';
import type { Upstream } from '../../../harness/upstream.ts';
import { loadedVerbs } from '../../../harness/verbs.ts';
import { serveHere } from '../../../harness/worker-here.ts';
import { accessTo, baseUrl, keyOf, recorded } from './private-index.ts';

const key = keyOf('a');
let out: string;
let site: Upstream;
let address: string;
let variable: string;

beforeAll(async () => {
  const secrets = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
  const root = copyOfFixtureIndex();
  writeIn(root, 'site/access.json', {
    protect: 'everything',
    users: [{ username: 'jane', email: 'jane@example.com' }],
  });
  out = siteOf(root, fixtureDay, baseUrl);
  site = await serveHere(out, baseUrl, { access: accessTo('everything'), secrets });
  address = site.url.slice(0, -1);
  variable = nameVariable(new URL(address));
});

afterAll(() => site?.close());

const at = ['--root', fixtureIndex, '--as-of', fixtureDay];
const askedVerbs: [verb: string, args: () => string[], says: string][] = [
  [
    'search',
    () => ['component:svc isLatest', '--index', address, ...at],
    '1 release of 1 component.',
  ],
  ['explain', () => ['svc', '2026.2', '--index', address, ...at], 'Server 2026.2'],
  [
    'scan',
    () => ['svc@2026.2', '--index', address, ...at],
    '1 entry: 1 judged. 2 results, 0 unsatisfied',
  ],
  [
    'verify',
    () => [address, '--digests-only', '--root', fixtureIndex],
    `the index as of ${fixtureDay}`,
  ],
];

test('each verb that answers questions is asked here, but mcp, which has a test of its own', () => {
  const asked = askedVerbs.map(([verb]) => verb);
  const questionVerbs = loadedVerbs.filter(({ command }) => command.isQuestion);

  expect([...asked, 'mcp'].sort()).toEqual(questionVerbs.map(({ verb }) => verb).sort());
});

test.each(askedVerbs)(
  '%s reads a private index with a key, and names the variable if it is missing',
  async (verb, args, says) => {
    const stranger = await run([verb, ...args()]);
    const known = await run([verb, ...args()], { [variable]: `Bearer ${key}` });
    const refused = await run([verb, ...args()], { [variable]: `Bearer ${keyOf('b')}` });

    const unable = 3;
    expect(stranger.status).toBe(unable);
    expect(stranger.stderr).toContain(`answered 401. If it is private, set ${variable}.`);
    expect(refused.status).toBe(unable);
    expect(refused.stderr).toContain('The credential does not give access.');
    expect(known.status, known.stderr).toBe(0);
    expect(known.stdout).toContain(says);
    const told = [stranger, known, refused].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    expect(told).not.toMatch(/release_index_|\.\./);
  },
);

test('a key is only sent to the index it belongs to', async () => {
  const question = ['search', 'component:svc isLatest', '--index', address, '--as-of', fixtureDay];
  const reader = [...question, '--root', temporaryFolder()];
  const env = { RELEASE_INDEX_KEY: key };

  expect((await run(reader)).stderr).toContain(
    'answered 401. If it is private, set RELEASE_INDEX_KEY.',
  );
  expect((await run(reader, env)).stdout).toContain('1 release of 1 component.');
  expect((await run([...question, '--root', fixtureIndex], env)).stderr).toContain(
    `set ${variable}.`,
  );
});

test('mcp answers from a private index with a key, and does not start without a key', async () => {
  const args = ['--index', address, '--root', fixtureIndex];
  const client = await connect({ args, env: { [variable]: `Bearer ${key}` } }, 'auto');
  const answer = await client.callTool('show_component', { component: 'svc' });
  await client.close();
  const stranger = await runHere(['mcp', ...args]);

  expect(answer).toMatchObject({ isError: false, content: { component: 'svc' } });
  expect(stranger).toMatchObject({ status: 3, stdout: '' });
  expect(stranger.stderr).toContain(`If it is private, set ${variable}.`);
});

test.each<[page: string, title: string, says: string]>([
  ['svc.html', 'The latest version in a shell', '\n2026.3\n'],
  ['use.html', 'Check of files', 'all.json: OK'],
  ['use.html', 'Check of everything', `the index as of ${fixtureDay}`],
])('%s: "%s" reads a private index by the key in the variable', async (page, title, says) => {
  const command = copiedFrom(readFileSync(join(out, page), 'utf8'), title)
    .replaceAll(/npx (?:--yes )?release-index(?:@\d+)?/g, `${process.execPath} ${ownProgram}`)
    .replaceAll(baseUrl, address)
    .replaceAll(nameVariable(new URL(baseUrl)), variable);
  const env = { PATH: process.env['PATH'], NO_COLOR: '1', RELEASE_INDEX_KEY: key };

  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    cwd: temporaryFolder(),
    env,
  });

  expect(stdout).toContain(says);
});
