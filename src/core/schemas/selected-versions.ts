import * as z from 'zod';
import { computeSpan, parseVersionRange } from '../model/version-range.ts';
import { createTextSchema, documented } from './keys.ts';
import { VersionText } from './scalars.ts';

/** A range in the grammar of this index. */
export const RangeText = createTextSchema(
  z.string().max(10_000, { abort: true }),
  findRangeProblem,
);

/** Exact versions, or one range. */
export const SelectedVersions = documented(
  z.union([z.array(VersionText).min(1), RangeText]),
  'A list of exact versions, or one range: comparisons that all hold, || between alternatives, * for all; 1.2 is a line with its patches, =1.2 one version.',
  ['3.4.1'],
  '>=1.2.0 <2.0.0',
);

/** A letter instead of a digit group is a wildcard or a typo. As a suffix, `2.O.0` would be close to 2. */
const letterInDigits = /(?:^|\.)[a-z](?:\.|$)/i;

/** The expectation that a text does not meet; undefined for a valid range. */
export function findRangeProblem(text: string): string | undefined {
  const range = parseVersionRange(text);
  if (!range || range.flat().some(({ bound }) => letterInDigits.test(bound.suffix))) {
    return 'expected a range of versions such as ">=1.2 <2", "1.2" for a line or "=1.2" for one version, with || between alternatives';
  }

  return range.every(computeSpan)
    ? undefined
    : 'expected a range that allows some version in each alternative';
}
