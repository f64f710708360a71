import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { defaultUrl } from 'registry-url';
import { expect, onTestFinished, test } from 'vitest';
import { listPackages } from '../../src/cli/packages-to-add.ts';
import { purlTypes } from '../../src/core/model/package-names.ts';
import type { Finding } from '../../src/core/schemas/finding.ts';
import { ownProgram } from '../harness/cli.ts';
import { createRoot, temporaryFolder, writeIn } from '../harness/root.ts';

const messageOf = ({ message }: Finding) => message;

/** The packages of a file, as `datasource name registry`, and what is left out. */
async function packagesIn(text: string | object) {
  const folder = temporaryFolder();
  writeIn(folder, 'file', text);
  const notes: string[] = [];
  const packages = await listPackages({
    options: { from: join(folder, 'file') },
    arguments: [],
    report: { finding: (...findings: Finding[]) => notes.push(...findings.map(messageOf)) },
  } as never);
  return {
    packages: packages.map(({ datasource, packageName, registryUrl }) =>
      [datasource, packageName, registryUrl].filter(Boolean).join(' '),
    ),
    notes,
  };
}

test('an image whose package URL states an address is of the registry there', async () => {
  const { packages } = await packagesIn(
    'pkg:oci/tool?repository_url=https%3A%2F%2Fghcr.io%2Fexample%2Ftool&tag=1.0',
  );

  expect(packages).toEqual(['docker example/tool https://ghcr.io']);
});

test('a package is of the registry that its package URL names, and never of another', async () => {
  const text = [
    'pkg:helm/redis@1.0?repository_url=https%3A%2F%2Fcharts.example.com%2Fstable',
    'pkg:helm/other@1.0?repository_url=oci%3A%2F%2Fghcr.io%2Fcharts',
    'pkg:docker/example/agent@1.0?repository_url=gcr.io',
    'pkg:docker/example/tool@1.0?repository_url=https://hub.docker.com',
    'pkg:docker/example/tool@1.0?repository_url=oci://ghcr.io/example/tool',
    'pkg:docker/example/tool@1.0?repository_url=http://localhost:5000',
    'pkg:npm/agent@1.0?repository_url=HTTPS://npm.example.com',
    'pkg:npm/tool@1.0?repository_url=ftp://npm.example.com',
    `pkg:npm/kit@1.0?repository_url=${defaultUrl}`,
    'pkg:maven/com.example/agent@1.0?repository_url=maven.example.com%2Frelease',
    'pkg:maven/com.example/tool@1.0?repository_url=https://repo1.maven.org/maven2',
  ].join('\n');

  expect(await packagesIn(text)).toEqual({
    packages: [
      'helm redis https://charts.example.com/stable',
      'docker example/agent https://gcr.io',
      'docker example/tool',
      'docker example/tool https://ghcr.io',
      'npm agent https://npm.example.com',
      'npm kit',
      'maven com.example:agent https://maven.example.com/release',
      'maven com.example:tool',
    ],
    notes: [
      'left out pkg:helm/other@1.0?repository_url=oci%3A%2F%2Fghcr.io%2Fcharts, pkg:docker/example/tool@1.0?repository_url=http://localhost:5000, pkg:npm/tool@1.0?repository_url=ftp://npm.example.com: no https: address of its repository is named',
    ],
  });
});

test('an image is read from its path, too, and each package is listed once', async () => {
  const text = [
    'pkg:docker/ghcr.io/example/tool@1.0',
    'ghcr.io/example/tool:1.1',
    'pkg:docker/library/nginx@1.27',
    'nginx:1.28',
    'pkg:pypi/Example_Kit@1',
    'pkg:pypi/example-kit@2',
  ].join('\n');

  const { packages } = await packagesIn(text);

  expect(packages).toEqual([
    'docker example/tool https://ghcr.io',
    'docker nginx',
    'pypi Example_Kit',
  ]);
});

test('only an image of Docker Hub is named without library/', async () => {
  const text = [
    'harbor.example.com/library/nginx:1.27',
    'pkg:docker/library/agent@1?repository_url=harbor.example.com',
    'pkg:oci/tool?repository_url=harbor.example.com/library/tool',
    'docker.io/library/redis:7',
    'pkg:oci/redis?repository_url=docker.io/library/redis',
  ].join('\n');

  const { packages } = await packagesIn(text);

  expect(packages).toEqual([
    'docker library/nginx https://harbor.example.com',
    'docker library/agent https://harbor.example.com',
    'docker library/tool https://harbor.example.com',
    'docker redis',
  ]);
});

test('of a list, package URLs and images are packages, and each other line has its reason', async () => {
  const text = [
    '# in use',
    'pkg:npm/%40example/agent@1.0.0',
    'pkg:maven/com.example/agent',
    'pkg:oci/tool?repository_url=ghcr.io/example/tool&tag=1.0',
    '',
    'ghcr.io/example/agent:1.2',
    'nginx:1.25-alpine\r',
    'localhost/example/agent:1.2',
    'docker.io/example/tool:3',
    'nginx:1.27',
    'pkg:helm/redis@1.0',
    'pkg:deb/debian/zlib@1.3',
    'pkg:constructor/agent@1.0?repository_url=https://example.com',
    'eslint',
  ].join('\n');

  expect(await packagesIn(text)).toEqual({
    packages: [
      'npm @example/agent',
      'maven com.example:agent',
      'docker example/tool https://ghcr.io',
      'docker example/agent https://ghcr.io',
      'docker nginx',
      'docker example/agent https://localhost',
      'docker example/tool',
    ],
    notes: [
      'left out pkg:helm/redis@1.0: no https: address of its repository is named',
      'left out pkg:deb/debian/zlib@1.3: no datasource has packages of the type deb',
      'left out pkg:constructor/agent@1.0?repository_url=https://example.com: no datasource has packages of the type constructor',
      'left out eslint: not a package URL, and not an image with a tag or a path',
    ],
  });
});

