import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../core/model/dates.ts';
import { InputError, isError } from '../../core/schemas/finding.ts';
import { askGit, openGit, splitEntries, type Git } from '../../io/files/git.ts';
import { readJournal, readRecordedData } from '../../io/files/recorded-files.ts';
import { readSiteConfig } from '../../io/files/settings-files.ts';
import {
  definitionFile,
  listComponents,
  recordedFile,
  type FilePart,
  type Root,
} from '../../io/files/root.ts';
import type { RecordedEdit } from '../journal/record-journal.ts';
import { readDefinition, type FullDefinition } from '../read-definition.ts';
import { findLostLines, findRestoreCommand, holdDamaged } from './damaged-files.ts';
import { readLastRun, type LastRun } from './last-run.ts';
import { findLastAcceptedOn, listOpenDecisions } from './decisions.ts';
import {
  openEdited,
  copyFiles,
  findGoodCommits,
  openAccepted,
  readFormerNames,
  renameWaits,
} from './last-good-files.ts';
import {
  isDataEdited,
  judgeComponentEdit,
  type EditedFiles,
  type EditVerdict,
} from './judge-component-edit.ts';
import type { WaitingChange } from './rules/waiting-change.ts';

/** The edits of people since the last run, judged before anything is gathered. */
export type JudgedEdits = ReturnType<typeof judgeEdits>;

/** Whether no change with this id waited after the last run. */
export function isNewWait({ lastRun }: JudgedEdits, id: string): boolean {
  return !lastRun?.waits.some((wait) => wait.id === id);
}

interface EditContext {
  /** With all files as people left them. */
  root: Root;
  git: Git;
  day: Day;
}

/** Throws an InputError if the state of the last run or the site configuration cannot be read, if recorded lines were lost, or if git lacks a commit. */
export function judgeEdits(input: { root: Root; env: NodeJS.ProcessEnv; day: Day }) {
  const { env, day } = input;
  const root = openEdited(input.root);
  const context = { root, git: openGit(root.dir, env), day };
  const { lastRun: recordedRun, findings } = readLastRun(root, env);
  const lastRun = recordedRun && { ...recordedRun, waits: renameWaits(root, recordedRun.waits) };
  const errors = [
    ...findings.filter(isError),
    ...findLostLines(root, lastRun),
    // Without the defaults of the site configuration, all definitions would look damaged.
    ...readSiteConfig(root).findings.filter(isError),
  ];
  if (errors.length > 0) {
    throw new InputError(errors);
  }

  const waiting: WaitingChange[] = [];
  const used: string[] = [];
  const edits = new Map<string, RecordedEdit>();

  for (const name of listNames(context, lastRun)) {
    const verdict = judgeFiles(context, lastRun, name);
    used.push(...(verdict.used ?? []));
    if (verdict.wait) {
      waiting.push(verdict.wait);
    }
    if (verdict.edit) {
      edits.set(name, verdict.edit);
    }
  }

  return {
    /** The index to gather and build: a component that waits has the files of its last good commit, or is left out without one. */
    root: openAccepted(root, waiting),
    waiting,
    /** The ids of the decisions that let edits through. */
    used,
    /** By component, the accepted edit and the events that it causes. */
    edits,
    /** With the waits of renamed components by their present names. */
    lastRun,
    /** The ids of decisions that no run has used. */
    accepted: lastRun?.accepted ?? listOpenDecisions(root),
    findings,
  };
}

/**
 * All components, with those that were removed since the last run, or before while a change of them waited. A renamed component has
 * its present name.
 */
function listNames({ root, git }: EditContext, lastRun: LastRun | undefined): string[] {
  const { names } = listComponents(root);
  if (!lastRun) {
    return names;
  }

  const files = splitEntries(
    git(['ls-tree', '-z', '--name-only', '--end-of-options', lastRun.commit, 'components/']),
  );
  const lastNames = files.map((file) => basename(file, '.json'));
  const waitingNames = lastRun.waits.map(({ component }) => component);
  const formerNames = new Set(names.flatMap((name) => readFormerNames(root, name)));
  const unrenamed = [...lastNames, ...waitingNames].filter((name) => !formerNames.has(name));
  return [...new Set([...names, ...unrenamed])];
}

