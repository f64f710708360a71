import { existsSync } from 'node:fs';
import type { Day } from '../../core/dates.ts';
import { GitError } from '../../io/files/git.ts';
import { freshnessPath, journalPath, listComponents, recordedPath, type Root } from '../../io/files/root.ts';
import { listed } from '../../core/text.ts';
import type { Alert } from './alerts.ts';
import { commitMessage, type News } from './news.ts';
import type { DailyReport } from './daily-report.ts';
import { openRepository, type Repository } from './repository.ts';

export interface RecordInput {
  root: Root;
  checkout: string;
  env: NodeJS.ProcessEnv;
  day: Day;
  push: boolean;
  onLine(text: string): void;
}

/** With an alert, nothing may be published: the site could not be built again. */
export type Recording = Pick<DailyReport, 'commit'> & { alerts: Alert[] };

/** Commits what changed in the files of components under `data/`, and pushes it. `news`: for the message of the commit. */
export function recordData(input: RecordInput, news: readonly News[]): Recording {
  const { root, push, onLine } = input;
  const recording: Recording = { alerts: [] };
  try {
    const repository = openRepository({ ...input, dir: root.dir });
    const { names } = listComponents(root);
    const ours = new Set(names.flatMap((name) => [`data/${name}.json`, `data/freshness/${name}.json`]));
    const files = repository.changedFiles((file) => ours.has(file) || isRecord(file));
    if (files.length > 0) {
      const message = commitMessage(news, names.length);
      const id = repository.commit(files, message);
      const [subject] = message.split('\n') as [string];
      recording.commit = { id, subject, isPushed: false };
      onLine(`daily: committed ${id.slice(0, 10)}: ${subject}`);
    } else onLine('daily: nothing to commit.');
    rejectUncommitted(repository, root, names);
    if (!push || (files.length === 0 && !repository.isAhead())) return recording;
    const pushed = repository.push();
    if (recording.commit) recording.commit = { ...recording.commit, id: pushed, isPushed: true };
    else onLine(`daily: pushed ${pushed.slice(0, 10)}, committed earlier.`);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const message = `${error.message}. Nothing was published.`;
    recording.alerts.push({ kind: 'commit', subject: 'data', message });
  }
  return recording;
}

/** Whether it is a file that `record` appends to. */
function isRecord(file: string): boolean {
  return /^data\/(?:journal|runs)\/[^/]+\.ndjson$/.test(file);
}

/** The build must read nothing that the commit lacks: the next checkout would build another site. */
function rejectUncommitted(repository: Repository, root: Root, names: readonly string[]): void {
  const read = names.flatMap((name) => [
    ...(existsSync(recordedPath(root, name)) ? [`data/${name}.json`] : []),
    ...(existsSync(freshnessPath(root, name)) ? [`data/freshness/${name}.json`] : []),
    ...(existsSync(journalPath(root, name)) ? [`data/journal/${name}.ndjson`] : []),
  ]);
  const unrecorded = repository.unrecordedFiles(read);
  if (unrecorded.length === 0) return;
  throw new GitError(
    `${listed(unrecorded, 3)}: read by the build, but not in the commit. Git ignores it, or it is behind a link or in a submodule`,
  );
}
