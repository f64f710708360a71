import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatPackage,
  formatPurl,
  keyPackage,
  parseImage,
  parsePurl,
  splitImage,
} from '../../src/core/purl.ts';

test.each([
  ['pkg:npm/%40Example/edge-node@1.0.0', 'pkg:npm/%40example/edge-node', '1.0.0'],
  ['pkg:maven/com.Example/agent@3.9?type=jar#META-INF', 'pkg:maven/com.Example/agent', '3.9'],
  ['pkg:pypi/My_Kit..Tools@2.0', 'pkg:pypi/my-kit-tools', '2.0'],
  ['pkg:docker/library/nginx@1.29', 'pkg:docker/nginx', '1.29'],
  ['pkg:docker/example/svcctl@sha256%3Aab12', 'pkg:docker/example/svcctl', 'sha256:ab12'],
  ['pkg:github/Team/Kit@releases/v1', 'pkg:github/team/kit', 'releases/v1'],
  ['pkg:npm/@example/kit@releases/v1?a=@b/c', 'pkg:npm/%40example/kit', 'releases/v1'],
  ['pkg:npm/@example//team//kit', 'pkg:npm/%40example/team/kit', undefined],
  ['PKG://NPM//kit//@1.0%2Bbuild', 'pkg:npm/kit', '1.0+build'],
  ['pkg:generic/__proto__@1.0', 'pkg:generic/__proto__', '1.0'],
])('the package URL %s names the package %s, version %s', (text, name, version) => {
  const purl = parsePurl(text)!;

  expect(formatPackage(purl.type, purl.name)).toBe(name);
  expect(purl.version).toBe(version);
});

test.each([
  ...['npm/kit@1.0', 'pkg:npm/', 'pkg:/kit@1.0', 'pkg:n_m/kit@1.0', 'pkg:npm/kit@%zz'],
  ...['pkg:npm/a%2Fb/c@1.0', 'pkg:npm/kit @1.0', 'pkg:npm/kit@1.0\u0000', ''],
])('rejects the package URL %j', (text) => {
  expect(parsePurl(text)).toBeUndefined();
});

test.each([
  'pkg:npm/kit@1.0',
  'pkg:npm/kit',
  'pkg:deb/debian/curl@8.1?arch=amd64',
  'pkg:deb/debian/curl@8.1?arch=amd64&distro=bookworm',
])('formatPurl writes %s again', (text) => {
  expect(formatPurl(parsePurl(text)!)).toBe(text);
});

test("formatPackage writes the package URL of a registry's package", () => {
  expect(formatPackage('maven', 'com.example:agent')).toBe('pkg:maven/com.example/agent');
  expect(formatPackage('npm', '@example/kit')).toBe('pkg:npm/%40example/kit');
  expect(formatPackage('generic', 'a:b')).toBe('pkg:generic/a:b');
});

test('a package URL that is written and read again stays the same', () => {
  const texts = fc.string({ unit: fc.constantFrom('%', '@', '/', 'a', '1', '.', '?', '😀') });

  fc.assert(
    fc.property(texts, (text) => {
      const purl = parsePurl(`pkg:npm/${text}`);
      fc.pre(purl !== undefined);
      const { type, name, version } = purl!;
      expect(parsePurl(formatPurl(purl!))).toMatchObject({ type, name, version });
    }),
  );
});

test.each([
  ['pkg:oci/svc@sha256:ab?repository_url=ghcr.io/team/svc&tag=1.0', 'pkg:docker/team/svc'],
  ['pkg:oci/svc@1.0?repository_url=docker.io/library/svc', 'pkg:docker/svc'],
  ['pkg:OCI/svc@1.0', 'pkg:docker/svc'],
  ['pkg:oci/svc?repository_url=ghcr.io', 'pkg:docker/svc'],
])('the package URL %s names the same package as the package URL %s', (text, name) => {
  expect(keyPackage(parsePurl(text)!)).toBe(name);
});

const digest = `sha256:${'0f'.repeat(32)}`;

test.each<[text: string, name?: string, tag?: string | undefined, digest?: string]>([
  ['team/agent', 'team/agent'],
  ['agent:1.0', 'agent', '1.0'],
  ['localhost:5000/agent', 'agent'],
  ['docker.io/library/nginx:1.29', 'nginx', '1.29'],
  [`team/agent:1.0@${digest}`, 'team/agent', '1.0', digest],
  [`agent@${digest}`, 'agent', undefined, digest],
  ['https://registry.example.com/team/agent:1.0', 'team/agent', '1.0'],
  ['agent'],
  ['agent@1.0'],
  ['team/agent: 1.0'],
  ['registry.example.com/'],
])('the image %s has the name %s and the tag %s', (text, ...[name, tag, hash]) => {
  expect(parseImage(text)).toEqual(name === undefined ? undefined : { name, tag, digest: hash });
});

test('splitImage splits an image address into its host and repository', () => {
  for (const address of ['HTTPS://ghcr.io/team/agent', 'ghcr.io/team/agent']) {
    expect(splitImage(address)).toEqual({ host: 'ghcr.io', repository: 'team/agent' });
  }
});
