import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { Run, type JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { formatList } from '../../core/text/wording.ts';
import { askGit, splitEntries, GitError, openGit, type Git } from '../../io/files/git.ts';
import { readJournal } from '../../io/files/journal-files.ts';
import { isLeftOut, isWritable, listComponents, type Root } from '../../io/files/root.ts';
import { writeCommitMessage, type CommitMessage, type RunDecisions } from './commit-message.ts';
import { listNews, type DailyReport } from './daily-report.ts';

/** The files that runs append to. */
const appendedFiles = /^data\/(?:(?:journal|runs|statements)\/[^/]+|decisions)\.ndjson$/;

const heldFile = 'data/held.json';

interface RepositoryInput {
  root: Root;
  /** The folder of this program, which may be part of the same repository. */
  checkout: string;
  env: NodeJS.ProcessEnv;
}

interface RecordInput extends RepositoryInput, RunDecisions {
  push: boolean;
  onLine(text: string): void;
}

/** The news of the commit, and why it or the push failed. */
interface RecordedData extends Pick<DailyReport, 'news' | 'commit'> {
  failure?: Finding;
}

/**
 * Commits the changed files of components in `data/` and pushes the commit. After a failure, nothing may be published: the site
 * could not be built again.
 */
export function recordData(input: RecordInput): RecordedData {
  const { root, push, onLine } = input;
  const recorded: RecordedData = { news: [] };

  try {
    const repository = openRepository(input);
    const { names } = listComponents(root);
    const files = listChangedFiles(repository, names);

    if (files.length > 0) {
      recorded.news = listNews(listUncommittedEvents(repository, files));

      const message = writeCommitMessage(recorded.news, names.length, input);
      const id = commitFiles(repository, files, message);
      const { subject } = message;
      recorded.commit = { id, subject, isPushed: false };
      onLine(`daily: committed ${id.slice(0, 10)}: ${subject}`);
    } else {
      onLine('daily: nothing to commit.');
    }

    if (push && (files.length > 0 || isAhead(repository))) {
      const id = pushCommits(repository);
      if (recorded.commit) {
        recorded.commit = { ...recorded.commit, id, isPushed: true };
      } else {
        onLine(`daily: pushed ${id.slice(0, 10)}, committed earlier.`);
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

/** The git repository that holds `data/`. Paths are relative to the root, with slashes. */
interface Repository extends Omit<RepositoryInput, 'env'> {
  git: Git;
  /** The folder of the repository. */
  top: string;
}

/** Throws a GitError outside a repository, and in one without a commit. */
function openRepository({ root, checkout, env }: RepositoryInput): Repository {
  const git = openGit(root.dir, env);
  const top = git(['rev-parse', '--show-toplevel', 'HEAD']).split('\n')[0]!;
  return { root, checkout, git, top };
}

/**
 * Brings the checkout up to date before a run that pushes. If others pushed first, drops unpushed data commits: they were
 * never published, and gathering finds the data again. Returns whether others changed this program or the lock file of the
 * index.
 */
export function synchronize(input: RepositoryInput) {
  const repository = openRepository(input);
  const changes = resetToUpstream(repository);
  const lockFile = join(realpathSync(repository.root.dir), 'package-lock.json');
  return {
    isProgramChanged: changes.some((file) => isOfProgram(repository, file)),
    isLockChanged: changes.some((file) => join(repository.top, file) === lockFile),
  };
}

/**
 * The files of runs and of these components that differ from the last commit. Omits other files in `data/`, and files of
 * waiting components that people edited.
 */
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
    const [, folder, name = ''] = /^data\/(?:(journal|freshness)\/)?([^/]+)\.\w+$/.exec(file) ?? [];
    const part = folder === 'journal' ? 'journal' : 'data';
    const isOfRun = isWritable(root, name, part) && !isLeftOut(root, name);
    return isOfRun && (ourFiles.has(file) || appendedFiles.test(file));
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

  const lines = git(['show', `HEAD:./${lastFile}`]).trimEnd();
  const lastLine = lines.slice(lines.lastIndexOf('\n') + 1);
  const run = lastLine && RunInstant.safeParse(JSON.parse(lastLine)).data;
  return run ? run.at : '';
}

/** Commits only these files, even if others are staged. Returns the commit. */
function commitFiles(
  { git }: Repository,
  files: readonly string[],
  { subject, body }: CommitMessage,
): string {
  git(['add', '--all', '--', ...files]);

  const message = body === undefined ? subject : `${subject}\n\n${body}`;
  git(['commit', '--quiet', '--only', '--file=-', '--', ...files], `${message}\n`);
  return git(['rev-parse', 'HEAD']).trim();
}

/** Whether there are unpushed commits; true if the branch has no upstream. */
function isAhead({ git }: Repository): boolean {
  return askGit(git, 'rev-list', '--count', '@{upstream}..HEAD') !== '0';
}

/** Pushes; rebases first if others have pushed other files meanwhile. Returns the commit. */
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
 * Fetches without merging. Rejects changes by others to files of this run, since a journal is in the order of publication,
 * and to this program, which a rebase would replace while it runs.
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

/** Empty for unrelated histories: the rebase reports them. */
function listChanges(git: Git, range: string): string[] {
  return splitEntries(askGit(git, 'diff', '--name-only', '-z', range) ?? '');
}

/** Takes over new commits of upstream, dropping unpushed data commits. Returns the files that others changed. */
function resetToUpstream(repository: Repository): string[] {
  const { git } = repository;
  const upstream = askGit(git, 'rev-parse', '@{upstream}');
  if (upstream === undefined) {
    return [];
  }

  git(['fetch', '--quiet']);

  if (askGit(git, 'merge-base', '--is-ancestor', upstream, '@{upstream}') === undefined) {
    // Otherwise the next run would accept the rewritten history.
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

  const newestCommit = findNewestOfPerson(git);

  dropHeldFile(repository);
  git(['reset', '--quiet', '--keep', newestCommit ?? '@{upstream}']);

  if (newestCommit !== undefined) {
    rebase(repository);
  }

  return changes;
}

/** A run that could not commit may have left a list of held changes. This run writes its own. */
function dropHeldFile({ root, git }: Repository): void {
  if (askGit(git, 'checkout', '--quiet', 'HEAD', '--', heldFile) === undefined) {
    rmSync(join(root.dir, heldFile), { force: true });
  }
}

/** The newest unpushed commit that changes more than data, or makes a decision: no run can repeat it. */
function findNewestOfPerson(git: Git): string | undefined {
  const log = git([
    'log',
    '--format=%x00%H',
    '--name-only',
    '--relative',
    '@{upstream}..HEAD',
    '--',
  ]);

  for (const entry of log.split('\0').slice(1)) {
    const [commit, ...files] = entry.split('\n').filter(Boolean);
    const isOfRun = files.some((file) => file.startsWith('data/runs/'));
    const isDecision = !isOfRun && files.includes('data/decisions.ndjson');
    if (isDecision || !files.every((file) => file.startsWith('data/'))) {
      return commit;
    }
  }

  return undefined;
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
