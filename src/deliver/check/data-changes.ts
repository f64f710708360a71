import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import {
  fileProblem,
  InputError,
  isError,
  warning,
  type Finding,
} from '../../core/schemas/finding.ts';
import type { Decision } from '../../core/schemas/recorded/journal.ts';
import { formatList } from '../../core/text/wording.ts';
import { listEntriesBelow, isAbsent, sha256 } from '../../io/files/file-system.ts';
import { readDecisions, readJournal, readLastWaits } from '../../io/files/journal-files.ts';
import type { Root } from '../../io/files/root.ts';
import { judgeEdits } from '../../record/gate/judge-edits.ts';
import { readLastRun } from '../../record/gate/last-run.ts';
import type { WaitingChange } from '../../record/gate/rules/decision-id.ts';
import { readDefinition } from '../../record/read-definition.ts';

interface PendingDecisions {
  /** The changes that wait only after the edit. */
  readonly waiting: readonly WaitingChange[];
  /** Why each id may be accepted in this change. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Why it is unknown what would wait. */
  readonly findings: readonly Finding[];
}

/** The changes that the gate holds after the edit. */
export function findPending(
  before: Root,
  after: Root,
  { env, day }: { env: NodeJS.ProcessEnv; day: Day },
): PendingDecisions {
  const reasons = new Map(listReasons(before));

  try {
    const edits = judgeEdits({ root: after, env, day });
    const waiting = edits.waiting.filter(({ id }) => !reasons.has(id));
    for (const { id, causes, reason } of waiting) {
      reasons.set(id, `${formatList(causes, 3)}: ${reason}`);
    }
    for (const id of edits.used) {
      reasons.set(id, reasons.get(id) ?? 'a loss by this change');
    }
    return { waiting, reasons, findings: [] };
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }

    const findings = error.findings.map(({ subject, message }) => warning(subject, message));
    return { waiting: [], reasons, findings };
  }
}

/**
 * The effects of lines that people added, in sentences, and an error for each that accepts an id that does not wait. `reasons`:
 * why each id may be accepted.
 */
export function describeNewDecisions(
  before: Root,
  after: Root,
  { env, reasons }: { env: NodeJS.ProcessEnv; reasons: ReadonlyMap<string, string> },
): { texts: string[]; findings: Finding[] } {
  const { added, findings } = listNewDecisions(before, after);

  const texts = added.map((decision) => {
    const isStart = decision.id === 'history';
    const isOpen = isStart ? isNeeded(decision, before, env) : reasons.has(decision.id);
    if (!isOpen) {
      const message = `accepts ${decision.id}, but no change with this id waits. Remove the line`;
      findings.push(fileProblem('data/decisions.ndjson', message));
    }

    return isStart
      ? describeStart(decision)
      : `accepts ${decision.id}: ${reasons.get(decision.id) ?? 'nothing that waits now'} (${decision.by})`;
  });

  return { texts, findings };
}

/** The lines of decisions that `after` adds, and the problems of its file. */
export function listNewDecisions(
  before: Root,
  after: Root,
): { added: Decision[]; findings: Finding[] } {
  const formerCount = readDecisions(before).value?.values.length ?? 0;
  const { value, findings } = readDecisions(after);
  return { added: value?.values.slice(formerCount) ?? [], findings: findings.filter(isError) };
}

/** Why each id waits. */
function listReasons(root: Root): ReadonlyMap<string, string> {
  return new Map(
    readLastWaits(root).map(
      ({ id, causes, reason }) => [id, `${formatList(causes, 3)}: ${reason}`] as const,
    ),
  );
}

/** The most events that a site may have beyond the journals of the base: greater ids would be used up for nothing. */
const maxLost = 1000;

/** Only the live site knows lost events, so a person has to look at them. */
function isNeeded({ published = {} }: Decision, before: Root, env: NodeJS.ProcessEnv): boolean {
  const lostIds = Object.entries(published);
  if (lostIds.length === 0) {
    return readLastRun(before, env).findings.some(isError);
  }

  return lostIds.every(([component, id]) => {
    const events = readJournal(before, component).value?.values ?? [];
    return id <= (events.at(-1)?.id ?? 0) + maxLost;
  });
}