/** Judges the files of a component: damaged ones wait, and edited ones if readers would lose too much. */
function judgeFiles(context: EditContext, lastRun: LastRun | undefined, name: string): EditVerdict {
  const wait = holdDamaged(context.root, context.day, lastRun, name);
  if (wait) {
    return { wait };
  }
  if (!lastRun) {
    return {};
  }

  const files = [definitionFile(name), 'site/site.json', recordedFile(name)];
  const hasWaited = lastRun.waits.some(({ component }) => component === name);
  if (!hasWaited && !files.some((file) => lastRun.changed.has(file))) {
    return {};
  }

  return compareWithGood(context, lastRun, name);
}

/** Judges the files of a component by those of its last good commits. */
function compareWithGood(context: EditContext, lastRun: LastRun, name: string): EditVerdict {
  const { root, day } = context;
  const { waits, used, accepted } = lastRun;
  const commits = findGoodCommits(lastRun, name);
  const goodParts = new Map<FilePart, string>([
    ['definition', commits.definition],
    ['data', commits.data],
    ['journal', commits.data],
  ]);
  const pastRoot = { ...root, lastGood: new Map([[name, copyFiles(root, name, goodParts)]]) };
  const journal = readJournal(pastRoot, name).value?.values ?? [];
  const before = readEditedFiles(pastRoot, name);
  const after = readEditedFiles(root, name);
  const causes = listCauses(context, name, before, after);
  if (causes.length === 0) {
    return {};
  }

  return judgeComponentEdit({
    name,
    day,
    before,
    after,
    journal,
    waits,
    accepted,
    acceptedOn: findLastAcceptedOn(used, [name, ...readFormerNames(root, name)]),
    causes,
    commits,
    restoreCommand: findRestoreCommand(root, name, commits.data),
  });
}

/** Undefined where files of the component are missing or cannot be used. */
function readEditedFiles(root: Root, name: string): EditedFiles | undefined {
  const { value: definition, inherited } = readDefinition(root, name);
  const data = readRecordedData(root, name).value;
  return definition && data && { definition, inherited, data };
}

/** The edited files and defaults, each with its last commit. */
function listCauses(
  { git }: EditContext,
  name: string,
  before: EditedFiles | undefined,
  after: EditedFiles | undefined,
): string[] {
  if (!after) {
    return before ? [nameCommit(git, definitionFile(name))] : [];
  }

  const causes: string[] = [];
  const fields = listChangedFields(before?.definition, after.definition);
  const ownFields = fields.filter((field) => isStated(field, before) || isStated(field, after));
  if (ownFields.length > 0) {
    causes.push(nameCommit(git, definitionFile(name)));
  }

  // A field that the definition states neither before nor after the edit comes from the defaults.
  for (const field of fields.filter((each) => !ownFields.includes(each))) {
    causes.push(nameCommit(git, 'site/site.json', `#defaults.${field}`));
  }

  if (isDataEdited(before, after)) {
    causes.push(nameCommit(git, recordedFile(name)));
  }

  return causes;
}

type Field = keyof FullDefinition;

function listChangedFields(before: FullDefinition | undefined, after: FullDefinition): Field[] {
  const fields = Object.keys({ ...before, ...after }) as Field[];
  return fields.filter((field) => !isDeepStrictEqual(before?.[field], after[field]));
}

/** Whether the definition itself states a field. */
function isStated(field: Field, files: EditedFiles | undefined): boolean {
  return files !== undefined && field in files.definition && !files.inherited.includes(field);
}

/** A file with its last commit, or with the note that its present content is not committed. */
function nameCommit(git: Git, file: string, part = ''): string {
  const isCommitted = askGit(git, 'status', '--porcelain', '--', file) === '';
  const commit = askGit(git, 'log', '-1', '--format=%H', 'HEAD', '--', file);
  return `${file}${part}@${isCommitted && commit ? commit.slice(0, 10) : 'uncommitted'}`;
}
