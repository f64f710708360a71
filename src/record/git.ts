import { execFileSync } from 'node:child_process';
import { InputError, inputError, type Problem } from '../core/errors.ts';
import type { Event } from '../core/schema/events.ts';
import { formatCount } from '../core/text.ts';

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

/** Commits the changes of `data/`, if there are any. */
export function commitData(git: Git, message: string): void {
  git('add', '--all', '--', 'data');
  if (git('diff', '--cached', '--name-only', '--', 'data') !== '') {
    git('commit', '--quiet', `--message=${message}`, '--', 'data');
  }
}

/** Goes on top of what others pushed by a command of git, or leaves the checkout as it was. */
function rebase(git: Git, ...command: readonly string[]): void {
  const [branch, head] = [git('branch', '--show-current'), git('rev-parse', 'HEAD')];
  let unmerged: string;
  try {
    git(...command, '--quiet', '--autostash');
    unmerged = listUnmerged(git);
    if (unmerged === '') {
      return;
    }

    // Changes that were not committed do not fit: git has stashed them.
    git('reset', '--quiet', '--hard', head);
    git('stash', 'pop', '--quiet', '--index');
  } catch (error) {
    // During a rebase, there is no branch.
    if (git('branch', '--show-current') === branch) {
      throw error;
    }

    unmerged = listUnmerged(git);
    git('rebase', '--abort');
  }
  throw createRivalError(unmerged);
}

function listUnmerged(git: Git): string {
  return git('diff', '--name-only', '--diff-filter=U');
}

/** Goes on top of what others pushed. Why the remote cannot be reached, if nothing here waits to be pushed. */
export function pull(git: Git): readonly Problem[] {
  try {
    rebase(git, 'pull', '--rebase');
    return [];
  } catch (error) {
    if (!(error instanceof InputError) || canFetch(git) || hasUnpushed(git)) {
      throw error;
    }
    return error.problems;
  }
}

function canFetch(git: Git): boolean {
  try {
    git('fetch', '--quiet');
    return true;
  } catch {
    return false;
  }
}

function hasUnpushed(git: Git): boolean {
  return git('rev-list', '--count', '@{upstream}..HEAD') !== '0';
}

/** `changed`: paths, each on a line. */
function createRivalError(changed: string) {
  const [first] = changed.split('\n');
  return inputError(
    'git push',
    `others have pushed ${first} meanwhile, so nothing was pushed. ` +
      `Take back what this checkout did not push (${wayBack}), then run it again`,
  );
}

/** What a killed run left goes into the stash. */
const wayBack = 'git stash --include-untracked -- data && git reset --keep @{upstream}';

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
      throw createRivalError(changed);
    }

    rebase(git, 'rebase', '@{upstream}');
    git('push', '--quiet');
  }
}

const shownLines = 50;

/** `data: svc 2026.3.1: released and 4 more changes`, and each change on a line. */
export function writeCommitMessage(events: ReadonlyMap<string, readonly Event[]>): string {
  const lines = listEventLines(events);
  const [first = 'nothing new', ...others] = lines;
  const more = others.length > 0 ? ` and ${others.length} more changes` : '';
  return [`data: ${first}${more}`, '', ...lines.slice(0, shownLines)].join('\n');
}

/** Each event in a line, those of a new component together. */
export function listEventLines(events: ReadonlyMap<string, readonly Event[]>): string[] {
  return [...events].flatMap(([component, own]) =>
    own[0]?.initial
      ? [`${component}: added with ${formatCount(own.length, 'event')}`]
      : own.map((event) => {
          const { type, version, line, advisory, to = '' } = event;
          return `${component} ${version ?? line ?? advisory ?? to}: ${type}${describeMove(event)}`;
        }),
  );
}

/** From and to of a day that moves. */
function describeMove({ type, field, from = 'none', to, toAtMost }: Event): string {
  const isDay = type === 'support-changed' || (type === 'corrected' && field === 'day');
  return isDay ? `, ${from} → ${to ?? toAtMost ?? 'none'}` : '';
}
