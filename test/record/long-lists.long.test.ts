/** Merges lists of about a megabyte. Comparing each release with each advisory would exceed the time limit of the tests. */
import { expect, test } from 'vitest';
import { merge } from '../../src/record/merge.ts';
import { recordedRelease as release } from '../harness/recorded.ts';

test('each of 40,000 releases gets the first malware report that affects the release', () => {
  const versions = Array.from({ length: 40_000 }, (_, index) => `1.0.${index}`);
  // Each advisory affects 25 pairs of adjacent releases. The pairs of the next advisory begin one release later: MAL-2026-1000 affects
  // 1.0.0 and 1.0.1, and MAL-2026-1001 affects 1.0.1 and 1.0.2.
  const advisories = Array.from({ length: 1000 }, (_advisory, index) => {
    const starts = Array.from({ length: 25 }, (_span, span) => span * 1000 + index);
    return {
      ...{ source: 'a', id: `MAL-2026-${1000 + index}` },
      affected: starts.map((start) => `>=1.0.${start} <1.0.${start + 2}`).join(' || '),
    };
  });
  const recorded = { releases: versions.map((version) => release(version)), advisories };
  const { releases } = merge({ recorded, answers: [], sources: ['a'], day: '2026-06-01' });
  const reported = releases.flatMap(({ malware }) => malware?.advisory ?? []);

  expect(reported).toHaveLength(25_001);
  expect(reported.slice(0, 3)).toEqual(['MAL-2026-1000', 'MAL-2026-1000', 'MAL-2026-1001']);
  expect(reported.at(-1)).toBe('MAL-2026-1999');
});
