import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { load } from 'js-yaml';
import { checkout } from './checkout.ts';
import { commandsFolder, sharingNpm } from './sharing-npm.ts';
import { temporaryFolder } from './root.ts';
import type { Run } from './run.ts';

type Texts = Record<string, string>;

export interface Step {
  id?: string;
  if?: string;
  uses?: string;
  with?: Texts;
  run?: string;
  env?: Texts;
  'working-directory'?: string;
  'timeout-minutes'?: number;
}

export interface Job {
  if?: string;
  uses?: string;
  'timeout-minutes'?: number;
  with?: Texts;
  secrets?: Texts;
  permissions?: Texts;
  defaults?: { run: { 'working-directory': string } };
  env?: Texts;
  outputs?: Texts;
  steps?: Step[];
}

export interface Workflow {
  on: { workflow_call?: { inputs?: object; secrets?: object } | null };
  permissions?: Texts;
  concurrency?: { group: string };
  jobs: Record<string, Job>;
}

interface Computer {
  /** The address of the repository, with a credential. */
  remote: string;
  secrets: Texts;
  /** The folders with its commands. */
  path: string;
  shell(line: string, options: { cwd: string; env: Texts }): Promise<Run>;
  /** The folder of `sharingNpm`. */
  installed: string;
  /** The folder that GitHub Pages serves. */
  pages?: string | undefined;
  /** Where the hosts are imitated. */
  env?: Texts;
}

/**
 * A run of the workflow "daily" of an index as GitHub does it: the called workflow gets the inputs, secrets and permissions of
 * the caller; each job has a folder of its own, and each step a shell and its environment, where its condition holds. What
 * GitHub and its actions do is imitated.
 */
export async function runDaily(
  computer: Computer,
  clone: string,
  caller = '.github/workflows/daily.yml',
): Promise<{ log: string; isFailed: boolean; attested: string[] }> {
  const { daily } = workflowIn(clone, caller).jobs as { daily: Job };
  const uses = daily.uses!;
  const called = uses.startsWith('./')
    ? workflowIn(clone, uses)
    : workflowIn(checkout, /\.github\/workflows\/[\w-]+\.yml/.exec(uses)![0]);
  const known = new Set(Object.keys(called.on.workflow_call?.secrets ?? {}));
  for (const [right, level] of Object.values(called.jobs).flatMap((job) =>
    Object.entries(job.permissions!),
  )) {
    if (level === 'write' && daily.permissions![right] !== 'write') {
      throw new Error(`the caller does not grant ${right}: ${level}`);
    }
  }
  const needs: Record<string, { result: string; outputs: Texts }> = {};
  const context = {
    ...{ inputs: daily.with!, needs, vars: {}, cancelled: () => false },
    runner: {
      environment: daily.with!['runs-on']!.startsWith('ubuntu-') ? 'github-hosted' : 'self-hosted',
    },
    github: {
      ...{ run_id: '1', token: 'token', ref_name: 'main', repository: 'example/index' },
      event: { repository: { default_branch: 'main', private: false } },
    },
    job: { workflow_repository: 'example/release-index', workflow_sha: await headOf(computer) },
  };
  const given = Object.entries(daily.secrets ?? {}).map(([name, text]) => {
    if (!known.has(name)) {
      throw new Error(`the called workflow has no secret ${name}`);
    }
    return [name, evaluate(text, { secrets: textsOf(computer.secrets) })];
  });
  const secrets = textsOf(Object.fromEntries(given) as Texts);
  const github = { log: '', attested: [] as string[], artifacts: temporaryFolder() };
  let isFailed = false;
  for (const [name, job] of Object.entries(called.jobs)) {
    if (job.if !== undefined && !isTrue(job.if, context)) {
      continue;
    }
    const ran = await runJob(job, { ...context, secrets }, job.permissions!, computer, github);
    isFailed ||= ran.isFailed;
    needs[name] = { result: ran.isFailed ? 'failure' : 'success', outputs: ran.outputs };
  }
  return { log: github.log, isFailed, attested: github.attested };
}

