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

test('publish --dry-run accepts additions', async () => {
  publication.record('svc', '2026.1', '2026.2', '2026.3');
  await publication.build();

  const { status, stderr } = await check();

  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error:')]);
});

test('publish --dry-run rejects an older day and a missing release until they are accepted', async () => {
  publication.record('svc', '2026.2');
  await publication.build('--as-of', '2026-11-19');

  const rejected = await check();

  expect(rejected.status).toBe(1);
  expect(rejected.stderr).toContain('error: svc: 2026.1: live and not in the site');
  expect(rejected.stderr).toContain('the site is of 2026-11-19, older than the live one');
  await publication.accept(rejected);
  expect((await check()).status).toBe(0);
});

const page = { status: 200, type: 'text/html', body: '<h1>Are you human?</h1>' };

test.each([
  ['403', 'status.json', { status: 403 }],
  ['a web page', 'status.json', page],
  ['a cut connection', 'status.json', 'cut'],
  ['another document', 'status.json', { status: 200, type: 'application/json', body: '{}' }],
  ['a damaged list', 'SHA256SUMS', { status: 200, type: 'text/plain', body: 'no digests' }],
  ['404', 'all.json', { status: 404 }],
] as const)(
  'publish --dry-run rejects every site where the host answers %s for %s',
  async (_, path, answer) => {
    publication.cloudflare.answers.set(`/${path}`, answer);

    const { status, stderr } = await check();

    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: live site: .+/m);
    expect(stderr).toContain('could not be read, so losses of its readers are unknown');
    expect(stderr).toMatch(
      /The live site stays as it is\. To publish all the same: accept site-[0-9a-f]{10}$/m,
    );
  },
);

test('publish sends nothing over a live site that cannot be read, until that is accepted', async () => {
  publication.cloudflare.answers.set('/status.json', { status: 403 });
  await publication.build();

  const rejected = await publication.publish();

  expect([rejected.status, publication.cloudflare.calls]).toEqual([1, []]);
  expect(rejected.stdout).toContain('Nothing was sent.');
  await publication.accept(rejected);
  const accepted = await publication.publish('--dry-run');
  expect(accepted.status).toBe(0);
  expect(accepted.stderr).toMatch(/warning: live site: .* answered 403\. Accepted\./);
});
