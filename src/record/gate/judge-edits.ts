import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { addDays, findLatestDay, type Day } from '../../core/model/dates.ts';
import { InputError, isError, type Finding } from '../../core/schemas/finding.ts';
import { askGit, openGit, splitEntries, type Git } from '../../io/files/git.ts';
import { readJournal, readRecordedData } from '../../io/files/recorded-files.ts';
import { readSiteConfig } from '../../io/files/settings-files.ts';
import { definitionPath, listComponents, type Root } from '../../io/files/root.ts';
import type { RecordedEdit } from '../journal/record-journal.ts';
import { readDefinition, type FullDefinition } from '../read-definition.ts';
import { findLostLines, holdDamaged } from './damaged-files.ts';
import { readLastRun, type LastRun } from './last-run.ts';
import { findLastAcceptedOn, listOpenDecisions } from './used-decisions.ts';
import {
  openEdited,
  copyFiles,
  findGoodCommits,
  openAccepted,
  readFormerNames,
  type GoodCommits,
} from './last-good-files.ts';
import type { WaitingChange } from './rules/waiting-change.ts';
import type { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import { foldJournal, type DraftEvent, type JournalState } from '../../decide/fold-journal.ts';
import { judgeRecorded, type Judged } from '../../decide/judge.ts';
import { describeChange } from '../journal/events/describe-change.ts';
import { judgeChange, type ComponentChange } from './gate.ts';
import { limits } from './rules/losses.ts';
import { applyEvents } from './rules/reader-state.ts';

/** The edits of people since the last run, judged before anything is gathered. */
export interface JudgedEdits {
  /** The index to gather and build: a component that waits keeps the files of its last good commit. */
  root: Root;
  waiting: readonly WaitingChange[];
  used: readonly string[];
  /** By component, the accepted edit and the events that it causes. */
  edits: ReadonlyMap<string, RecordedEdit>;
  lastRun: LastRun | undefined;
  findings: readonly Finding[];
}

interface EditInput {
  root: Root;
  env: NodeJS.ProcessEnv;
  day: Day;
}

/** Throws an InputError without a state to compare with, and if recorded lines were lost. */
export function judgeEdits(input: EditInput): JudgedEdits {
  const root = openEdited(input.root);
  const { lastRun, findings } = readLastRun(root, input.env);
  const errors = [...findings.filter(isError), ...findLostLines(root, lastRun)];
  if (errors.length > 0) {
    throw new InputError(errors);
  }

  const waiting: WaitingChange[] = [];
  const used: string[] = [];
  const edits = new Map<string, RecordedEdit>();
  // Without the defaults of the site configuration, all definitions would look damaged. The build reports it.
  const names = readSiteConfig(root).value ? listNames(root, lastRun) : [];

  for (const name of names) {
    const judged = judgeComponent({ ...input, root }, lastRun, name);
    used.push(...(judged.used ?? []));
    if (judged.waiting) {
      waiting.push(judged.waiting);
    }
    if (judged.edit) {
      edits.set(name, judged.edit);
    }
  }

  return { root: openAccepted(root, waiting), waiting, used, edits, lastRun, findings };
}

/** All components, with those that were removed since the last run. */
function listNames(root: Root, lastRun: LastRun | undefined): string[] {
  const { names } = listComponents(root);
  if (!lastRun) {
    return names;
  }

  const git = openGit(root.dir);
  const files = splitEntries(
    git(['ls-tree', '-z', '--name-only', '--end-of-options', lastRun.commit, 'components/']),
  );
  const formerNames = files.map((file) => basename(file, '.json'));
  const waited = lastRun.waits.map(({ component }) => component);
  const renamed = new Set(names.flatMap((name) => readFormerNames(root, name)));
  const removed = [...formerNames, ...waited].filter((name) => !renamed.has(name));
  return [...new Set([...names, ...removed])];
}

function judgeComponent(input: EditInput, lastRun: LastRun | undefined, name: string): JudgedEdit {
  const waiting = holdDamaged(input.root, input.day, lastRun, name);
  if (waiting) {
    return { waiting };
  }
  if (!lastRun) {
    return {};
  }

  const files = [`components/${name}.json`, 'site/site.json', `data/${name}.json`];
  const hasWaited = lastRun.waits.some(({ component, commit }) => component === name && commit);
  if (!hasWaited && !files.some((file) => lastRun.changed.has(file))) {
    return {};
  }

  return judgeEditedFiles(input, lastRun, name, findGoodCommits(lastRun, name));
}

function judgeEditedFiles(
  input: EditInput,
  { waits, used }: LastRun,
  name: string,
  commits: GoodCommits,
): JudgedEdit {
  const { root, day } = input;
  const isThere = existsSync(definitionPath(root, name));
  const lastGood = copyFiles(root, name, commits, new Set(['definition', 'data', 'journal']));
  const pastRoot: Root = { ...root, lastGood: new Map([[name, lastGood]]) };
  const journal = readJournal(pastRoot, name).value?.values ?? [];
  const before = readFiles(pastRoot, name);
  const after = isThere ? readFiles(root, name) : undefined;
  if (isDeepStrictEqual(before, after)) {
    return {};
  }

  return judgeEdit({
    name,
    day,
    before,
    after,
    journal,
    waits,
    accepted: listOpenDecisions(root, used),
    acceptedOn: findLastAcceptedOn(used, name),
    causes: listCauses(input, name, before, after),
    commits,
  });
}

/** Undefined for a component without usable files. */
function readFiles(root: Root, name: string): EditedFiles | undefined {
  const { value: definition, inherited } = readDefinition(root, name);
  const data = readRecordedData(root, name).value;
  if (!definition || !data) {
    return undefined;
  }

  return { definition, inherited, data };
}

/** The edited files and defaults, each with its last commit. */
function listCauses(
  { root, env }: EditInput,
  name: string,
  before: EditedFiles | undefined,
  after: EditedFiles | undefined,
): string[] {
  const git = openGit(root.dir, env);
  const definitionFile = `components/${name}.json`;
  if (!after) {
    return [nameCommit(git, definitionFile)];
  }

  const fields = Object.keys({ ...before?.definition, ...after.definition }).filter(
    (field) => !isDeepStrictEqual(readField(before, field), readField(after, field)),
  );

  // A field that the definition states neither before nor after the edit comes from the defaults.
  const defaults = fields.filter(
    (field) => !statesField(before, field) && !statesField(after, field),
  );
  const siteState = describeCommit(git, 'site/site.json');
  const causes = defaults.map((field) => `site/site.json#defaults.${field}@${siteState}`);
  if (fields.length > defaults.length) {
    causes.unshift(nameCommit(git, definitionFile));
  }
  if (!isDeepStrictEqual(before?.data, after.data)) {
    causes.push(nameCommit(git, `data/${name}.json`));
  }

  return causes;
}

function readField(files: EditedFiles | undefined, field: string): unknown {
  return (files?.definition as Record<string, unknown> | undefined)?.[field];
}

function statesField(files: EditedFiles | undefined, field: string): boolean {
  return readField(files, field) !== undefined && files?.inherited.includes(field) === false;
}

function nameCommit(git: Git, file: string): string {
  return `${file}@${describeCommit(git, file)}`;
}

/** The last commit of a file, or that its present content is not committed. */
function describeCommit(git: Git, file: string): string {
  const isCommitted = askGit(git, 'diff', '--quiet', 'HEAD', '--', file) !== undefined;
  const commit = askGit(git, 'log', '-1', '--format=%H', 'HEAD', '--', file) ?? '';
  return isCommitted && commit !== '' ? commit.slice(0, 10) : 'uncommitted';
}

/** The files that people edit of a component. */
interface EditedFiles {
  definition: FullDefinition;
  /** The fields of the definition that the defaults state. */
  inherited: readonly string[];
  data: RecordedData;
}

/** A component before and after the edits of people. */
export interface ComponentEdit extends Pick<
  ComponentChange,
  'name' | 'day' | 'journal' | 'accepted' | 'acceptedOn' | 'causes'
> {
  /** Undefined where the files were unusable. */
  before: EditedFiles | undefined;
  /** Undefined where the component was removed. */
  after: EditedFiles | undefined;
  /** The changes of all components that waited after the last run. */
  waits: readonly WaitingChange[];
  /** The commits of the files before. */
  commits: GoodCommits;
}

/** The result of judging the edit of one component: it waits, or it is taken. Empty before the first run. */
interface JudgedEdit {
  waiting?: WaitingChange;
  /** The decisions that let it through. */
  used?: readonly string[];
  edit?: RecordedEdit;
}

/**
 * Judges the edit of one component, as of the last day ahead on which its definition deprecates releases. The events that the old
 * files would cause until then are applied first, so only the consequences of the edit are judged. Before its first run, a
 * component has no readers, so no edit of it waits.
 */
export function judgeEdit(edit: ComponentEdit): JudgedEdit {
  const { name, day, journal, causes, before, after, commits } = edit;
  if (journal.length === 0) {
    return {};
  }

  const state = foldJournal(journal);
  const dayAhead = findDayAhead(after?.definition, day);
  const judgedBefore = judgeFiles(before, name, dayAhead);
  const waits = edit.waits.filter(({ commit }) => commit !== undefined);
  const verdict = judgeChange({
    ...edit,
    day: dayAhead,
    oldState: judgedBefore
      ? applyEvents(state, describeChange(state, judgedBefore, dayAhead))
      : state,
    before: judgedBefore,
    after: judgeFiles(after, name, dayAhead),
    edited: before && after && { before: before.data, after: after.data },
    expected: new Set(),
    waits,
    waitingSince: waits.find(({ component }) => component === name)?.since,
  });

  const { waiting } = verdict;
  if (waiting) {
    // A new wait has the day ahead; for people, it begins today.
    const since = waiting.since < day ? waiting.since : day;
    const hold = { ...waiting, since, commit: commits.definition };
    const isDataEdited = !isDeepStrictEqual(before?.data, after?.data);
    return { waiting: isDataEdited ? { ...hold, dataCommit: commits.data } : hold };
  }

  const [cause = ''] = causes;
  return { used: verdict.used, edit: { cause, events: listCausedEvents(edit, state) } };
}

/** The events of the day that the component would not have without the edit. */
function listCausedEvents(
  { name, day, before, after }: ComponentEdit,
  state: JournalState,
): DraftEvent[] {
  const listEvents = (files: EditedFiles | undefined) =>
    describeChange(state, judgeFiles(files, name, day), day);
  const unedited = new Set(listEvents(before).map((event) => JSON.stringify(event)));
  return listEvents(after).filter((event) => !unedited.has(JSON.stringify(event)));
}

/**
 * The last day, at most 90 days ahead, on which the definition deprecates releases, else the day itself. On that day no edit is
 * left that could wait, so the loss is judged now.
 */
function findDayAhead(definition: FullDefinition | undefined, day: Day): Day {
  const { deprecated = [], support } = definition ?? {};
  const ended = support?.policy === 'ended' ? support.deprecatedFrom : undefined;
  const days = [...deprecated.map(({ since }) => since ?? day), ended ?? day];
  return findLatestDay(day, ...days.filter((on) => on <= addDays(day, limits.days)));
}

function judgeFiles(files: EditedFiles | undefined, name: string, day: Day): Judged | undefined {
  return files && judgeRecorded(name, files.definition, files.data, day);
}
