import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Env } from '../env.ts';

/** A git command failed; the message is what git said, on one line. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

export type Repository = ReturnType<typeof openRepository>;

/**
 * The git repository that records `data/`; paths are relative to the root, with slashes. Throws a GitError where the
 * folder is not in a repository.
 */
export function openRepository(dir: string, env: Env) {
  const git = (args: readonly string[], input = ''): string => {
    try {
      return execFileSync('git', ['-C', dir, ...args], {
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'pipe'],
        maxBuffer: 1024 * 1024 * 1024,
        env: { ...env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      });
    } catch (error) {
      throw new GitError(`git ${args[0]}: ${describeFailure(error as Failure)}`, { cause: error });
    }
  };
  const list = (args: readonly string[]) => git(args).split('\0').slice(0, -1);
  const rebase = () => {
    try {
      git(['pull', '--rebase', '--autostash', '--quiet']);
    } catch (error) {
      // Without this, the next run would find the checkout in the middle of a rebase.
      const folder = git(['rev-parse', '--git-path', 'rebase-merge']).trim();
      if (existsSync(resolve(dir, folder))) git(['rebase', '--abort']);
      throw error;
    }
  };
  git(['rev-parse', '--verify', 'HEAD']);
  return {
    /** Files under `data/` that differ from the last commit, new ones among them. */
    changedFiles(): string[] {
      const known = list(['diff', '--name-only', '--relative', '-z', 'HEAD', '--', 'data']);
      const unknown = list(['ls-files', '--others', '--exclude-standard', '-z', '--', 'data']);
      return [...new Set([...known, ...unknown])].sort();
    },
    /** The text as of the last commit; undefined where the file is new. */
    readCommitted(path: string): string | undefined {
      const [entry] = list(['ls-tree', '-z', 'HEAD', '--', path]);
      return entry === undefined ? undefined : git(['show', `HEAD:./${path}`]);
    },
    /** Commits everything under `data/`, and nothing else, whatever else is staged. Returns the commit. */
    commitData(message: string): string {
      git(['add', '--all', '--', 'data']);
      git(['commit', '--quiet', '--only', '--file=-', '--', 'data'], message);
      return git(['rev-parse', 'HEAD']).trim();
    },
    /** Whether there are unpushed commits; true where the branch has no upstream. */
    isAhead(): boolean {
      try {
        return git(['rev-list', '--count', '@{upstream}..HEAD']).trim() !== '0';
      } catch {
        return true;
      }
    },
    /** Pushes, after a rebase where others have pushed meanwhile. Returns the last commit. */
    push(): string {
      try {
        git(['push', '--quiet']);
      } catch (error) {
        if (!wasOvertaken(error as GitError)) throw error;
        rebase();
        git(['push', '--quiet']);
      }
      return git(['rev-parse', 'HEAD']).trim();
    },
  };
}

interface Failure extends NodeJS.ErrnoException {
  stderr?: string;
}

/** Someone else pushed first, in contrast to a branch that refuses every push. */
function wasOvertaken({ cause }: GitError): boolean {
  return /\[rejected\]|cannot lock ref/.test((cause as Failure).stderr ?? '');
}

function describeFailure({ code, stderr = '', message }: Failure): string {
  if (code === 'ENOENT') return 'git is not installed';
  if (stderr.includes('tell me who you are'))
    return 'no author is configured. Set one: git config user.name and git config user.email';
  const said = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(hint:|To )/.test(line));
  return (said.slice(0, 3).join(' ') || message.split('\n')[0]!).replace(/\.$/, '');
}
