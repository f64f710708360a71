import { expect, test } from 'vitest';
import { scanHostileDocuments } from './hostile-documents.ts';

test('a thousand generated documents are judged or rejected, and hide no release', async () => {
  const { accepted, rejected, failures } = await scanHostileDocuments(1, 1000);

  expect(failures).toEqual([]);
  expect(accepted).toBeGreaterThan(100);
  expect(rejected).toBeGreaterThan(100);
});
