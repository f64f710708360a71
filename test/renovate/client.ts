/** Runs the real Renovate in a local repository. It only looks up versions, and can reach only loopback. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { writeFiles } from '../harness/components.ts';
import { listen } from '../harness/listen.ts';
import { installRenovate, nodeOfRenovate, renovateFolder } from './install.ts';
import type { RunAnswer, RunRequest } from './process.ts';

/** The result for one version in one file. */
interface Lookup {
  file: string;
  /** The component or package that the file names. */
  name: string;
  /** The version that the file has now. */
  pin: string;
  /** The version that each pull request writes into the file. `name@version` also writes another name. */
  proposed: string[];
}

/** An update that Renovate proposes, with its configuration. */
export interface Upgrade {
  depName: string;
  packageFile: string;
  currentValue: string;
  newValue: string;
  branchName: string;
  addLabels?: string[];
}

export interface Run {
  lookups: Lookup[];
  /** Renovate's result for each package of each file. */
  packageFiles: PackageFile[];
  /** The updates of each branch. */
  branches: Upgrade[][];
  /** Warnings and errors in Renovate's log. */
  problems: LogLine[];
  /** Requests to other hosts. The proxy blocked them. */
  attempts: string[];
}

interface PackageFile {
  packageFile: string;
  deps: {
    depName: string;
    currentValue: string;
    isAbandoned?: boolean;
    warnings?: { topic: string; message: string }[];
    updates: { newName?: string; newValue: string; pendingChecks?: boolean; updateType?: string }[];
  }[];
}

interface LogLine {
  level: number;
  msg: string;
  config?: unknown;
}

/** The Renovate process, which all tests of this vitest worker share. It does one run at a time. */
let running: ReturnType<typeof startRenovate> | undefined;
/** Requests that the proxy has blocked. */
const attempts: string[] = [];

/** Runs Renovate in a new repository with these files. `origin` is the address of the site. `server` is Renovate's global configuration. */
export async function runRenovate(
  files: Readonly<Record<string, string | object>>,
  origin: string,
  // Without `allowInternal`, Renovate warns about requests to loopback.
  server: object = { hostRules: [{ matchHost: `${origin}/`, allowInternal: true }] },
): Promise<Run> {
  const { child, ended } = await (running ??= startRenovate());
  const [folder, home] = [writeFiles(files), writeFiles({})];
  // Without a Git repository, Renovate caches the list of files. The next run in its process would then get the old list.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '--all', '--force'], { cwd: folder });
  const env = {
    ...createEnvironment(home),
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'debug',
    // Renovate logs branches in a message of level trace. A whole log at this level takes too long, so the message is moved to debug.
    RENOVATE_CONFIG: JSON.stringify({
      ...server,
      logLevelRemap: [{ matchMessage: 'generateBranchConfig', newLogLevel: 'debug' }],
    }),
    RENOVATE_BASE_DIR: join(home, 'renovate'),
    RENOVATE_PLATFORM: 'local',
    RENOVATE_DRY_RUN: 'lookup',
  };
  attempts.length = 0;
  child.send({ folder, env } satisfies RunRequest);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [RunAnswer];
  const { code, stdout } = answer;
  if (code !== 0) {
    throw new Error(`Renovate ended with ${code}: ${stdout.slice(-2000)}`);
  }

  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogLine);
  const report = lines.find(({ msg }) => msg === 'packageFiles with updates');
  if (!report) {
    throw new Error(`Renovate ended before it looked up versions: ${stdout.slice(-2000)}`);
  }

  const packageFiles = Object.values(report.config as Record<string, PackageFile[]>).flat();
  return {
    lookups: listLookups(packageFiles),
    packageFiles,
    branches: lines.flatMap(({ msg, config }) =>
      msg === 'generateBranchConfig' ? [config as Upgrade[]] : [],
    ),
    problems: lines.filter(({ level }) => level >= 40),
    attempts: [...attempts],
  };
}

async function startRenovate() {
  installRenovate();
  const proxy = createServer((request, response) => {
    attempts.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    attempts.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const origin = await listen(proxy);
  const child = fork(join(import.meta.dirname, 'process.ts'), {
    env: {
      ...createEnvironment(tmpdir()),
      HTTP_PROXY: origin,
      HTTPS_PROXY: origin,
      NO_PROXY: '127.0.0.1',
      RENOVATE: process.env['RENOVATE'] ?? '',
    },
    execArgv: [],
    execPath: nodeOfRenovate,
  });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`Renovate's process ended with ${code}`);
  });
  return { child, ended };
}

/** Checks these files with Renovate's strict configuration validator, and returns its output. Throws if the validator rejects a file. */
export function validateConfigs(configs: Readonly<Record<string, string>>): string {
  installRenovate();
  const cwd = writeFiles(configs);
  const program = join(renovateFolder, 'dist/config-validator.js');
  const args = [program, '--strict', '--no-global', ...Object.keys(configs)];
  return String(execFileSync(nodeOfRenovate, args, { cwd, env: createEnvironment(cwd) }));
}

function createEnvironment(home: string): Record<string, string> {
  return {
    PATH: `${dirname(nodeOfRenovate)}${delimiter}${process.env['PATH']}`,
    HOME: home,
    TMPDIR: home,
    // With this compile cache, only the first process compiles Renovate's hundreds of modules.
    NODE_COMPILE_CACHE: join(tmpdir(), 'renovate-compile-cache'),
    RENOVATE_X_IGNORE_RE2: 'true',
  };
}

function listLookups(files: readonly PackageFile[]): Lookup[] {
  return files.flatMap(({ packageFile: file, deps }) =>
    deps.map(({ depName: name, currentValue: pin, updates }) => {
      // The preset disables updates of the type `pinDigest`. Renovate looks them up, but never makes a branch for them.
      const shown = updates.filter(
        ({ pendingChecks, updateType }) => !pendingChecks && updateType !== 'pinDigest',
      );
      const proposed = shown.map(({ newName, newValue }) =>
        newName === undefined ? newValue : `${newName}@${newValue}`,
      );
      return { file, name, pin, proposed };
    }),
  );
}
