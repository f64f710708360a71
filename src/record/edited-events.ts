/** Events that somebody edited after readers were told of them. */
import { join } from 'node:path';
import { InputError, type Problem } from '../core/errors.ts';
import { readIfThere } from '../core/files.ts';
import { formatCount } from '../core/text.ts';
import { listLines, listLinesIfAny, openGit, type Git } from './git.ts';

/**
 * Lists the journals with a line that differs from the last commit, or from the one before it. Appended lines are allowed, and so are removed
 * lines, because a run may have been reverted. Returns an empty list outside of a repository.
 */
export async function listEditedEvents(root: string, signal: AbortSignal): Promise<Problem[]> {
  const git = openGit(root, signal);
  const problems = new Map<string, Problem>();
  const log = ['log', '--first-parent', '--max-count=2', '--format=%h'];
  for (const commit of await listLinesIfAny(git, ...log)) {
    for (const path of await listShrunk(git, commit)) {
      const now = splitLines(readIfThere(join(root, path), path)?.toString());
      const [before, earlier] = await Promise.all([
        readLines(git, commit, path),
        readLines(git, `${commit}~1`, path),
      ]);
      // If this commit edited a line, restoring the line is allowed.
      const edited = [...before.keys()].filter(
        (index) => index < now.length && ![before[index], earlier[index]].includes(now[index]),
      );
      if (edited.length > 0 && !problems.has(path)) {
        problems.set(path, describeEdit(path, commit, edited));
      }
    }
  }
  return [...problems.values()];
}

function describeEdit(path: string, commit: string, [first = 0, ...others]: number[]): Problem {
  const line = first + 1;
  const more = others.length > 0 ? ` (and ${formatCount(others.length, 'more line')})` : '';
  const message =
    `differs from commit ${commit}${more}, but readers know the event of that commit. ` +
    `Put it back. To print it: git show ${commit}:./${path} | sed -n ${line}p`;
  return { subject: `${path}, line ${line}`, message, file: path, line };
}

/** Lists the journals in which lines of a commit are missing. */
async function listShrunk(git: Git, commit: string): Promise<string[]> {
  const options = ['--numstat', '--relative', '--no-renames', '--no-ext-diff', '--diff-filter=M'];
  const rows = await listLines(git, 'diff', ...options, commit, '--', 'data/journal');
  return rows.flatMap((row) => {
    const [, removed, path = ''] = row.split('\t');
    return removed === '0' ? [] : path;
  });
}

/** Reads the lines of a file in a commit. Empty if the commit has no such file. */
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

function splitLines(text = ''): string[] {
  return text.split('\n').filter(Boolean);
}
