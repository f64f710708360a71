import { expect, test } from 'vitest';
import { scanHostileDocuments } from './hostile-documents.ts';

test('three hundred generated documents are judged or rejected, and hide no release', async () => {
  const { accepted, rejected, failures } = await scanHostileDocuments(1, 300);

  expect(failures).toEqual([]);
  expect(accepted).toBeGreaterThan(30);
  expect(rejected).toBeGreaterThan(30);
});
