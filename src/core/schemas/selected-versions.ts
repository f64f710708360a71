import * as z from 'zod';
import { computeSpan, computeUpperBound, parseVersionRange } from '../model/version-range.ts';
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
export type SelectedVersions = z.infer<typeof SelectedVersions>;

/** A letter instead of a digit group is a wildcard or a typo. As a suffix, `2.O.0` would be close to 2. */
const letterInDigits = /(?:^|\.)[a-z](?:\.|$)/i;

/** The expectation that a text does not meet, with an equivalent range where there is one; undefined for a valid range. */
export function findRangeProblem(text: string): string | undefined {
  const range = parseVersionRange(text);
  if (range && !range.flat().some(({ bound }) => letterInDigits.test(bound.suffix))) {
    return range.every(computeSpan)
      ? undefined
      : 'expected a range that allows some version in each alternative';
  }

  const equivalent = translateRange(text);
  return equivalent === undefined
    ? 'expected a range of versions such as ">=1.2 <2", "1.2" for a line or "=1.2" for one version, with || between alternatives'
    : `expected "${equivalent}", which means the same`;
}

/** The equivalent of a range in the grammar of npm, Cargo or RubyGems; undefined where there is none. */
function translateRange(text: string): string | undefined {
  const range = text
    .split('||')
    .map((alternative) => translateAlternative(alternative.trim()))
    .join(' || ');
  return range !== text && parseVersionRange(range)?.every(computeSpan) ? range : undefined;
}

/** `1.2 - 1.4`. */
const hyphenRange = /^v?(\d+(?:\.\d+){0,2})\s+-\s+v?(\d+(?:\.\d+){0,2})$/;
/** `^1.2`, `~1.2.3`, `~> 1.2`. */
const signedVersion = /^(\^|~>?)\s*v?(\d+(?:\.\d+){0,2})$/;
/** `1.x`, `1.2.*`. */
const wildcardLine = /^v?(\d+(?:\.\d+)?)(?:\.[x*])+$/i;

function translateAlternative(text: string): string {
  const [, first, last = ''] = hyphenRange.exec(text) ?? [];
  if (first !== undefined) {
    // In npm, a last version with fewer than three numbers is a line: `1.2 - 1.4` includes 1.4.3.
    const end = /\..*\./.test(last) ? `<=${last}` : `<${computeUpperBound('', last)}`;
    return `>=${first} ${end}`;
  }

  const [, sign = '', version] = signedVersion.exec(text) ?? [];
  if (version !== undefined) {
    return `>=${version} <${computeUpperBound(sign, version)}`;
  }

  return wildcardLine.exec(text)?.[1] ?? text.replaceAll(/\s*,\s*/g, ' ');
}
