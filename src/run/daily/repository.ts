import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { Run, type JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { splitEntries, GitError, askGit, openGit, type Git } from '../../io/files/git.ts';
import { readJournal } from '../../io/files/recorded-files.ts';
import { parseDocument } from '../../io/files/read-documents.ts';
import { isLeftOut, isWritable, listComponents, type Root } from '../../io/files/root.ts';
import type { DailyReport } from './daily-report.ts';
import { listNews, writeCommitMessage, type CommitMessage, type RunDecisions } from './news.ts';
import type { RunReport } from '../run-context.ts';
import { formatList } from '../../core/text/wording.ts';

/** The files that runs append to. */
const appendedFiles = /^data\/(?:(?:journal|runs|statements)\/[^/]+|decisions)\.ndjson$/;

interface RecordInput extends RepositoryInput, RunDecisions {
  push: boolean;
  report: RunReport;
}

/** The news of the commit, and why it or the push failed: then nothing may be published, as it could not be built again. */
interface RecordedData extends Pick<DailyReport, 'news' | 'commit'> {
  failure?: Finding;
}

/** Commits the changed files of `data/`, and pushes unpushed commits where wanted. */
export function recordData(input: RecordInput): RecordedData {
  const { root, push, report } = input;
  const recorded: RecordedData = { news: [] };

  try {
    const repository = openRepository(input);
    const { names } = listComponents(root);
    const files = listChangedFiles(repository, names);
    if (files.length > 0) {
      recorded.news = listNews(listUncommittedEvents(repository, files));
      const message = writeCommitMessage(recorded.news, names.length, input);
      recorded.commit = commitFiles(repository, files, message);
    }

    report.print(describeCommit(recorded));
    if (push && (recorded.commit || isAhead(repository))) {
      const id = pushCommits(repository);
      if (recorded.commit) {
        recorded.commit = { ...recorded.commit, id, isPushed: true };
      } else {
        report.print(`daily: pushed ${id.slice(0, 10)}, committed earlier.`);
      }
    }
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }

    recorded.failure = problem('data', `${error.message}. Nothing was published.`);
  }

  return recorded;
}

/** The changed files of runs and components. Omits unknown files, and those that a person edited and that wait. */
function listChangedFiles({ root, git }: Repository, names: readonly string[]): string[] {
  const ourFiles = new Set([heldFile]);
  for (const name of names) {
    ourFiles.add(`data/${name}.json`).add(`data/freshness/${name}.json`);
  }

  const changedFiles = new Set([
    ...splitEntries(git(['diff', '--name-only', '--relative', '-z', 'HEAD', '--', 'data'])),
    ...splitEntries(git(['ls-files', '--others', '--exclude-standard', '-z', '--', 'data'])),
  ]);

  return [...changedFiles].sort().filter((file) => {
    const isOfRun = ourFiles.has(file) || appendedFiles.test(file);

    // `data/svc.json`, `data/journal/svc.ndjson`
    const [, folder, name = ''] = /^data\/(?:(journal|freshness)\/)?([^/]+)\.\w+$/.exec(file) ?? [];
    const part = folder === 'journal' ? 'journal' : 'data';
    return isOfRun && isWritable(root, name, part) && !isLeftOut(root, name);
  });
}

/** The events of these files that no commit has, also those of an earlier run that could not commit. */
function listUncommittedEvents(
  { root, git }: Repository,
  files: readonly string[],
): Map<string, JournalEvent[]> {
  const committedAt = readLastInstant(git);
  const uncommitted = new Map<string, JournalEvent[]>();

  for (const file of files) {
    const [, name] = /^data\/journal\/(.+)\.ndjson$/.exec(file) ?? [];
    if (name !== undefined) {
      const events = readJournal(root, name).value?.values ?? [];
      uncommitted.set(
        name,
        events.filter(({ at }) => at > committedAt),
      );
    }
  }
  return uncommitted;
}

const RunInstant = Run.pick({ at: true }).loose();

/** The instant of the last committed run; empty before the first, so every event is later. */
function readLastInstant(git: Git): string {
  const runsFiles = splitEntries(git(['ls-tree', '--name-only', '-z', 'HEAD', '--', 'data/runs/']));
  const lastFile = runsFiles.at(-1);
  if (lastFile === undefined) {
    return '';
  }

  const lastLine =
    git(['show', `HEAD:./${lastFile}`])
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  return parseDocument(Buffer.from(lastLine), lastFile, RunInstant).value?.at ?? '';
}

/** Commits only these files, even if others are staged. */
function commitFiles(
  { git }: Repository,
  files: readonly string[],
  { subject, body }: CommitMessage,
): DailyReport['commit'] {
  git(['add', '--all', '--', ...files]);

  const message = body === undefined ? subject : `${subject}\n\n${body}`;
  git(['commit', '--quiet', '--only', '--file=-', '--', ...files], `${message}\n`);
  return { id: git(['rev-parse', 'HEAD']).trim(), subject, isPushed: false };
}

function describeCommit({ commit }: RecordedData): string {
  return commit
    ? `daily: committed ${commit.id.slice(0, 10)}: ${commit.subject}`
    : 'daily: nothing to commit.';
}

/** The list of held changes. Each run writes its own. */
const heldFile = 'data/held.json';

interface RepositoryInput {
  root: Root;
  /** The folder of this program, which may be part of the same repository. */
  checkout: string;
  env: NodeJS.ProcessEnv;
}

/** The git repository that holds the index, which may be one of its folders. */
interface Repository extends Omit<RepositoryInput, 'env'> {
  git: Git;
  /** Its top folder, absolute. */
  top: string;
}

