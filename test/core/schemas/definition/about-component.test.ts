import { expect, test } from 'vitest';
import { aboutKeys } from '../../../../src/core/schemas/definition/about-component.ts';

test.each([
  ['https://example.com/{version}', true],
  ['https://example.com/#{versionDashed}', true],
  ['https://example.com/notes', false],
  ['https://example.com/{version}/{name}', false],
  ['https://example.com/{version}/{name', false],
  ['https://example.com/{version}}', false],
])('the template %s of an address is accepted: %s', (template, expected) => {
  const { success } = aboutKeys.releaseChangelogUrl.safeParse({ template });

  expect(success).toBe(expected);
});
