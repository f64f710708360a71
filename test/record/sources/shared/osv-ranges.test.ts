import { expect, test } from 'vitest';
import { RangeText } from '../../../../src/core/schemas/scalars.ts';
import { uniteAffected } from '../../../../src/record/sources/shared/osv-ranges.ts';

const createRange = (introduced: string, fixed: string) => ({
  type: 'SEMVER',
  events: [{ introduced }, { fixed }],
});

test('a version in the range of any package is not listed by itself', () => {
  const { range } = uniteAffected([
    { versions: ['1.1', '3.0'] },
    { ranges: [createRange('1.0', '1.2')] },
  ]);

  expect(range).toBe('>=1.0 <1.2 || =3.0');
});

const createSpans = (count: number) =>
  Array.from({ length: count }, (_, index) => createRange(`${2 * index + 1}`, `${2 * index + 2}`));

const createVersions = (count: number) =>
  Array.from({ length: count }, (_, index) => `${4000 + index}.0`);

test.each([
  ['ranges', { ranges: createSpans(1000) }, '>=1 <2000'],
  ['versions', { versions: createVersions(1500) }, '>=4000.0 <=5499.0'],
  ['both', { ranges: createSpans(300), versions: createVersions(600) }, '>=1 <=4599.0'],
  [
    'no end',
    { ranges: [...createSpans(1000), { type: 'SEMVER', events: [{ introduced: '9' }] }] },
    '>=1',
  ],
  ['no start', { ranges: [createRange('0', '1'), ...createSpans(1000)] }, '<2000'],
])('a text that is too long becomes one span: %s', (_, affected, range) => {
  expect(uniteAffected([affected])).toMatchObject({ range, unreadable: [] });
});

test('a text is kept as long as an advisory may have it', () => {
  const { range } = uniteAffected([{ versions: createVersions(900) }]);

  expect(range.split(' || ')).toHaveLength(900);
  expect(RangeText.safeParse(range).success).toBe(true);
});

test('many ranges take no multiple of the time for the versions', () => {
  const ranges = createSpans(1900);
  const versions = createVersions(20_000);
  const measure = (...parts: Parameters<typeof uniteAffected>[0]) => {
    const start = process.threadCpuUsage();
    uniteAffected(parts);
    return process.threadCpuUsage(start).user;
  };

  measure({ versions });
  const withoutRanges = measure({ versions });

  const rangesByPackage = ranges.map((range) => ({ ranges: [range] }));
  expect(measure(...rangesByPackage, { versions })).toBeLessThan(5 * withoutRanges);
});
