/** Finds events that somebody edited after they were published. */
import { join } from 'node:path';
import { InputError, type Problem } from '../core/errors.ts';
import { readIfThere } from '../core/files.ts';
import { formatCount } from '../core/text.ts';
import { listLinesIfAny, openGit, type Git } from './git.ts';

/** The number of commits of `data/` that are read: about three months of runs. */
const searchedCommits = 100;

/** The lines that somebody edited in one journal, with the text before the edit. */
interface Reported {
  lines: Map<number, { line: string; commit: string }>;
  /** The number of the last line to compare, because a later commit removed the lines after it. */
  end: number;
}

/**
 * Lists the journals in which somebody edited a published line and did not put it back. Lines may be appended. Lines may also be removed,
 * because somebody may have reverted a run. Empty outside of a repository.
 */
export async function listEditedEvents(root: string, signal: AbortSignal): Promise<Problem[]> {
  const git = openGit(root, signal);
  const readNow = (path: string) => splitLines(readIfThere(join(root, path), path)?.toString());
  const journals = new Map<string, Reported>();
  for (const { before, after, paths } of await listShrinking(git)) {
    for (const path of paths) {
      const published = await readPublished(git, before, path);
      const reported = journals.get(path) ?? { lines: new Map(), end: Infinity };
      journals.set(path, reported);
      const later = after ? await readLines(git, after, path) : readNow(path);
      if (isWhole(later)) {
        reported.end = Math.min(reported.end, later.length);
      }
      for (const [index, line] of published.lines.entries()) {
        if (index < reported.end && line !== later[index]) {
          // Commits come newest first. If a line was edited several times, its text before the oldest edit is set last and stays.
          reported.lines.set(index, { line, commit: published.commit });
        }
      }
    }
  }

  return [...journals].flatMap(([path, { lines }]) => {
    const now = readNow(path);
    const edited = [...lines.keys()].filter(
      (index) => index < now.length && now[index] !== lines.get(index)!.line,
    );
    const [first] = edited.sort((a, b) => a - b);
    return first === undefined ? [] : [describeEdit(path, lines.get(first)!.commit, first, edited)];
  });
}

function describeEdit(
  path: string,
  commit: string,
  first: number,
  { length }: readonly number[],
): Problem {
  const line = first + 1;
  const more = length > 1 ? ` (and ${formatCount(length - 1, 'more line')})` : '';
  const message =
    `differs from commit ${commit}${more}, but readers know the event of that commit. ` +
    `Put it back. To print it: git show ${commit}:./${path} | sed -n ${line}p`;
  return { subject: `${path}, line ${line}`, message, file: path, line };
}

interface Shrinking {
  /** The commit before the change. `after`: the commit of the change, or undefined for the files in the checkout. */
  before: string;
  after: string | undefined;
  /** The journals from which the commit removes lines. */
  paths: string[];
}

/**
 * Lists the changes that remove or edit lines of journals, the newest first. A commit that removes runs begins a new history, so the list
 * ends there.
 */
async function listShrinking(git: Git): Promise<Shrinking[]> {
  const options = ['--numstat', '--relative', '--no-renames', '--no-ext-diff', '--diff-filter=MD'];
  const paths = ['--', 'data/journal', 'data/runs'];
  const log = ['log', '--first-parent', '--diff-merges=first-parent', '--format=commit %h %p'];
  const max = `--max-count=${searchedCommits}`;
  const rows = [
    ...(await listLinesIfAny(git, 'log', '--max-count=1', '--format=commit  %h')),
    ...(await listLinesIfAny(git, 'diff', ...options, 'HEAD', ...paths)),
    ...(await listLinesIfAny(git, ...log, max, ...options, ...paths)),
  ];

  const changes: Shrinking[] = [];
  for (const row of rows) {
    const [, removed, path = ''] = row.split('\t');
    if (removed === undefined) {
      const [, after, before = ''] = row.split(' ');
      changes.push({ before, after: after || undefined, paths: [] });
    } else if (removed !== '0') {
      changes.at(-1)!.paths.push(path);
    }
  }

  const isOfRuns = (path: string) => path.startsWith('data/runs/');
  const anew = changes.findIndex((change) => change.paths.some(isOfRuns));
  // The first commit of a history is left out, because nothing comes before it.
  return changes.slice(0, anew < 0 ? undefined : anew).filter(({ before }) => before !== '');
}

/** Reads the lines of a file in a commit. Empty if the commit does not have the file. */
async function readLines(git: Git, commit: string, path: string): Promise<string[]> {
  try {
    return splitLines(await git('show', `${commit}:./${path}`));
  } catch (error) {
    if (error instanceof InputError) {
      return [];
    }
    throw error;
  }
}

/**
 * Reads a journal as readers knew it at a commit. `daily` refuses a damaged journal, so this is the journal of the newest commit up to
 * there whose journal is not damaged.
 */
async function readPublished(git: Git, commit: string, path: string) {
  for (const each of await listLinesIfAny(git, 'log', '--format=%h', commit, '--', path)) {
    const lines = await readLines(git, each, path);
    if (isWhole(lines)) {
      return { commit: each, lines };
    }
  }
  return { commit, lines: [] };
}

/** Tells whether the lines are events with the ids 1, 2, 3, … A journal with a merge conflict or a repeated line is damaged. */
function isWhole(lines: readonly string[]): boolean {
  return lines.every((line, index) => {
    try {
      return (JSON.parse(line) as { id?: unknown }).id === index + 1;
    } catch {
      return false;
    }
  });
}

function splitLines(text = ''): string[] {
  return text.split('\n').filter(Boolean);
}
