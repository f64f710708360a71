import { expect, test } from 'vitest';
import { findVersions } from '../../../src/ask/texts/find-versions.ts';
import { openNames } from '../../../src/ask/texts/name-tree.ts';

test('a lock file with a second version of a name keeps a package URL that is not valid', () => {
  const names = openNames({ components: [{ name: 'svc', title: 'Server' }], packages: new Map() });

  const { entries } = findVersions('lockfileVersion: 1\nsvc 1.0, 1.1\npkg:npm/%\n', names);

  expect(entries.flat().map(({ text }) => text)).toEqual(['svc 1.0', '1.1', 'pkg:npm/%']);
});
