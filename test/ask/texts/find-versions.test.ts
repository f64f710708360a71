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

test('of many phrases, the first are listed, and the others are counted', () => {
  const components = [...names.components, { name: 'build-agent', title: 'Build agent' }];
  const text = 'svc 1.0 with the big agent 1.2\n'.repeat(300);
  const { unidentified, otherCount } = findVersions(text, { ...names, components });

  expect([unidentified.length, otherCount]).toEqual([200, 100]);
});

test.each(['1.21 or later', '1.21 - 1.30', '1.21 || 2.0'])(
  'a phrase in a sentence has its whole range: %s',
  (range) => {
    const components = [...names.components, { name: 'build-agent', title: 'Build agent' }];
    const text = `svc 1.0 with the big agent ${range}`;
    const { unidentified } = findVersions(text, { ...names, components });

    expect(unidentified.map((part) => part.text)).toEqual([`big agent ${range}`]);
  },
);

test('a version above a name may be a variable', () => {
  const { entries } = read('V=1.2\n\nversion: ${V}\nname: svc\n');

  expect(entries.flat().map(({ version }) => version)).toEqual(['1.2']);
});

test.each([
  ['>=1.2 svc', '>=1.2'],
  ['^1.2 of svc', '^1.2'],
  ['1.2.x of svc', '1.2.x'],
  ['1.2 - 2.0 of svc', '1.2 - 2.0'],
  ['{"version": "^1.2", "name": "svc"}', '^1.2'],
  ['{\n  "version": "^1.2",\n  "name": "svc"\n}', '^1.2'],
  ['owner,version,name\nops,>=1.2,svc', '>=1.2'],
])('a range before a name is no version: %s', (text, expected) => {
  const { entries } = read(text);

  expect(entries.flat().map(({ version, range }) => [version, range])).toEqual([
    [undefined, expected],
  ]);
});

test.each(['<td>1.2 svc', '- 1.2 of svc', '3. 1.2 of svc', '5 - 1.2 svc', '=> 1.2 of svc'])(
  'a mark before a version that is before a name makes no range: %s',
  (text) => {
    const { entries } = read(text);

    expect(entries.flat().map(({ version, range }) => [version, range])).toEqual([
      ['1.2', undefined],
    ]);
  },
);

test.each(['svc v. 1.2', 'svc ver. 1.2', 'svc Rev. 1.2'])(
  'an abbreviation before a version may end with a dot: %s',
  (text) => {
    expect(read(text).entries.flat()).toMatchObject([{ version: '1.2' }]);
  },
);

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

test.each([
  ['svc (Server) 99.1', ['svc', '99.1', undefined]],
  ['svc: Server 7', ['svc', '7', undefined]],
  ['svc on SQL Server 7', ['server', '7', 'svc']],
])('a title right behind the name of its component is certain: %s', (text, expected) => {
  const { entries } = read(text);

  expect(entries.flat().map((item) => [item.name, item.version, item.onlyIfReleaseOf])).toEqual([
    expected,
  ]);
});

test('the elements of a pom.xml may have the name before its group', () => {
  const packages = new Map([['pkg:maven/org.example/kit', [{ component: 'svc' }]]]);
  const group = '<groupId>org.example</groupId>';
  const { entries } = findVersions(
    `<artifactId>kit</artifactId>\n${group}\n<version>1.2</version>`,
    { ...names, packages },
  );

  expect(entries.flat().map(({ purl, version, line }) => [purl?.name, version, line])).toEqual([
    ['kit', '1.2', 1],
  ]);
});

test.each([
  ['svc 1.2 rc1', ['1.2-rc1']],
  ['svc 1.2, 1.3 RC 2', ['1.2', '1.3-RC-2']],
  ['svc 1.2 rc1@sha256:ab', ['sha256:ab', '1.2-rc1']],
  ['svc-0 is up', [undefined]],
])('a number behind a name is no whole version by itself: %s', (text, versions) => {
  const { entries } = read(text);

  expect(entries.flat().map(({ version }) => version)).toEqual(versions);
});

