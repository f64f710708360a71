import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addComponent } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { openPublication, releases, type TestPublication } from './publication.ts';

let publication: TestPublication;
const path = 'osv/CVE-2026-1.json';

beforeAll(async () => {
  publication = await openPublication();
  addComponent(publication.root, 'svc', releases('2026.1', '2026.2'), {
    advisories: [{ id: 'CVE-2026-1', affected: '<2026.2', fixed: ['2026.2'], severity: 'high' }],
  });
  await publication.build();
});

afterAll(() => publication.close());

test('advisories are published with the site, listed with their digests, and served as JSON', async () => {
  const { status, stderr } = await publication.publish();
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')]);

  const answer = await fetch(`${publication.cloudflare.siteUrl}/${path}`);
  const body = await answer.text();
  expect(JSON.parse(body)).toMatchObject({
    id: 'CVE-2026-1',
    affected: [{ versions: ['2026.1'], database_specific: { component: 'svc', fixed: ['2026.2'] } }],
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const digest = createHash('sha256').update(body).digest('hex');
  expect(await publication.live('SHA256SUMS')).toContain(`${digest}  ${path}\n`);

  const verified = await run(['verify', publication.cloudflare.siteUrl, '--digests-only']);
  expect([verified.status, verified.stderr]).toEqual([0, expect.not.stringContaining('error')]);
});
