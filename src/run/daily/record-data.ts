import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { Run, type JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { formatList } from '../../core/text/wording.ts';
import { askGit, splitEntries, GitError, openGit, type Git } from '../../io/files/git.ts';
import { readJournal } from '../../io/files/journal-files.ts';
import { isLeftOut, isWritable, listComponents, type Root } from '../../io/files/root.ts';
import type { CommitMessage, DailyReport } from './daily-report.ts';

/** The files that runs append to. */
const appendedFiles = /^data\/(?:(?:journal|runs|statements)\/[^/]+|decisions)\.ndjson$/;

const heldFile = 'data/held.json';

interface RecordInput {
  root: Root;
  /** The folder of this program, which may be part of the same repository. */
  checkout: string;
  env: NodeJS.ProcessEnv;
  push: boolean;
  onLine(text: string): void;
}

/**
 * Commits the changed files of components in `data/` and pushes the commit. `messageFor`: makes the commit message from the
 * number of components and the events of the commit. After a failure, nothing may be published: the site could not be built again.
 */
export function recordData(
  input: RecordInput,
  messageFor: (
    components: number,
    events: ReadonlyMap<string, readonly JournalEvent[]>,
  ) => CommitMessage,
) {
  const { root, push, onLine } = input;
  const recording: Pick<DailyReport, 'commit'> & { failure?: Finding } = {};

  try {
    const repository = new Repository(input);
    const { names } = listComponents(root);
    const files = repository.listChangedFiles(names);

    if (files.length > 0) {
      const message = messageFor(names.length, repository.listUncommittedEvents(files));
      const id = repository.commit(files, message);
      const { subject } = message;
      recording.commit = { id, subject, isPushed: false };
      onLine(`daily: committed ${id.slice(0, 10)}: ${subject}`);
    } else {
      onLine('daily: nothing to commit.');
    }

    if (push && (files.length > 0 || repository.isAhead())) {
      const id = repository.push();
      if (recording.commit) {
        recording.commit = { ...recording.commit, id, isPushed: true };
      } else {
        onLine(`daily: pushed ${id.slice(0, 10)}, committed earlier.`);
      }
    }
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }

    recording.failure = problem('data', `${error.message}. Nothing was published.`);
  }

  return recording;
}

function listFiles(names: readonly string[]): string[] {
  return [
    heldFile,
    ...names.flatMap((name) => ['', 'freshness/'].map((folder) => `data/${folder}${name}.json`)),
  ];
}

type RepositoryInput = Pick<RecordInput, 'root' | 'checkout' | 'env'>;

/** The git repository that holds `data/`. Paths are relative to the root, with slashes. */
export class Repository {
  readonly #root: Root;
  readonly #checkout: string;
  readonly #git: Git;
  /** The folder of the repository. */
  readonly #top: string;

  /** Throws a GitError outside a repository. */
  constructor({ root, checkout, env }: RepositoryInput) {
    this.#root = root;
    this.#checkout = checkout;
    this.#git = openGit(root.dir, env);
    // Fails without a commit.
    this.#top = this.#git(['rev-parse', '--show-toplevel', 'HEAD']).split('\n')[0]!;
  }

