import { afterAll, describe, expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { removeTemporaryFolders } from '../../harness/root.ts';
import { cyclonedx, graph, scanDocument, sound, spdx, spdx3 } from '../../harness/scanning.ts';

afterAll(removeTemporaryFolders);

const purls = (...locators: string[]) =>
  locators.map((referenceLocator) => ({ referenceType: 'purl', referenceLocator }));
const syft = (source: object, ...artifacts: object[]) => ({
  ...{ artifacts, source, descriptor: { name: 'syft', version: '1.30.0' } },
});
const about = (component: object) => ({ ...cyclonedx(sound), metadata: { component } });
const old = { name: 'svc', version: '2025.1' };

describe('fails for an old release', () => {
  test.each<[string, unknown]>([
    ['behind a name that reads like it', cyclonedx({ name: 'svc@2025.1' }, sound, old)],
    [
      'behind a name of an SPDX package that reads like it',
      spdx({ name: 'svc@2025.1' }, { name: 'svc', versionInfo: '2025.1' }),
    ],
    [
      'behind a package URL with a version in its name',
      cyclonedx({ name: 'a', purl: 'pkg:generic/svc%402025.1' }, sound, old),
    ],
    [
      'that an SPDX document describes',
      {
        ...spdx(
          { SPDXID: 'SPDXRef-a', name: 'svc', versionInfo: '2025.1' },
          { SPDXID: 'SPDXRef-b', name: 'svc', versionInfo: '2026.2' },
        ),
        documentDescribes: ['SPDXRef-a'],
      },
    ],
    [
      'that a relationship describes',
      {
        ...spdx(
          { SPDXID: 'SPDXRef-a', name: 'svc', versionInfo: '2025.1' },
          { SPDXID: 'SPDXRef-b', name: 'svc', versionInfo: '2026.2' },
        ),
        relationships: [{ relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-a' }],
      },
    ],
    [
      'that a CycloneDX document is about',
      { ...cyclonedx(sound), metadata: { component: { name: 'svc', version: '2025.1' } } },
    ],
    [
      'within what a CycloneDX document is about',
      { ...cyclonedx(sound), metadata: { component: { name: 'app', components: [old] } } },
    ],
    ['within another component', cyclonedx({ ...sound, components: [{ name: 'x', components: [old] }] })],
    [
      'in the second package URL',
      spdx({
        name: 'svc',
        externalRefs: purls('pkg:generic/svc@2026.2', 'pkg:generic/svc@2025.1'),
      }),
    ],
    [
      'in the concluded package URL',
      cyclonedx({
        ...sound,
        purl: 'pkg:generic/svc@2026.2',
        evidence: { identity: [{ field: 'purl', concludedValue: 'pkg:generic/svc@2025.1' }] },
      }),
    ],
    ['whose package URL states another version', cyclonedx({ ...old, purl: 'pkg:generic/svc@2026.2' })],
    [
      'of an SPDX package whose package URL states another version',
      spdx({ name: 'svc', versionInfo: '2025.1', externalRefs: purls('pkg:generic/svc@2026.2') }),
    ],
    [
      'whose name is that of another component than the package URL',
      cyclonedx({ ...old, purl: 'pkg:npm/left-pad@2025.1' }),
    ],
    [
      'whose version is stated beside the package URL of its package',
      cyclonedx({ name: 'agent', version: '1.0.0', purl: 'pkg:npm/%40example/edge-node@2.0.2' }),
    ],
    ['whose package URL has no version', cyclonedx({ ...old, purl: 'pkg:generic/svc' })],
    [
      'whose package URL has no version, in SPDX',
      spdx({ name: 'x', versionInfo: '2025.1', externalRefs: purls('pkg:generic/svc') }),
    ],
    ['behind a package URL that cannot be read', cyclonedx({ ...old, purl: 'pkg:npm/\ud800@1' })],
    ['behind an entry of malformed Unicode', cyclonedx({ name: '\udfff', version: '\ud800' }, old)],
    ['in what GitHub exports', { sbom: spdx({ name: 'svc', versionInfo: '2025.1' }) }],
    ['that is not listed, of a line that has ended', cyclonedx({ name: 'svc', version: '2025.1.99' })],
    ['spelt with a v', cyclonedx({ name: 'svc', version: 'v2025.1' })],
    ['spelt with a leading zero', cyclonedx({ name: 'svc', version: '2025.01' })],
    ['beside the same name with a sound version', cyclonedx(sound, sound, old)],
    ['behind a component without a name', cyclonedx({ name: 'x', purl: '' }, old)],
    [
      'behind a component named like a property of objects',
      cyclonedx({ name: '__proto__', version: '1' }, old),
    ],
    ['with a package URL of another type', cyclonedx({ ...old, purl: 'pkg:deb/debian/svc@2026.2' })],
    ['with a package URL in capitals', cyclonedx({ name: 'x', purl: 'PKG:NPM/%40EXAMPLE/Edge-Node@1.0.0' })],
    ['with an encoded slash', cyclonedx({ name: 'x', purl: 'pkg:npm/%40example%2Fedge-node@1.0.0' })],
    [
      'with a sound version in the qualifiers',
      cyclonedx({ name: 'x', purl: 'pkg:generic/svc@2025.1?version=2026.2' }),
    ],
    ['with a sound version in the subpath', cyclonedx({ name: 'x', purl: 'pkg:generic/svc@2025.1#2026.2' })],
    ['by group and name', cyclonedx({ group: '@example', name: 'edge-node', version: '1.0.0' })],
    [
      'by group and name of Maven',
      cyclonedx({ group: 'com.example', name: 'build-agent', version: '1.0' }, old),
    ],
    ['behind a tag that names no version', cyclonedx({ ...old, purl: 'pkg:generic/svc@main' })],
    ['behind a commit', cyclonedx({ ...old, purl: 'pkg:generic/svc@3f5a2b1c' })],
    [
      'an image that the document is about',
      about({ type: 'container', name: 'example/svcctl', version: '1.18' }),
    ],
    ['an image by its reference', about({ type: 'container', name: 'example/svcctl:1.18' })],
    [
      'an image by tag and digest',
      about({ type: 'container', name: `example/svcctl:1.18@sha256:${'0'.repeat(64)}` }),
    ],
    [
      'an image with the host of its registry',
      about({ type: 'container', name: 'docker.io/example/svcctl:1.18' }),
    ],
    [
      'an image whose version is a digest',
      about({ type: 'container', name: 'example/svcctl:1.18', version: `sha256:${'0'.repeat(64)}` }),
    ],
    [
      'an image by the tag of an OCI package URL',
      cyclonedx({
        name: 'svcctl',
        purl: `pkg:oci/svcctl@sha256%3A${'0'.repeat(64)}?repository_url=index.docker.io%2Fexample%2Fsvcctl&tag=1.18`,
      }),
    ],
    [
      'an image by an OCI package URL without a tag',
      cyclonedx({
        name: 'example/svcctl:1.18',
        purl: `pkg:oci/svcctl@sha256%3A${'0'.repeat(64)}?repository_url=index.docker.io/example/svcctl`,
      }),
    ],
    [
      'an image with a host in its package URL',
      cyclonedx({ name: 'x', purl: 'pkg:docker/docker.io/example/svcctl@1.18' }),
    ],
    ['of SPDX 3', graph(spdx3({ name: 'svc', software_packageVersion: '2025.1' }))],
    [
      'of SPDX 3, by its package URL',
      graph(spdx3({ name: 'x', software_packageUrl: 'pkg:generic/svc@2025.1' })),
    ],
    [
      'of SPDX 3, by an external identifier',
      graph(
        spdx3({
          ...{
            name: 'svc',
            software_packageVersion: '2026.2',
            software_packageUrl: 'pkg:generic/svc@2026.2',
          },
          externalIdentifier: [
            { externalIdentifierType: 'packageUrl', identifier: 'pkg:generic/svc@2025.1' },
          ],
        }),
      ),
    ],
    [
      'of SPDX 3, within a relationship',
      graph({ type: 'Relationship', to: [spdx3({ name: 'svc', software_packageVersion: '2025.1' })] }),
    ],
    [
      'of SPDX 3, which is no root of the document',
      graph(
        spdx3({ spdxId: 'a', name: 'svc', software_packageVersion: '2025.1' }),
        spdx3({ spdxId: 'b', name: 'svc', software_packageVersion: '2026.2' }),
      ),
    ],
    [
      'of SPDX 3, without a list',
      {
        '@context': ['https://spdx.org/rdf/3.0.0/spdx-context.jsonld'],
        ...spdx3({ name: 'svc', software_packageVersion: '2025.1' }),
      },
    ],
    ['of Syft', syft({ type: 'directory' }, old)],
    [
      'of Syft, by its package URL',
      syft({ type: 'directory' }, { ...sound, purl: 'pkg:generic/svc@2025.1' }),
    ],
    ['an image that Syft read', syft({ type: 'image', name: 'example/svcctl', version: '1.18' }, sound)],
    [
      'an image that Syft read by its digest',
      syft(
        {
          type: 'image',
          name: 'example/svcctl',
          version: 'sha256:0',
          metadata: { tags: ['example/svcctl:1.18'] },
        },
        sound,
      ),
    ],
    [
      'an image that an older Syft read',
      syft({ type: 'image', target: { userInput: 'registry.example.com:5000/example/svcctl:1.18' } }, sound),
    ],
    [
      'an image of SPDX',
      spdx({ name: 'example/svcctl', versionInfo: '1.18', primaryPackagePurpose: 'CONTAINER' }),
    ],
    ['in a list', 'svc=2026.2\nsvc=2025.1\n'],
    ['in a list with an @', 'svc@2026.2\nsvc@2025.1\n'],
    ['in a list with two signs and blanks', 'svc == 2026.2\nsvc == 2025.1\n'],
    ['in a list behind a byte order mark', '\ufeffsvc=2025.1\n'],
    ['in a list with the line ends of Windows', 'svc=2026.2\r\nsvc=2025.1\r\n'],
    ['in a list of images', 'docker.io/example/svcctl:1.18\n'],
    ['in a list of packages', '@example/edge-node@1.0.0\n'],
    ['in a table', 'Name,Version\nsvc,2026.2\n"svc","2025.1"\n'],
    ['in a table with other columns', 'type;version;component\nservice;2025.1;svc\n'],
    ['in a table without headings', 'svc,2026.2\nsvc,2025.1\n'],
    ['in a table of package URLs', 'id,purl\n1,pkg:generic/svc@2025.1\n'],
  ])('%s', async (_where, content) => {
    const { status, stdout } = await scanDocument(content, '--json');

    expect((JSON.parse(stdout) as PolicyScan[]).map((result) => result.status)).toContain('unsatisfied');
    expect(status).toBe(1);
  });
});

describe('is not judged where there is nothing to judge', () => {
  test.each([
    ['no components', { bomFormat: 'CycloneDX', specVersion: '1.6' }],
    ['an empty list of components', cyclonedx()],
    ['no packages', { spdxVersion: 'SPDX-2.3' }],
    ['an empty export of GitHub', { sbom: spdx() }],
    ['a list of comments', '# nothing\n'],
    ['an empty file', ''],
  ])('%s', async (_what, content) => {
    const { status, stderr } = await scanDocument(content);

    expect(status).toBe(3);
    expect(stderr).toBe('error: bom.json: has no items; correct the program that writes it\n');
  });
});
