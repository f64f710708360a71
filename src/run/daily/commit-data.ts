import type { JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { formatList } from '../../core/text/wording.ts';
import { askGit, GitError, listDifferences, listUncommitted } from '../../io/files/git.ts';
import { listJournals, readJournal } from '../../io/files/recorded-files.ts';
import {
  decisionsFile,
  freshnessFile,
  heldFile,
  isLeftOut,
  isWritable,
  journalFile,
  listComponents,
  recordedFile,
  type Root,
} from '../../io/files/root.ts';
import {
  groupEvents,
  writeCommitMessage,
  type CommitMessage,
  type RunDecisions,
} from './commit-message.ts';
import {
  isOfProgram,
  openRepository,
  rebase,
  type Repository,
  type RepositoryInput,
} from './repository.ts';
import type { RunReport } from '../run-context.ts';

interface CommitInput extends RepositoryInput, RunDecisions {
  push: boolean;
  /** The instant of the last committed run; undefined before the first. */
  committedAt: string | undefined;
  report: RunReport;
}

/**
 * Commits the changed files of `data/`, and pushes unpushed commits where wanted. Throws a GitError if one of both fails: then
 * nothing may be published, as it could not be built again.
 */
export function commitData(input: CommitInput): void {
  const { root, push, committedAt, report } = input;
  const repository = openRepository(input);
  const { names } = listComponents(root);
  const files = listChangedFiles(repository, names);
  if (files.length > 0) {
    const groups = groupEvents(listUncommittedEvents(root, files, committedAt));
    const message = writeCommitMessage(groups, names.length, input);
    const id = commitFiles(repository, files, message);
    report.print(`daily: committed ${id.slice(0, 10)}: ${message.subject}`);
  } else {
    report.print('daily: nothing to commit.');
  }

  if (push && isAhead(repository)) {
    const id = pushCommits(repository);
    report.print(`daily: pushed ${id.slice(0, 10)}.`);
  }
}

/** The files to which runs and `accept` append lines, also the former ones of journals that a run moved, and the statements to sign. */
const appendedFiles = /^data\/(?:(?:journal|runs|statements)\/[^/]+|decisions)\.ndjson$/;

/** The changed files of `data/` that this program writes. Omits those that a person edited and that wait. */
function listChangedFiles({ root, git }: Repository, names: readonly string[]): string[] {
  const ownFiles = new Set([heldFile]);
  for (const name of names.filter((each) => isWritable(root, each, 'data'))) {
    ownFiles.add(recordedFile(name)).add(freshnessFile(name));
  }
  const waitingJournals = [...names, ...listJournals(root)]
    .filter((name) => isLeftOut(root, name) || !isWritable(root, name, 'journal'))
    .map(journalFile);

  return listUncommitted(git, 'data').filter(
    (file) => ownFiles.has(file) || (appendedFiles.test(file) && !waitingJournals.includes(file)),
  );
}

/** The events of these files that no commit has, also those of an earlier run that could not commit. */
function listUncommittedEvents(
  root: Root,
  files: readonly string[],
  committedAt = '',
): Map<string, JournalEvent[]> {
  const uncommitted = new Map<string, JournalEvent[]>();
  for (const name of listJournals(root)) {
    if (files.includes(journalFile(name))) {
      const { values: events = [] } = readJournal(root, name).value ?? {};
      uncommitted.set(
        name,
        events.filter(({ at }) => at > committedAt),
      );
    }
  }
  return uncommitted;
}

/** Commits only these files, even if others are staged. Returns the commit. */
function commitFiles(
  { git }: Repository,
  files: readonly string[],
  { subject, body }: CommitMessage,
): string {
  // `git add` fails at a removed file whose removal is staged, as a run leaves it that cannot commit.
  git(['update-index', '--add', '--remove', '--', ...files]);

  const message = body === undefined ? subject : `${subject}\n\n${body}`;
  git(['commit', '--quiet', '--only', '--file=-', '--', ...files], `${message}\n`);
  return git(['rev-parse', 'HEAD']).trim();
}

/** Whether there are unpushed commits; true if the branch has no upstream. */
function isAhead({ git }: Repository): boolean {
  return askGit(git, 'rev-list', '--count', '@{upstream}..HEAD') !== '0';
}

/** Pushes; if others pushed first, but changed nothing that is judged, rebases and pushes again. Returns the commit. */
function pushCommits(repository: Repository): string {
  const { git } = repository;
  try {
    git(['push', '--quiet']);
  } catch (error) {
    if (!isOvertaken(error)) {
      throw error;
    }

    rejectUnjudged(repository);
    rebase(repository);
    git(['push', '--quiet']);
  }

  return git(['rev-parse', 'HEAD']).trim();
}

/** The files that the gate judges, or that the site is built from. A decision waits for the next run. */
const judgedFiles = ['components', 'data', 'site', `:(exclude)${decisionsFile}`];

/**
 * Fetches, and throws a GitError if others changed files of the index, which this run has not judged, or this program, which a
 * rebase would replace while it runs.
 */
function rejectUnjudged(repository: Repository): void {
  const { git } = repository;
  git(['fetch', '--quiet']);

  const range = 'HEAD...@{upstream}';
  const changes = [
    ...listDifferences(git, range, '--', ...judgedFiles),
    ...listDifferences(git, range).filter((file) => isOfProgram(repository, file)),
  ];
  if (changes.length > 0) {
    throw new GitError(
      `others have pushed changes of ${formatList(changes, 3)} meanwhile. Run it again: it drops unpushed data and gathers it again`,
    );
  }
}

/** Whether somebody else pushed first. A protected branch rejects pushes with another message. */
function isOvertaken(error: unknown): boolean {
  return error instanceof GitError && /\[rejected\]|cannot lock ref/.test(error.output);
}
