import { expect, test } from 'vitest';
import { findRelease } from '../../../src/ask/answers/find-release.ts';

const releases = ['2025.1', '2025.2.0', '2025.3', '2025.3.0', '2025.4-rc1'].map((version) => {
  return { version };
});

test.each([
  ['2025.1.0', '2025.1'],
  ['2025.2', '2025.2.0'],
  ['v2025.02', '2025.2.0'],
  ['2025.3', '2025.3'],
  ['2025.3.0', '2025.3.0'],
  ['2025.4.0-rc1', '2025.4-rc1'],
  ['2025.1.1', undefined],
  ['2025', undefined],
  ['next', undefined],
])('of a release and of one with a .0 more, %s finds %s', (text, version) => {
  expect(findRelease(releases, text)?.version).toBe(version);
});
