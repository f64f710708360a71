import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism, type } from 'node:os';
import { toDay, type Day } from '../core/model/dates.ts';
import {
  isError,
  problem,
  inputError,
  throwErrors,
  type Finding,
} from '../core/schemas/finding.ts';
import {
  StopKind,
  type HeldChange,
  type HeldFile,
  type Run,
} from '../core/schemas/recorded/journal.ts';
import { toLine } from '../core/text/foreign-text.ts';
import { formatCount } from '../core/text/wording.ts';
import type { Component } from '../decide/component.ts';
import { acceptCommand } from '../decide/sentences.ts';
import { findFutureDays, findFutureLines } from '../deliver/check/recorded-rules.ts';
import { explainTooLarge } from '../deliver/host/host-limits.ts';
import type { PublicRun } from '../deliver/publish/live.ts';
import { formatDocument, saveIfChanged } from '../io/files/file-system.ts';
import { readHead } from '../io/files/git.ts';
import { heldPath, readHeld } from '../io/files/journal-files.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { isWritable, listComponents, lock, type Root } from '../io/files/root.ts';
import { readProgramVersion } from '../io/program.ts';
import { judgeEdits, type JudgedEdits } from '../record/gate/judge-edits.ts';
import { judgeSources, type JudgedSources } from '../record/gate/judge-sources.ts';
import { createDecisionId, type WaitingChange } from '../record/gate/rules/decision-id.ts';
import type { GatherResult } from '../record/gather/gather-component.ts';
import { recordJournal, type Recorded } from '../record/journal/record-journal.ts';
import { recordStatements } from '../record/journal/record-statements.ts';
import { loadComponent } from '../site/load-component.ts';
import type { RunReport, RunContext } from './run-context.ts';

interface RecordInput extends Pick<RunContext, 'root' | 'day' | 'env' | 'report'> {
  readonly startedAt: Date;
  /** The verb and the names of its options, without values. */
  readonly requested: readonly string[];
  readonly publicRun?: PublicRun | undefined;
  /** The edits of people, where they were judged before. */
  readonly edits?: JudgedEdits;
  readonly gathered?: readonly GatherResult[];
}

export interface RecordedDay extends Recorded {
  /** The index after this run, with its waits. */
  readonly root: Root;
  readonly held: readonly HeldChange[];
  /** The day of the last run, and its waits. */
  readonly lastRun: JudgedEdits['lastRun'];
  readonly used: readonly string[];
}

/**
 * Judges the gathered answers, saves those that pass, and appends the news for readers to the journal. Omits components with
 * broken files, with findings.
 */
export async function record(input: RecordInput): Promise<RecordedDay> {
  const { root: editedRoot, day, env, report, startedAt, publicRun, gathered = [] } = input;
  const today = toDay(new Date());

  // A line of a future day would block every run until then.
  if (day > today) {
    const message = `expected a day up to today, ${today}; got ${day}. Nothing was recorded`;
    throw inputError('record', message);
  }

  throwErrors(findFutureLines(editedRoot, today));

  const edits = input.edits ?? judgeEdits({ root: editedRoot, env, day });
  const sources = await saveSources(edits, gathered, day);
  const waiting = [...edits.waiting, ...sources.waiting].sort((a, b) => (a.id < b.id ? -1 : 1));
  const earlierIds = new Set(edits.lastRun?.waits.map(({ id }) => id));
  const waits = waiting.map(({ items, ...wait }) =>
    earlierIds.has(wait.id) ? wait : { ...wait, items },
  );
  const held = waiting.map(describeHeld);
  const used = [...edits.used, ...sources.used].sort();
  const root = { ...edits.root, waits };
  const findings = [...edits.findings, ...sources.findings];
  const components: Component[] = [];
  const names = listComponents(root).names.filter((name) => isWritable(root, name, 'journal'));

  const judge = (name: string) => {
    const judged = judgeComponent(root, name, day, today);
    findings.push(...judged.findings);
    if (judged.component) {
      components.push(judged.component);
    }

    return judged.component;
  };

  const recorded = await recordJournal({
    root,
    day,
    names,
    judge,
    edits: edits.edits,
    now: () => new Date(),
    run: {
      ...readRunFacts(input),
      startedAt: startedAt.toISOString(),
      ...publicRun,
      accepted: used.length > 0 ? used : undefined,
      waits: waits.length > 0 ? waits : undefined,
      ...countAnswers(root, gathered),
    },
  });

  findings.push(...recorded.findings);

  if (recorded.refusal === undefined) {
    findings.push(...recordSignedStatements(root, components, day));
    saveHeld(root, held);
  } else {
    findings.push(problem('record', recorded.refusal));
  }

  report.finding(...findings);
  return { ...recorded, findings, root, held, used, lastRun: edits.lastRun };
}

/** The files of the index are written by one run at a time. */
async function saveSources(
  edits: JudgedEdits,
  gathered: readonly GatherResult[],
  day: Day,
): Promise<JudgedSources> {
  const unlock = await lock(edits.root, 'data');
  try {
    return judgeSources({
      edits,
      gathered,
      day,
      whyReject: (name, releases) => explainTooLarge(edits.root, name, day, releases),
    });
  } finally {
    unlock();
  }
}

