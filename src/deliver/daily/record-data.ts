import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mostFileBytes } from '../host/host-limits.ts';
import type { Day } from '../../core/dates.ts';
import type { Env } from '../../core/env.ts';
import { listChanges, publishedEvents } from '../../decide/journal/published-events.ts';
import { detailsOf } from '../../decide/details.ts';
import { loadComponent } from '../../site/load-component.ts';
import { renderComponentFiles } from '../../site/render/component-files.ts';
import { readTheme } from '../../site/theme.ts';
import { GitError } from '../../io/files/git.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { freshnessPath, journalPath, listComponents, recordedPath, type Root } from '../../io/files/root.ts';
import { saveIfChanged } from '../../io/files/save.ts';
import { listed } from '../../core/text.ts';
import type { Alert } from './alerts.ts';
import { commitMessage, type News } from './news.ts';
import type { DailyReport } from './daily-report.ts';
import { openRepository, type Repository } from './repository.ts';

export interface RecordInput {
  root: Root;
  checkout: string;
  env: Env;
  day: Day;
  push: boolean;
  onLine(text: string): void;
}

/** With an alert, nothing may be published: the site could not be built again. */
export type Recording = Pick<DailyReport, 'commit'> & { alerts: Alert[] };

/**
 * Restores components that the gathered releases would make too large for the host, before any of them is recorded, and
 * returns an alert for each. A problem of git is for the commit to report.
 */
export function withholdLarge(input: RecordInput): Alert[] {
  const { root, day } = input;
  try {
    const repository = openRepository({ ...input, dir: root.dir });
    const data = new Set(listComponents(root).names.map((name) => `data/${name}.json`));
    return repository
      .changedFiles((file) => data.has(file))
      .flatMap((file) => withholdTooLarge(file, repository, root, day) ?? []);
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

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

/**
 * Recorded data only grows: a component too large for the host would keep the whole index from being published for good. It
 * stays as it was committed instead.
 */
function withholdTooLarge(file: string, repository: Repository, root: Root, day: Day): Alert | undefined {
  const name = basename(file, '.json');
  const path = join(root.dir, file);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < minSuspiciousBytes) return undefined;
  const largest = largestFileOf(root, name, day);
  if (!largest || largest.bytes <= mostFileBytes) return undefined;
  const committed = repository.readCommitted(file);
  if (committed === undefined) rmSync(path);
  else saveIfChanged(path, committed);
  const mib = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
  const message = `with the gathered releases, ${largest.path} would have ${mib(largest.bytes)}; the host accepts ${mib(mostFileBytes)}. The component was not updated. Narrow its definition: allowedVersions of the source.`;
  return { kind: 'large', subject: name, message };
}

/** No file of the site is eight times larger than the data it is made from. */
const minSuspiciousBytes = mostFileBytes / 8;

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

/** The largest file that a component would have in the site; undefined if it cannot be built. */
function largestFileOf(root: Root, name: string, day: Day): { path: string; bytes: number } | undefined {
  const config = readSiteConfig(root).value;
  const { component } = loadComponent(root, name, day);
  if (!config || !component) return undefined;
  const site = { config, day, baseUrl: config.releasesUrl, theme: readTheme(root) };
  const changes = listChanges(publishedEvents(component.journal));
  const files = renderComponentFiles(component, detailsOf(component), changes, site);
  return Iterator.from(files)
    .map(({ path, body }) => ({ path, bytes: Buffer.byteLength(body) }))
    .reduce((largest, file) => (file.bytes > largest.bytes ? file : largest));
}
