import { expect, test } from 'vitest';
import {
  findVersionsBeforeTheirLine,
  isBackdated,
} from '../../../../src/record/gate/rules/backdated.ts';
import { release } from '../../../harness/judging.ts';

test.each([
  ['2026-05-24T23:00:00Z', 'published', true],
  ['2026-05-25', 'published', false],
  ['2026-05-24', 'observed', false],
  [undefined, undefined, false],
] as const)(
  'a version of %s, %s, is backdated for an answer of 2026-06-01: %s',
  (at, kind, backdated) => {
    expect(isBackdated({ releaseTimestamp: at, timestampKind: kind }, '2026-06-01')).toBe(
      backdated,
    );
  },
);

const early = release('2.0.7', '2025-06-01');
const start = (version: string, day: string) => [
  `2.0.7 dated 2025-06-01, before its line began with ${version} of ${day}`,
];

test.each([
  ['its line has a day', [release('2.0.0', '2026-01-10T00:00:00Z')], start('2.0.0', '2026-01-10')],
  ['its line began later', [release('2.0.1', '2026-02-01'), release('2.0.0', '2025-05-01')], []],
  ['its line began on that day', [release('2.0.0', '2025-06-01')], []],
  ['its line has no day', [release('2.0.0')], []],
  [
    'the first has no day',
    [release('2.0.0'), release('2.0.1', '2026-02-01')],
    start('2.0.1', '2026-02-01'),
  ],
  [
    'the first has an observed day',
    [release('2.0.0', '2026-01-10', { timestampKind: 'observed' })],
    [],
  ],
  ['another line began later', [release('2.1.0', '2026-01-10')], []],
  ['a text that is no version is dated', [release('nightly', '2026-01-10')], []],
])('a patch of an early day, where %s', (_, recorded, found) => {
  const outliers = findVersionsBeforeTheirLine([early], recorded, new Map());

  expect(outliers.map(({ version, why }) => `${version.text} ${why}`)).toEqual(found);
});

test('only new patches are early, by the day that was rejected, too', () => {
  const added = [release('2.0.7'), release('2.0.8', '2026-02-01')];
  const recorded = [release('2.0.0', '2026-01-10'), release('2.0.2', '2025-01-01')];
  const outliers = findVersionsBeforeTheirLine(added, recorded, new Map([['2.0.7', '2025-06-01']]));

  expect(outliers.map(({ version }) => version.text)).toEqual(['2.0.7']);
});
