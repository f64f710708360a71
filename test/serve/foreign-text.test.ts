/** Titles of any script in headers. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDoors } from '../harness/api.ts';
import { buildFolder, writeIndex } from '../harness/components.ts';

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
