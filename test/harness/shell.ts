/** The shell of a person without any configuration, and programs of their machine that are imitated: nothing reaches a registry. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { saveFile } from '../../src/core/files.ts';
import { program } from './example.ts';
import { createFolder } from './index-folder.ts';
import { packageFile } from './site.ts';

interface Ended {
  status: number | null;
  said: string;
}

/** No registry is reached, whatever the machine could reach. */
export const offline = { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' };

export type Shell = ReturnType<typeof openShell>;

/** What npm installs of the packed program, once for all tests of a worker. */
let installed: string | undefined;

function installProgram(): string {
  if (installed === undefined) {
    installed = createFolder();
    const target = join(installed, 'node_modules/release-index');
    mkdirSync(target, { recursive: true });
    execFileSync('node', ['.ci/pack.ts', installed], { cwd: program });
    const file = join(installed, packageFile);
    execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1']);
    for (const name of readdirSync(join(program, 'node_modules'))) {
      const path = join('node_modules', name);
      symlinkSync(join(program, path), join(installed, path), 'dir');
    }
  }
  return installed;
}

/** What "npm ci" and "npm install" bring lies in node_modules already. */
export function openShell() {
  const [home, bin, folder] = [createFolder(), createFolder(), installProgram()];

  /** A program of this name, as a script. */
  function imitate(name: string, script: string): void {
    saveFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }

  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  imitate('npm', `case $1 in ci|install) test -f package.json;; *) exec ${npm} "$@";; esac`);
  imitate(
    'npx',
    `[ "$1" = --no ] && shift; [ "$1" = -- ] && shift
case "$1 $2" in
  "--yes ./${packageFile}") cmp "$2" ${folder}/${packageFile} || exit 9; shift 2;;
  release-index\\ *) shift;;
  wrangler\\ *) shift; exec node ${program}/node_modules/wrangler/bin/wrangler.js "$@";;
  *) exit 9;;
esac
exec node ${folder}/node_modules/release-index/src/cli.js "$@"`,
  );

  const defaults = {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
    NO_COLOR: '1',
    ...offline,
  };

  /** As `bash` runs a line, or GitLab the lines of a job; `until` it says so, where nothing else ends it. */
  function run(
    script: string,
    cwd: string,
    env: Readonly<Record<string, string>> = {},
    until?: RegExp,
  ): Promise<Ended> {
    const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
      cwd,
      env: { ...defaults, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let said = '';
    let isStopped = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (!isStopped && until?.test(said)) {
          isStopped = true;
          process.kill(-child.pid!, 'SIGINT');
        }
      });
    }
    return new Promise((done) => {
      child.on('close', (status) => done({ status, said }));
    });
  }

  return { home, imitate, run };
}

const author = ['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com'];

export function git(cwd: string, ...args: string[]): string {
  const options = { encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('git', ['-C', cwd, ...author, ...args], options).trim();
}