test('the host of a default registry is that of its type alone', async () => {
  const address = 'https://gitlab.com/api/v4/projects/1/packages';
  const text = ['pypi/agent', 'npm/agent', 'helm/chart']
    .map((name) => `pkg:${name}@1.0?repository_url=${address}`)
    .join('\n');

  const { packages } = await packagesIn(text);

  expect(packages).toEqual(
    ['pypi agent', 'npm agent', 'helm chart'].map((name) => `${name} ${address}`),
  );
});

test('of several datasources of a type, only the default registry of the first needs no address', async () => {
  const { rubygems } = purlTypes;
  Object.assign(purlTypes, { rubygems: 'cargo' });
  onTestFinished(() => {
    Object.assign(purlTypes, { rubygems });
  });

  const { packages } = await packagesIn(
    [
      'pkg:cargo/kit@1.0.0?repository_url=https://crates.io/',
      'pkg:cargo/agent@1.0.0?repository_url=https://rubygems.org/',
    ].join('\n'),
  );

  expect(packages).toEqual(['crate kit', 'crate agent https://rubygems.org/']);
});

test('an option names the registry of packages that state none', async () => {
  const folder = temporaryFolder();
  writeIn(folder, 'file', 'docker.io/team/agent:1.2\nghcr.io/team/kit:1\npkg:npm/other@1.0\n');
  const packages = await listPackages({
    options: { from: join(folder, 'file'), 'registry-url': 'https://npm.example.com' },
    arguments: [],
    report: { finding: () => undefined },
  } as never);

  expect(packages).toEqual([
    { datasource: 'docker', packageName: 'team/agent' },
    { datasource: 'docker', packageName: 'team/kit', registryUrl: 'https://ghcr.io' },
    { datasource: 'npm', packageName: 'other', registryUrl: 'https://npm.example.com' },
  ]);
});

test('the images of a compose file are packages', async () => {
  const text = `services:
  db:
    image: postgres:17
  web:
    ports: ['80:80']
    image: "ghcr.io/example/web:2" # the front
  - image: redis:7`;

  expect(await packagesIn(text)).toEqual({
    packages: ['docker postgres', 'docker example/web https://ghcr.io', 'docker redis'],
    notes: [],
  });
});

test('of an SPDX document, package URLs are packages', async () => {
  const purl = (referenceLocator: string) => ({
    externalRefs: [{ referenceType: 'purl', referenceLocator }],
  });
  const document = {
    spdxVersion: 'SPDX-2.3',
    packages: [
      { name: 'eslint', versionInfo: '9.0.0', ...purl('pkg:npm/eslint@9.0.0') },
      { name: 'in-house', versionInfo: '1.0' },
    ],
  };

  expect(await packagesIn(document)).toEqual({
    packages: ['npm eslint'],
    notes: ['left out in-house@1.0: not a package URL, and not an image with a tag or a path'],
  });
});

test('a package URL without a version keeps the registry that it names', async () => {
  const components = [
    { purl: 'pkg:docker/example/agent?repository_url=ghcr.io', name: 'agent', version: '1.0' },
    {
      purl: 'pkg:helm/redis?repository_url=https://charts.example.com',
      name: 'redis',
      version: '1',
    },
  ];

  expect(await packagesIn({ bomFormat: 'CycloneDX', specVersion: '1.6', components })).toEqual({
    packages: ['docker example/agent https://ghcr.io', 'helm redis https://charts.example.com'],
    notes: [],
  });
});

test('a list may have more lines of either kind than a call accepts arguments', async () => {
  const lines = Array.from({ length: 130_000 }, (_, index) => `pkg:npm/kit-${index}\neslint`);

  const { packages, notes } = await packagesIn(lines.join('\n'));

  expect(packages).toHaveLength(130_000);
  expect(notes).toEqual([expect.stringContaining('eslint and 129,950 more: not a package URL')]);
});

test.each([
  ['a manifest', { dependencies: { eslint: '^9' } }],
  ['a lock file', { lockfileVersion: 3, packages: { 'node_modules/eslint': {} } }],
  ['broken JSON', '{ "dependencies": '],
  ['a compose file without images', 'services:\n  db:\n    build: .\n'],
])('%s is refused, with what is read', async (_kind, content) => {
  await expect(packagesIn(content)).rejects.toThrow(
    'expected a bill of materials as JSON (CycloneDX, SPDX 2), or package URLs and images, one a line',
  );
});

test('a bill of materials is refused for what a scan refuses it', async () => {
  const repeated = '{ "bomFormat": "CycloneDX", "components": [], "components": [] }';

  await expect(packagesIn(repeated)).rejects.toThrow('has the key "components" a second time');
  await expect(packagesIn('{ "bomFormat": ')).rejects.toThrow('Unexpected end of JSON input');
});

test('standard input is rejected beyond 20 MiB, as a file is', () => {
  const args = ['add', '--from', '-', '--root', createRoot().dir];
  const input = Buffer.alloc(21 * 2 ** 20, 'x');

  const { status, stderr } = spawnSync(process.execPath, [ownProgram, ...args], { input });

  expect([status, String(stderr)]).toEqual([1, 'error: -: expected at most 20 MiB\n']);
});