/** A waiting change, for people. */
export function describeHeld({ items, versions: _, ...wait }: WaitingChange): HeldChange {
  const { id, kind, causes, commit, dataCommit } = wait;
  const files = causes.map((cause) => cause.replace(/[#@].*$/, ''));
  const source = commit ?? dataCommit;
  const restore =
    source === undefined
      ? 'npx release-index check'
      : `git restore --source=${source} -- ${[...new Set(files)].join(' ')}`;
  const examples = items.slice(0, 5).map((item) => toLine(item));

  return {
    ...wait,
    losses: Math.max(items.length, 1),
    examples: examples.length > 0 ? examples : [wait.reason],
    command: kind === 'files' ? restore : acceptCommand({ id }),
  };
}

/** Adds a stop of the whole index to the held changes. Nothing is recorded, so no commit has it. */
export function saveStop(root: Root, kind: StopKind, day: Day, { message }: Finding): void {
  const id = createDecisionId(kind, message);
  const { held: entries = [] } = readHeld(root).value ?? {};
  const changes = entries.filter((entry) => !StopKind.safeParse(entry.kind).success);
  const { since = day } = entries.find((entry) => entry.id === id) ?? {};
  const reason = toLine(message);

  saveHeld(root, [
    ...changes,
    {
      id,
      kind,
      since,
      causes: [kind === 'publication' ? 'live site' : 'data/runs'],
      reason,
      losses: 1,
      examples: [reason],
      command: acceptCommand({ id: 'history' }),
    },
  ]);
}

function saveHeld(root: Root, held: HeldFile['held']): void {
  if (held.length > 0) {
    saveIfChanged(heldPath(root), formatDocument({ held }));
  } else {
    rmSync(heldPath(root), { force: true });
  }
}

/** Undefined for a component with unusable files, or with days after today. */
function judgeComponent(
  root: Root,
  name: string,
  day: Day,
  today: Day,
): { component?: Component | undefined; findings: readonly Finding[] } {
  const futureDays = findFutureDays(root, name, today);
  if (futureDays.some(isError)) {
    return { findings: futureDays };
  }

  const { component, findings } = loadComponent(root, name, day);
  if (component) {
    return { component, findings: futureDays };
  }

  // The journal is reported when it is read.
  const fileFindings = findings.filter(({ file = '' }) => !file.startsWith('data/journal/'));
  return { findings: [...futureDays, ...fileFindings] };
}

/** Records the statements to sign: only a site with a key publishes them. */
function recordSignedStatements(root: Root, components: readonly Component[], day: Day): Finding[] {
  if (readSiteConfig(root).value?.signingPublicKey === undefined) {
    return [];
  }

  return components.flatMap((component) => recordStatements(root, component, day));
}

/** Prints how many events each component has. */
export function printRecorded(report: RunReport, { events, refusal }: Recorded): void {
  for (const [name, { length }] of events) {
    report.print(`${name}: ${formatCount(length, 'event')} recorded.`);
  }

  if (events.size === 0 && refusal === undefined) {
    report.print('record: nothing new.');
  }
}

function readRunFacts({ root, env, requested }: RecordInput) {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const id = Array.from({ length: 13 }, () => letters[randomInt(letters.length)]).join('');
  const npm = /\bnpm\/(\d\S*)/.exec(env['npm_config_user_agent'] ?? '')?.[1];
  const commit = readHead(root.dir, env);

  return {
    id,
    requested: [...requested],
    program: readProgramVersion(),
    node: process.versions.node,
    npm,
    projectName: toLine(env['npm_package_name'] ?? '') || undefined,
    operatingSystem: type(),
    numberOfCpuCores: availableParallelism(),
    nodeLocale: new Intl.DateTimeFormat().resolvedOptions().locale,
    commit,
  };
}

/** The number of asked sources and of sound answers, and the sources that failed. */
function countAnswers(
  root: Root,
  gathered: readonly GatherResult[],
): Pick<Run, 'components' | 'asked' | 'answered' | 'unasked' | 'troubles'> {
  const { names } = listComponents(root);
  const states = gathered.flatMap(({ component, sources }) =>
    sources.map((state) => ({ component, state })),
  );
  const troubles: NonNullable<Run['troubles']> = [];
  for (const { component, state } of states) {
    if (state.kind !== 'answered') {
      const { id: source, kind, reason, at } = state;
      troubles.push({ component, source, kind, reason: toLine(reason), at });
    }
  }

  const gatheredNames = new Set(gathered.map(({ component }) => component));
  const unasked = names.filter((name) => !gatheredNames.has(name));
  const hasAsked = states.length > 0;
  return {
    components: names.length,
    asked: states.length,
    answered: hasAsked ? states.length - troubles.length : undefined,
    unasked: hasAsked && unasked.length > 0 ? unasked : undefined,
    troubles: troubles.length > 0 ? troubles : undefined,
  };
}
