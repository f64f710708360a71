import { randomInt } from 'node:crypto';
import { availableParallelism, type } from 'node:os';
import { toDay, type Day } from '../core/model/dates.ts';
import { throwErrors, type Finding } from '../core/schemas/finding.ts';
import type { Run } from '../core/schemas/recorded/runs.ts';
import type { HeldChange, Wait } from '../core/schemas/recorded/waits.ts';
import { toLine } from '../core/text/foreign-text.ts';
import { formatCount } from '../core/text/wording.ts';
import type { Component } from '../decide/component.ts';
import { findImpossibleDays, findFutureLines } from '../deliver/check/recorded-rules.ts';
import { explainTooLarge } from '../deliver/host/host-limits.ts';
import type { PublicRun } from '../deliver/publish/live.ts';
import { readHead } from '../io/files/git.ts';
import { readSiteConfig } from '../io/files/settings-files.ts';
import { lock, type Lock } from '../io/files/lock.ts';
import { isWritable, journalFile, listComponents, type Root } from '../io/files/root.ts';
import { programVersion } from '../io/program.ts';
import { isNewWait, judgeEdits, type JudgedEdits } from '../record/gate/judge-edits.ts';
import { saveJudged } from '../record/gate/save-judged.ts';
import type { GatherResult } from '../record/gather/unite-answers.ts';
import { recordJournal, type Recorded, type RunFacts } from '../record/journal/record-journal.ts';
import { recordStatements } from '../record/journal/record-statements.ts';
import { loadComponent } from '../site/load-component.ts';
import { findWrongDay } from './clock.ts';
import { toHeldChange, saveHeld } from './held-changes.ts';
import type { RunReport, RunContext } from './run-context.ts';

interface RecordInput extends Pick<RunContext, 'root' | 'day' | 'env' | 'report'> {
  startedAt: Date;
  /** The verb and the names of its options, without values. */
  requested: readonly string[];
  publicRun?: PublicRun | undefined;
  gathered?: readonly GatherResult[];
  /** The edits of people, where they were judged before. */
  edits?: JudgedEdits;
}

/** What became of the edits and the gathered answers. */
interface JudgedChanges {
  /** The index to publish, with the last good files of components that wait. */
  root: Root;
  waits: readonly Wait[];
  held: readonly HeldChange[];
  /** The ids of the decisions that this run used. */
  used: readonly string[];
  findings: Finding[];
}

export interface RecordedDay extends Recorded, JudgedChanges {}

/**
 * Judges the gathered answers, saves those that pass, and appends the news for readers to the journal. Components with broken
 * files are left out and reported. Throws an InputError before anything is saved if nothing may be recorded for the day.
 */
export async function record(input: RecordInput): Promise<RecordedDay> {
  const { day, report } = input;
  // May ask a remote repository, which takes longer than a lock lasts.
  const edits = input.edits ?? judgeEdits(input);

  using dataLock = await lock(input.root, 'data');
  const today = toDay(new Date());
  throwErrors(findFutureLines(input.root, today));
  throwErrors(findWrongDay(input.root, day, today));

  const changes = saveAccepted(input, edits, dataLock);
  const { root, held } = changes;
  const judged = judgeComponents(root, day, today, dataLock);
  const run = describeRun(input, changes);
  // Compared with the journals of another run, what was judged would look like news.
  dataLock.renew();
  const recorded = recordJournal({
    root,
    day,
    components: judged.components,
    edits: edits.edits,
    now: new Date(),
    run,
  });
  const statementFindings = recordSignedStatements(root, judged.components, day);
  saveHeld(root, held);

  const findings = [
    ...changes.findings,
    ...judged.findings,
    ...recorded.findings,
    ...statementFindings,
  ];
  report.finding(...findings);
  return { ...changes, ...recorded, findings };
}

/** Saves the answers that pass, and lists the edits and answers that wait. */
function saveAccepted(
  { gathered = [], day }: RecordInput,
  edits: JudgedEdits,
  dataLock: Lock,
): JudgedChanges {
  const saved = saveJudged({
    dataLock,
    edits,
    gathered,
    day,
    whyReject: (name, releases) => explainTooLarge(edits.root, name, day, releases),
  });
  const waiting = [...edits.waiting, ...saved.waiting].sort((a, b) => (a.id < b.id ? -1 : 1));

  return {
    root: edits.root,
    // Only the first run that holds a change lists its losses.
    waits: waiting.map(({ items, ...wait }) =>
      isNewWait(edits, wait.id) ? { ...wait, items } : wait,
    ),
    held: waiting.map(toHeldChange),
    used: [...edits.used, ...saved.used].sort(),
    findings: [...edits.findings, ...saved.findings],
  };
}

