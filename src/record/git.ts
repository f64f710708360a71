import { execFileSync } from 'node:child_process';
import { InputError, inputError } from '../core/errors.ts';
import type { Event } from '../core/schema/events.ts';

/** Returns what a command prints. Throws an `InputError`. */
type Git = (...args: readonly string[]) => string;

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
      const lines = (stderr.trim() || message).split('\n');
      const said = lines.filter((line) => line !== '' && !line.startsWith('hint:'));
      throw inputError(`git ${args[0]}`, said.slice(0, 5).join(' '));
    }
  };
}

/** What is published must be in the history. */
export function rejectUncommitted(git: Git): void {
  const changes = git('status', '--porcelain', '--', 'components', 'site');
  if (changes !== '') {
    const files = changes.split('\n').map((line) => line.trim().replace(/^\S+ +/, ''));
    const message = 'is not committed. Commit it, then run this again';
    throw new InputError(files.map((subject) => ({ subject, message })));
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
    if (!/rejected|fetch first/.test((error as Error).message)) {
      throw error;
    }

    git('fetch', '--quiet');
    const judged = ['components', 'data', 'site'];
    const changed = git('diff', '--name-only', 'HEAD...@{upstream}', '--', ...judged);
    if (changed !== '') {
      const [first] = changed.split('\n');
      throw inputError(
        'git push',
        `others have pushed ${first} meanwhile, so nothing was pushed. ` +
          'Take the commit of this run back (git reset --keep HEAD~1), then run it again',
      );
    }

    git('rebase', '--quiet', '--autostash', '@{upstream}');
    git('push', '--quiet');
  }
}

const shownLines = 50;

/** `data: svc 2026.3.1: released and 4 more changes`, and each change on a line. */
export function writeCommitMessage(events: ReadonlyMap<string, readonly Event[]>): string {
  const lines = listEventLines(events);
  const [first, ...others] = lines;
  if (first === undefined) {
    return 'data: nothing new';
  }

  const more = others.length > 0 ? ` and ${others.length} more changes` : '';
  const rest = lines.length > shownLines ? [`and ${lines.length - shownLines} more`] : [];
  return [`data: ${first}${more}`, '', ...lines.slice(0, shownLines), ...rest].join('\n');
}

/** Each event in a line, those of a new component together. */
export function listEventLines(events: ReadonlyMap<string, readonly Event[]>): string[] {
  return [...events].flatMap(([component, own]) =>
    own[0]?.initial
      ? [`${component}: added with ${own.length} events`]
      : own.map(({ type, version, line, advisory, to = '' }) => {
          return `${component} ${version ?? line ?? advisory ?? to}: ${type}`;
        }),
  );
}