/** Throws a GitError outside a repository, and in one without a commit. */
function openRepository({ root, checkout, env }: RepositoryInput): Repository {
  const git = openGit(root.dir, env);
  const [top = ''] = git(['rev-parse', '--show-toplevel', 'HEAD']).split('\n');
  return { root, checkout, git, top };
}

/**
 * Brings the checkout up to date before a run that pushes. If others pushed first, drops unpushed commits of data: they were
 * never published, and this run gathers the data again.
 */
export function synchronize(input: RepositoryInput): {
  isProgramChanged: boolean;
  /** Whether others changed the package-lock.json of the index. */
  isLockChanged: boolean;
} {
  const repository = openRepository(input);
  const changes = resetToUpstream(repository);
  const lockFile = join(realpathSync(repository.root.dir), 'package-lock.json');
  return {
    isProgramChanged: changes.some((file) => isOfProgram(repository, file)),
    isLockChanged: changes.some((file) => join(repository.top, file) === lockFile),
  };
}

/** Whether there are unpushed commits; true if the branch has no upstream. */
function isAhead({ git }: Repository): boolean {
  return askGit(git, 'rev-list', '--count', '@{upstream}..HEAD') !== '0';
}

/** Pushes; if others pushed first and changed other files, rebases and pushes again. Returns the commit. */
function pushCommits(repository: Repository): string {
  const { git } = repository;
  try {
    git(['push', '--quiet']);
  } catch (error) {
    if (!isOvertaken(error)) {
      throw error;
    }

    rejectOverlap(repository);
    rebase(repository);
    git(['push', '--quiet']);
  }

  return git(['rev-parse', 'HEAD']).trim();
}

/**
 * Fetches, and throws a GitError if others changed a file of this run, since a journal is in the order of publication, or this
 * program, which a rebase would replace while it runs.
 */
function rejectOverlap(repository: Repository): void {
  const { git } = repository;
  git(['fetch', '--quiet']);

  const ourFiles = new Set(listChanges(git, '@{upstream}...HEAD'));
  const overlap = listChanges(git, 'HEAD...@{upstream}').filter(
    (file) => ourFiles.has(file) || isOfProgram(repository, file),
  );
  if (overlap.length === 0) {
    return;
  }

  throw new GitError(
    `others have pushed changes of ${formatList(overlap, 3)} meanwhile. Run it again: it drops unpushed data and gathers it again`,
  );
}

/** The changed files, from the top of the repository. Empty for unrelated histories, which the rebase reports. */
function listChanges(git: Git, range: string): string[] {
  return splitEntries(askGit(git, 'diff', '--name-only', '-z', range) ?? '');
}

/** Takes over new commits of upstream, dropping unpushed commits of data. Returns the files that others changed. */
function resetToUpstream(repository: Repository): string[] {
  const { git } = repository;
  const upstream = askGit(git, 'rev-parse', '@{upstream}');
  if (upstream === undefined) {
    return [];
  }

  git(['fetch', '--quiet']);

  if (askGit(git, 'merge-base', '--is-ancestor', upstream, '@{upstream}') === undefined) {
    // Without this, the next run would accept the rewritten history.
    const branch = git(['rev-parse', '--symbolic-full-name', '@{upstream}']).trim();
    git(['update-ref', branch, upstream]);
    throw new GitError(
      'the remote lost commits that this checkout has. If that was intended: git fetch && git reset --hard @{upstream}',
    );
  }

  const changes = splitEntries(git(['diff', '--name-only', '-z', 'HEAD...@{upstream}']));
  if (changes.length === 0) {
    return [];
  }

  const personalCommit = findNewestOfPerson(git);
  dropHeldFile(repository);
  git(['reset', '--quiet', '--keep', personalCommit ?? '@{upstream}']);
  if (personalCommit !== undefined) {
    rebase(repository);
  }

  return changes;
}

/** Restores or removes the list of held changes that a run without a commit may have left: it would prevent the reset. */
function dropHeldFile({ root, git }: Repository): void {
  if (askGit(git, 'checkout', '--quiet', 'HEAD', '--', heldFile) === undefined) {
    rmSync(join(root.dir, heldFile), { force: true });
  }
}

/** The newest unpushed commit that changes more than data, or makes a decision: no run can repeat it. */
function findNewestOfPerson(git: Git): string | undefined {
  const listUnpushed = (...paths: readonly string[]) => {
    const log = git(['log', '--format=%H', '@{upstream}..HEAD', '--', ...paths]);
    return log.split('\n').filter(Boolean);
  };

  // From the top of the repository: a commit may be outside the folder of the index.
  const personal = new Set(listUnpushed(':(top)', ':(exclude)data'));
  const runs = new Set(listUnpushed('data/runs'));
  for (const commit of listUnpushed('data/decisions.ndjson')) {
    if (!runs.has(commit)) {
      personal.add(commit);
    }
  }

  return listUnpushed().find((commit) => personal.has(commit));
}

function isOfProgram({ checkout, top }: Repository, file: string): boolean {
  const name = relative(realpathSync(checkout), join(top, file)).replaceAll(sep, '/');
  return /^(?:src\/|package(?:-lock)?\.json$)/.test(name);
}

function rebase({ root, git }: Repository): void {
  try {
    git(['pull', '--rebase', '--autostash', '--quiet']);
  } catch (error) {
    // The next run must not find the checkout in the middle of a rebase.
    const folder = git(['rev-parse', '--git-path', 'rebase-merge']).trim();
    if (existsSync(resolve(root.dir, folder))) {
      git(['rebase', '--abort']);
    }

    throw error;
  }
}

/** Whether somebody else pushed first. A protected branch rejects pushes with another message. */
function isOvertaken(error: unknown): boolean {
  return error instanceof GitError && /\[rejected\]|cannot lock ref/.test(error.output);
}
