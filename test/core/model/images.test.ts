import { expect, test } from 'vitest';
import {
  listImageAddresses,
  listImageNames,
  parseImage,
  splitAddress,
} from '../../../src/core/model/images.ts';
import { formatPackage, listPackagesOfPurl } from '../../../src/core/model/package-names.ts';
import { findQualifiers, parsePurl } from '../../../src/core/model/purl.ts';

test('a package URL of an image names its repositories', () => {
  const repositories = 'pkg:oci/svc@sha256:ab?repository_url=ghcr.io/team/svc&tag=1.0';
  const several = `${repositories}&Repository_URL=docker.io/library/svc`;

  expect(listPackagesOfPurl(parsePurl(repositories)!)).toEqual(['pkg:docker/team/svc']);
  expect(listPackagesOfPurl(parsePurl(several)!)).toEqual([
    'pkg:docker/team/svc',
    'pkg:docker/svc',
  ]);
  expect(listPackagesOfPurl(parsePurl('pkg:OCI/svc@1.0')!)).toEqual(['pkg:docker/svc']);
  expect(listPackagesOfPurl(parsePurl('pkg:npm/kit@1.0')!)).toEqual(['pkg:npm/kit']);
  for (const address of ['/', 'ghcr.io', 'https://ghcr.io', 'localhost']) {
    const purl = parsePurl(`pkg:oci/svc?repository_url=${address}`)!;
    expect(listPackagesOfPurl(purl)).toEqual(['pkg:oci/svc']);
  }
});

const digest = `sha256:${'0f'.repeat(32)}`;

test.each<[string, string | undefined, (string | undefined)?, string?]>([
  ['team/agent', 'pkg:docker/team/agent'],
  ['agent:1.0', 'pkg:docker/agent', '1.0'],
  ['registry.example.com/team/agent:1.0', 'pkg:docker/team/agent', '1.0'],
  ['registry.example.com/agent:1.0', 'pkg:docker/agent', '1.0'],
  ['localhost/agent:1.0', 'pkg:docker/agent', '1.0'],
  ['localhost:5000/agent', 'pkg:docker/agent'],
  ['docker.io/library/nginx:1.29', 'pkg:docker/nginx', '1.29'],
  ['team//agent:1.0', 'pkg:docker/team/agent', '1.0'],
  ['team/agent:1.0@sha256:ab', 'pkg:docker/team/agent', '1.0', 'sha256:ab'],
  [`agent@${digest}`, 'pkg:docker/agent', undefined, digest],
  ['agent', undefined],
  ['agent@sha256:ab', undefined],
  ['agent@1.0', undefined],
  ['https://registry.example.com/team/agent:1.0', 'pkg:docker/team/agent', '1.0'],
  ['https://registry.example.com', undefined],
  ['http://localhost:8080', undefined],
  ['HTTP://localhost:8080', undefined],
  ['a=b/agent:1.0', undefined],
  ['"team/agent"', undefined],
  ["'team/agent'", undefined],
  ['team/agent: 1.0', undefined],
  ['team/agent:', undefined],
  ['team/my agent', undefined],
  ['/:1', undefined],
  ['registry.example.com/', undefined],
])('the image %s is %s', (text, name, tag, digest) => {
  const image = parseImage(text);

  expect(
    image && { name: formatPackage(image.purl), tag: image.tag, digest: image.digest },
  ).toEqual(name === undefined ? undefined : { name, tag, digest });
});

test.each(['https://ghcr.io/team/agent', 'HTTPS://ghcr.io/team/agent', 'ghcr.io/team/agent'])(
  'the registry and the repository of %s',
  (address) => {
    expect(splitAddress(address)).toEqual({ host: 'ghcr.io', repository: 'team/agent' });
  },
);

test.each([
  ['pkg:docker/team/agent?repository_url=https://registry', ['registry/team/agent']],
  ['pkg:docker/team/agent?repository_url=ghcr.io', ['ghcr.io/team/agent']],
  ['pkg:oci/agent?repository_url=ghcr.io/team/agent', ['ghcr.io/team/agent']],
  ['pkg:oci/agent?repository_url=ghcr.io', []],
  ['pkg:docker/team/agent', ['team/agent', 'docker.io/team/agent']],
  [
    'pkg:docker/library/agent?repository_url=index.docker.io',
    ['agent', 'library/agent', 'docker.io/agent', 'docker.io/library/agent'],
  ],
])('the names of the image %s', (text, names) => {
  const purl = { ...parsePurl(text)!, qualifiers: findQualifiers(text) };

  expect(listImageAddresses(purl).flatMap(listImageNames)).toEqual(names);
});
