import { expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { cyclonedx, scanDocument, sound, spdx } from '../../harness/scanning.ts';

const old = { name: 'svc', version: '2025.1' };
const spdxSound = { SPDXID: 'SPDXRef-b', name: 'svc', versionInfo: '2026.2' };
const spdxOld = { SPDXID: 'SPDXRef-a', name: 'svc', versionInfo: '2025.1' };

const ofUrl = (purl: string) => cyclonedx({ name: 'x', purl });
const oldWithUrl = (purl: string) => cyclonedx({ ...old, purl });
const about = (component: object) => ({ ...cyclonedx(sound), metadata: { component } });
const purls = (...locators: string[]) =>
  locators.map((referenceLocator) => ({ referenceType: 'purl', referenceLocator }));

// The tests of src/ask/scan have more forms of digests, images, lists and package URLs.
test.each<[string, unknown]>([
  ['behind a name that reads like it', cyclonedx({ name: 'svc@2025.1' }, sound, old)],
  ['behind an SPDX name that reads like it', spdx({ name: 'svc@2025.1' }, spdxOld)],
  [
    'behind a version in a name',
    cyclonedx({ name: 'a', purl: 'pkg:generic/svc%402025.1' }, sound, old),
  ],
  [
    'that an SPDX document describes',
    { ...spdx(spdxOld, spdxSound), documentDescribes: [spdxOld.SPDXID] },
  ],
  ['that a CycloneDX document is about', about(old)],
  ['within what a CycloneDX document is about', about({ name: 'app', components: [old] })],
  [
    'in the second package URL',
    spdx({ name: 'svc', externalRefs: purls('pkg:generic/svc@2026.2', 'pkg:generic/svc@2025.1') }),
  ],
  ['whose package URL states another version', oldWithUrl('pkg:generic/svc@2026.2')],
  [
    'of SPDX with another package URL',
    spdx({ ...spdxOld, externalRefs: purls('pkg:generic/svc@2026.2') }),
  ],
  ['whose package URL is of another component', oldWithUrl('pkg:npm/left-pad@2025.1')],
  [
    'whose version contradicts the package URL of its package',
    cyclonedx({ name: 'agent', version: '1.0.0', purl: 'pkg:npm/%40example/edge-node@2.0.2' }),
  ],
  ['whose package URL has no version', oldWithUrl('pkg:generic/svc')],
  [
    'whose package URL in SPDX has no version',
    spdx({ name: 'x', versionInfo: '2025.1', externalRefs: purls('pkg:generic/svc') }),
  ],
  [
    'that is not listed, of a line that has ended',
    cyclonedx({ name: 'svc', version: '2025.1.99' }),
  ],
  ['spelt with a v', cyclonedx({ name: 'svc', version: 'v2025.1' })],
  ['spelt with a leading zero', cyclonedx({ name: 'svc', version: '2025.01' })],
  ['after the same name with a sound version', cyclonedx(sound, sound, old)],
  ['with a package URL of another type', oldWithUrl('pkg:deb/debian/svc@2026.2')],
  ['with a package URL in capitals', ofUrl('PKG:NPM/%40EXAMPLE/Edge-Node@1.0.0')],
  ['with an encoded slash', ofUrl('pkg:npm/%40example%2Fedge-node@1.0.0')],
  ['with a sound version in the qualifiers', ofUrl('pkg:generic/svc@2025.1?version=2026.2')],
  ['with a sound version in the subpath', ofUrl('pkg:generic/svc@2025.1#2026.2')],
  ['by group and name', cyclonedx({ group: '@example', name: 'edge-node', version: '1.0.0' })],
  ['behind a tag that names no version', oldWithUrl('pkg:generic/svc@main')],
  ['behind a commit', oldWithUrl('pkg:generic/svc@3f5a2b1c')],
  ['of an image with a host in its package URL', ofUrl('pkg:docker/docker.io/example/svcctl@1.18')],
  [
    'behind the bytes and the tag of an image that is not in the index',
    oldWithUrl(`pkg:oci/svc@sha256%3A${'0f'.repeat(32)}?tag=2025.1&repository_url=ghcr.io/x/svc`),
  ],
  ['of a package URL in a sentence', 'We still run Pkg:npm/%40example/edge-node@1.0.0 there.\n'],
  ['in a list with an @', 'svc@2026.2\nsvc@2025.1\n'],
  ['in a list with two signs and blanks', 'svc == 2026.2\nsvc == 2025.1\n'],
  ['in a list with the line ends of Windows', 'svc=2026.2\r\nsvc=2025.1\r\n'],
  ['in a list of packages', '@example/edge-node@1.0.0\n'],
  ['in a table', 'Name,Version\nsvc,2026.2\n"svc","2025.1"\n'],
  ['in a table with other columns', 'type;version;component\nservice;2025.1;svc\n'],
  ['in a table without headings', 'svc,2026.2\nsvc,2025.1\n'],
  ['in a table of package URLs', 'id,purl\n1,pkg:generic/svc@2025.1\n'],
])('scan fails for an old release %s', async (_where, content) => {
  const { status, stdout } = await scanDocument(content, '--json');

  expect(
    (JSON.parse(stdout) as { results: PolicyScan[] }).results.map((result) => result.status),
  ).toContain('unsatisfied');
  expect(status).toBe(1);
});

test.each([
  ['no components', { bomFormat: 'CycloneDX', specVersion: '1.6' }],
  ['an empty list of components', cyclonedx()],
  ['no packages', { spdxVersion: 'SPDX-2.3' }],
  ['an empty export of GitHub', { sbom: spdx() }],
  ['a list of comments', '# nothing\n'],
  ['an empty file', ''],
])('scan rejects a document with nothing to judge: %s', async (_what, content) => {
  const { status, stderr } = await scanDocument(content);

  expect(status).toBe(3);
  expect(stderr).toBe('error: bom.json: has no items; correct the program that writes it\n');
});
