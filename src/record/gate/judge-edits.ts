import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { fileProblem, InputError, isError, type Finding } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { askGit, openGit, readAtCommit, splitEntries, type Git } from '../../io/files/git.ts';
import { readJournal } from '../../io/files/journal-files.ts';
import { readFreshness, readRecordedData, readSiteConfig } from '../../io/files/read.ts';
import {
  definitionPath,
  listComponents,
  recordedPath,
  type FilePart,
  type Root,
} from '../../io/files/root.ts';
import type { RecordedEdit } from '../journal/record-journal.ts';
import { readDefinition } from '../read-definition.ts';
import { findLastAcceptedOn, listOpenDecisions } from './decisions.ts';
import { judgeEdit, type EditedFiles, type JudgedEdit } from './judge-edit.ts';
import {
  openEdited,
  copyFiles,
  findName,
  openAccepted,
  readFormerNames,
  type GoodCommits,
} from './last-good-files.ts';
import { readLastRun, type LastRun } from './last-run.ts';
import { createDecisionId, keepDecision, type WaitingChange } from './rules/decision-id.ts';

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

/** Throws an InputError if there is no state to compare with. */
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

/** Files to which runs and people only append. */
const recordedLines = /^data\/(?:runs\/[^/]+|decisions)\.ndjson$/;

/** Lines that runs or people recorded are never changed. */
function findLostLines(root: Root, lastRun: LastRun | undefined): Finding[] {
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

function isContinued(root: Root, file: string, commit: string, formerFile = file): boolean {
  const path = join(root.dir, file);
  const recorded = readAtCommit(root.dir, commit, formerFile) ?? '';
  return existsSync(path) && readFileSync(path, 'utf8').startsWith(recorded);
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
  const waiting = holdDamaged(input, lastRun, name);
  if (waiting) {
    return { waiting: keepDecision(waiting, lastRun?.waits ?? []) };
  }
  if (!lastRun) {
    return {};
  }

  const files = [`components/${name}.json`, 'site/site.json', `data/${name}.json`];
  const hasWaited = lastRun.waits.some(({ component, commit }) => component === name && commit);
  if (!hasWaited && !files.some((file) => lastRun.changed.has(file))) {
    return {};
  }

  return judgeEditedFiles(input, lastRun, name, findCommits(lastRun, name));
}

/** The commits of the last run, or those at which the component has waited since. */
function findCommits({ commit, dataCommit, waits }: LastRun, name: string): GoodCommits {
  const waiting = waits.find((wait) => wait.component === name && (wait.commit ?? wait.dataCommit));
  return { definition: waiting?.commit ?? commit, data: waiting?.dataCommit ?? dataCommit };
}

/** Problems in the files of a component, by part. */
type Damage = Readonly<Record<FilePart, readonly Finding[]>>;

function findDamage(root: Root, lastRun: LastRun | undefined, name: string): Damage {
  if (!existsSync(definitionPath(root, name))) {
    const message = `is missing, and data/${name}.json is there. If the component was removed, remove its files in data/, too; if it was renamed, state "renamedFrom"`;
    const isLeft = existsSync(recordedPath(root, name));
    const definition = isLeft ? [fileProblem(`components/${name}.json`, message)] : [];
    return { definition, data: [], journal: [] };
  }

  const { findings } = readRecordedData(root, name);
  const journal = readJournal(root, name).findings.filter(isError);
  if (lastRun && isJournalCut(root, lastRun, name)) {
    const file = `data/journal/${name}.ndjson`;
    journal.push(fileProblem(file, 'does not begin with the lines of the last run'));
  }

  return {
    definition: readDefinition(root, name).findings,
    data: [...findings, ...readFreshness(root, name).findings].filter(isError),
    journal,
  };
}

function isJournalCut(root: Root, lastRun: LastRun, name: string): boolean {
  const journal = `data/journal/${name}.ndjson`;
  // While the component waits, runs commit its damaged journal as it is.
  const { data: commit } = findCommits(lastRun, name);
  if (commit === lastRun.dataCommit && !lastRun.changed.has(journal)) {
    return false;
  }

  // A run moves the journal of a renamed component once nothing of it waits.
  const formerJournal = `data/journal/${findName(root, name, commit)}.ndjson`;
  const file = existsSync(join(root.dir, journal)) ? journal : formerJournal;
  return !isContinued(root, file, commit, formerJournal);
}

/** A component with damaged files stays as it was; one that was never recorded is left out. Undefined without damage. */
function holdDamaged(
  { root, day }: EditInput,
  lastRun: LastRun | undefined,
  name: string,
): WaitingChange | undefined {
  const damage = findDamage(root, lastRun, name);
  const problems = Object.values(damage).flat();
  if (problems.length === 0) {
    return undefined;
  }

  const commits = lastRun && findCommits(lastRun, name);
  const files = [...new Set(problems.map(({ subject }) => subject))];
  const isDataDamaged = damage.data.length > 0 || damage.journal.length > 0;
  const wasRecorded = commits !== undefined && hasJournal(root, name, commits.data);
  const items = problems.map(({ message }) => toLine(message));

  return dropUndefined({
    id: createDecisionId(name, ['files', files]),
    component: name,
    kind: 'files' as const,
    since: day,
    causes: files,
    reason: toLine(items.join('; ')),
    items,
    commit: wasRecorded && damage.definition.length > 0 ? commits.definition : undefined,
    dataCommit: wasRecorded && isDataDamaged ? commits.data : undefined,
  });
}

function hasJournal(root: Root, name: string, commit: string): boolean {
  const former = `data/journal/${findName(root, name, commit)}.ndjson`;
  return (readAtCommit(root.dir, commit, former) ?? '') !== '';
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
