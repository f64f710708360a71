/** Titles of any script in headers, and bodies of any size. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDoors } from '../harness/api.ts';
import { buildFolder, writeIndex } from '../harness/components.ts';
import { createIndex } from '../harness/index-folder.ts';
import { startPreview } from '../publish/preview.ts';

test('what an answer notes of a title in any script is a header in ASCII', async () => {
  const root = writeIndex({
    svc: { definition: { title: 'サーバー' }, releases: { '1.0': '2026-01-01' } },
  });
  buildFolder(root, '2026-11-27');
  const answer = await openDoors(join(root, 'dist'))('/api/releases?query=svc%209.9');

  expect(answer.status).toBe(200);
  const note = answer.headers.get('release-index-note')!;
  expect(note).toMatch(/^[ -~]+$/);
  expect(decodeURIComponent(note)).toContain('サーバー 9.9 is not');
});

test('a body that is too large is answered, and the next requests of the same client', async () => {
  const index = createIndex({ hosting: 'cloudflare' });
  await index.run('build');
  const origin = await startPreview(index.root);
  const scan = `${origin}/packages/generic/svc/1.0/policy-scans/supported`;
  const statuses: number[] = [];
  for (const size of [3_000_000, 20_000_000]) {
    const { status } = await fetch(scan, { method: 'POST', body: 'a'.repeat(size) });
    statuses.push(status);
    for (const path of ['/status.json', '/index.json']) {
      statuses.push((await fetch(origin + path)).status);
    }
  }

  expect(statuses).toEqual([413, 200, 200, 413, 200, 200]);
});
