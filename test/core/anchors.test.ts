import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeAnchor, nameAnchor, readAnchor } from '../../src/core/anchors.ts';

test.each([
  ['1.0', 'v1.0'],
  ['v1.0', 'vv1.0'],
  ['1.0-rc.1+build_2', 'v1.0-rc.1+build_2'],
  ['1.0:2', 'v1.0~3a~2'],
  ['1.0~beta/ü😀', 'v1.0~7e~beta~2f~~fc~~1f600~'],
])('the version %s has the anchor %s', (version, anchor) => {
  expect(nameAnchor(version)).toBe(anchor);
  expect(readAnchor(anchor)).toBe(version);
});

test('every version that begins with a digit comes back from its anchor', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string({ unit: 'grapheme' }), (number, rest) => {
      fc.pre(!/[\n\r\u2028\u2029]/.test(rest));
      const version = `${number}${rest}`;

      expect(readAnchor(nameAnchor(version))).toBe(version);
    }),
  );
});

test.each(['', 'v', 'versions', 'line-1.0', 'top'])('"%s" names no version', (anchor) => {
  expect(readAnchor(anchor)).toBeUndefined();
});

test.each([
  ['v1.0%20beta', 'v1.0 beta'],
  ['100%', '100%'],
])('the end of a URL, %s, is read as %s', (text, decoded) => {
  expect(decodeAnchor(text)).toBe(decoded);
});