test.each(['jar', 'tar.gz', 'tar.xz', 'tar.bz2'])('a file name with .%s has a version', (type) => {
  const { entries } = read(`svc-1.2.0.${type}`);

  expect(entries.flat().map(({ version }) => version)).toEqual(['1.2.0']);
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

test('a list of versions has each of them whole, however long it is', () => {
  const versions = Array.from({ length: 60 }, (_, index) => `2.1111.${100 + index}`);
  const { entries } = read(`svc ${versions.join(', ')}`);

  expect(entries.flat().map(({ version }) => version)).toEqual(versions);
});

test.each([
  [
    'Cargo',
    '[[package]]\nname = "app"\ndependencies = [\n "svc",\n]\n\n[[package]]\nname = "svc"\nversion = "1.2"\n',
  ],
  [
    'Poetry',
    '[[package]]\nname = "app"\n\n[package.dependencies]\nsvc = ">=1.0"\n\n[[package]]\nname = "svc"\nversion = "1.2"\n',
  ],
  [
    'uv',
    '[[package]]\nname = "app"\ndependencies = [\n    { name = "svc" },\n]\n\n[[package]]\nname = "svc"\nversion = "1.2"\n',
  ],
  [
    'Bundler',
    'GEM\n  remote: https://gems.example.com/\n  specs:\n    svc (1.2)\n\nDEPENDENCIES\n  svc (~> 1.0)\n',
  ],
  [
    'Composer',
    '{\n "content-hash": "0f",\n "packages": [\n  {\n   "name": "a/b",\n   "require": {\n    "svc": "^1.0"\n   }\n  },\n  {\n   "name": "svc",\n   "version": "1.2"\n  }\n ]\n}',
  ],
  [
    'Yarn 1',
    '# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.\n# yarn lockfile v1\n\n\napp@^2.0.0:\n  version "2.0.1"\n  dependencies:\n    svc "^1.0.0"\n\nsvc@^1.0.0:\n  version "1.2"\n',
  ],
  ['Go', 'svc 1.2 h1:ab=\nsvc 1.2/go.mod h1:ab=\nb v1.0.0/go.mod h1:ab=\nsvc 1.1/go.mod h1:ab=\n'],
])('a lock file of %s states only the version that it gives', (_, text) => {
  const { entries } = read(text);

  expect(entries.flat().map(({ version }) => version)).toEqual(['1.2']);
});

test('a lock file of NuGet has the version below the range', () => {
  const { entries } = read(
    '"svc": {\n  "type": "Direct",\n  "requested": "[1.0, )",\n  "resolved": "1.2",\n}',
  );

  expect(entries.flat().map(({ version }) => version)).toEqual(['1.2']);
});

test.each([
  'svc:\n  revisionHistoryLimit: 3\n  tag: 1.2',
  'chart: svc\nreleaseName: prod\ntargetRevision: 1.2',
  'name = "svc"\nrelease_date = "2026-01-01"\nversion = "1.2"',
  'name: svc\nversion-code: 12\nversion: 1.2',
])('a key that only begins like that of a version is another: %j', (text) => {
  expect(
    read(text)
      .entries.flat()
      .map(({ version }) => version),
  ).toEqual(['1.2']);
});

test.each([
  ['svc ~1.2, svc ~1.4', ['~1.2', '~1.4']],
  ['svc 1.2, svc ^1.4', [undefined, '^1.4']],
  ['svc 1.2 || 1.4', ['1.2 || 1.4']],
  ['svc 1.2 || >=1.4', ['1.2 || >=1.4']],
  ['svc 1.2, or later', ['1.2, or later']],
  ['svc 1.2 (or later)', ['1.2 (or later']],
  ['svc 1.2 through 1.4', ['1.2 through 1.4']],
  ['svc 1.2 … 1.4', ['1.2 … 1.4']],
  ['svc ≠ 1.2', ['≠1.2']],
])('a range is never a version, and each is kept: %s', (text, ranges) => {
  const { entries } = read(text);

  expect(entries.flat().map(({ range }) => range)).toEqual(ranges);
});

test.each([
  ['svc:main@sha256:ab', [['sha256:ab', ['sha256:ab']]]],
  ['svc:${TAG}@sha256:ab', [['sha256:ab', ['sha256:ab']]]],
  [
    'TAG=1.2\nsvc:${TAG}@sha256:ab',
    [
      ['sha256:ab', ['sha256:ab']],
      ['1.2', ['sha256:ab']],
    ],
  ],
])('a tag or a variable leaves the digest behind it: %s', (text, expected) => {
  const { entries } = read(text);

  expect(entries.flat().map(({ version, digests }) => [version, digests])).toEqual(expected);
});

test.each([
  ['BASE=1.2\nTAG=${BASE}\nsvc:${TAG}', '1.2', undefined],
  ['BASE=1.2\nTAG=$BASE\nsvc:${TAG}', '1.2', undefined],
  ['TAG=${BASE:-1.2}\nsvc:$TAG', '1.2', undefined],
  ['MAJOR=1\nMINOR=2\nsvc:${MAJOR}.${MINOR}', '1.2', undefined],
  ['MINOR=2\nsvc:1.${MINOR}-alpine', '1.2-alpine', undefined],
  ['TAG=1.2\nsvc-$TAG.jar.', '1.2', undefined],
  ['svc:1.${MINOR}', undefined, '1.${MINOR}'],
  ['A=${B}\nB=${A}\nsvc:${A}', undefined, '${A}'],
  ['TAG=1.2\nsvc:${TAG}\nTAG=1.3', undefined, '${TAG}'],
  ['TAG=1.2\nsvc:${TAG:-1.4}\nTAG=1.3', undefined, '${TAG}'],
  ['TAG=1.2\nsvc:${TAG}\nTAG: "1.2"', '1.2', undefined],
])('a variable may be a part of a version, or name another: %s', (text, version, range) => {
  const { entries } = read(text);

  expect(entries.flat().map((item) => [item.version, item.range])).toEqual([[version, range]]);
});

test.each(['SVC_HOST=svc:8080', 'url: "svc:8080"', 'brokers=svc:9092'])(
  'the port of a host is no version: %s',
  (text) => {
    const { entries } = read(text);

    expect(entries.flat().map(({ name, version }) => [name, version])).toEqual([
      ['svc', undefined],
    ]);
  },
);
