import { copyFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';
import type { Job, Step, Workflow } from './harness/github-run.ts';
import { pathsIn, readJsonIn, temporaryFolder } from './harness/root.ts';
import { runHere } from './harness/run-here.ts';
import { lintWorkflow, lintWorkflowsOf } from './harness/workflow-lint.ts';
import { groups } from './mutants/groups.ts';
import { commands } from '../src/cli/command-line.ts';
import { programVersion } from '../src/io/program.ts';

const folder = join(checkout, '.github/workflows');
/** What `init` writes for an index like that of the checkout: workflows with copies of ours and of the action. */
const ownIndex = temporaryFolder();
await runHere(['init', ownIndex, '--host', 'cloudflare']);
copyFileSync(join(checkout, 'site/site.json'), join(ownIndex, 'site/site.json'));
await runHere(['init', ownIndex, '--update']);
const files = [
  ...pathsIn(folder).map((name) => [name, join(folder, name)] as const),
  ...pathsIn(join(ownIndex, '.github/workflows')).map(
    (name) => [`${name} of a new index`, join(ownIndex, '.github/workflows', name)] as const,
  ),
];
const { scripts, repository } = readJsonIn<{
  scripts: Record<string, string>;
  repository: { url: string };
}>(checkout, 'package.json');
const ours = `${/github\.com\/(.*)\.git$/.exec(repository.url)![1]}/`;
const version = `@v${programVersion}`;

/** The file that `uses` names, where it is one of this project. */
function usedFile(uses: string): string | undefined {
  const [path] = uses.startsWith('./') ? [uses.slice(2)] : uses.split(version);
  const inside = path!.replace(ours, '');
  if (inside === uses) {
    return undefined;
  }
  const file = inside.endsWith('.yml') ? inside : `${inside}/action.yml`;
  return [checkout, ownIndex].map((dir) => join(dir, file)).find((path) => existsSync(path));
}

/** An action of this project. */
interface Action {
  inputs: Record<string, { required?: boolean }>;
  runs: { steps: Step[] };
}

test.each([
  ['any workflow', checkout],
  ['what a new index begins with', ownIndex],
])('actionlint finds nothing in %s', async (_, folder) => {
  const found = await lintWorkflowsOf(folder);

  expect(Object.keys(found)).not.toEqual([]);
  expect(Object.values(found).flat()).toEqual([]);
});

test('each group of mutants is tried every night, with files that are there', () => {
  const { jobs } = load(readFileSync(join(folder, 'nightly.yml'), 'utf8')) as {
    jobs: { mutants: { strategy: { matrix: { group: string[] } } } };
  };
  const patterns = Object.values(groups).flatMap(({ code, tests }) => [...code, ...tests]);

  expect(jobs.mutants.strategy.matrix.group).toEqual(Object.keys(groups));
  for (const pattern of patterns) {
    expect([pattern, globSync(pattern, { cwd: checkout })]).not.toEqual([pattern, []]);
  }
});

test('actionlint would find something', async () => {
  const bad = readFileSync(join(checkout, 'test/fixtures/bad-workflow.yml'), 'utf8');

  expect(await lintWorkflow(bad)).not.toEqual([]);
});

describe.each(files)('%s', (_, file) => {
  const text = readFileSync(file, 'utf8');
  const workflow = load(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);

  test('names every action by its commit, with the version beside it, and ours by this version', () => {
    const uses = text
      .split('\n')
      .filter(
        (line) => /^\s*(- )?uses: /.test(line) && usedFile(line.split('uses: ')[1]!) === undefined,
      );

    for (const line of uses) {
      expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('has no rights but those that a job asks for, one run at a time, and an end', () => {
    expect([{}, { contents: 'read' }, undefined]).toContainEqual(workflow.permissions);
    for (const { permissions = workflow.permissions } of jobs) {
      expect(permissions).toBeDefined();
    }
    // Two of one group, of which one calls the other, would wait for each other.
    const groups = [workflow, ...jobs.flatMap(calledBy)].flatMap(
      ({ concurrency }) => concurrency?.group ?? [],
    );
    expect(groups).not.toEqual([]);
    expect(new Set(groups).size).toBe(groups.length);
    for (const job of jobs) {
      if (job.uses === undefined) {
        expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
      }
    }
  });

  test('puts no text from elsewhere into a script, and unpacks nothing by itself', () => {
    for (const { run = '' } of steps) {
      expect(run).not.toContain('${{');
      expect(run).not.toMatch(/\btar\b|git apply/);
    }
  });

  test('shows each secret to steps that need it, and those of registries alone to the one that asks upstreams', () => {
    const secretsIn = (value: unknown) =>
      Array.from(JSON.stringify(value).matchAll(/secrets\.(\w+)/g), ([, name]) => name!);

    for (const { steps: own = [], ...job } of jobs) {
      const days = own.filter(({ run }) => run?.includes(' daily '));
      if (job.uses === undefined) {
        expect(secretsIn(job)).toEqual([]);
      }
      for (const { env } of days.filter(({ run }) => !run!.includes('--stage publish'))) {
        expect(['RELEASE_INDEX_AUTH', 'NPM_TOKEN', 'RELEASE_INDEX_KEY']).toEqual(
          expect.arrayContaining(secretsIn(env)),
        );
      }
    }
  });

  test('ends a day that hangs while there is time left to call a person', () => {
    for (const job of jobs) {
      const day = job.steps?.find(({ run }) => run?.includes(' daily '));
      if (day) {
        expect(day['timeout-minutes']).toBeLessThan(job['timeout-minutes']!);
      }
    }
  });

  test('hands on what the workflow that it calls takes, and at least the rights that its jobs ask for', () => {
    for (const job of jobs) {
      for (const called of calledBy(job)) {
        const { inputs = {}, secrets = {} } = called.on.workflow_call ?? {};
        const needed = Object.values(called.jobs).map(
          ({ permissions = called.permissions ?? {} }) => permissions,
        );
        expect(Object.keys(inputs)).toEqual(Object.keys(job.with ?? {}));
        expect(Object.keys(secrets)).toEqual(
          expect.arrayContaining(Object.keys(job.secrets ?? {})),
        );
        // GitHub rejects a call whose jobs ask for more, even if they never run.
        for (const [name, right] of needed.flatMap((rights) => Object.entries(rights))) {
          expect(['write', right]).toContain(job.permissions![name]);
        }
      }
    }
  });

  test('runs the program of its own commit in a job with secrets, and shows the signing key to one step', () => {
    for (const job of jobs.filter(({ steps }) => JSON.stringify(steps)?.includes('secrets.'))) {
      const runs = job.steps!.filter(({ run }) => run !== undefined);
      if (workflow.on.workflow_call && !file.includes(ownIndex)) {
        const [, program] = job.steps!.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
        expect(program!.with).toMatchObject({
          repository: '${{ job.workflow_repository }}',
          ref: '${{ job.workflow_sha }}',
          path: '.cache/program',
        });
        for (const { run = '' } of runs) {
          expect(run).not.toMatch(/\bnpx\b|npm ci(?!.*--prefix \.cache\/program)/);
        }
      }
      for (const { env = {} } of runs) {
        if ('RELEASE_INDEX_SIGNING_KEY' in env) {
          expect(Object.keys(env)).toHaveLength(1);
        }
      }
    }
  });

  test('attests where callers cannot change it, in a job that runs nothing of the index', () => {
    for (const job of jobs) {
      if (job.uses !== undefined) {
        continue;
      }
      const attesting = job.steps!.find(({ uses }) =>
        uses?.startsWith('actions/attest-build-provenance@'),
      );
      const publishesPackage = job.steps!.some(({ run = '' }) => run.startsWith('npm publish '));
      const deploys = job.steps!.some(({ uses }) => uses?.startsWith('actions/deploy-pages@'));
      const needsIdentity = publishesPackage || deploys || attesting !== undefined;
      expect(job.permissions?.['id-token'] === 'write').toBe(needsIdentity);
      if (!attesting) {
        continue;
      }
      expect(workflow.on).toHaveProperty('workflow_call');
      expect(job.steps).toHaveLength(1);
      // Any job of the run could replace an artifact.
      expect(attesting.with).toHaveProperty(
        'subject-digest',
        '${{ needs.refresh.outputs.digest }}',
      );
    }
  });

  test('calls scripts, verbs and actions that there are, with the inputs that they take', () => {
    const called = (pattern: RegExp) =>
      steps.flatMap(({ run = '' }) => Array.from(run.matchAll(pattern), ([, name]) => name!));

    for (const name of called(/npm (?!run --)(?:run )?(?:-s )?([a-z:-]+)/g)) {
      expect([...Object.keys(scripts), 'ci', 'publish']).toContain(name);
    }
    for (const name of called(/release-index (?:-- )?([a-z]+)/g)) {
      expect(commands).toHaveProperty(name);
    }
    for (const step of steps) {
      if (usedFile(step.uses ?? '') !== undefined) {
        expectUsesAction(step);
      }
    }
  });
});

/** The workflow that a job calls. */
function calledBy({ uses, steps }: Job): Workflow[] {
  if (uses === undefined || steps) {
    return [];
  }
  return [load(readFileSync(usedFile(uses)!, 'utf8')) as Workflow];
}

function expectUsesAction({ uses, with: given = {} }: Step): void {
  const { inputs } = load(readFileSync(usedFile(uses!)!, 'utf8')) as Action;
  const required = Object.keys(inputs).filter((name) => inputs[name]!.required);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  expect(Object.keys(given)).toEqual(expect.arrayContaining(required));
  expect(commands).toHaveProperty(String(given['verb']));
}

describe('the action', () => {
  test('is used by the page about setup in this version, with what it takes', () => {
    const page = readFileSync(join(checkout, '.github/SETUP.md'), 'utf8');
    const [step] = load(/```yaml\n(- uses: .*?)```/s.exec(page)![1]!) as Step[];

    expectUsesAction(step!);
  });

  const path = join(checkout, '.github/actions/release-index');
  const text = readFileSync(join(path, 'action.yml'), 'utf8');
  const { runs } = load(text) as Action;

  test('names what it uses by commit, and puts no input into a script', () => {
    for (const { uses, run = '' } of runs.steps) {
      if (uses !== undefined) {
        expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      }
      expect(run).not.toContain('${{');
    }
    expect(text.match(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm)).toHaveLength(2);
  });

  test('hands every input to its script, which reads nothing else', () => {
    const script = readFileSync(join(path, 'run.sh'), 'utf8');
    const { env = {}, run, 'working-directory': folder } = runs.steps.at(-1)!;

    expect(run).toBe('bash "$GITHUB_ACTION_PATH/run.sh"');
    expect([...Object.values(env), folder]).toEqual([
      '${{ inputs.verb }}',
      '${{ inputs.arguments }}',
      '${{ inputs.folder }}',
    ]);
    expect(new Set(script.match(/\$[A-Z_]+/g))).toEqual(
      new Set(Object.keys(env).map((name) => `$${name}`)),
    );
  });
});

test('every workflow runs the Node that the checkout is made for', () => {
  const wanted = readFileSync(join(checkout, '.nvmrc'), 'utf8').trim();
  const texts = [
    ...files.map(([, path]) => path),
    join(checkout, '.github/actions/release-index/action.yml'),
  ];
  const named = texts.flatMap((path) =>
    Array.from(
      readFileSync(path, 'utf8').matchAll(/node-version: (.*)/g),
      ([, version]) => version,
    ),
  );

  expect(new Set(named)).toEqual(new Set([wanted]));
});

test('a pull request sees no secret and may write nothing', () => {
  const text = readFileSync(join(folder, 'check.yml'), 'utf8');

  expect(text).not.toContain('secrets.');
  expect(text).not.toContain('write');
  expect(text).not.toContain('pull_request_target');
});

test('this repository runs every day by the workflow that a new index begins with', () => {
  const written = readFileSync(join(ownIndex, '.github/workflows/daily.yml'), 'utf8');

  // The workflow that it calls also deploys indexes to Pages.
  expect(readFileSync(join(folder, 'daily.yml'), 'utf8').replace(/ +pages: write.*\n/, '')).toBe(
    written.replace('release-index-publish.yml', 'publish.yml'),
  );
});

test('every verb is an npm script of its own, or the second word of one', () => {
  for (const [word] of Object.keys(commands).map((verb) => verb.split(' '))) {
    expect(scripts[word!]).toContain(`node src/cli.js ${word}`);
  }
});
