/**
 * Runs printed commands in a checkout, in a new index with its site, or in a reader's folder. The shell has no personal configuration. npm,
 * docker and other programs that would reach other machines are imitated.
 */
import { execFileSync, execSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { main as runMain } from '../../src/cli/main.ts';
import { saveFile } from '../../src/core/files.ts';
import { collect } from '../harness/cli.ts';
import { program } from '../harness/example.ts';
import { createFolder, openIndex } from '../harness/index-folder.ts';
import { lacks, type Program } from '../harness/programs.ts';
import { serveSite } from '../harness/serve-site.ts';
import { packageFile } from '../harness/site.ts';
import { serveAnswers } from '../harness/upstream.ts';
import { isVerb, site } from './list.ts';

export interface How {
  /** Prepares what a person must have done before the command. */
  before?(): unknown;
  /** Text to append to the command. */
  add?: string;
  cwd?: string;
  status?: number;
  after?(): unknown;
}
interface Ended {
  status: number | null;
  said: string;
}

export type Row = [printed: string, says: RegExp, how?: How];

const folder = createFolder();
export const enter = (name: string) => join(folder, name);
export const checkout = enter('checkout');
export const index = enter('my-index');
export const reader = enter('reader');
export const bare = enter('remote');
export const published = enter('published');
export const example = openIndex(index);

/**
 * Returns a list of the 20 releases 2025.1.0 to 2025.1.19. Upstream has deprecated patch number `advised` and all later patches: with 18,
 * 2025.1.18 and 2025.1.19.
 */
export const listed = (advised: number) => ({
  releases: Array.from({ length: 20 }, (_, patch) => ({
    version: `2025.1.${patch}`,
    isDeprecated: patch >= advised,
  })),
});
const times = { '7.8.5': '2026-06-01T00:00:00Z', '7.8.6': '2026-07-01T00:00:00Z' };
const describePackage = (name: string) => ({
  name,
  homepage: `https://example.com/${name}`,
  repository: `example/${name}`,
  'dist-tags': { latest: '7.8.6' },
  versions: { '7.8.5': {}, '7.8.6': {} },
  time: { created: '2026-06-01T00:00:00Z', ...times },
});
/** The answers of an npm registry, and of a JSON list. */
export const answers: Record<string, unknown> = {
  ...Object.fromEntries(
    ['semver', 'zod', 'undici', 'vitest'].map((name) => [`/npm/${name}`, describePackage(name)]),
  ),
  '/list.json': listed(20),
};
export const registry = await serveAnswers(answers);

/** Texts in printed commands, and what the tests put in their place: `8080` → `0`. */
export const values: Record<string, string> = {
  [site]: (await serveSite(published)).origin,
  '/srv/releases': published,
  '/srv/index': index,
  '/svc.json | jq': '/semver.json | jq',
  'latest/svc.txt': 'latest/semver.txt',
  '8080': '0',
  '<version>': manifest.version,
};

const bin = enter('bin');
/** The folder into which the packed program is installed. */
export const installed = enter('installed');
/** The environment of commands. Its proxy has an invalid host name. So requests to other machines fail at once, without a DNS lookup. */
export const env: Record<string, string> = {
  PATH: `${bin}:${process.env['PATH']}`,
  HOME: enter('home'),
  NO_COLOR: '1',
  HTTPS_PROXY: 'http://no..invalid',
  NO_PROXY: '127.0.0.1',
  npm_config_registry: `${registry}/npm/`,
};
saveFile(
  join(env['HOME']!, '.gitconfig'),
  `[user]\nname = Jane\nemail = jane@example.com\n[init]\ndefaultBranch = main
[url "${bare}"]\ninsteadOf = https://ci:secret@git.example.com/team/index.git\n`,
);

/** Creates a script that commands run instead of an installed program. */
function imitate(name: string, script: string): void {
  saveFile(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

const [npm, npx] = ['npm', 'npx'].map((name) =>
  execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
);
// node_modules is there already, so npm installs nothing. Real installations are in
// `registry.long.test.ts` and `newcomer.long.test.ts`.
imitate('npm', `case $1 in ci|install|rebuild) test -f package.json;; *) exec ${npm} "$@";; esac`);
imitate(
  'npx',
  `[ -f src/cli.js ] && exec ${npx} "$@"
[ "$1" = --no ] && shift; [ "$1" = -- ] && shift
case "$1 $2" in
  # npm looks for a relative path in the nearest folder of a package.
  "--yes ./${packageFile}") cmp "$(npm prefix)/$2" ${installed}/${packageFile} || exit 9; shift 2;;
  "--yes file:$PWD/${packageFile}") cmp "\${2#file:}" ${installed}/${packageFile} || exit 9; shift 2;;
  release-index\\ *) shift;;
  wrangler\\ *) shift; exec node ${program}/node_modules/wrangler/bin/wrangler.js "$@";;
  *) exit 9;;
esac
exec node ${installed}/node_modules/release-index/src/cli.js "$@"`,
);
imitate('mail', `echo "$@" >>${folder}/mails`);
// The imitated agent starts the MCP server, and sends it the first request.
const greeting = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'claude', version: '1' },
  },
});
imitate(
  'claude',
  `case "$*" in *" -- "*) shift 4; echo '${greeting}' | "$@";; *) echo "$6";; esac`,
);
imitate('gh', '[ "$*" = "run download 7 --name site --dir dist" ]');
imitate('docker', 'echo docker.io/example/svc:2025.1.3');

