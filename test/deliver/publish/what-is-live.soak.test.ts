import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPublication, type TestPublication } from './publication.ts';

let publication: TestPublication;

beforeAll(async () => {
  publication = await openPublication();
  await publication.build();
  expect((await publication.publish()).status).toBe(0);
  // Worse than what is live: a component is gone.
  rmSync(join(publication.root.dir, 'components/edge-node.json'));
  rmSync(join(publication.root.dir, 'data/edge-node.json'));
  await publication.build();
});

beforeEach(() => {
  publication.cloudflare.answers.clear();
  publication.cloudflare.calls.length = 0;
});

afterAll(() => publication.close());

describe('what is live cannot be read', () => {
  const page = { status: 200, type: 'text/html', body: '<h1>Are you human?</h1>' };
  test.each([
    ['503', 'status.json', { status: 503 }],
    ['403', 'status.json', { status: 403 }],
    ['429', 'status.json', { status: 429 }],
    ['a web page', 'status.json', page],
    ['a cut connection', 'status.json', 'cut'],
    ['another document', 'status.json', { status: 200, type: 'application/json', body: '{}' }],
    ['a damaged list of digests', 'SHA256SUMS', { status: 200, type: 'text/plain', body: 'no digests' }],
    ['an error for one document', 'all.json', { status: 500 }],
    ['one document that is missing', 'all.json', { status: 404 }],
  ] as const)('%s of %s: nothing is published over it', async (_, path, answer) => {
    publication.cloudflare.answers.set(`/${path}`, answer);

    const result = await publication.publish();

    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/error: live site: .+/);
    expect(result.stderr).toContain('The live site stays as it is. To publish all the same: accept ');
    expect(result.stdout).toContain('Nothing was sent.');
    expect(publication.cloudflare.calls).toEqual([]);
  });

  test('a person can accept that', async () => {
    publication.cloudflare.answers.set('/status.json', { status: 503 });

    await publication.accept(await publication.publish());
    const result = await publication.publish('--dry-run');

    expect(result.status).toBe(0);
    expect(result.stderr).toMatch(/warning: live site: .* answered 503 .*Accepted\./);
  });
});

describe('nothing is live', () => {
  test('where the first document is a 404', async () => {
    for (const file of ['status.json', 'SHA256SUMS', 'all.json'])
      publication.cloudflare.answers.set(`/${file}`, { status: 404 });

    const result = await publication.publish('--dry-run');

    expect(result.status).toBe(0);
    expect(result.stderr).toContain('yet. Nothing to compare with.');
  });

  test('but a Worker of that name is there: it is not replaced unasked', async () => {
    publication.cloudflare.answers.set('/status.json', { status: 404 });
    const before = publication.cloudflare.live;

    const result = await publication.publish();

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('a Worker of this name is there already and serves something else');
    expect(publication.cloudflare.live).toBe(before);
  });
});
