import { expect, test } from 'vitest';
import { findVersions } from '../../../src/ask/texts/find-versions.ts';

const names = { components: [{ name: 'svc', title: 'Server' }], packages: new Map() };
const read = (text: string) => findVersions(text, names);

test('a lock file with a second version of a name keeps a package URL that is not valid', () => {
  const { entries } = read('lockfileVersion: 1\nsvc 1.0, 1.1\npkg:npm/%\n');

  expect(entries.flat().map(({ text }) => text)).toEqual(['svc 1.0', '1.1', 'pkg:npm/%']);
});

test('a line about something else has only characters of the text, with a colon between group and name', () => {
  const { unidentified } = read(
    '<groupId>org.example</groupId><artifactId>a</artifactId> 1.0\nb\ue000 1.0',
  );

  expect(unidentified.map(({ text }) => text)).toEqual([
    '<groupId>org.example:a</artifactId> 1.0',
    'b 1.0',
  ]);
});

test('a lock file has a package of one registry beside that of another with the same name', () => {
  const { entries } = read('lockfileVersion: 1\npkg:npm/a@1.0\npkg:pypi/a\n');

  expect(entries.flat().map(({ text }) => text)).toEqual(['pkg:npm/a@1.0', 'pkg:pypi/a']);
});

test('a version before a name may be in the path of the name, too', () => {
  const { entries } = read('1.2, x-1.2/svc');

  expect(entries.flat().map(({ version }) => version)).toEqual(['1.2']);
});

test('a version above a name may be a variable', () => {
  const { entries } = read('V=1.2\n\nversion: ${V}\nname: svc\n');

  expect(entries.flat().map(({ version }) => version)).toEqual(['1.2']);
});

test('the arrow of a key is no sign of a range', () => {
  const { entries } = read("'name' => 'svc',\n'version' => '1.2',\n");

  expect(entries.flat().map(({ version, range }) => [version, range])).toEqual([
    ['1.2', undefined],
  ]);
});

test('a name in a long line has no line above', () => {
  const version = '"version":"9.9",';
  const key = '"name":"';
  const between = ' '.repeat(1001 - version.length - key.length);
  const { entries } = read(`{"a":1,${version}${between}${key}svc"}`);

  expect(entries.flat().map((entry) => entry.version)).toEqual([undefined]);
});

test.each(['sha1', 'sha256', 'sha384', 'sha512'])('a version has a digest by %s', (algorithm) => {
  const digest = `${algorithm}:ab`;
  const { entries } = read(`svc 1.2@${digest}`);

  expect(entries.flat().map((entry) => [entry.version, entry.digests])).toEqual([
    [digest, [digest]],
    ['1.2', [digest]],
  ]);
});

test('a variable in place of the value of a digest leaves the version', () => {
  const { entries } = read('svc:1.2@sha256:${DIGEST}');

  expect(entries.flat().map((entry) => [entry.version, entry.digests])).toEqual([
    ['1.2', undefined],
  ]);
});

test.each([
  ['svc_1.20, V1.21', ['1.20', 'V1.21']],
  ['svc_v1.20 or later', [undefined]],
  ['svc_v1.20', ['v1.20']],
])('a version behind an underscore, or with a v, is whole: %s', (text, versions) => {
  const { entries } = read(text);

  expect(entries.flat().map(({ version }) => version)).toEqual(versions);
});

test.each(['<', '> ', '>=', '~> ', '^', '!=', '≥', '≤ '])(
  'the sign "%s" below a comment for Renovate is read as a range',
  (sign) => {
    const { entries } = read(`# renovate: depName=svc\nV = "${sign}1.2"\n`);

    expect(entries.flat().map(({ version, range }) => [version, range])).toEqual([
      [undefined, expect.stringContaining('1.2')],
    ]);
  },
);
