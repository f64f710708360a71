import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPackages } from '../../src/cli/packages-to-add.ts';
import { temporaryFolder, writeIn } from '../harness/root.ts';

/** The packages of a file, as `datasource name registry`, and what is left out. */
async function packagesIn(fileName: string, text: string | object) {
  const folder = temporaryFolder();
  writeIn(folder, fileName, text);
  const { packages, notes } = await readPackages(join(folder, fileName), undefined);
  return {
    packages: packages.map(({ datasource, packageName, registryUrl }) =>
      [datasource, packageName, registryUrl].filter(Boolean).join(' '),
    ),
    notes,
  };
}

test('requirements with ranges and markers are packages, and each other line has its reason', async () => {
  const text = [
    'flask>=2,<4',
    'requests==2.31.0 ; python_version >= "3.8"',
    'uvicorn[standard]~=0.20',
    '-r other.txt',
    './local',
    'pkg @ https://example.com/pkg-1.0.whl',
  ].join('\n');

  expect(await packagesIn('requirements.txt', text)).toEqual({
    packages: ['pypi flask', 'pypi requests', 'pypi uvicorn'],
    notes: [
      'left out -r other.txt: an option, not a package',
      'left out ./local, pkg @ https://example.com/pkg-1.0.whl: it does not come from a registry',
    ],
  });
});

test('an image keeps its registry, and one without a path is of Docker Hub', async () => {
  const text = [
    'FROM ghcr.io/example/agent:1.2 AS build',
    'FROM nginx:1.25-alpine',
    'FROM docker.io/example/tool:3',
    'FROM ${BASE}',
    'COPY --from=build /a /b',
  ].join('\n');

  expect(await packagesIn('Dockerfile', text)).toEqual({
    packages: ['docker example/agent https://ghcr.io', 'docker nginx', 'docker example/tool'],
    notes: [
      'left out ${BASE}: it depends on a variable',
      'left out build: no registry is named; a datasource before --from names one, such as npm',
    ],
  });
});

test('a chart keeps the repository that is named with it', async () => {
  const dependency = (name: string, repository: string) =>
    `  - name: ${name}\n    version: 1.x.x\n    repository: ${repository}\n`;
  const text =
    'apiVersion: v2\nname: app\ndependencies:\n' +
    dependency('redis', 'https://charts.example.com') +
    dependency('agent', 'oci://ghcr.io/example/charts') +
    dependency('local', 'file://../local');

  expect(await packagesIn('Chart.yaml', text)).toEqual({
    packages: [
      'helm redis https://charts.example.com',
      'docker example/charts/agent https://ghcr.io',
    ],
    notes: ['left out local 1.x.x: no https: address of its repository is named'],
  });
});

test('of a lock file, the direct dependencies are packages', async () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { eslint: '^9', '@types/node': '^24', mine: 'file:../mine' } },
      'node_modules/eslint': { version: '9.0.0' },
      'node_modules/@types/node': { version: '24.0.0' },
      'node_modules/ajv': { version: '6.0.0' },
    },
  };

  expect(await packagesIn('package-lock.json', lock)).toEqual({
    packages: ['npm eslint', 'npm @types/node'],
    notes: ['left out mine@file:../mine: it does not come from a registry'],
  });
});
