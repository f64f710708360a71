import { expect, test } from 'vitest';
import { findVersions } from '../../../src/ask/texts/find-versions.ts';
import { openNames } from '../../../src/ask/texts/find-names.ts';

const names = openNames({ components: [{ name: 'svc', title: 'Server' }], packages: new Map() });

test('a lock file with a second version of a name keeps a package URL that is not valid', () => {
  const { entries } = findVersions('lockfileVersion: 1\nsvc 1.0, 1.1\npkg:npm/%\n', names);

  expect(entries.flat().map(({ text }) => text)).toEqual(['svc 1.0', '1.1', 'pkg:npm/%']);
});

test('a line about something else has only characters of the text, with a colon between group and name', () => {
  const { unidentified } = findVersions(
    '<groupId>org.example</groupId><artifactId>a</artifactId> 1.0\nb\ue000 1.0',
    names,
  );

  expect(unidentified.map(({ text }) => text)).toEqual([
    '<groupId>org.example:a</artifactId> 1.0',
    'b 1.0',
  ]);
});

test('a lock file has a package of one registry beside that of another with the same name', () => {
  const { entries } = findVersions('lockfileVersion: 1\npkg:npm/a@1.0\npkg:pypi/a\n', names);

  expect(entries.flat().map(({ text }) => text)).toEqual(['pkg:npm/a@1.0', 'pkg:pypi/a']);
});
