/** The real Renovate, in a local repository. It only looks up versions, and reaches only loopback. */
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
  /** The name in the file: a component or a package. */
  name: string;
  /** The version in the file. */
  pin: string;
  /** The proposed versions as written to the file, one for each pull request; `name@version` of another component. */
  proposed: string[];
}

/** An update with its whole configuration. */
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
  /** What Renovate found out about each package, by file. */
  packageFiles: PackageFile[];
  /** One list for each branch. */
  branches: Upgrade[][];
  /** Warnings and errors of Renovate. */
  problems: LogLine[];
  /** Requests to other hosts, which were blocked. */
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

/** One process serves all tests of this worker, one run at a time. */
let running: ReturnType<typeof startRenovate> | undefined;
/** Requests that the proxy has not let through. */
const attempts: string[] = [];

/** `origin`: the address of the site. `server`: the configuration of a server, which permits it. */
export async function runRenovate(
  files: Readonly<Record<string, string | object>>,
  origin: string,
  // Renovate warns about internal hosts such as loopback.
  server: object = { hostRules: [{ matchHost: `${origin}/`, allowInternal: true }] },
): Promise<Run> {
  const { child, ended } = await (running ??= startRenovate());
  const [folder, home] = [writeFiles(files), writeFiles({})];
  // Without git, Renovate would remember the files for its next run.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '--all', '--force'], { cwd: folder });
  const env = {
    ...createEnvironment(home),
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'debug',
    // Renovate logs branches at its lowest level, where the log of all answers takes longer than the run.
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
    throw new Error(`Renovate did not get as far as looking anything up: ${stdout.slice(-2000)}`);
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
    throw new Error(`The process of Renovate ended with ${code}`);
  });
  return { child, ended };
}

/** What Renovate's own strict validator says of these files; throws where it refuses them. */
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
    // Only the first process compiles the hundreds of modules of Renovate.
    NODE_COMPILE_CACHE: join(tmpdir(), 'renovate-compile-cache'),
    RENOVATE_X_IGNORE_RE2: 'true',
  };
}

function listLookups(files: readonly PackageFile[]): Lookup[] {
  return files.flatMap(({ packageFile: file, deps }) =>
    deps.map(({ depName: name, currentValue: pin, updates }) => {
      // The preset disables updates of the type `pinDigest`, which no branch has.
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
