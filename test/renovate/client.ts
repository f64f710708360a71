import { execFile, execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { renovate } from './install.ts';
import type { RunAnswer, RunRequest } from './process.ts';
import { listenForAttempts, writeFolder } from './site.ts';

/** What Renovate would do about one version in one file. */
export interface Lookup {
  file: string;
  /** What stands in the file: the name of a component, or that of a package. */
  component: string;
  /** The version that stands in the file. */
  pin: string;
  /** The versions it would propose, one pull request each; as `name@version` where it is another component. */
  proposed: string[];
  /** The same as they would stand in the file. */
  values: string[];
  /** Why it did not look. */
  skipReason?: string;
  warnings: string[];
}

/** An update with everything that was configured for it, as Renovate logs it. Only `generateBranchConfig` reads more of it. */
export interface Upgrade {
  depName: string;
  packageFile: string;
  currentValue: string;
  newVersion: string;
  newValue: string;
  newName?: string;
  branchName: string;
  labels?: string[];
  addLabels?: string[];
  prPriority?: number;
  sourceUrl?: string;
  fetchChangeLogs?: string;
  logJSON?: { hasReleaseNotes: boolean; project: { repository: string }; versions: object[] };
}

export interface Run {
  lookups: Lookup[];
  /** One list for each branch. */
  branches: Upgrade[][];
  /** What Renovate warned of or called an error. */
  problems: string[];
  /** What was to leave the machine. */
  attempts: string[];
}

interface RunOptions {
  origin: string;
  datasource?: string;
  /** With which the site is read. */
  token?: string;
}

interface Dependency {
  depName: string;
  datasource?: string;
  currentValue: string;
  skipReason?: string;
  updates: {
    newVersion?: string;
    newName?: string;
    newValue: string;
    pendingChecks?: boolean;
    updateType?: string;
  }[];
  warnings?: { message: string }[];
}

interface LogLine {
  level: number;
  msg: string;
  err?: { message: string };
  config?: unknown;
}

const warn = 40;

interface RenovateProcess {
  child: ChildProcess;
  /** Fails as soon as the process ends. */
  ended: Promise<never>;
  /** What was to leave the machine in its last run. */
  attempts: string[];
}

/** Serves all files of this worker, one run after the other. */
let running: Promise<RenovateProcess> | undefined;

/**
 * Runs the real Renovate over a repository of the given files: locally, looking only, with nothing of this machine's
 * configuration and no way out but to loopback. With `datasource`, only what was looked up there by that name is told.
 */
export async function runRenovate(
  files: Readonly<Record<string, string>>,
  { origin, datasource, token }: RunOptions,
): Promise<Run> {
  const { child, ended, attempts } = await (running ??= startRenovate());
  const folder = writeFolder(files);
  const home = writeFolder({});
  try {
    // Of a folder without git, Renovate would remember the files for its next run.
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    execFileSync('git', ['add', '--all', '--force'], { cwd: folder });
    const env = {
      ...environment(home),
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'debug',
      // Branches are told of at the lowest level, together with every answer of a server, which takes longer than the run.
      RENOVATE_CONFIG: JSON.stringify({
        logLevelRemap: [{ matchMessage: 'generateBranchConfig', newLogLevel: 'debug' }],
      }),
      RENOVATE_BASE_DIR: join(home, 'renovate'),
      RENOVATE_PLATFORM: 'local',
      RENOVATE_DRY_RUN: 'lookup',
      // A site on loopback is an internal host, which Renovate warns of.
      RENOVATE_HOST_RULES: JSON.stringify([
        { matchHost: `${origin}/`, allowInternal: true, ...(token !== undefined && { token }) },
        // Without a token for it, Renovate skips whatever a file takes from GitHub. This one goes nowhere.
        { matchHost: 'github.com', hostType: 'github', token: 'none' },
      ]),
    };
    attempts.length = 0;
    child.send({ folder, env } satisfies RunRequest);
    const [{ code, stdout }] = (await Promise.race([once(child, 'message'), ended])) as [RunAnswer];
    if (code !== 0) throw new Error(`Renovate ended with ${code}: ${stdout.slice(-2000)}`);
    const lines = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine);
    return {
      lookups: lookupsOf(lines, datasource),
      branches: lines.flatMap(({ msg, config }) =>
        msg === 'generateBranchConfig' ? [config as Upgrade[]] : [],
      ),
      problems: lines
        .filter(({ level }) => level >= warn)
        .map(({ msg, err }) => (err ? `${msg}: ${err.message}` : msg)),
      attempts: [...attempts],
    };
  } finally {
    for (const dir of [folder, home]) rmSync(dir, { recursive: true, force: true });
  }
}

async function startRenovate(): Promise<RenovateProcess> {
  const { origin, attempts } = await listenForAttempts();
  const child = fork(join(import.meta.dirname, 'process.ts'), {
    env: { ...environment(tmpdir()), HTTP_PROXY: origin, HTTPS_PROXY: origin, NO_PROXY: '127.0.0.1' },
    execArgv: [],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process of Renovate ended with ${code}`);
  });
  return { child, ended, attempts };
}

/** What Renovate's own validator, at its strictest, says of configurations. Its exit code and all it printed. */
export async function validateConfigs(
  configs: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const folder = writeFolder(configs);
  const program = join(renovate.dir, 'dist/config-validator.js');
  const parameters = [program, '--strict', '--no-global', ...Object.keys(configs)];
  try {
    return await new Promise((done) => {
      const child = execFile(
        process.execPath,
        parameters,
        { cwd: folder, env: environment(folder) },
        (_, stdout, stderr) => done({ code: child.exitCode, output: stdout + stderr }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function environment(home: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
    HOME: home,
    TMPDIR: home,
    // Renovate is hundreds of modules, which only its first process has to compile.
    NODE_COMPILE_CACHE: join(tmpdir(), 'renovate-compile-cache'),
    RENOVATE_X_IGNORE_RE2: 'true',
  };
}

function lookupsOf(lines: readonly LogLine[], datasource: string | undefined): Lookup[] {
  const files = lines.find(({ msg }) => msg === 'packageFiles with updates')?.config as
    Record<string, { packageFile: string; deps: Dependency[] }[]> | undefined;
  if (!files) {
    const last = lines.slice(-30).map(({ msg, err }) => `${msg} ${err?.message ?? ''}`);
    throw new Error(`Renovate did not get as far as looking anything up: ${last.join('; ')}`);
  }
  return Object.values(files)
    .flat()
    .flatMap(({ packageFile, deps }) =>
      deps
        .filter((dependency) => datasource === undefined || dependency.datasource === `custom.${datasource}`)
        .map(({ depName, currentValue, updates, skipReason, warnings = [] }) => {
          // The preset disables updates of type `pinDigest`, which no branch has.
          const proposed = updates.filter(
            ({ pendingChecks, updateType }) => !pendingChecks && updateType !== 'pinDigest',
          );
          const named = (newName: string | undefined, version: string) =>
            newName === undefined ? version : `${newName}@${version}`;
          return {
            ...{ file: packageFile, component: depName, pin: currentValue },
            proposed: proposed.map(({ newVersion, newName, newValue }) =>
              named(newName, newName === undefined ? newVersion! : newValue),
            ),
            values: proposed.map(({ newName, newValue }) => named(newName, newValue)),
            ...(skipReason !== undefined && { skipReason }),
            warnings: warnings.map(({ message }) => message),
          };
        }),
    );
}
