import { expect, it } from 'vitest';
import { releasedLately } from '../../src/decide/recent.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded.ts';
import { componentOf, summariesOf } from '../site/render/sites.ts';

const lately = (components: Record<string, RecordedRelease[]>, day = '2026-06-30') =>
  releasedLately(
    summariesOf(
      ...Object.entries(components).map(([name, releases]) => componentOf(releases, {}, { name, day })),
    ),
  );

it('recent releases come from all components, newest day first, and mark observed days', () => {
  const found = lately({
    svc: [
      { version: '2.0', releaseTimestamp: '2026-06-01T10:00:00Z' },
      { version: '2.1', releaseTimestamp: '2026-06-01', deprecated: 'Broken' },
      { version: '3.0' },
    ],
    tool: [
      { version: '1.10', releaseTimestamp: '2026-06-20', timestampKind: 'observed' },
      { version: '1.11', releaseTimestamp: '2026-05-01' },
    ],
  });

  expect(found[0]).toMatchObject({ component: 'tool', title: 'Server' });
  expect(
    found.map(({ version, day, isObserved, isDeprecated }) => [version, day, isObserved, isDeprecated]),
  ).toEqual([
    ['1.10', '2026-06-20', true, false],
    ['2.1', '2026-06-01', false, true],
    ['2.0', '2026-06-01', false, false],
    ['1.11', '2026-05-01', false, false],
  ]);
});

it('recent releases reach 26 weeks back from the newest release, and are the same years later', () => {
  const releases = [
    { version: '1.0', releaseTimestamp: '2025-12-30' },
    { version: '1.1', releaseTimestamp: '2025-12-31' },
    { version: '1.2', releaseTimestamp: '2026-06-30' },
  ];

  expect(lately({ svc: releases }).map(({ version }) => version)).toEqual(['1.2', '1.1']);
  expect(lately({ svc: releases }, '2029-01-01')).toEqual(lately({ svc: releases }));
});

it('recent releases include only the newest sixty of a component with frequent releases', () => {
  const releases = Array.from({ length: 100 }, (_, index) => ({
    version: `1.${index}`,
    releaseTimestamp: '2026-06-30',
  }));

  const found = lately({ svc: releases });

  expect(found).toHaveLength(60);
  expect(found[0]!.version).toBe('1.99');
});
