import { spawn, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../src/cli/main.ts';
import { readContractTable, readNames } from './contract.ts';
import { program } from './example.ts';

/** The verbs of all commands, as CONTRACT lists them. */
export const verbs = [
  ...new Set(
    readContractTable('verb | reads |').flatMap(([cell]) =>
      // The text in brackets contains only options.
      readNames(cell!.replaceAll(/\(.*\)/g, '')).map((line) => line.split(' ')[0]!),
    ),
  ),
];

export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process. Its environment has `PATH`, `HOME`, `CI` and `NO_COLOR`, and the variables of `env`. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return startCli(args, env).ended;
}

/** Starts a command in this process, for commands that run until they get a signal. `stop` sends the signal. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const stdout = collect();
  const stderr = collect();
  const stops: (() => void)[] = [];
  const { PATH = '', HOME = '' } = process.env;
  const run = async (): Promise<Ended> => {
    const status = await main({
      argv: ['node', 'release-index', ...args],
      env: { PATH, HOME, NO_COLOR: '1', CI: 'true', ...env },
      stdout: stdout.stream,
      stderr: stderr.stream,
      // The cast is safe because `main` only adds listeners for signals here.
      on: ((_: string, stop: () => void) => stops.push(stop)) as never,
      exit: (code): never => {
        throw new Error(`exit ${code}`);
      },
    });
    return { status, stdout: stdout.text(), stderr: stderr.text() };
  };
  return { ended: run(), stdout: stdout.text, stderr: stderr.text, stop: () => stops[0]?.() };
}

/** Starts the CLI in a separate process. `stderr` resolves to everything that the process wrote to standard error. */
export function spawnCli(args: readonly string[], options: SpawnOptionsWithoutStdio = {}) {
  const words = [join(program, 'src/cli.js'), ...args];
  const child = spawn(process.execPath, words, { cwd: program, ...options });
  child.stdout.resume();
  return { child, ended: once(child, 'close'), stderr: text(child.stderr) };
}

/** Creates a stream that collects everything that is written to it. `text` returns the collected text. */
export function collect() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return {
    // The cast is safe. The CLI expects a stream such as `process.stdout`, but only writes to it.
    stream: stream as never,
    text: () => chunks.join(''),
  };
}
