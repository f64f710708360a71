import { afterAll, beforeAll, expect, test } from 'vitest';
import { variableOf } from '../../src/http/own-credentials.ts';
import { fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { connect } from '../harness/mcp-clients.ts';
import { run } from '../harness/run.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { accessTo, baseUrl, keyOf, recorded } from './private-index.ts';

const key = keyOf('a');
let site: ServedSite;
let address: string;
let variable: string;

beforeAll(async () => {
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
  site = await serveSite(siteOfFixtureIndex(), baseUrl, vars, accessTo('everything'));
  address = site.url.slice(0, -1);
  variable = variableOf(new URL(address));
});

afterAll(() => site?.close());

const at = ['--root', fixtureIndex, '--as-of', fixtureDay];
const verbs: [verb: string, args: () => string[], says: string][] = [
  ['search', () => ['component:svc isLatest', '--index', address, ...at], '1 release of 1 component.'],
  ['scan', () => ['svc@2026.3', '--index', address, ...at], '1 thing, 1 result: 0 unsatisfied'],
  ['verify', () => [address, '--digests-only', '--root', fixtureIndex], `the index as of ${fixtureDay}`],
];

test.each(verbs)(
  '%s reads a private index with a key, and names the variable without',
  async (verb, args, says) => {
    const stranger = await run([verb, ...args()]);
    const known = await run([verb, ...args()], { [variable]: `Bearer ${key}` });
    const refused = await run([verb, ...args()], { [variable]: `Bearer ${keyOf('b')}` });

    expect(stranger.status).toBe(1);
    expect(stranger.stderr).toContain(`answered 401. If it is private, set ${variable}.`);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('The credential that was sent is not enough.');
    expect(known.status, known.stderr).toBe(0);
    expect(known.stdout).toContain(says);
    const told = [stranger, known, refused].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    expect(told).not.toMatch(/release_index_|\.\./);
  },
);

test('mcp answers from a private index with a key, and does not begin without', async () => {
  const args = ['--index', address];
  const client = await connect({ args, env: { [variable]: `Bearer ${key}` } }, 'auto');
  const answer = await client.callTool('latest_version', { component: 'svc' });
  await client.close();
  const stranger = await run(['mcp', ...args]);

  expect(answer).toMatchObject({ isError: false, content: { component: 'svc' } });
  expect(stranger).toMatchObject({ status: 1, stdout: '' });
  expect(stranger.stderr).toContain(`If it is private, set ${variable}.`);
});
