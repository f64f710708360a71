import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { removeTemporaryFolders, temporaryFolder, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

afterAll(removeTemporaryFolders);

const digest = `sha256:${'0'.repeat(64)}`;
const tags = ['example/svcctl:1.18'];
const edge = { name: '@example/edge-node', version: '1.0.0', purl: 'pkg:npm/%40example/edge-node@1.0.0' };
const musl = { name: 'musl', version: '1.2.5', purl: 'pkg:apk/alpine/musl@1.2.5?arch=x86_64&distro=3.20.3' };
const system = { name: 'alpine', version: '3.20.3' };

const reference = (referenceLocator: string) => [
  { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator },
];
const spdxPackage = ({ name, version, purl }: typeof edge) => ({
  ...{
    name,
    SPDXID: `SPDXRef-Package-${name.length}`,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
  },
  externalRefs: reference(purl),
});
const describes = [
  {
    ...{ spdxElementId: 'SPDXRef-DOCUMENT', relatedSpdxElement: 'SPDXRef-DocumentRoot' },
    relationshipType: 'DESCRIBES',
  },
];

/** As the two programs write an image with a package of npm, a package of its system, and the system itself. */
const documents: Readonly<Record<string, object>> = {
  // github.com/anchore/syft, schema/json
  'Syft, its own JSON': {
    artifacts: [edge, musl],
    source: {
      ...{ id: '0', name: 'example/svcctl', version: digest, type: 'image' },
      metadata: { userInput: 'example/svcctl:1.18', imageID: digest, manifestDigest: digest, tags },
    },
    distro: system,
    descriptor: { name: 'syft', version: '1.38.0' },
  },
  // syft/format/internal/cyclonedxutil
  'Syft, CycloneDX 1.6': {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
    metadata: { component: { type: 'container', name: 'example/svcctl', version: '1.18' } },
    components: [
      { type: 'library', ...edge },
      { type: 'library', ...musl },
      { type: 'operating-system', ...system },
    ],
  },
  // syft/format/common/spdxhelpers; its package URL of an image names no repository
  'Syft, SPDX 2.3': {
    spdxVersion: 'SPDX-2.3',
    packages: [
      spdxPackage(edge),
      spdxPackage(musl),
      {
        ...{ name: 'example/svcctl', SPDXID: 'SPDXRef-DocumentRoot', versionInfo: '1.18' },
        checksums: [{ algorithm: 'SHA256', checksumValue: '0'.repeat(64) }],
        externalRefs: reference(`pkg:oci/svcctl@${digest.replace(':', '%3A')}?arch=amd64&tag=1.18`),
        primaryPackagePurpose: 'CONTAINER',
      },
    ],
    relationships: describes,
  },
  // trivy.dev/latest/docs/supply-chain/sbom
  'Trivy, CycloneDX 1.6': {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
    metadata: {
      component: {
        ...{ type: 'container', name: 'example/svcctl:1.18' },
        purl: `pkg:oci/svcctl@${digest.replace(':', '%3A')}?arch=amd64&repository_url=index.docker.io%2Fexample%2Fsvcctl`,
      },
    },
    components: [
      { type: 'operating-system', ...system },
      { type: 'library', group: '@example', ...edge, name: 'edge-node' },
      { type: 'library', ...musl },
    ],
  },
  'Trivy, SPDX 2.3': {
    spdxVersion: 'SPDX-2.3',
    packages: [
      {
        ...{ name: 'example/svcctl:1.18', SPDXID: 'SPDXRef-DocumentRoot' },
        externalRefs: reference(
          `pkg:oci/svcctl@${digest.replace(':', '%3A')}?arch=amd64&repository_url=index.docker.io%2Fexample%2Fsvcctl`,
        ),
        primaryPackagePurpose: 'CONTAINER',
      },
      {
        ...{ name: 'alpine', SPDXID: 'SPDXRef-OperatingSystem', versionInfo: '3.20.3' },
        primaryPackagePurpose: 'OPERATING-SYSTEM',
      },
      spdxPackage(edge),
      spdxPackage(musl),
    ],
    relationships: describes,
  },
};

test.each(Object.entries(documents))(
  'scan judges an image and its packages once: %s',
  async (_what, document) => {
    const folder = temporaryFolder();
    writeIn(folder, 'bom.json', document);
    const where = ['--root', fixtureIndex, '--as-of', fixtureDay, '--policy', 'supported'];

    const { status, stdout, stderr } = await run(['scan', join(folder, 'bom.json'), ...where, '--json']);

    const known = (JSON.parse(stdout) as PolicyScan[])
      .filter(({ details }) => details.component !== undefined)
      .map(({ details, status }) => [details.component, details.version, status]);
    expect(known.sort()).toEqual([
      ['edge-node', '1.0.0', 'unsatisfied'],
      ['svcctl', '1.18', 'unsatisfied'],
    ]);
    expect(stderr).not.toContain('unknown');
    expect(status).toBe(1);
  },
);
