import { expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { cyclonedx, scanDocument, spdx } from '../../harness/scanning.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const edge = {
  name: '@example/edge-node',
  version: '1.0.0',
  purl: 'pkg:npm/%40example/edge-node@1.0.0',
};
const musl = {
  name: 'musl',
  version: '1.2.5',
  purl: 'pkg:apk/alpine/musl@1.2.5?arch=x86_64&distro=3.20.3',
};
const system = { name: 'alpine', version: '3.20.3' };
const imageUrl = `pkg:oci/svcctl@${digest.replace(':', '%3A')}?arch=amd64`;
const imageUrlOfTrivy = `${imageUrl}&repository_url=index.docker.io%2Fexample%2Fsvcctl`;

const spdxPackage = (name: string, version: string | undefined, purl?: string) => ({
  ...{ name, versionInfo: version, SPDXID: `SPDXRef-Package-${name.length}` },
  ...(purl && { externalRefs: [{ referenceType: 'purl', referenceLocator: purl }] }),
});
/** A document about its first package. */
const spdxOfImage = (image: ReturnType<typeof spdxPackage>, ...more: object[]) => ({
  ...spdx(
    { ...image, primaryPackagePurpose: 'CONTAINER' },
    ...[edge, musl].map(({ name, version, purl }) => spdxPackage(name, version, purl)),
    ...more,
  ),
  relationships: [{ relationshipType: 'DESCRIBES', relatedSpdxElement: image.SPDXID }],
});
const cyclonedxOfImage = (image: object, ...components: object[]) => ({
  ...cyclonedx(...components, { type: 'operating-system', ...system }),
  metadata: { component: { type: 'container', ...image } },
});

// Each is the image example/svcctl:1.18 with a package of npm, a package of its system, and the system itself.
test.each<[string, object]>([
  // syft/format/internal/cyclonedxutil
  ['Syft, CycloneDX', cyclonedxOfImage({ name: 'example/svcctl', version: '1.18' }, edge, musl)],
  // syft/format/common/spdxhelpers; its package URL of an image names no repository
  ['Syft, SPDX', spdxOfImage(spdxPackage('example/svcctl', '1.18', `${imageUrl}&tag=1.18`))],
  [
    // trivy.dev/latest/docs/supply-chain/sbom
    'Trivy, CycloneDX',
    cyclonedxOfImage(
      { name: 'example/svcctl:1.18', purl: imageUrlOfTrivy },
      { ...edge, group: '@example', name: 'edge-node' },
      musl,
    ),
  ],
  [
    'Trivy, SPDX',
    spdxOfImage(spdxPackage('example/svcctl:1.18', undefined, imageUrlOfTrivy), {
      ...spdxPackage(system.name, system.version),
      primaryPackagePurpose: 'OPERATING-SYSTEM',
    }),
  ],
])('scan judges an image and its packages once: %s', async (_program, document) => {
  const { status, stdout, stderr } = await scanDocument(document, '--json');

  const known = (JSON.parse(stdout) as { results: PolicyScan[] }).results
    .filter(({ details }) => details.component !== undefined)
    .map(({ details, status }) => [details.component, details.version, status]);
  expect(known.sort()).toEqual([
    ['edge-node', '1.0.0', 'unsatisfied'],
    ['svcctl', '1.18', 'unsatisfied'],
  ]);
  expect(stderr).not.toContain('unknown');
  expect(status).toBe(1);
});
