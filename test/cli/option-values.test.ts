import { expect, test } from 'vitest';
import { readSiteUrl } from '../../src/cli/option-values.ts';

test('the address of a site has no slash at its end, however many are given', () => {
  expect(readSiteUrl('--index', 'https://example.com/releases//')).toBe(
    'https://example.com/releases',
  );
});

test.each([
  [
    'https://',
    '--index: expected an https: address with a valid host name and port; got "https://"',
  ],
  [`https://example.com${'/'.repeat(120_000)}x`, 'expected at most 2,000 characters'],
])('an address is rejected as it is given, and at once', (address, message) => {
  expect(() => readSiteUrl('--index', address)).toThrow(message);
});
