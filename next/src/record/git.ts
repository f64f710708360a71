import { execFileSync } from 'node:child_process';
import { InputError } from '../core/errors.ts';
import type { Event } from '../core/schema/events.ts';

/** A git command failed. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

export type Git = (...args: readonly string[]) => string;

/** Runs git in a folder, without prompts and in English. */
export function openGit(folder: string): Git {
  return (...args) => {
    try {
      return execFileSync('git', ['-C', folder, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 2 ** 30,
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      }).trimEnd();
    } catch (error) {
      const { stderr = '', message } = error as Error & { stderr?: string };
      const lines = (stderr.trim() || message)
        .split('\n')
        .filter((line) => !line.startsWith('hint:'));
      throw new GitError(`git ${args[0]}: ${lines.slice(0, 3).join(' ')}`);
    }
  };
}

/** What is published must be in the history. */
export function rejectUncommitted(git: Git): void {
  const changes = git('status', '--porcelain', '--', 'components', 'site');
  if (changes !== '') {
    const files = changes.split('\n').map((line) => line.slice(3));
    throw new InputError(files.map((subject) => ({ subject, message: 'is not committed' })));
  }
}

/** Commits the changes of `data/`. Returns whether there were any. */
export function commitData(git: Git, message: string): boolean {
  git('add', '--all', '--', 'data');
  if (git('diff', '--cached', '--name-only', '--', 'data') === '') {
    return false;
  }

  git('commit', '--quiet', `--message=${message}`, '--', 'data');
  return true;
}

/** Pushes. Goes on top of what others pushed first, unless that changes what this run has judged. */
export function push(git: Git): void {
  try {
    git('push', '--quiet');
  } catch (error) {
    if (!(error instanceof GitError) || !/rejected|fetch first/.test(error.message)) {
      throw error;
    }

    git('fetch', '--quiet');
    const changed = git(
      'diff',
      '--name-only',
      'HEAD...@{upstream}',
      '--',
      'components',
      'data',
      'site',
    );
    if (changed !== '') {
      const [first] = changed.split('\n');
      throw new GitError(`others have pushed ${first} meanwhile. Run it again`);
    }

    git('rebase', '--quiet', '--autostash', '@{upstream}');
    git('push', '--quiet');
  }
}

const shownLines = 50;

/** `svc 2026.3.1 and 4 more changes`, and each change on a line. */
export function writeCommitMessage(events: ReadonlyMap<string, readonly Event[]>): string {
  const lines: string[] = [];
  for (const [component, own] of events) {
    const [first] = own;
    if (first?.initial) {
      lines.push(`${component}: added with ${own.length} events`);
    } else {
      lines.push(...own.map((event) => `${component} ${nameSubject(event)}: ${event.type}`));
    }
  }

  const [first, ...others] = lines;
  if (first === undefined) {
    return 'data: nothing new';
  }

  const more = others.length > 0 ? ` and ${others.length} more changes` : '';
  const rest = lines.length > shownLines ? [`and ${lines.length - shownLines} more`] : [];
  return [`data: ${first}${more}`, '', ...lines.slice(0, shownLines), ...rest].join('\n');
}

function nameSubject({ version, line, advisory, to = '' }: Event): string {
  return version ?? line ?? advisory ?? to;
}
