import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { inputError } from './errors.ts';

interface Start {
  /** Names it where it fails. */
  readonly subject: string;
  readonly signal: AbortSignal;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Returns what another program prints. Throws an `InputError` with what it said where it fails, and an `AbortError` once the signal
 * ends it, together with what it started (at a terminal, it alone).
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { subject, signal, ...options }: Start,
): Promise<string> {
  signal.throwIfAborted();
  // At a terminal, it stays in the group of the program: there, ssh asks for a passphrase, and Ctrl-C reaches all of them.
  const detached = !process.stdin.isTTY;
  const child = spawn(command, args, { ...options, detached, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => {
    try {
      process.kill(detached ? -child.pid! : child.pid!);
    } catch {
      // It did not start, or has ended: only its pipes are still open.
    }
  };
  signal.addEventListener('abort', stop);
  try {
    const [[status, killedBy], output, errors] = await Promise.all([
      once(child, 'close', { signal }) as Promise<[number, null] | [null, NodeJS.Signals]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    if (status !== 0) {
      throw inputError(subject, shorten(errors) || `ended with ${status ?? killedBy}`);
    }
    return output.trimEnd();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Its first lines, without the advice of git. */
function shorten(errors: string): string {
  const lines = errors.trim().split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('hint:'))
    .slice(0, 5)
    .join(' ');
}
