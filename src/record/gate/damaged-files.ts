import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { fileProblem, isError, type Finding } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { readIfThere } from '../../io/files/file-system.ts';
import { readAtCommits } from '../../io/files/git.ts';
import { readJournal, readFreshness, readRecordedData } from '../../io/files/recorded-files.ts';
import {
  definitionFile,
  definitionPath,
  journalFile,
  recordedFile,
  recordedPath,
  type Root,
} from '../../io/files/root.ts';
import { readDefinition } from '../read-definition.ts';
import { findGoodCommits, findName, readGoodFiles } from './last-good-files.ts';
import type { LastRun } from './last-run.ts';
import {
  createDecisionId,
  formatRestoreCommand,
  inheritIdAndDay,
  type WaitingChange,
} from './rules/waiting-change.ts';

const cutMessage = 'does not begin with the lines of the last run';

/** The files of the whole index to which runs and people only append. */
const recordedLines = /^data\/(?:runs\/[^/]+|decisions)\.ndjson$/;

/** A problem for each of these files that lost or changed lines of the last run: no run can go on without them. */
export function findLostLines(root: Root, lastRun: LastRun | undefined): Finding[] {
  if (!lastRun) {
    return [];
  }

  const { changed, dataCommit } = lastRun;
  const files = [...changed].filter((file) => recordedLines.test(file));
  const lost = files.filter((file) => {
    const [recorded] = readAtCommits(root.dir, [{ commit: dataCommit, file }]);
    return !beginsWith(root, file, recorded?.content ?? '');
  });
  return lost.map((file) => {
    const remedy = formatRestoreCommand(dataCommit, [file]);
    return fileProblem(file, `${cutMessage}. No run can go on. Restore it: ${remedy}`);
  });
}

/**
 * The wait of a component with damaged files; undefined without damage. While it waits, the component stays as it was. A component
 * that was never recorded is left out of the index.
 */
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

  const files = [...new Set(problems.map(({ subject }) => subject))];
  const items = problems.map(({ message }) => toLine(message));
  const wait = {
    id: createDecisionId(name, ['files', files]),
    component: name,
    kind: 'files' as const,
    since: day,
    causes: files,
    reason: toLine(items.join('; ')),
    items,
    ...(lastRun && chooseCommits(root, lastRun, name, damage)),
  };
  return inheritIdAndDay(wait, lastRun?.waits ?? []);
}

/**
 * The command that restores the recorded data of a component from a commit, in which it may have a former name. Undefined if its file
 * is there, or the commit lacks it.
 */
export function findRestoreCommand(root: Root, name: string, commit: string): string | undefined {
  if (existsSync(recordedPath(root, name))) {
    return undefined;
  }

  const file = recordedFile(name);
  const formerFile = recordedFile(findName(root, name, commit));
  if (readTextAt(root, name, commit, formerFile) === '') {
    return undefined;
  }

  return formerFile === file
    ? formatRestoreCommand(commit, [file])
    : `git show ${commit}:./${formerFile} > ${file}`;
}

/** Problems in the files of a component. */
interface Damage {
  definition: readonly Finding[];
  /** In its releases, its freshness and its journal. */
  data: readonly Finding[];
}

function findDamage(root: Root, lastRun: LastRun | undefined, name: string): Damage {
  if (!existsSync(definitionPath(root, name))) {
    const message = `is missing, and ${recordedFile(name)} is there. If the component was removed, remove its files in data/, too; if it was renamed, state "renamedFrom"`;
    const isLeft = existsSync(recordedPath(root, name));
    const definition = isLeft ? [fileProblem(definitionFile(name), message)] : [];
    return { definition, data: [] };
  }

  const results = [
    readRecordedData(root, name),
    readFreshness(root, name),
    readJournal(root, name),
  ];
  const data = results.flatMap(({ findings }) => findings).filter(isError);
  const cutJournal = lastRun && findCutJournal(root, lastRun, name);
  if (cutJournal !== undefined) {
    data.push(fileProblem(cutJournal, cutMessage));
  }

  return { definition: readDefinition(root, name).findings, data };
}

/**
 * The journal of a component if it lost or changed recorded lines. While a component waits, runs commit its damaged journal as it is,
 * so the good lines are those of an older commit.
 */
function findCutJournal(root: Root, lastRun: LastRun, name: string): string | undefined {
  const { data: commit } = findGoodCommits(lastRun, name);
  const journal = journalFile(name);
  const formerJournal = journalFile(findName(root, name, commit));
  const isChanged = lastRun.changed.has(journal) || lastRun.changed.has(formerJournal);
  if (commit === lastRun.dataCommit && !isChanged) {
    return undefined;
  }

  // A run moves the journal of a renamed component once nothing of it waits.
  const file = existsSync(join(root.dir, journal)) ? journal : formerJournal;
  const recorded = readTextAt(root, name, commit, formerJournal);
  return beginsWith(root, file, recorded) ? undefined : file;
}

/**
 * The commits of the files to use instead of damaged ones. Edits that came with the damage cannot be judged yet, so the files before
 * them are used, too. None for a component that was never recorded, which has no journal.
 */
function chooseCommits(
  root: Root,
  lastRun: LastRun,
  name: string,
  damage: Damage,
): Pick<WaitingChange, 'commit' | 'dataCommit'> {
  const { changed, commit, dataCommit } = lastRun;
  const good = findGoodCommits(lastRun, name);
  const journal = journalFile(findName(root, name, good.data));
  if (readTextAt(root, name, good.data, journal) === '') {
    return {};
  }

  const isDefinitionHeld =
    damage.definition.length > 0 ||
    good.definition !== commit ||
    changed.has(definitionFile(name)) ||
    changed.has('site/site.json');
  const isDataHeld =
    damage.data.length > 0 || good.data !== dataCommit || changed.has(recordedFile(name));
  return dropUndefined({
    commit: isDefinitionHeld ? good.definition : undefined,
    dataCommit: isDataHeld ? good.data : undefined,
  });
}

/** A file of a component at a commit; empty if the commit lacks it. */
function readTextAt(root: Root, component: string, commit: string, file: string): string {
  const [found] = readGoodFiles(root, component, [{ commit, file }]);
  return found?.content ?? '';
}

/** Whether a file is there and begins with a text. */
function beginsWith(root: Root, file: string, start: string): boolean {
  return readIfThere(join(root.dir, file))?.toString().startsWith(start) === true;
}
