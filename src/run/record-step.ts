import { toDay, type Day } from '../core/model/dates.ts';
import { throwErrors, type Finding } from '../core/schemas/finding.ts';
import type { HeldChange } from '../core/schemas/recorded/waits.ts';
import { formatCount } from '../core/text/wording.ts';
import type { Component } from '../decide/component.ts';
import { findImpossibleDays, findFutureLines } from '../deliver/check/recorded-rules.ts';
import { explainTooLarge } from '../deliver/host/host-limits.ts';
import { readSiteConfig } from '../io/files/settings-files.ts';
import { lock, type Lock } from '../io/files/lock.ts';
import { isWritable, journalFile, listComponents, type Root } from '../io/files/root.ts';
import { isNewWait, judgeEdits, type JudgedEdits } from '../record/gate/judge-edits.ts';
import { saveJudged } from '../record/gate/save-judged.ts';
import { recordJournal, type Recorded } from '../record/journal/record-journal.ts';
import { recordStatements } from '../record/journal/record-statements.ts';
import { loadComponent } from '../site/load-component.ts';
import { findWrongDay } from './clock.ts';
import { describeRun, type RunOutcome, type StartedRun } from './describe-run.ts';
import { toHeldChange, saveHeld } from './held-changes.ts';
import type { RunReport, RunContext } from './run-context.ts';

interface RecordInput extends StartedRun, Pick<RunContext, 'root' | 'day' | 'report'> {
  /** The edits of people, where they were judged before. */
  edits?: JudgedEdits;
}

/** What became of the edits and the gathered answers. */
interface JudgedChanges extends RunOutcome {
  held: readonly HeldChange[];
  findings: Finding[];
}

export interface RecordedDay extends Recorded, JudgedChanges {}

/**
 * Judges the gathered answers, saves those that pass, and appends the news for readers to the journal. Components with broken
 * files are left out and reported. Throws an InputError before anything is saved if nothing may be recorded for the day. Also throws one
 * if another run has taken over the lock meanwhile: answers that were saved by then stay, and the journal is not written.
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
  // Unlike `input.root`, it has the last good files of components that wait.
  const { root: acceptedRoot, held } = changes;
  const judged = judgeComponents(acceptedRoot, day, today, dataLock);
  const run = describeRun(input, changes);
  // After another run has written journals, what was judged before would look like news.
  dataLock.renew();
  const recorded = recordJournal({
    root: acceptedRoot,
    day,
    components: judged.components,
    edits: edits.edits,
    now: new Date(),
    run,
  });
  const statementFindings = recordStatementsToSign(acceptedRoot, judged.components, day);
  saveHeld(acceptedRoot, held);

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

/** Records statements for the publication to sign. Only a site with a key publishes them. */
function recordStatementsToSign(
  root: Root,
  components: ReadonlyMap<string, Component | undefined>,
  day: Day,
): Finding[] {
  if (readSiteConfig(root).value?.signingPublicKey === undefined) {
    return [];
  }

  const usable = [...components.values()].filter((component) => component !== undefined);
  return usable.flatMap((component) => recordStatements(root, component, day));
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
