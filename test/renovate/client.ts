import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renovate } from './install.ts';
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
  branchName: string;
  labels?: string[];
  addLabels?: string[];
  prPriority?: number;
}

export interface Run {
  lookups: Lookup[];
  /** One list for each branch. Only with `trace`. */
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
  trace?: boolean;
}

interface Dependency {
  depName: string;
  datasource?: string;
  currentValue: string;
  skipReason?: string;
  updates: { newVersion?: string; newName?: string; newValue: string; pendingChecks?: boolean }[];
  warnings?: { message: string }[];
}

interface LogLine {
  level: number;
  msg: string;
  err?: { message: string };
  config?: unknown;
}

const warn = 40;

/**
 * Runs the real Renovate over a repository of the given files: locally, looking only, with nothing of this machine's
 * configuration and no way out but to loopback. With `datasource`, only what was looked up there by that name is told.
 */
export async function runRenovate(
  files: Readonly<Record<string, string>>,
  { origin, datasource, token, trace = false }: RunOptions,
): Promise<Run> {
  const repository = writeFolder(files);
  const outside = await listenForAttempts();
  try {
    const settings = {
      LOG_FORMAT: 'json',
      LOG_LEVEL: trace ? 'trace' : 'debug',
      RENOVATE_PLATFORM: 'local',
      RENOVATE_DRY_RUN: 'lookup',
      // A site on loopback is an internal host, which Renovate warns of.
      RENOVATE_HOST_RULES: JSON.stringify([
        { matchHost: `${origin}/`, allowInternal: true, ...(token !== undefined && { token }) },
        // Without a token for it, Renovate skips whatever a file takes from GitHub. This one goes nowhere.
        { matchHost: 'github.com', hostType: 'github', token: 'none' },
      ]),
    };
    const { code, stdout, stderr } = await run('renovate.js', [], repository, settings, outside.origin);
    if (code !== 0) throw new Error(`Renovate ended with ${code}: ${stderr || stdout.slice(-2000)}`);
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
      attempts: outside.attempts,
    };
  } finally {
    await outside.close();
    rmSync(repository, { recursive: true, force: true });
  }
}

/** What Renovate's own validator, at its strictest, says of configurations. Its exit code and all it printed. */
export async function validateConfigs(
  configs: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const folder = writeFolder(configs);
  try {
    const parameters = ['--strict', '--no-global', ...Object.keys(configs)];
    const { code, stdout, stderr } = await run('config-validator.js', parameters, folder, {});
    return { code, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A module of the installed Renovate by its path in `dist`. */
export async function importRenovate<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(renovate.dir, 'dist', path)).href)) as T;
}

async function run(
  program: string,
  parameters: readonly string[],
  cwd: string,
  settings: Record<string, string>,
  proxy?: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const home = writeFolder({});
  mkdirSync(join(home, 'tmp'));
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    // Renovate is hundreds of modules, which only its first run has to compile.
    NODE_COMPILE_CACHE: join(tmpdir(), 'renovate-compile-cache'),
    // A repository around the temporary folder is not the one to read.
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    RENOVATE_BASE_DIR: join(home, 'renovate'),
    RENOVATE_X_IGNORE_RE2: 'true',
    ...(proxy !== undefined && { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '127.0.0.1' }),
    ...settings,
  };
  try {
    const child = spawn(process.execPath, [join(renovate.dir, 'dist', program), ...parameters], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
    return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function lookupsOf(lines: readonly LogLine[], datasource: string | undefined): Lookup[] {
  const files = lines.find(({ msg }) => msg === 'packageFiles with updates')?.config as
    Record<string, { packageFile: string; deps: Dependency[] }[]> | undefined;
  if (!files) throw new Error('Renovate did not get as far as looking anything up');
  return Object.values(files)
    .flat()
    .flatMap(({ packageFile, deps }) =>
      deps
        .filter((dependency) => datasource === undefined || dependency.datasource === `custom.${datasource}`)
        .map(({ depName, currentValue, updates, skipReason, warnings = [] }) => ({
          file: packageFile,
          component: depName,
          pin: currentValue,
          proposed: updates
            .filter(({ pendingChecks }) => !pendingChecks)
            .map(({ newVersion, newName, newValue }) =>
              newName === undefined ? newVersion! : `${newName}@${newValue}`,
            ),
          ...(skipReason !== undefined && { skipReason }),
          warnings: warnings.map(({ message }) => message),
        })),
    );
}
