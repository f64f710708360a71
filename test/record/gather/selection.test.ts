import { expect, test } from 'vitest';
import { selectVersions } from '../../../src/record/gather/selection.ts';
import { Source } from '../../../src/record/sources/index.ts';

const listed = ['v1.0', '1.1', '1.2.0', '2.0-RC-1', '2.0', '2025.3', 'latest', 'nightly-3.1'];

/** The versions of a list that a definition admits, and the findings about the others. */
function select(rules: object, { takePrereleases = false } = {}) {
  const refused: string[] = [];
  const source = Source.parse({ datasource: 'npm', packageName: 'agent', ...rules });
  const selection = selectVersions(source, takePrereleases, (message) => refused.push(message));
  return {
    taken: listed.flatMap((name) => selection.offer(name) ?? []),
    refused,
    listed: selection.listed.size,
  };
}

test('without rules, admits every stable version with a place in the order', () => {
  expect(select({})).toEqual({
    taken: ['v1.0', '1.1', '1.2.0', '2.0', '2025.3'],
    refused: [
      '"latest" has no place in the version order. Left out.',
      '"nightly-3.1" has no place in the version order. Left out.',
    ],
    listed: 6,
  });
});

test('leaves out and reports a version with a blank, which would be two arguments of a command', () => {
  const refused: string[] = [];
  const source = Source.parse({ datasource: 'npm', packageName: 'agent' });
  const { offer } = selectVersions(source, false, (message) => refused.push(message));

  expect(['1.1', '1.2 evil-package', '1.3 --privileged'].map((name) => offer(name))).toEqual([
    '1.1',
    undefined,
    undefined,
  ]);
  expect(refused).toEqual([
    '"1.2 evil-package" has no place in the version order. Left out.',
    '"1.3 --privileged" has no place in the version order. Left out.',
  ]);
});

test('admits prereleases if the definition does', () => {
  expect(select({}, { takePrereleases: true }).taken).toContain('2.0-RC-1');
});

test.each([
  ['/^\\d/', ['1.1', '1.2.0', '2.0', '2025.3']],
  ['!/^\\d/', ['v1.0']],
  ['/^V1/i', ['v1.0']],
  ['/^V1/', []],
  ['<2', ['v1.0', '1.1', '1.2.0']],
  ['1.x || >=2025', ['v1.0', '1.1', '1.2.0', '2025.3']],
])('allowedVersions %s', (allowedVersions, expected) => {
  expect(select({ allowedVersions }).taken).toEqual(expected);
});

test('extractVersion extracts the version from a name, and leaves out names that do not match', () => {
  expect(select({ extractVersion: '^(?:v|nightly-)(?<version>.+)$' })).toMatchObject({
    taken: ['1.0', '3.1'],
    refused: [],
  });
});

test('versions outside allowedVersions are still listed, so they are not withdrawn', () => {
  expect(select({ allowedVersions: '/^1\\./' })).toEqual({ taken: ['1.1', '1.2.0'], refused: [], listed: 6 });
});

test('rejects a name longer than any version before matching it', () => {
  const refused: string[] = [];
  const source = Source.parse({
    datasource: 'npm',
    packageName: 'agent',
    extractVersion: '^v(?<version>.+)$',
    allowedVersions: '!/^0/',
  });
  const selection = selectVersions(source, false, (message) => refused.push(message));

  expect(selection.offer(`v1.${'1'.repeat(100_000)}`)).toBeUndefined();
  expect(selection.offer(`v1.${'1'.repeat(197)}`)).toHaveLength(199);
  expect(refused).toEqual([
    `"v1.${'1'.repeat(95)}…" has 100003 characters; a version has at most 200. Left out.`,
  ]);
});
