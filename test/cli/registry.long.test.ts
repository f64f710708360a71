/**
 * Creates an index whose program comes from a package registry. npm installs the program from a registry on loopback. This registry
 * forwards requests for all other packages to this machine's registry.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { writeScanStep } from '../harness/action.ts';
import { writeFiles } from '../harness/components.ts';
import { program } from '../harness/example.ts';
import { createFolder } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import { serveSite } from '../harness/serve-site.ts';
import { json, serve, text, type Document } from '../harness/upstream.ts';
import { runRenovate } from '../renovate/client.ts';

// Installing packages can take minutes if the npm registry is slow.
vi.setConfig({ testTimeout: 900_000 });

const folder = createFolder();
const next = '99.0.0';

/** Returns the packed program in two versions. They differ only in the version number. */
function packVersions(): Map<string, Buffer> {
  const packed = join(folder, 'packed');
  execFileSync(process.execPath, [join(program, '.ci/pack.ts'), packed]);
  const read = (version: string) => readFileSync(join(packed, `release-index-${version}.tgz`));
  const current = read(manifest.version);

  execFileSync('tar', ['-xzf', `release-index-${manifest.version}.tgz`], { cwd: packed });
  const file = join(packed, 'package/package.json');
  const changed = { ...JSON.parse(readFileSync(file, 'utf8')), version: next };
  writeFileSync(file, JSON.stringify(changed));
  execFileSync('tar', ['-czf', `release-index-${next}.tgz`, 'package'], { cwd: packed });
  return new Map([
    [manifest.version, current],
    [next, read(next)],
  ]);
}

const others = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
const registry = await listen((request, response) => {
  const document = documents[request.url!];
  if (document) {
    serve(documents)(request, response);
  } else {
    response.writeHead(302, { location: new URL(request.url!.slice(1), others).href }).end();
  }
});
const versions = packVersions();
const documents = describePackages();

/** Returns what the registry answers for the program's package. */
function describePackages(): Record<string, Document> {
  const answers: Record<string, Document> = {};
  const described: Record<string, object> = {};
  for (const [version, bytes] of versions) {
    const path = `/release-index/-/release-index-${version}.tgz`;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const file = execFileSync('tar', ['-xzOf', '-', 'package/package.json'], { input: bytes });
    described[version] = {
      ...(JSON.parse(file.toString()) as object),
      dist: { tarball: `${registry}${path}`, integrity },
    };
    answers[path] = text(bytes, 'application/octet-stream');
  }
  const tags = { 'dist-tags': { latest: next } };
  answers['/release-index'] = json({ name: 'release-index', ...tags, versions: described });
  return answers;
}

const published = join(folder, 'published');
const { origin } = await serveSite(published);
// Ignore the npm settings of this machine's user.
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  NO_COLOR: '1',
  npm_config_registry: registry,
  npm_config_userconfig: join(folder, 'none'),
  npm_config_cache: join(folder, 'cache'),
};

async function type(line: string, cwd: string, more = {}): Promise<string> {
  const options = { cwd, env: { ...env, ...more } };
  return (await promisify(execFile)('bash', ['-c', line], options)).stdout;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as any;
const init = (name: string) =>
  `npx --yes release-index@${manifest.version} init ${name} --releases-url ${origin} --host ${published}`;
const index = join(folder, 'my-index');

test('init pins the release-index dependency to the running version', async () => {
  expect(await type(init('my-index'), folder)).toContain('Next:\n');

  expect(readJson(join(index, 'package.json')).dependencies).toEqual({
    'release-index': manifest.version,
  });
  expect(existsSync(join(index, 'program'))).toBe(false);

  await type('npm install', index);
  writeFileSync(join(index, 'releases.csv'), 'version,date\n1.0,2024-01-31\n2.0,2026-01-31\n');
  const add =
    'npx release-index add static releases.csv --homepage https://example.com --support latest-lines:1';
  await type(add, index);
  await type(`npx release-index build && npx release-index publish --to ${published}`, index);
  const page = readFileSync(join(published, 'use.html'), 'utf8');
  expect(page).toContain(`npx --yes release-index@${manifest.version} scan bom.json`);
  expect(page).not.toContain('.tgz');
});

test('init pins the running version even if npm records no registry addresses', async () => {
  const more = {
    npm_config_omit_lockfile_registry_resolved: 'true',
    npm_config_cache: join(folder, 'other-cache'),
  };
  await type(init('other-index'), folder, more);

  const { dependencies } = readJson(join(folder, 'other-index/package.json'));
  expect(dependencies).toEqual({ 'release-index': manifest.version });
});

test('if release-index was installed from a file URL, init copies the package file into the index', async () => {
  const path = `release-index-${manifest.version}.tgz`;
  mkdirSync(join(folder, 'files'));
  writeFileSync(join(folder, 'files', path), versions.get(manifest.version)!);
  const site = await serveSite(join(folder, 'files'));
  await type(`npx --yes ${site.origin}/${path} init filed-index`, folder);

  const filed = join(folder, 'filed-index');
  const { dependencies } = readJson(join(filed, 'package.json'));
  expect(dependencies).toEqual({ 'release-index': `file:program/${path}` });

  const file = `program/release-index-${next}.tgz`;
  writeFileSync(join(filed, file), versions.get(next)!);
  await type(`npm install && npm install ./${file}`, filed);
  expect(readJson(join(filed, 'package.json')).dependencies['release-index']).toBe(`file:${file}`);
  expect(await type('npx release-index --version', filed)).toBe(`${next}\n`);
});

test('the GitHub action of an index runs the release-index version in package.json', async () => {
  const workspace = writeFiles({ 'list.txt': 'releases 1.0\n' });
  const summary = join(createFolder(), 'summary.md');
  const inputs = { file: 'list.txt', policy: 'supported' };
  execFileSync('mv', ['node_modules', '../node_modules-of-index'], { cwd: index });
  const line = writeScanStep(index, workspace, inputs, summary);

  await expect(type(line, workspace)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^::error title=releases 1\.0/m) as string,
  });
  execFileSync('mv', ['../node_modules-of-index', 'node_modules'], { cwd: index });
});

test('Renovate proposes a new version of release-index', async () => {
  const { lookups } = await runRenovate(
    {
      'package.json': readFileSync(join(index, 'package.json'), 'utf8'),
      '.npmrc': `registry=${registry}/\n`,
    },
    registry,
  );
  expect(lookups).toContainEqual(
    expect.objectContaining({ name: 'release-index', proposed: [next] }),
  );

  await type(`npm install release-index@${next}`, index);
  await type('npx release-index build && npx release-index check', index);
  const page = readFileSync(join(index, 'dist/use.html'), 'utf8');
  expect(page).toContain(`npx --yes release-index@${next} scan bom.json`);
});
