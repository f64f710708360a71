import { expect, test } from 'vitest';
import { openPublication } from './publication.ts';

// In a file of its own, to run beside the others: wrangler tries for half a minute before it gives up.
test('a fault while files are sent leaves the old version live', { timeout: 120_000 }, async () => {
  const publication = await openPublication();
  const { cloudflare } = publication;
  await publication.build();
  expect((await publication.publish()).status).toBe(0);
  const before = cloudflare.live;
  publication.record('svc', '2026.1', '2026.2', '2026.3');
  await publication.build();
  cloudflare.fault = { at: 'POST /workers/assets/upload', kind: 'error' };

  const result = await publication.publish();

  expect(result.status).toBe(1);
  expect(cloudflare.live).toBe(before);
  expect(result.stderr).toContain('The live site stays as it is');
  await publication.close();
});
