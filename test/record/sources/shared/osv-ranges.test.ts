import { expect, test } from 'vitest';
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

test('many ranges take no multiple of the time for the versions', () => {
  const ranges = Array.from({ length: 1900 }, (_, index) =>
    createRange(`${2 * index + 1}`, `${2 * index + 2}`),
  );
  const versions = Array.from({ length: 20_000 }, (_, index) => `${4000 + index}`);
  const measure = (...parts: Parameters<typeof uniteAffected>[0]) => {
    const start = performance.now();
    uniteAffected(parts);
    return performance.now() - start;
  };

  measure({ versions });
  const withoutRanges = measure({ versions });

  const rangesByPackage = ranges.map((range) => ({ ranges: [range] }));
  expect(measure(...rangesByPackage, { versions })).toBeLessThan(5 * withoutRanges);
});
