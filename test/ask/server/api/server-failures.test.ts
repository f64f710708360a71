import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { temporaryFolder, writeIn } from '../../../harness/root.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { openWorkerHere, readVersion, type WorkerHere } from '../../../harness/worker-here.ts';

const baseUrl = 'https://releases.example.com';
const log = vi.spyOn(console, 'error').mockReturnValue();
let worker: WorkerHere;

beforeAll(() => {
  // Other tests read the site of the fixture at the same time.
  const out = temporaryFolder();
  cpSync(siteOfFixtureIndex(), out, { recursive: true });
  writeIn(out, 'details/svc.json', '{ "hunter2": ');
  writeIn(out, 'details/edge-node.json', '{ "component": "edge-node", "releases": "hunter2" }');
  writeIn(out, 'policies.json', '"hunter2"');
  writeIn(out, 'builds/2026.json', '["hunter2", null]');
  rmSync(join(out, 'details/build-agent.json'));
  rmSync(join(out, 'search.json'));
  worker = openWorkerHere(readVersion(out), baseUrl);
});

afterAll(() => log.mockRestore());

const ask = (path: string, init?: RequestInit) => worker(baseUrl + path, init);

test.each([
  '/api/components/svc',
  '/api/components/edge-node/releases/2.0.2',
  '/policies/built-in/supported',
  '/api/builds',
  '/api/builds?query=tag:held',
  '/build-export/v2/builds/since/0',
])('a failure of the program at %s is 500, and only the log has its text', async (path) => {
  const answer = await ask(path);
  const text = await answer.text();

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, null]);
  expect(JSON.parse(text)).toMatchObject({
    title: 'Internal Server Error',
    detail: 'The program failed. Its log says why.',
  });
  expect(String(log.mock.lastCall)).toMatch(/SyntaxError|TypeError/);
});

test('a missing file of the index is 503, and is named', async () => {
  const answer = await ask('/api/answers?question=ended');

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
  expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
  expect(await answer.json()).toMatchObject({
    detail: 'The index cannot be read now: search.json is missing in the index.',
  });
});

test('agents get the text of no failure', async () => {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'show_component', arguments: { component: 'svc' } },
  };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };

  const answer = await ask('/mcp', { method: 'POST', headers, body: JSON.stringify(call) });
  const text = await answer.text();

  expect(text).toContain('The program failed. Its log says why.');
  expect(text).not.toContain('hunter2');
});
