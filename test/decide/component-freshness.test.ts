import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { describeFreshness } from '../../src/decide/component-freshness.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import { definition } from '../harness/root.ts';

test('the last change of a component is the last one of its releases, up to the day of the site', () => {
  const releases: RecordedRelease[] = [
    { version: '1.0', firstSeen: '2026-01-01' },
    { version: '1.1', firstSeen: '2026-02-01', withdrawnSince: '2026-03-01' },
    { version: '1.2', firstSeen: '2026-02-01', deprecated: 'bad', deprecatedSince: '2026-04-01' },
  ];
  const changedOn = (day: string) =>
    describeFreshness(FullDefinition.parse(definition()), { sources: {} }, releases, day).changedOn;

  expect(['2026-05-01', '2026-03-15', '2025-12-31'].map(changedOn)).toEqual([
    '2026-04-01',
    '2026-03-01',
    undefined,
  ]);
});
