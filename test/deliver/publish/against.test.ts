import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pathsIn } from '../../harness/root.ts';
import type { Run } from '../../harness/run.ts';
import { openPublication, type TestPublication } from './publication.ts';

let publication: TestPublication;
const served = new Map<string, { status: number; type: string; body: string }>();

beforeAll(async () => {
  publication = await openPublication();
  await publication.build();
  const { out } = publication.root;
  for (const path of pathsIn(out)) {
    const type = path.endsWith('.json') ? 'application/json' : 'text/plain';
    served.set(`/${path}`, { status: 200, type, body: readFileSync(join(out, path), 'utf8') });
  }
});

beforeEach(() => {
  const { answers } = publication.cloudflare;
  answers.clear();
  for (const [path, answer] of served) {
    answers.set(path, answer);
  }
});

afterAll(() => publication.close());

function check(): Promise<Run> {
  return publication.publish('--dry-run');
}

test('publish --dry-run accepts other releases', async () => {
  publication.record('svc', '2026.2', '2026.3');
  await publication.build();

  const { status, stderr } = await check();

  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error:')]);
});

const page = { status: 200, type: 'text/html', body: '<h1>Are you human?</h1>' };

test.each([
  ['403', 'status.json', { status: 403 }],
  ['a web page', 'status.json', page],
  ['a cut connection', 'status.json', 'cut'],
  ['another document', 'status.json', { status: 200, type: 'application/json', body: '{}' }],
  ['a damaged list', 'SHA256SUMS', { status: 200, type: 'text/plain', body: 'no digests' }],
  ['404', 'SHA256SUMS', { status: 404 }],
] as const)(
  'publish fails, and sends nothing, where the host answers %s for %s',
  async (_, path, answer) => {
    const { answers, calls } = publication.cloudflare;
    answers.set(`/${path}`, answer);

    const { status, stdout, stderr } = await publication.publish('--json');

    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: live site: .+ Nothing was sent: run it again$/m);
    expect(stderr).not.toContain('accept');
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed' });
    expect(calls).toEqual([]);
  },
);

test('a document that no event needs may be unreadable', async () => {
  publication.cloudflare.answers.set('/all.json', { status: 404 });

  expect((await check()).status).toBe(0);
});
