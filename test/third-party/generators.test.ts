import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { computeDetailsOn } from '../../src/ask/answers/component-on.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import type { PolicyScan } from '../../src/core/schemas/published/policy-scan.ts';
import { fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { copiedFrom } from '../harness/page-command.ts';
import { readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { cdxgen, cyclonedxNpm } from './install.ts';

const program = join(cyclonedxNpm.dir, 'bin/cyclonedx-npm-cli.js');
const site = siteOfFixtureIndex();
const details = computeDetailsOn(
  readJsonIn<DetailsFile>(site, 'details/edge-node.json'),
  fixtureDay,
);
let project: string;

/** As npm would have installed it: two versions of a package that the index knows, one of them within another package. */
beforeAll(() => {
  project = temporaryFolder();
  const name = '@example/edge-node';
  const app = { name: 'app', version: '1.0.0', dependencies: { [name]: '1.0.0', kit: '^3.0.0' } };
  const installed: Record<string, { name: string; version: string; dependencies?: object }> = {
    [`node_modules/${name}`]: { name, version: '1.0.0' },
    'node_modules/kit': { name: 'kit', version: '3.1.0', dependencies: { [name]: '^2.0.0' } },
    [`node_modules/kit/node_modules/${name}`]: { name, version: '2.0.2' },
  };
  writeIn(project, 'app/package.json', app);
  const locked = Object.entries(installed).map(([path, manifest]) => {
    writeIn(project, `app/${path}/package.json`, manifest);
    const { name: _, ...rest } = manifest;
    const file = `${manifest.name.replace(/^@.*\//, '')}-${manifest.version}.tgz`;
    return [path, { ...rest, resolved: `https://npm.example.com/${manifest.name}/-/${file}` }];
  });
  writeIn(project, 'app/package-lock.json', {
    ...{ name: app.name, version: app.version, lockfileVersion: 3, requires: true },
    packages: { '': app, ...Object.fromEntries(locked) },
  });
});

/** In the folder of the project, where no registry can be reached. */
async function shell(command: string): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    HOME: project,
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_update_notifier: 'false',
    // Hundreds of modules, which only the first start of each program has to compile.
    NODE_COMPILE_CACHE: join(project, 'compile-cache'),
  };
  await promisify(execFile)('sh', ['-c', command], { cwd: join(project, 'app'), env });
}

async function scan(file: string): Promise<PolicyScan[]> {
  const path = join(project, 'app', file);
  const index = ['--root', fixtureIndex, '--as-of', fixtureDay];
  const { stdout } = await run(['scan', path, '--policy', 'supported', ...index, '--json']);
  return (JSON.parse(stdout) as { results: PolicyScan[] }).results;
}

function expectRight(scanned: readonly PolicyScan[]): void {
  const said = scanned.map(({ status, details: { component, version } }) => [
    component,
    version,
    status,
  ]);
  const verdicts = ['1.0.0', '2.0.2'].map((version) => {
    const { state } = details.releases.find((release) => release.version === version)!;
    const status =
      { supported: 'satisfied', 'no-promise': 'unknown' }[state as string] ?? 'unsatisfied';
    return ['edge-node', version, status];
  });
  const foreign = ['1.0.0', '3.1.0'].map((version) => [undefined, version, 'not-applicable']);
  expect(said.sort()).toEqual([...verdicts, ...foreign].sort());
  expect(new Set(verdicts.map(([, , status]) => status)).size).toBe(2);
}

const commandOnPage = (title: string) =>
  copiedFrom(readFileSync(join(site, 'use.html'), 'utf8'), title);

const spdx = 'npm sbom --sbom-format spdx >npm-spdx.json';
const cdxgenProgram = `node ${join(cdxgen.dir, 'bin/cdxgen.js')} -t npm --no-install-deps`;

test.each([
  [
    'bom-1.2.json',
    `node ${program} --spec-version 1.2 --output-file bom-1.2.json`,
    '"specVersion": "1.2"',
  ],
  [
    'bom-1.7.json',
    `node ${program} --spec-version 1.7 --flatten-components --short-PURLs --output-file bom-1.7.json`,
    '"specVersion": "1.7"',
  ],
  ['cdx-1.4.json', `${cdxgenProgram} --spec-version 1.4 -o cdx-1.4.json .`, '1.4'],
  ['npm-spdx.json', spdx, 'SPDX-2'],
])('scan reads %s by the command %s', async (file, command, format) => {
  await shell(command);

  expect(readFileSync(join(project, 'app', file), 'utf8')).toContain(format);
  expectRight(await scan(file));
});

test('scan reads the document of the command on the page', async () => {
  const [major] = cyclonedxNpm.version.split('.');
  const called = `npx --yes ${cyclonedxNpm.name}@${major} `;
  const [command = ''] = commandOnPage('Any shell').split('\n');
  expect(command).toContain(called);

  await shell(command.replace(called, `node ${program} `));

  expectRight(await scan('bom.json'));
});
