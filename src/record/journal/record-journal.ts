import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { toDay, toLaterInstant, type Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import type { EventType, JournalEvent } from '../../core/schemas/recorded/journal.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import { nameInIds } from '../../decide/component.ts';
import type { Judged } from '../../decide/judge.ts';
import { foldJournal, type DraftEvent } from '../../decide/fold-journal.ts';
import { makeFolder } from '../../io/files/file-system.ts';
import {
  readPublishedIds,
  digestJournals,
  readJournal,
  listRuns,
  readRuns,
} from '../../io/files/recorded-files.ts';
import type { Lines } from '../../io/files/read-lines.ts';
import {
  isWritable,
  journalFile,
  journalPath,
  recordedFolder,
  runsFile,
  type Root,
} from '../../io/files/root.ts';
import { appendLines, removeLeftovers } from '../../io/files/save.ts';
import { describeChange, numberEvents } from './events/describe-change.ts';

interface RecordOptions {
  root: Root;
  day: Day;
  /** The components with writable journals by name, judged as of `day`; undefined for a component whose files are unusable. */
  components: JudgedComponents;
  /** By component, the accepted edit and its events. */
  edits?: ReadonlyMap<string, RecordedEdit>;
  now: Date;
  run: RunFacts;
}

/** The facts of a run except its events. */
export type RunFacts = Omit<Run, 'at' | 'finishedAt' | 'events' | 'asOf' | 'journals'>;

export interface RecordedEdit {
  /** The edited file, or default, and its commit. */
  cause: string;
  events: readonly DraftEvent[];
}

export type Recorded = ReturnType<typeof recordJournal>;

/**
 * Appends new events to the journals, and the run to the list of runs. This is the only writer of both. Replaces whole files: the
 * next run finds the events that an interrupted run did not write. Expects the lock for data. Returns the appended events, by
 * component.
 */
export function recordJournal(options: RecordOptions) {
  const { root, day, components, now } = options;
  for (const part of ['journal', 'runs', 'statements'] as const) {
    removeLeftovers(recordedFolder(root, part));
  }

  const renameFindings = moveRenamed(root, components);
  const { journals, findings: journalFindings } = readJournals(root, components.keys());
  const runs = readRuns(root, day.slice(0, 4));
  const findings = [...renameFindings, ...journalFindings, ...runs.findings];

  // If possible, on the recorded day.
  const instant = toDay(now) === day ? now.toISOString() : `${day}T00:00:00.000Z`;
  const at = toLaterInstant(instant, findLastInstant(root, journals));
  const events = appendEvents(options, journals, at);
  const count = [...events.values()].flat().length;
  if (runs.value) {
    appendRun(options, runs.value, count, at);
  }

  return { events, count, findings };
}

type Journals = ReadonlyMap<string, Lines<JournalEvent>>;
type JudgedComponents = ReadonlyMap<string, Judged | undefined>;

/** The readable journals of these components, and the problems of the others. */
function readJournals(root: Root, names: Iterable<string>) {
  const journals = new Map<string, Lines<JournalEvent>>();
  const findings: Finding[] = [];
  for (const name of names) {
    const journal = readJournal(root, name);
    findings.push(...journal.findings);
    if (journal.value) {
      journals.set(name, journal.value);
    }
  }
  return { journals, findings };
}

/** The instant of the last recorded run or event. */
function findLastInstant(root: Root, journals: Journals): string | undefined {
  const lastEvents = Array.from(journals.values(), ({ values }) => values.at(-1));
  const entries = [...lastEvents, listRuns(root).runs.at(-1)];
  return entries
    .flatMap((entry) => entry?.at ?? [])
    .sort()
    .at(-1);
}

/** Appends what differs from the journals. Returns the appended events, by component. */
function appendEvents(
  options: RecordOptions,
  journals: Journals,
  at: string,
): Map<string, readonly JournalEvent[]> {
  const { root, edits = new Map() } = options;
  const changes = listChanges(options, journals);
  const editsByDraft = findLargeEdits(changes, edits);
  const publishedIds = readPublishedIds(root);
  const events = new Map<string, readonly JournalEvent[]>();

  for (const [name, { component, journal, drafts }] of changes) {
    const named = drafts.map((draft) => dropUndefined({ ...draft, edit: editsByDraft.get(draft) }));
    const publishedId = publishedIds.get(journal.values[0]?.component ?? nameInIds(component));
    const appended = numberEvents(journal.values, named, at, component, publishedId);
    appendLines(journalPath(root, name), journal, appended);
    events.set(name, appended);
  }

  return events;
}

/** The new events of a component. */
interface Changes {
  component: Judged;
  journal: Lines<JournalEvent>;
  drafts: readonly DraftEvent[];
}

function listChanges({ components, day }: RecordOptions, journals: Journals) {
  const changes = new Map<string, Changes>();

  for (const [name, component] of components) {
    const journal = journals.get(name);
    if (journal && component) {
      const drafts = describeChange(foldJournal(journal.values), component, day);
      if (drafts.length > 0) {
        changes.set(name, { component, journal, drafts });
      }
    }
  }

  return changes;
}

/** More events than this that one edit causes are one entry for readers. */
const maxApart = 5;

/** The edits that caused many events, by event. */
function findLargeEdits(
  changes: ReadonlyMap<string, Changes>,
  edits: ReadonlyMap<string, RecordedEdit>,
): Map<DraftEvent, string> {
  const caused: { cause: string; draft: DraftEvent }[] = [];
  for (const [name, { cause, events }] of edits) {
    const isCommitted = !cause.endsWith('@uncommitted');
    const subjects = new Set(events.map(nameSubject));
    for (const draft of changes.get(name)?.drafts ?? []) {
      if (isCommitted && canEditCause(draft.type) && subjects.has(nameSubject(draft))) {
        caused.push({ cause, draft });
      }
    }
  }

  const byEdit = [...Map.groupBy(caused, ({ cause }) => cause).values()];
  const large = byEdit.filter((group) => group.length > maxApart).flat();
  return new Map(large.map(({ cause, draft }) => [draft, cause]));
}

function nameSubject({ type, version, line, phase, field }: DraftEvent): string {
  return [type, version, line, phase, field].join(' ');
}

function canEditCause(type: EventType): boolean {
  return (
    ['deprecated', 'restored', 'replaced', 'corrected', 'included', 'excluded'].includes(type) ||
    type.startsWith('support-')
  );
}

/** Appends a run with so many events to the list, unless it repeats the one before. */
function appendRun(
  { root, day, now, run }: RecordOptions,
  runs: Lines<Run>,
  count: number,
  at: string,
): void {
  if (count === 0 && isRepeated(runs.values.at(-1), run, day)) {
    return;
  }

  const { id, ...facts } = run;
  const finishedAt = now.toISOString();
  const line: Run = { id, asOf: day, at, ...facts, finishedAt, events: count };

  // A damaged journal is restored later.
  if ([...(root.lastGood?.keys() ?? [])].every((name) => isWritable(root, name, 'journal'))) {
    line.journals = digestJournals(root);
  }

  appendLines(join(root.dir, runsFile(day.slice(0, 4))), runs, [line]);
}

/** Whether the last run of the day has all facts of a run that readers and later runs need. */
function isRepeated(last: Run | undefined, run: RunFacts, day: Day): boolean {
  if (last?.asOf !== day || run.accepted) {
    return false;
  }

  if (!isDeepStrictEqual(listWaitIds(last), listWaitIds(run))) {
    return false;
  }

  // Without answers, the last ones are still the newest.
  return run.asked === 0 || isDeepStrictEqual(pickAnswers(last), pickAnswers(run));
}

function listWaitIds({ waits = [] }: RunFacts): string[] {
  return waits.map(({ id }) => id);
}

function pickAnswers({ components, asked, answered, unasked, troubles = [] }: RunFacts) {
  const failed = troubles.map(({ component, source }) => ({ component, source }));
  return { components, asked, answered, unasked, failed };
}

/** Moves the journals of renamed components. Reports those that have two journals. */
function moveRenamed(root: Root, components: JudgedComponents): Finding[] {
  const findings: Finding[] = [];

  for (const [name, component] of components) {
    const { renamedFrom = [] } = component?.definition ?? {};
    const oldName = renamedFrom.findLast(
      (formerName) => !components.has(formerName) && existsSync(journalPath(root, formerName)),
    );
    if (oldName === undefined) {
      continue;
    }

    if (existsSync(journalPath(root, name))) {
      const file = journalFile(oldName);
      const message = `the component is now called ${name} and has another journal. Do not merge them by hand: restore data/journal/ from git, and rename the file to ${name}.ndjson`;
      findings.push(fileProblem(file, message, 'warning'));
    } else {
      makeFolder(recordedFolder(root, 'journal'));
      renameSync(journalPath(root, oldName), journalPath(root, name));
    }
  }

  return findings;
}
