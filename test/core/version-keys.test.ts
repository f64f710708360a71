import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions, parseVersion, rankKey, releaseLine } from '../../src/core/version.ts';

/** The order as its definition reads, a second time. */
const form = /^[vV]?(\d+(?:\.\d+)*)(.*)$/;
const suffixOrder = new Intl.Collator('en-US', { numeric: true });

function parsePlainly(text: string): { groups: bigint[]; suffix: string } | undefined {
  if (!/^[\w.+~!:-]*$/.test(text)) return undefined;
  if (/^[a-f0-9]{7,40}$/.test(text) && !/^\d+$/.test(text)) return undefined;
  const match = form.exec(text);
  const groups = match?.[1]!.split('.').map(BigInt);
  return groups && groups.length <= 6 && text.length <= 200 ? { groups, suffix: match![2]! } : undefined;
}

function comparePlainly(left: string, right: string): number {
  const [a, b] = [parsePlainly(left)!, parsePlainly(right)!];
  for (let index = 0; index < Math.max(a.groups.length, b.groups.length); index += 1) {
    const [x, y] = [a.groups[index] ?? -1n, b.groups[index] ?? -1n];
    if (x !== y) return x < y ? -1 : 1;
  }
  if (a.suffix === b.suffix) return 0;
  if (a.suffix === '' || b.suffix === '') return a.suffix === '' ? 1 : -1;
  return Math.sign(suffixOrder.compare(a.suffix, b.suffix));
}

const digits = fc.oneof(
  fc.nat(12).map(String),
  fc.nat(3000).map(String),
  // Around the greatest integer that a number holds exactly, and far beyond it.
  fc.constantFrom(
    '0',
    '00',
    '007',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '9'.repeat(20),
  ),
);
const suffix = fc.oneof(
  fc.constant(''),
  fc.constantFrom(
    '-rc-2',
    '-rc-10',
    '-rc.02',
    '+build',
    '.Final',
    '-',
    '.',
    'a',
    'b1',
    '-\n',
    ' CU4',
    '  CU4',
    ' ',
    'é',
  ),
  fc.string({ maxLength: 6, unit: 'grapheme' }),
  fc.stringMatching(/^[\w.+~!: -]{1,6}$/),
);
const version = fc
  .tuple(
    fc.constantFrom('', '', '', 'v', 'V', 'vv', ' '),
    fc.array(digits, { maxLength: 8 }).map((groups) => groups.join('.')),
    suffix,
  )
  .map((parts) => parts.join(''));
const anything = fc.oneof(
  version,
  fc.string(),
  fc.stringMatching(/^[a-f0-9]{6,41}$/),
  fc.stringMatching(/^\d{150,210}$/),
);

describe('parsed versions', () => {
  it('accept what the form accepts and nothing else', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(parseVersion(text)?.suffix).toBe(parsePlainly(text)?.suffix);
      }),
      { numRuns: 5000 },
    );
  });

  it('order any two versions as their digit groups and suffixes do', () => {
    const accepted = version.filter((text) => parsePlainly(text) !== undefined);
    fc.assert(
      fc.property(accepted, accepted, (left, right) => {
        const [a, b] = [parseVersion(left)!, parseVersion(right)!];

        expect(Math.sign(compareVersions(a, b))).toBe(comparePlainly(left, right));
        if (rankKey(a) === rankKey(b)) expect(comparePlainly(left, right)).toBe(0);
      }),
      { numRuns: 5000 },
    );
  });

  it('name the release line by the first digit groups without leading zeros', () => {
    const accepted = version.filter((text) => parsePlainly(text) !== undefined);
    fc.assert(
      fc.property(accepted, fc.constantFrom(1 as const, 2 as const), (text, groups) => {
        expect(releaseLine(parseVersion(text)!, groups)).toBe(
          parsePlainly(text)!.groups.slice(0, groups).join('.'),
        );
      }),
    );
  });
});