async function runJob(
  job: Job,
  given: object,
  rights: Texts,
  computer: Computer,
  github: { log: string; attested: string[]; artifacts: string },
): Promise<{ isFailed: boolean; outputs: Texts }> {
  const workspace = temporaryFolder();
  const files = {
    GITHUB_OUTPUT: join(temporaryFolder(), 'o'),
    GITHUB_STEP_SUMMARY: join(temporaryFolder(), 's'),
  };
  const ids = job.steps!.flatMap(({ id }) => id ?? []);
  const steps = Object.fromEntries(ids.map((id) => [id, { outputs: textsOf({}) }]));
  let isFailed = false;
  const context = {
    ...given,
    steps,
    failure: () => isFailed,
  };
  const all = (texts: Texts = {}) =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, String(evaluate(text, context))]),
    );
  for (const step of job.steps!) {
    if (step.if === undefined ? isFailed : !isTrue(step.if, context)) {
      continue;
    }
    if (step.uses !== undefined) {
      await imitate(step.uses, all(step.with), { workspace, rights, computer, github });
      continue;
    }
    writeFileSync(files.GITHUB_OUTPUT, '');
    const folder = step['working-directory'] ?? job.defaults?.run['working-directory'] ?? '.';
    const ran = await computer.shell(`set -e\n${step.run}`, {
      cwd: join(workspace, String(evaluate(folder, context))),
      env: {
        ...{ GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1', GITHUB_WORKSPACE: workspace, ...files },
        ...{ PATH: `${commandsOf(computer.installed)}:${computer.path}` },
        ...computer.env,
        ...all(job.env),
        ...all(step.env),
      },
    });
    github.log += ran.stdout + ran.stderr;
    if (ran.status !== 0) {
      isFailed = true;
    }
    if (step.id !== undefined) {
      steps[step.id] = { outputs: textsOf(outputsIn(files.GITHUB_OUTPUT)) };
    }
  }
  return { isFailed, outputs: textsOf(all(job.outputs)) };
}

/** What the actions of GitHub do. */
async function imitate(
  uses: string,
  given: Texts,
  where: {
    workspace: string;
    rights: Texts;
    computer: Computer;
    github: { attested: string[]; artifacts: string };
  },
): Promise<void> {
  const { workspace, rights, computer, github } = where;
  const need = (...names: string[]) => {
    for (const name of names) {
      if (rights[name] !== 'write') {
        throw new Error(`${uses} needs ${name}: write, which the job lacks`);
      }
    }
  };
  const take = (path: string, name: string) =>
    cpSync(resolve(workspace, path), join(github.artifacts, name), { recursive: true });
  const action = uses.split('@')[0];
  if (action === 'actions/checkout' && given['repository'] !== undefined) {
    if (given['repository'] !== 'example/release-index') {
      throw new Error('not the repository of the program');
    }
    mkdirSync(dirname(join(workspace, given['path']!)), { recursive: true });
    symlinkSync(checkout, join(workspace, given['path']!));
  } else if (action === 'actions/checkout') {
    await computer.shell(`git clone --quiet ${computer.remote} .`, { cwd: workspace, env: {} });
  } else if (action === 'actions/upload-artifact') {
    take(given['path']!, given['name']!);
  } else if (action === 'actions/upload-pages-artifact') {
    take(given['path']!, 'github-pages');
  } else if (action === 'actions/deploy-pages') {
    need('pages', 'id-token');
    cpSync(join(github.artifacts, 'github-pages'), computer.pages!, {
      recursive: true,
      force: true,
    });
  } else if (action === 'actions/attest-build-provenance') {
    need('id-token', 'attestations');
    github.attested.push(given['subject-digest']!);
  } else if (!/^actions\/(?:setup-node|cache\/(?:save|restore))$/.test(action!)) {
    throw new Error(`${uses} is not imitated`);
  }
}

/** GitHub's own command, which knows no issue; npm, which shares what it installs; and npx, which starts faster. */
function commandsOf(installed: string): string {
  const gh = 'exit';
  const npx = `[ "$1 $2" = "--no --" ] && exec "node_modules/.bin/$3" "\${@:4}"`;
  const npm = `case "$*" in "ci "*"--prefix .cache/program") exit ;; esac\n${sharingNpm(installed)}`;
  return commandsFolder({ gh, npm, npx });
}

async function headOf({ shell }: Computer): Promise<string> {
  return (await shell('git rev-parse HEAD', { cwd: checkout, env: {} })).stdout.trim();
}

function workflowIn(folder: string, path: string): Workflow {
  return load(readFileSync(join(folder, path), 'utf8')) as Workflow;
}

/** What is missing is an empty text. */
function textsOf(texts: Texts): Texts {
  return new Proxy(texts, { get: (known, name) => known[String(name)] ?? '' });
}

function evaluate(text: string, context: object): unknown {
  const whole = /^\$\{\{((?:(?!\}\}).)*)\}\}$/.exec(text)?.[1];
  if (whole !== undefined) {
    return runInNewContext(whole, context);
  }
  return String(text).replaceAll(/\$\{\{(.*?)\}\}/g, (_, part: string) =>
    String(runInNewContext(part, context)),
  );
}

function isTrue(text: string, context: object): boolean {
  return Boolean(evaluate(text, context));
}

function outputsIn(file: string): Texts {
  const text = readFileSync(file, 'utf8');
  const long = Array.from(text.matchAll(/^(\w+)<<(\S+)\n(.*?)\n\2$/gms), ([, name, , value]) => [
    name,
    value,
  ]);
  const short = Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, name, value]) => [name, value]);
  return Object.fromEntries([...long, ...short]) as Texts;
}
