import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatPackage,
  normalisePackageText,
  formatRegistryPackage,
} from '../../../src/core/model/package-names.ts';
import {
  findQualifiers,
  formatPurl,
  listQualifierValues,
  parsePurl,
} from '../../../src/core/model/purl.ts';

test.each([
  ['pkg:npm/%40Example/edge-node@1.0.0', 'pkg:npm/%40example/edge-node', '1.0.0'],
  ['pkg:npm/%40example%2Fedge-node@1.0.0', 'pkg:npm/%40example/edge-node', '1.0.0'],
  ['pkg:npm/@example/edge-node@1.0.0', 'pkg:npm/%40example/edge-node', '1.0.0'],
  ['pkg:npm/@example/edge-node', 'pkg:npm/%40example/edge-node', undefined],
  [
    'pkg:maven/com.Example/build-agent@3.9?type=jar#META-INF',
    'pkg:maven/com.Example/build-agent',
    '3.9',
  ],
  ['pkg:pypi/My_Kit..Tools@2.0', 'pkg:pypi/my-kit-tools', '2.0'],
  ['pkg:docker/library/nginx@1.29', 'pkg:docker/nginx', '1.29'],
  ['pkg:docker/example/svcctl@sha256%3Aab12', 'pkg:docker/example/svcctl', 'sha256:ab12'],
  ['pkg:helm/server@2026.1', 'pkg:helm/server', '2026.1'],
  ['pkg:github/Example/Edge-Node@v1.0', 'pkg:github/example/edge-node', 'v1.0'],
  ['pkg:github/Team/Kit@releases/v1', 'pkg:github/team/kit', 'releases/v1'],
  ['pkg:npm/@example/kit@releases/v1?a=@b/c', 'pkg:npm/%40example/kit', 'releases/v1'],
  ['pkg:gitlab/Group/Sub/Project@v1.0', 'pkg:gitlab/group/sub/project', 'v1.0'],
  ['pkg:golang/github.com/Example/kit/v2@v2.1.0', 'pkg:golang/github.com/example/kit/v2', 'v2.1.0'],
  ['pkg:nuget/Example.Kit@1.0.0', 'pkg:nuget/example.kit', '1.0.0'],
  ['pkg:cargo/kit_core@1.0.0', 'pkg:cargo/kit_core', '1.0.0'],
  ['pkg:generic/svc@2025.1', 'pkg:generic/svc', '2025.1'],
  ['pkg:npm/@example//team//kit', 'pkg:npm/%40example/team/kit', undefined],
  [' pkg:npm/kit@1.0\n', 'pkg:npm/kit', '1.0'],
  ['PKG://NPM//kit//@1.0%2Bbuild', 'pkg:npm/kit', '1.0+build'],
  ['pkg:generic/__proto__@1.0', 'pkg:generic/__proto__', '1.0'],
])('the reader of package URLs reads %s', (text, name, version) => {
  const purl = parsePurl(text)!;

  expect(formatPackage(purl)).toBe(name);
  expect(purl.version).toBe(version);
});

test.each([
  'npm/kit@1.0',
  'pkg:npm',
  'pkg:npm/',
  'pkg:npm/%E2%80%8B',
  'pkg:/kit@1.0',
  'pkg:n_m/kit@1.0',
  'pkg:npm/kit@%zz',
  'pkg:npm/a%2Fb/c@1.0',
  'pkg:npm/kit @1.0',
  'pkg:npm/kit@1.0\u0000',
  'pkg:npm/\ud800@1',
  '',
])('the reader of package URLs refuses %j', (text) => {
  expect(parsePurl(text)).toBeUndefined();
});

const repositories = 'pkg:oci/svc@sha256:ab?repository_url=ghcr.io/team/svc&tag=1.0';

test('the qualifiers of a package URL are read by name, also beside a second version', () => {
  const several = `${repositories}&Repository_URL=docker.io/library/svc`;

  expect(listQualifierValues(findQualifiers(several), 'repository_url')).toEqual([
    'ghcr.io/team/svc',
    'docker.io/library/svc',
  ]);
  expect(listQualifierValues(findQualifiers(`${repositories}&arch=`), 'arch')).toEqual([]);
  expect(findQualifiers('pkg:docker/svc@1.0@sha256:ab?arch=arm64#src')).toBe('arch=arm64');
  expect(findQualifiers('pkg:oci/svc?t\u200bag=1.0')).toBe('tag=1.0');
  expect(findQualifiers('team/svc:1.0?arch=arm64')).toBeUndefined();
});

test('qualifiers belong to images alone', () => {
  expect(parsePurl('pkg:maven/a/b@1?type=jar')!.qualifiers).toBeUndefined();
  expect(formatPurl(parsePurl(repositories)!)).toBe(repositories);
  expect(formatPurl(parsePurl('pkg:npm/kit')!)).toBe('pkg:npm/kit');
});

test('a package name of a registry is a package URL, and another text stays', () => {
  expect(formatRegistryPackage('maven', 'com.example:build-agent')).toBe(
    'pkg:maven/com.example/build-agent',
  );
  expect(formatRegistryPackage('npm', '@example/kit')).toBe('pkg:npm/%40example/kit');
  expect(formatRegistryPackage('npm', 'kit')).toBe('pkg:npm/kit');
  expect(formatRegistryPackage('generic', 'a:b')).toBe('pkg:generic/a:b');
  expect(normalisePackageText('pkg:npm/Kit@1.0')).toBe('pkg:npm/kit');
  expect(normalisePackageText('Kit')).toBe('Kit');
});

const texts = fc.string({
  unit: fc.constantFrom('\ud800', '\udfff', '%', '@', '/', 'a', '1', '.', '?', '😀'),
});

test('any text is a package URL that can be written, or none', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const purl = parsePurl(`pkg:npm/${text}`);
      if (!purl) {
        return;
      }
      expect(formatPackage(purl)).toMatch(/^pkg:npm\//);
      expect(parsePurl(formatPurl(purl))).toEqual(purl);
    }),
    { numRuns: 2000 },
  );
});
