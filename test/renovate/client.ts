import { execFile, execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { renovate } from './install.ts';
import type { RunAnswer, RunRequest } from './process.ts';
import { makeRoot } from '../harness/root.ts';
import { listenForAttempts } from './site.ts';

/** The result of Renovate for one version in one file. */
export interface Lookup {
  file: string;
  /** The name in the file: a component or a package. */
  component: string;
  /** The version in the file. */
  pin: string;
  /** The proposed versions, one for each pull request; `name@version` for another component. */
  proposed: string[];
  /** The proposed versions as written to the file. */
  values: string[];
  /** The reason for no lookup. */
  skipReason?: string;
  warnings: string[];
}

/** An update with its configuration, as Renovate logs it. */
export interface Upgrade {
  depName: string;
  packageFile: string;
  depIndex: number;
  currentValue: string;
  currentVersion: string;
  newVersion: string;
  newValue: string;
  newName?: string;
  branchName: string;
  labels?: string[];
  addLabels?: string[];
}

export interface Run {
  lookups: Lookup[];
  /** The packages with everything that Renovate found out about them, by file. */
  packageFiles: PackageFile[];
  /** One list for each branch. */
  branches: Upgrade[][];
  /** Warnings and errors of Renovate. */
  problems: string[];
  /** Requests to other hosts, which were blocked. */
  attempts: string[];
}

interface RunOptions {
  origin: string;
  datasource?: string;
  /** The token for the site. */
  token?: string;
  /** Further hosts on loopback, such as a registry without TLS. */
  hostRules?: readonly object[];
  /** Further options of the server. */
  serverConfig?: object;
}

interface PackageFile {
  packageFile: string;
  deps: Dependency[];
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
  /** Blocked requests of the last run. */
  attempts: string[];
}

/** One process serves all test files of this worker, one run at a time. */
let running: Promise<RenovateProcess> | undefined;

/**
 * Runs the real Renovate in a local repository with these files. It only looks up versions, ignores the configuration of this
 * machine and reaches only loopback. `datasource`: returns only the lookups in this datasource.
 */
export async function runRenovate(
  files: Readonly<Record<string, string>>,
  { origin, datasource, token, hostRules = [], serverConfig }: RunOptions,
): Promise<Run> {
  const { child, ended, attempts } = await (running ??= startRenovate());
  const [folder, home] = [makeRoot(files), makeRoot({})];
  // Without git, Renovate would remember the files for its next run.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '--all', '--force'], { cwd: folder });
  const env = {
    ...environment(home),
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'debug',
    // Renovate logs branches at its lowest level, where the log of all answers takes longer than the run.
    RENOVATE_CONFIG: JSON.stringify({
      ...serverConfig,
      logLevelRemap: [{ matchMessage: 'generateBranchConfig', newLogLevel: 'debug' }],
    }),
    RENOVATE_BASE_DIR: join(home, 'renovate'),
    RENOVATE_PLATFORM: 'local',
    RENOVATE_DRY_RUN: 'lookup',
    // Renovate warns about internal hosts such as loopback.
    RENOVATE_HOST_RULES: JSON.stringify([
      { matchHost: `${origin}/`, allowInternal: true, ...(token !== undefined && { token }) },
      ...hostRules,
      // Without a token, Renovate skips all packages from GitHub. This token is not sent.
      { matchHost: 'github.com', hostType: 'github', token: 'none' },
    ]),
  };
  attempts.length = 0;
  child.send({ folder, env } satisfies RunRequest);
  const [{ code, stdout }] = (await Promise.race([once(child, 'message'), ended])) as [RunAnswer];
  if (code !== 0) {
    throw new Error(`Renovate ended with ${code}: ${stdout.slice(-2000)}`);
  }
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine);
  const packageFiles = packageFilesOf(lines);
  return {
    lookups: lookupsOf(packageFiles, datasource),
    packageFiles,
    branches: lines.flatMap(({ msg, config }) =>
      msg === 'generateBranchConfig' ? [config as Upgrade[]] : [],
    ),
    problems: lines
      .filter(({ level }) => level >= warn)
      .map(({ msg, err }) => (err ? `${msg}: ${err.message}` : msg)),
    attempts: [...attempts],
  };
}

async function startRenovate(): Promise<RenovateProcess> {
  const { origin, attempts } = await listenForAttempts();
  const child = fork(join(import.meta.dirname, 'process.ts'), {
    env: {
      ...environment(tmpdir()),
      HTTP_PROXY: origin,
      HTTPS_PROXY: origin,
      NO_PROXY: '127.0.0.1',
      // Which Renovate it loads.
      RENOVATE: process.env['RENOVATE'] ?? '',
    },
    execArgv: [],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process of Renovate ended with ${code}`);
  });
  return { child, ended, attempts };
}

/** The exit code and output of Renovate's own strict validator. `isServer`: of the configuration of a server. */
export function validateConfigs(
  configs: Readonly<Record<string, string>>,
  isServer = false,
): Promise<{ code: number | null; output: string }> {
  const folder = makeRoot(configs);
  const program = join(renovate.dir, 'dist/config-validator.js');
  const kind = isServer ? [] : ['--no-global'];
  const parameters = [program, '--strict', ...kind, ...Object.keys(configs)];
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      parameters,
      { cwd: folder, env: environment(folder) },
      (_, stdout, stderr) => done({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

function environment(home: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
    HOME: home,
    TMPDIR: home,
    // Only the first process compiles the hundreds of modules of Renovate.
    NODE_COMPILE_CACHE: join(tmpdir(), 'renovate-compile-cache'),
    RENOVATE_X_IGNORE_RE2: 'true',
  };
}

function packageFilesOf(lines: readonly LogLine[]): PackageFile[] {
  const files = lines.find(({ msg }) => msg === 'packageFiles with updates')?.config as
    Record<string, PackageFile[]> | undefined;
  if (!files) {
    const last = lines.slice(-30).map(({ msg, err }) => `${msg} ${err?.message ?? ''}`);
    throw new Error(`Renovate did not get as far as looking anything up: ${last.join('; ')}`);
  }
  return Object.values(files).flat();
}

function lookupsOf(files: readonly PackageFile[], datasource: string | undefined): Lookup[] {
  return files.flatMap(({ packageFile, deps }) =>
    deps
      .filter(
        (dependency) =>
          datasource === undefined || dependency.datasource === `custom.${datasource}`,
      )
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