let main: typeof runMain | undefined;

/**
 * Packs and installs the program, copies the checkout, and loads the program's function `main`. Only the first call does this. Importing
 * this module does not, because tests that only list the commands do not need the program.
 */
async function prepare(): Promise<void> {
  if (main) {
    return;
  }
  const target = join(installed, 'node_modules/release-index');
  mkdirSync(target, { recursive: true });
  execSync(`npm run pack -- ${installed}`, { cwd: program, stdio: 'pipe' });
  execFileSync('tar', ['-xzf', join(installed, packageFile), '-C', target, '--strip-components=1']);
  for (const name of readdirSync(join(program, 'node_modules'))) {
    symlinkSync(join(program, 'node_modules', name), join(installed, 'node_modules', name));
  }
  mkdirSync(checkout);
  const copy = `git ls-files -z | tar --null -T - -c | (umask 077 && tar --no-same-permissions -x -C ${checkout})`;
  execFileSync('sh', ['-c', copy], { cwd: program });
  symlinkSync(join(program, 'node_modules'), join(checkout, 'node_modules'));
  ({ main } = (await import(join(target, 'src/cli/main.js'))) as { main: typeof runMain });
}

/**
 * Runs a command line. A line that is only a command of the installed program runs in this process, because starting Node takes most of a
 * command's time. All other lines run in `bash`. These commands of the program also run in `bash`:
 * - `mcp`, because it reads standard input
 * - commands that end only after a signal (`until`)
 * - commands in the checkout
 */
async function run(line: string, cwd: string, until?: RegExp): Promise<Ended> {
  const [, args] = /^npx release-index ((?!mcp)[^|&;<>$`\n]+)$/.exec(line) ?? [];
  return args === undefined || until || cwd === checkout
    ? runShell(line, cwd, until)
    : runVerb(args, cwd);
}

async function runVerb(args: string, cwd: string): Promise<Ended> {
  const words = Array.from(
    args.matchAll(/"([^"]*)"|'([^']*)'|\S+/g),
    ([word, ...quoted]) => quoted.find((text) => text !== undefined) ?? word,
  );
  const former = { cwd: process.cwd(), env: process.env, dispatcher: getGlobalDispatcher() };
  const output = collect();
  try {
    process.chdir(cwd);
    process.env = { ...env };
    const status = await main!({
      argv: ['node', 'release-index', ...words],
      env: process.env,
      stdout: output.stream,
      stderr: output.stream,
      on: () => process,
      exit: process.exit,
    });
    return { status, said: output.text() };
  } finally {
    process.env = former.env;
    process.chdir(former.cwd);
    setGlobalDispatcher(former.dispatcher);
  }
}

/** Runs a line in `bash`, or the lines of a GitLab job. A server never ends, so it is interrupted when the output matches `until`. */
function runShell(line: string, cwd: string, until?: RegExp): Promise<Ended> {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', line], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (until?.test(said)) {
        process.kill(-child.pid!, 'SIGINT');
        until = undefined;
      }
    });
  }
  return new Promise((done) => {
    child.on('close', (status) => done({ status, said }));
  });
}

/** Runs a command as a person would type it, checks its exit status, and returns its output. */
export async function type(line: string, cwd = index, expected = 0): Promise<string> {
  const { status, said } = await run(line, cwd);
  expect(status, `${line}\n${said}`).toBe(expected);
  return said;
}

/** Runs each command, and checks its output and its exit status. */
export async function play(place: string, rows: readonly Row[]): Promise<void> {
  await prepare();

  for (const [printed, says, { before, add = '', cwd = place, status = 0, after } = {}] of rows) {
    const [needed] = /\b(?:jq|minisign|sqlite3)\b/.exec(printed) ?? [];
    if (needed && lacks(needed as Program)) {
      continue;
    }
    await before?.();
    let line = (isVerb.test(printed) ? 'npx release-index ' : '') + printed + add;
    for (const [name, value] of Object.entries(values)) {
      line = line.replaceAll(name, value);
    }
    const isServer = line.includes(' preview');
    const ended = await run(line, cwd, isServer ? says : undefined);
    expect.soft(ended.said, line).toMatch(says);
    expect.soft(isServer ? 0 : ended.status, `${line}\n${ended.said}`).toBe(status);
    await after?.();
  }
}