  /**
   * Brings the checkout up to date before a run that pushes. If others pushed first, drops unpushed data commits: they were
   * never published, and gathering finds the data again. Returns whether others changed this program or the lock file of the
   * index.
   */
  synchronize(): { isProgramChanged: boolean; isLockChanged: boolean } {
    const changes = this.#resetToUpstream();
    return {
      isProgramChanged: changes.some((file) => this.#isOfProgram(file)),
      isLockChanged: changes.some(
        (file) => join(this.#top, file) === join(realpathSync(this.#root.dir), 'package-lock.json'),
      ),
    };
  }

  /**
   * The files of runs and of these components that differ from a commit. Omits other files in `data/`, and files of
   * waiting components that people edited.
   */
  listChangedFiles(names: readonly string[], commit = 'HEAD'): string[] {
    const ourFiles = new Set(listFiles(names));
    const changed = new Set([
      ...this.#list(['diff', '--name-only', '--relative', '-z', commit, '--', 'data']),
      ...this.#list(['ls-files', '--others', '--exclude-standard', '-z', '--', 'data']),
    ]);

    return [...changed].sort().filter((file) => {
      const [, folder, name = ''] =
        /^data\/(?:(journal|freshness)\/)?([^/]+)\.\w+$/.exec(file) ?? [];
      const part = folder === 'journal' ? 'journal' : 'data';
      const isOfRun = isWritable(this.#root, name, part) && !isLeftOut(this.#root, name);
      return isOfRun && (ourFiles.has(file) || appendedFiles.test(file));
    });
  }

  /** The events of these files that no commit has, also those of an earlier run that could not commit. */
  listUncommittedEvents(files: readonly string[]): Map<string, JournalEvent[]> {
    const runsFile = this.#list(['ls-tree', '--name-only', '-z', 'HEAD', '--', 'data/runs/']).at(
      -1,
    );
    const lines = runsFile === undefined ? '' : this.#git(['show', `HEAD:./${runsFile}`]).trimEnd();
    const committedAt = readInstant(lines.slice(lines.lastIndexOf('\n') + 1));
    const names = files
      .map((file) => /^data\/journal\/(.+)\.ndjson$/.exec(file)?.[1])
      .filter((value) => value !== undefined);

    return new Map(
      names.map((name) => {
        const events = readJournal(this.#root, name).value?.values ?? [];
        return [name, events.filter(({ at }) => at > committedAt)];
      }),
    );
  }

  /** Commits only these files, even if others are staged. Returns the commit. */
  commit(files: readonly string[], { subject, body }: CommitMessage): string {
    this.#git(['add', '--all', '--', ...files]);

    const message = body === undefined ? subject : `${subject}\n\n${body}`;
    this.#git(['commit', '--quiet', '--only', '--file=-', '--', ...files], `${message}\n`);
    return this.#git(['rev-parse', 'HEAD']).trim();
  }

  /** Whether there are unpushed commits; true if the branch has no upstream. */
  isAhead(): boolean {
    return askGit(this.#git, 'rev-list', '--count', '@{upstream}..HEAD') !== '0';
  }

  /** Pushes; rebases first if others have pushed other files meanwhile. Returns the commit. */
  push(): string {
    try {
      this.#git(['push', '--quiet']);
    } catch (error) {
      if (!wasOvertaken(error)) {
        throw error;
      }

      this.#rejectOverlap();
      this.#rebase();
      this.#git(['push', '--quiet']);
    }

    return this.#git(['rev-parse', 'HEAD']).trim();
  }

  /**
   * Fetches without merging. Rejects changes by others to files of this run, since a journal is in the order of publication,
   * and to this program, which a rebase would replace while it runs.
   */
  #rejectOverlap(): void {
    this.#git(['fetch', '--quiet']);

    // The histories may be unrelated: the rebase reports it.
    const listChanges = (range: string) =>
      splitEntries(askGit(this.#git, 'diff', '--name-only', '-z', range) ?? '');
    const changes = listChanges('HEAD...@{upstream}');
    const ourFiles = new Set(listChanges('@{upstream}...HEAD'));
    const overlap = changes.filter((file) => ourFiles.has(file) || this.#isOfProgram(file));
    if (overlap.length === 0) {
      return;
    }

    throw new GitError(
      `others have pushed changes of ${formatList(overlap, 3)} meanwhile. Run it again: it drops unpushed data and gathers it again`,
    );
  }

  /** Takes over new commits of upstream, dropping unpushed data commits. Returns the files that others changed. */
  #resetToUpstream(): string[] {
    const upstream = askGit(this.#git, 'rev-parse', '@{upstream}');
    if (upstream === undefined) {
      return [];
    }

    this.#git(['fetch', '--quiet']);

    if (askGit(this.#git, 'merge-base', '--is-ancestor', upstream, '@{upstream}') === undefined) {
      // Otherwise the next run would accept the rewritten history.
      this.#git([
        'update-ref',
        this.#git(['rev-parse', '--symbolic-full-name', '@{upstream}']).trim(),
        upstream,
      ]);
      throw new GitError(
        'the remote lost commits that this checkout has. If that was intended: git fetch && git reset --hard @{upstream}',
      );
    }

    const changes = this.#list(['diff', '--name-only', '-z', 'HEAD...@{upstream}']);
    if (changes.length === 0) {
      return [];
    }

    const newestCommit = this.#findNewestOfPerson();

    this.#dropHeldFile();
    this.#git(['reset', '--quiet', '--keep', newestCommit ?? '@{upstream}']);

    if (newestCommit !== undefined) {
      this.#rebase();
    }

    return changes;
  }

  /** A run that could not commit may have left a list of what waits. This run writes its own. */
  #dropHeldFile(): void {
    if (askGit(this.#git, 'checkout', '--quiet', 'HEAD', '--', heldFile) === undefined) {
      rmSync(join(this.#root.dir, heldFile), { force: true });
    }
  }

  /** The newest unpushed commit that changes more than data, or makes a decision: no run can repeat it. */
  #findNewestOfPerson(): string | undefined {
    const log = this.#git([
      'log',
      '--format=%x00%H',
      '--name-only',
      '--relative',
      '@{upstream}..HEAD',
      '--',
    ]);
    const commits = log.split('\0').slice(1);

    return commits
      .map((text) => text.split('\n').filter(Boolean))
      .find(([, ...files]) => {
        const isOfRun = files.some((file) => file.startsWith('data/runs/'));
        return (
          !files.every((file) => file.startsWith('data/')) ||
          (!isOfRun && files.includes('data/decisions.ndjson'))
        );
      })?.[0];
  }

  #isOfProgram(file: string): boolean {
    const name = relative(realpathSync(this.#checkout), join(this.#top, file)).replaceAll(sep, '/');
    return /^(?:src\/|package(?:-lock)?\.json$)/.test(name);
  }

  #rebase(): void {
    try {
      this.#git(['pull', '--rebase', '--autostash', '--quiet']);
    } catch (error) {
      // The next run must not find the checkout in the middle of a rebase.
      const folder = this.#git(['rev-parse', '--git-path', 'rebase-merge']).trim();
      if (existsSync(resolve(this.#root.dir, folder))) {
        this.#git(['rebase', '--abort']);
      }

      throw error;
    }
  }

  #list(args: readonly string[]): string[] {
    return splitEntries(this.#git(args));
  }
}

/** Whether somebody else pushed first. A protected branch rejects pushes with another message. */
function wasOvertaken(error: unknown): boolean {
  return error instanceof GitError && /\[rejected\]|cannot lock ref/.test(error.output);
}

/** The instant of the events of a run, by its line; empty if there is none. */
function readInstant(line: string): string {
  if (line === '') {
    return '';
  }

  const run = Run.pick({ at: true }).loose().safeParse(JSON.parse(line));
  return run.success ? run.data.at : '';
}
