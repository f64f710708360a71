import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runHere, servingVerbs } from './run-here.ts';

export const ownProgram = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

export interface Ran {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** Another copy of the program. */
  program?: string;
  /** A command that runs the program, for instance one that takes rights from it. */
  through?: readonly string[];
  /** Called as soon as it runs. */
  onStart?(child: ChildProcess): void;
  /** Called with everything standard error has said so far. */
  onStderr?(text: string, child: ChildProcess): void;
}

/** Variables that Node and libraries read from the process, whatever environment the program was given. */
const ofProcess = ['FORCE_COLOR', 'GITHUB_STEP_SUMMARY', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];

/** Runs the program as a person would, with nothing of the environment of the tests that could change what it does. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, program = ownProgram, through = [] } = options;
  const isObserved = options.onStart ?? options.onStderr ?? options.program ?? options.through;
  if (!isObserved && !servingVerbs.has(args[0] ?? '') && !ofProcess.some((name) => name in env)) {
    const { PATH = '', HOME = '' } = process.env;
    return { ...(await runHere(args, { PATH, HOME, ...env })), signal: null };
  }
  const [command, ...rest] = [...through, process.execPath, program, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command!, rest, {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ENDOFLIFE_DATE_URL: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      options.onStderr?.(stderr, child);
    });
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
    options.onStart?.(child);
  });
}

/** The lines of what was printed, without empty ones. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
