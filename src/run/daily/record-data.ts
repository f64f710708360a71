import { problem, type Finding } from '../../core/schemas/finding.ts';
import { Run, type JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { splitEntries, GitError, type Git } from '../../io/files/git.ts';
import { readJournal } from '../../io/files/journal-files.ts';
import { parseDocument } from '../../io/files/read-documents.ts';
import { isLeftOut, isWritable, listComponents } from '../../io/files/root.ts';
import type { DailyReport } from './daily-report.ts';
import { listNews, writeCommitMessage, type CommitMessage, type RunDecisions } from './news.ts';
import type { RunReport } from '../run-context.ts';
import {
  heldFile,
  isAhead,
  openRepository,
  pushCommits,
  type Repository,
  type RepositoryInput,
} from './repository.ts';

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
