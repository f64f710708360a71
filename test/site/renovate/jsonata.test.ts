import jsonata from 'jsonata';
import { expect, test } from 'vitest';
import { writeRegExp } from '../../../src/site/renovate/jsonata.ts';

test.each([
  ['^(?<version>.+)-slim$', '1.2-slim', '1.2-SLIM'],
  ['^web/v(?<version>.+)$', 'web/v1.2', 'web-v1.2'],
  [String.raw`^web\/v(?<version>.+)$`, 'web/v1.2', 'web-v1.2'],
  [String.raw`^[/(\]]v(?<version>[^)]+)$`, '(v1.2', ')v1.2'],
  [String.raw`^[^[{\\]?(?<version>\d+)[\d.]{2,3}$`, '21.2', '[1.2'],
  [String.raw`^\\(?:v)(?<version>.+)$`, String.raw`\v1.2`, '(v1.2'],
  [String.raw`^\((?<version>.+)\)$`, '(1.2)', '1.2'],
])('JSONata reads the regular expression %s as JavaScript does', async (source, text, other) => {
  const literal = writeRegExp({ extractVersion: source })!;
  const find = async (value: string) => jsonata(`$contains($, ${literal}) = true`).evaluate(value);

  expect([await find(text), await find(other)]).toEqual([true, false]);
  expect([text, other].map((value) => new RegExp(source, 'u').test(value))).toEqual([true, false]);
});

test('a regular expression that ignores case is written with the flag i', () => {
  expect(writeRegExp({ extractVersion: '^v(?<version>.+)$', extractFlags: 'i' })).toBe(
    '/^v(?<version>.+)$/i',
  );
});

test.each([[String.raw`^(?<version>\p{N}+)$`], [String.raw`^\u{76}(?<version>.+)$`]])(
  'a regular expression that needs the flag u is not written: %s',
  (extractVersion) => {
    expect(writeRegExp({ extractVersion })).toBeUndefined();
  },
);
