import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { inputError } from './errors.ts';

interface Start {
  /** The name of the program, for messages. */
  readonly subject: string;
  readonly signal: AbortSignal;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs another program and returns its output. Throws an `InputError` with the program's message if it fails. If the signal is aborted,
 * ends the program and throws an `AbortError`.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { subject, signal, ...options }: Start,
): Promise<string> {
  signal.throwIfAborted();
  // At a terminal, the program stays in our process group. So ssh can ask for a passphrase, and Ctrl-C reaches all processes.
  const detached = !process.stdin.isTTY;
  const child = spawn(command, args, { ...options, detached, stdio: ['ignore', 'pipe', 'pipe'] });
  // Ends the program. If it is detached, its child processes end, too.
  const stop = () => {
    try {
      process.kill(detached ? -child.pid! : child.pid!);
    } catch {
      // The program did not start, or it has ended and only its pipes are still open.
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
      const end = killedBy ? `was ended by ${killedBy}` : `failed with exit status ${status}`;
      throw inputError(subject, shorten(errors) || end);
    }
    return output.trimEnd();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Returns the first and the last lines of a message, without git's hints. The last line of a git message often says what to do. */
function shorten(errors: string): string {
  const lines = errors
    .trim()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('hint:'));
  return (lines.length <= 8 ? lines : [...lines.slice(0, 5), '…', ...lines.slice(-2)]).join(' ');
}