/**
 * The components whose journals are writable, by name. One with unusable files or impossible days is undefined, with the reasons
 * in `findings`, except those in its journal: `recordJournal` reads each journal, and reports them.
 */
function judgeComponents(root: Root, day: Day, today: Day, dataLock: Lock) {
  const components = new Map<string, Component | undefined>();
  const findings: Finding[] = [];

  for (const name of listComponents(root).names) {
    if (!isWritable(root, name, 'journal')) {
      continue;
    }

    dataLock.renew();
    const impossibleDays = findImpossibleDays(root, name, today);
    if (impossibleDays.length > 0) {
      components.set(name, undefined);
      findings.push(...impossibleDays);
      continue;
    }

    const loaded = loadComponent(root, name, day);
    components.set(name, loaded.component);
    if (!loaded.component) {
      findings.push(...loaded.findings.filter(({ file }) => file !== journalFile(name)));
    }
  }

  return { components, findings };
}

/** Records the statements to sign: only a site with a key publishes them. */
function recordSignedStatements(
  root: Root,
  components: ReadonlyMap<string, Component | undefined>,
  day: Day,
): Finding[] {
  if (readSiteConfig(root).value?.signingPublicKey === undefined) {
    return [];
  }

  const findings: Finding[] = [];
  for (const component of components.values()) {
    if (component) {
      findings.push(...recordStatements(root, component, day));
    }
  }
  return findings;
}

const idCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function createRunId(): string {
  const characters = Array.from({ length: 13 }, () => idCharacters[randomInt(idCharacters.length)]);
  return characters.join('');
}

/** The line of a run in `data/runs/`, except for its events. */
function describeRun(
  { env, requested, startedAt, publicRun, gathered = [] }: RecordInput,
  { root, waits, used }: JudgedChanges,
): RunFacts {
  return {
    id: createRunId(),
    requested: [...requested],
    program: programVersion,
    node: process.versions.node,
    // `npm/11.6.2 node/v24.11.1 linux x64`
    npm: /\bnpm\/(\d\S*)/.exec(env['npm_config_user_agent'] ?? '')?.[1],
    projectName: toLine(env['npm_package_name'] ?? '') || undefined,
    operatingSystem: type(),
    numberOfCpuCores: availableParallelism(),
    nodeLocale: new Intl.DateTimeFormat().resolvedOptions().locale,
    commit: readHead(root.dir, env),
    startedAt: startedAt.toISOString(),
    ...publicRun,
    accepted: used.length > 0 ? [...used] : undefined,
    waits: waits.length > 0 ? [...waits] : undefined,
    ...countAnswers(root, gathered),
  };
}

/** The number of asked sources and of sound answers, and the sources that failed. */
function countAnswers(
  root: Root,
  gathered: readonly GatherResult[],
): Pick<Run, 'components' | 'asked' | 'answered' | 'unasked' | 'troubles'> {
  const troubles: NonNullable<Run['troubles']> = [];
  const unasked = new Set(listComponents(root).names);
  const total = unasked.size;
  let asked = 0;

  for (const { component, sources } of gathered) {
    unasked.delete(component);
    asked += sources.length;

    for (const source of sources) {
      if (source.kind !== 'answered') {
        const { id, kind, reason, at } = source;
        troubles.push({ component, source: id, kind, reason: toLine(reason), at });
      }
    }
  }

  return {
    components: total,
    asked,
    answered: asked > 0 ? asked - troubles.length : undefined,
    unasked: asked > 0 && unasked.size > 0 ? [...unasked] : undefined,
    troubles: troubles.length > 0 ? troubles : undefined,
  };
}

/** Prints how many events each component has. */
export function printRecorded(report: RunReport, { events }: Recorded): void {
  for (const [name, { length }] of events) {
    report.print(`${name}: ${formatCount(length, 'event')} recorded.`);
  }

  if (events.size === 0) {
    report.print('record: nothing new.');
  }
}