function describeStart({ commit, by, published = {} }: Decision): string {
  const ids = Object.entries(published).map(([component, id]) => `${component}/${id}`);
  const loss = ids.length === 0 ? '' : `; gives up lost events up to ${ids.join(', ')}`;
  return `accepts history: starts from ${commit?.slice(0, 10)}${loss} (${by})`;
}

/** The folders of `data/` that only runs write; `freshness` also before the first run. */
const foldersOfRuns = ['freshness', 'journal', 'runs', 'statements'] as const;

/** The file of `data/` that people append to. */
const fileOfPeople = 'data/decisions.ndjson';

/**
 * Finds changes that only runs may make: the gate and the journal rely on these files. `before` is the commit that `after` is to be
 * merged into, so a difference can only be by a person. The files of a renamed component may move.
 */
export function findForeignChanges(before: Root, after: Root): Finding[] {
  const [past, present] = [digestFilesOfRuns(before), digestFilesOfRuns(after)];
  const isFirst = ![...past.keys()].some((file) => file.startsWith('data/runs/'));
  const files = [...new Set([...past.keys(), ...present.keys()])]
    .filter((file) => past.get(file) !== present.get(file))
    .filter((file) => !(isFirst && file.startsWith('data/freshness/')))
    .filter((file) => present.has(file) || !isOfRemoved(after, file));
  const moves = new Set(files.flatMap((file) => findMovedPaths(after, file, past, present)));
  const remedy = 'Only runs write it: take the version of the published branch';

  const findings = files
    .filter((file) => !moves.has(file))
    .sort()
    .map((file) => {
      const oldState = present.has(file) ? 'is changed' : 'is gone';
      const state = past.has(file) ? oldState : 'is new';
      return fileProblem(file, `${state}. ${remedy}`);
    });
  return [...findings, ...findChangedLine(before, after)];
}

/** Whether a component was removed with all that people write of it: the gate judges the removal. */
function isOfRemoved({ dir }: Root, file: string): boolean {
  const [, component] = /^data\/(?:freshness|journal|statements)\/([^/]+)\.\w+$/.exec(file) ?? [];
  const paths = [`components/${component}.json`, `data/${component}.json`];
  return component !== undefined && paths.every((path) => isAbsent(join(dir, path)));
}

/** Both paths of a file that moved with its component; empty if it did not. */
function findMovedPaths(
  after: Root,
  file: string,
  past: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
): string[] {
  const [, folder, component, ending] = /^data\/(\w+)\/([^/]+)(\.\w+)$/.exec(file) ?? [];
  if (component === undefined || past.has(file)) {
    return [];
  }

  const { renamedFrom = [] } = readDefinition(after, component).value ?? {};
  const from = renamedFrom
    .map((name) => `data/${folder}/${name}${ending}`)
    .find((path) => !present.has(path) && past.get(path) === present.get(file));
  return from === undefined ? [] : [from, file];
}

/** The digests of all files that only runs write, by path. */
function digestFilesOfRuns({ dir }: Root): Map<string, string> {
  const heldFile = join(dir, 'data/held.json');
  const paths = foldersOfRuns
    .map((folder) => join(dir, 'data', folder))
    .filter((folder) => !isAbsent(folder))
    .flatMap((folder) => [...listEntriesBelow(folder)])
    .map((entry) => join(entry.parentPath, entry.name));

  return new Map(
    [...paths, ...(isAbsent(heldFile) ? [] : [heldFile])].map((path) => {
      const content = lstatSync(path).isFile() ? sha256(readFileSync(path)) : 'no file';
      return [relative(dir, path).replaceAll('\\', '/'), content];
    }),
  );
}

/** The first line of the file that is not as it was recorded: lines are only added. */
function findChangedLine(before: Root, after: Root): Finding[] {
  const [past, present] = [before, after].map(({ dir }) => {
    const path = join(dir, fileOfPeople);
    return isAbsent(path) ? '' : readFileSync(path, 'utf8');
  }) as [string, string];
  if (present.startsWith(past)) {
    return [];
  }

  const lines = present.split('\n');
  const position = past.split('\n').findIndex((line, index) => line !== lines[index]);
  const message = `line ${position + 1} is not as it was recorded. Lines are only added: restore the file from git`;
  return [fileProblem(fileOfPeople, message)];
}
