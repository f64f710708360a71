import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxLineLength, withShortLines } from '../../../src/core/text/text.ts';

const before = 'a'.repeat(maxLineLength - 4);

test.each([
  ['in the middle of a version', `${before} 2025.1`, before],
  ['behind a version', `${before} 1.0 is in use`, `${before} 1.0`],
  ['behind a tab', `${before}\t2025.1`, before],
  ['in a line of one word', '1'.repeat(maxLineLength + 1), ''],
])('a line is cut between words: %s', (_place, line, short) => {
  expect(withShortLines(`svc 2025.1\n${line}\nsvc 2025.2`)).toBe(
    `svc 2025.1\n${short}\nsvc 2025.2`,
  );
});

test('a cut line has whole words of the line only, and a short line all of them', () => {
  const line = fc.array(fc.constantFrom('1', '.', ' ', '\t', 'x'.repeat(300)), { maxLength: 30 });

  fc.assert(
    fc.property(line, (parts) => {
      const whole = parts.join('');
      const short = withShortLines(whole);

      expect(short.length).toBeLessThanOrEqual(maxLineLength);
      expect(whole.startsWith(short)).toBe(true);
      expect(whole.slice(short.length)).toMatch(short === '' ? /^/ : /^(?:\s|$)/);
      expect(whole.length > maxLineLength || short === whole).toBe(true);
    }),
  );
});
