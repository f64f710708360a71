import { expect, test } from 'vitest';
import { encodeEntries, readPlanLink } from '../../../src/ask/plan/plan-link.ts';

test.each([
  ['svc@2025.1', 'svc 2025.1'],
  ['svc@v2025.1, 2025.3', 'svc v2025.1, 2025.3'],
  ['someone@example.com', 'someone@example.com'],
  ['ask someone@example.com', 'ask someone@example.com'],
])('the address of a plan keeps the entry %s', (entry, line) => {
  expect(readPlanLink(encodeEntries([entry]))).toBe(line);
});
