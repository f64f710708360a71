import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { fileProblem, isError, type Finding } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { readAtCommit } from '../../io/files/git.ts';
import { readJournal, readFreshness, readRecordedData } from '../../io/files/recorded-files.ts';
import { definitionPath, recordedPath, type Root } from '../../io/files/root.ts';
import { readDefinition } from '../read-definition.ts';
import { findGoodCommits, findName } from './last-good-files.ts';
import type { LastRun } from './last-run.ts';
import { createDecisionId, continueEarlier, type WaitingChange } from './rules/waiting-change.ts';

/** The files of the whole index to which runs and people only append. */
const recordedLines = /^data\/(?:runs\/[^/]+|decisions)\.ndjson$/;

/** A problem for each file whose recorded lines were changed or removed since the last run. */
export function findLostLines(root: Root, lastRun: LastRun | undefined): Finding[] {
  if (!lastRun) {
    return [];
  }

  const { changed, dataCommit } = lastRun;
  const files = [...changed].filter((file) => recordedLines.test(file));
  const lost = files.filter((file) => !isContinued(root, file, dataCommit));
  return lost.map((file) => {
    const problem = 'does not begin with the lines of the last run. Nothing was gathered.';
    const remedy = `Restore it: git restore --source=${dataCommit} -- ${file}`;
    return fileProblem(file, `${problem} ${remedy}`);
  });
}

/** A component with damaged files stays as it was; one that was never recorded is left out. Undefined without damage. */
export function holdDamaged(
  root: Root,
  day: Day,
  lastRun: LastRun | undefined,
  name: string,
): WaitingChange | undefined {
  const damage = findDamage(root, lastRun, name);
  const problems = [...damage.definition, ...damage.data];
  if (problems.length === 0) {
    return undefined;
  }

  const commits = lastRun && findGoodCommits(lastRun, name);
  const files = [...new Set(problems.map(({ subject }) => subject))];
  const wasRecorded = commits !== undefined && hasJournal(root, name, commits.data);
  const items = problems.map(({ message }) => toLine(message));

  const wait = dropUndefined({
    id: createDecisionId(name, ['files', files]),
    component: name,
    kind: 'files' as const,
    since: day,
    causes: files,
    reason: toLine(items.join('; ')),
    items,
    commit: wasRecorded && damage.definition.length > 0 ? commits.definition : undefined,
    dataCommit: wasRecorded && damage.data.length > 0 ? commits.data : undefined,
  });
  return continueEarlier(wait, lastRun?.waits ?? []);
}

/** Problems in the files of a component. */
interface Damage {
  definition: readonly Finding[];
  /** In its releases, its freshness and its journal. */
  data: readonly Finding[];
}

function findDamage(root: Root, lastRun: LastRun | undefined, name: string): Damage {
  if (!existsSync(definitionPath(root, name))) {
    const message = `is missing, and data/${name}.json is there. If the component was removed, remove its files in data/, too; if it was renamed, state "renamedFrom"`;
    const isLeft = existsSync(recordedPath(root, name));
    const definition = isLeft ? [fileProblem(`components/${name}.json`, message)] : [];
    return { definition, data: [] };
  }

  const results = [
    readRecordedData(root, name),
    readFreshness(root, name),
    readJournal(root, name),
  ];
  const data = results.flatMap(({ findings }) => findings).filter(isError);
  if (lastRun && isJournalCut(root, lastRun, name)) {
    const file = `data/journal/${name}.ndjson`;
    data.push(fileProblem(file, 'does not begin with the lines of the last run'));
  }

  return { definition: readDefinition(root, name).findings, data };
}

function isJournalCut(root: Root, lastRun: LastRun, name: string): boolean {
  const journal = `data/journal/${name}.ndjson`;
  // While the component waits, runs commit its damaged journal as it is.
  const { data: commit } = findGoodCommits(lastRun, name);
  if (commit === lastRun.dataCommit && !lastRun.changed.has(journal)) {
    return false;
  }

  // A run moves the journal of a renamed component once nothing of it waits.
  const formerJournal = findFormerJournal(root, name, commit);
  const file = existsSync(join(root.dir, journal)) ? journal : formerJournal;
  return !isContinued(root, file, commit, formerJournal);
}

function hasJournal(root: Root, name: string, commit: string): boolean {
  return Boolean(readAtCommit(root.dir, commit, findFormerJournal(root, name, commit)));
}

/** The journal of a component by its name at a commit. */
function findFormerJournal(root: Root, name: string, commit: string): string {
  return `data/journal/${findName(root, name, commit)}.ndjson`;
}

/** Whether a file begins with its content at a commit. `formerFile`: its name there. */
function isContinued(root: Root, file: string, commit: string, formerFile = file): boolean {
  const path = join(root.dir, file);
  const recorded = readAtCommit(root.dir, commit, formerFile) ?? '';
  return existsSync(path) && readFileSync(path, 'utf8').startsWith(recorded);
}
