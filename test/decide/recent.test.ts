import { expect, it } from 'vitest';
import { mergeRecentReleases } from '../../src/decide/recent.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { componentOf, summariesOf } from '../site/render/sites.ts';

const lately = (releases: RecordedRelease[], day = '2026-06-30') =>
  mergeRecentReleases(summariesOf(componentOf(releases, {}, { day })));

it('recent releases reach 26 weeks back from the newest release, and are the same years later', () => {
  const releases = [
    { version: '1.0', releaseTimestamp: '2025-12-30' },
    { version: '1.1', releaseTimestamp: '2025-12-31' },
    { version: '1.2', releaseTimestamp: '2026-06-30' },
  ];

  expect(lately(releases).map(({ version }) => version)).toEqual(['1.2', '1.1']);
  expect(lately(releases, '2029-01-01')).toEqual(lately(releases));
});

it('recent releases include only the newest sixty of a component with frequent releases', () => {
  const releases = Array.from({ length: 100 }, (_, index) => ({
    version: `1.${index}`,
    releaseTimestamp: '2026-06-30',
  }));

  const found = lately(releases);

  expect(found).toHaveLength(60);
  expect(found[0]!.version).toBe('1.99');
});
