import { expect, test } from 'vitest';
import {
  aboutKeys,
  relationKeys,
} from '../../../../src/core/schemas/definition/about-component.ts';
import { describeProblems } from '../../../../src/core/schemas/problems.ts';

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

test('the oldest version with an address is one that can be compared', () => {
  const since = (text: string) =>
    describeProblems(
      { template: 'https://example.com/{version}', since: text },
      aboutKeys.releaseChangelogUrl,
    );

  expect(since('1.21')).toEqual([]);
  expect(since('latest')).toEqual(['since: expected a version such as 2025.1; got "latest"']);
});

test.each(['con', 'com1'])('the device %s of Windows is no former name', (name) => {
  expect(describeProblems([name], relationKeys.renamedFrom)).toEqual([
    `[0]: expected a name that no published path and no device of Windows has; got "${name}"`,
  ]);
});
