import { execFileSync } from 'node:child_process';
import type { Env } from '../../core/env.ts';

/** A git command failed, or its result cannot be used; the message is one line. */
export class GitError extends Error {
  override readonly name = 'GitError';
  /** All that git said. */
  readonly output: string;

  constructor(message: string, failure?: Failure) {
    super(message, { cause: failure });
    this.output = `${failure?.stderr ?? ''}\n${failure?.stdout ?? ''}`;
  }
}

export interface Git {
  /** Runs a command and returns what it prints. Throws a GitError. */
  (args: readonly string[], input?: string): string;
}

/** Runs git in a folder, without questions and in English. */
export function openGit(dir: string, env: Env): Git {
  return (args, input = '') => {
    try {
      return execFileSync('git', ['-C', dir, ...args], {
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'pipe'],
        maxBuffer: 1024 * 1024 * 1024,
        env: { ...env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      });
    } catch (error) {
      throw new GitError(`git ${args[0]}: ${describeFailure(error as Failure)}`, error as Failure);
    }
  };
}

/** The entries of a list that was asked for with `-z`. */
export function entriesOf(output: string): string[] {
  return output.split('\0').slice(0, -1);
}

interface Failure extends NodeJS.ErrnoException {
  stderr?: string;
  stdout?: string;
}

function describeFailure({ code, stderr = '', stdout = '', message }: Failure): string {
  if (code === 'ENOENT') return 'git is not installed';
  if (stderr.includes('tell me who you are'))
    return 'no author is configured. Set one: git config user.name and git config user.email';
  // Some refusals come on standard output.
  const said = `${stderr.trim() || stdout}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(hint:|To )/.test(line));
  return (said.slice(0, 3).join(' ') || message.split('\n')[0]!).replace(/\.$/, '');
}
