import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir, type } from 'node:os';
import { join } from 'node:path';
import { toLaterInstant, type Day } from '../core/day.ts';
import { inputError } from '../core/errors.ts';
import { readSettings, requireDefinitions } from '../core/index/read-folder.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Event, Run } from '../core/schema/events.ts';
import type { Component } from '../core/schema/published.ts';
import type { Decision, Freshness, Hold, Recorded } from '../core/schema/recorded.ts';
import { judgeAll } from '../judge/judge.ts';
import { listAlerts } from './alerts.ts';
import { listEdits } from './edits.ts';
import { openData, type DataFiles } from './files.ts';
import { openGit } from './git.ts';
import { passGate } from './gate.ts';
import { gatherAll, type Gathered, type GatherRun } from './gather.ts';
import { describeChanges, fold, numberEvents } from './journal.ts';

interface DayInput extends GatherRun {
  data: DataFiles;
  definitions: ReadonlyMap<string, Definition>;
  /** Whether to ask the sources of a component. Without any, only edits of people are told. */
  asks(component: string): boolean;
  staleAfterDays: number;
  /** The facts of the run that the command line knows. */
  facts: Pick<Run, 'requested' | 'program' | 'npm' | 'projectName' | 'commit'>;
}

export type PlannedDay = Awaited<ReturnType<typeof planDay>>;

/** Asks all sources, and finds out what a day would record. Writes nothing. */
export async function planDay(input: DayInput) {
  const { definitions, day, staleAfterDays } = input;
  const state = readState(input);
  rejectDay(day, state);

  const asked = [...definitions].filter(([component]) => input.asks(component));
  const { gathered, notes } = await gatherAll(
    asked.map(([component, definition]) => ({
      component,
      definition,
      recorded: state.recorded.get(component)!,
      freshness: state.freshness[component] ?? {},
      waiting: state.held.flatMap((hold) => (hold.component === component && hold.releases) || []),
    })),
    input,
  );
  const judged = judgeGathered(input, state, gathered);
  const { recorded, held } = judged;

  // When its results are there for readers.
  const at = toLaterInstant(new Date().toISOString(), state.lastInstant);
  const events = listEvents(
    input,
    at,
    (component) => recorded.get(component) ?? state.recorded.get(component)!,
    (component) => state.journals.get(component)!,
  );
  const freshness: Freshness = {};
  for (const name of definitions.keys()) {
    freshness[name] = state.freshness[name] ?? {};
  }
  for (const each of gathered) {
    freshness[each.component] = each.freshness;
  }
  const count = [...events.values()].flat().length;
  const run = createRun(input, state, gathered, { ...judged, at, events: count });
  const { lastRun } = state;
  return {
    recorded,
    events,
    freshness,
    held,
    alerts: listAlerts({ day, lastRun, held, freshness, staleAfterDays, events }),
    notes: [...notes, ...gathered.flatMap((each) => each.notes)],
    bugs: gathered.flatMap((each) => each.bugs),
    run,
  };
}

/** Writes what sources stated: all that `gather` does. Where none answered, nothing changes. */
export function saveGathered(data: DataFiles, planned: PlannedDay): void {
  const { asked, answered } = planned.run;
  if (asked === 0 || answered !== 0) {
    saveAnswers(data, planned);
  }
}

/** Writes what a day records. The run is last: without it, the next run records the rest. */
export function saveDay(data: DataFiles, planned: PlannedDay): void {
  const { events, run } = planned;
  saveAnswers(data, planned);
  for (const [component, added] of events) {
    data.appendToJournal(component, added);
  }
  data.appendRun(run);
}

function saveAnswers(data: DataFiles, { recorded, freshness, held }: PlannedDay): void {
  data.removeParts();
  for (const [component, document] of recorded) {
    data.writeRecorded(component, document);
  }
  data.writeFreshness(freshness);
  data.writeHeld(held);
}

type State = ReturnType<typeof readState>;

/** Reads all files first: one that cannot be read stops a run before it asks anybody. */
function readState({ data, definitions }: DayInput) {
  const startedAt = new Date().toISOString();
  const names = [...definitions.keys()];
  const journals = new Map(names.map((name) => [name, data.readJournal(name)]));
  const runs = data.readRuns();
  const lastRun = runs.at(-1);
  const last = [lastRun, ...Array.from(journals.values(), (events) => events.at(-1))];
  const instants = last.flatMap((entry) => entry?.at ?? []);
  return {
    startedAt,
    recorded: new Map(names.map((name) => [name, data.readRecorded(name, journals.get(name))])),
    journals,
    freshness: data.readFreshness(),
    held: data.readHeld(),
    /** Those that no run has used. */
    decisions: data
      .readDecisions()
      .filter(({ id, at }) => !runs.some((run) => run.at >= at && run.accepted?.includes(id))),
    lastRun,
    /** Of the last run, or of events of a run that was killed. */
    lastInstant: instants.sort().at(-1),
  };
}

/** Entries of a wrong day would stay forever. */
function rejectDay(day: Day, { startedAt, lastRun }: State): void {
  const first = lastRun?.asOf ?? '';
  if (day > startedAt || day < first) {
    const from = first === '' ? '' : `from ${first}, the day of the last run, `;
    throw inputError('day', `expected one ${from}up to today; got ${day} (clock or --as-of)`);
  }
}

function judge(name: string, definition: Definition, recorded: Recorded, day: Day): Component {
  return judgeAll([{ name, definition, recorded }], day)[0]!;
}

/** `accepted`: the ids of the decisions that were used. */
function judgeGathered(
  { definitions, day, asks }: DayInput,
  state: State,
  gathered: readonly Gathered[],
) {
  const recorded = new Map<string, Recorded>();
  const held = state.held.filter(({ component }) => definitions.has(component) && !asks(component));
  const accepted: string[] = [];

  for (const { component, recorded: after, settled, isPartial } of gathered) {
    const definition = definitions.get(component)!;
    const decisions = state.decisions.filter((each) => each.component === component);
    const waiting = state.held.filter((each) => each.component === component);
    const input = {
      component,
      before: state.recorded.get(component)!,
      after,
      settled,
      judge: (document: Recorded, on: Day) => judge(component, definition, document, on),
      held: waiting,
      day,
    };
    const passed = passGate({ ...input, decisions });
    recorded.set(component, passed.recorded);
    held.push(...passed.held);
    if (!isPartial) {
      accepted.push(...decisions.map(({ id }) => id));
      continue;
    }

    // What a silent source may state again waits on, and a decision that let nothing through is kept for it.
    const undecided = passGate({ ...input, decisions: [] }).held;
    const used = decisions.filter((each) => isCovered(each, undecided)).map(({ id }) => id);
    accepted.push(...used);
    held.push(
      ...waiting.filter((each) => !used.includes(each.id) && !isCovered(each, passed.held)),
    );
  }
  return { recorded, held, accepted };
}

function isCovered({ versions = [] }: Pick<Decision, 'versions'>, holds: readonly Hold[]): boolean {
  return holds.some((hold) => versions.every((version) => hold.versions.includes(version)));
}

/** The new events of each component that has any. */
function listEvents(
  { definitions, day }: Pick<DayInput, 'definitions' | 'day'>,
  at: string,
  readRecorded: (component: string) => Recorded,
  readTold: (component: string) => readonly Event[],
): Map<string, Event[]> {
  const events = new Map<string, Event[]>();
  for (const [component, definition] of definitions) {
    const recorded = readRecorded(component);
    const told = readTold(component);
    const judged = judge(component, definition, recorded, day);
    const drafts = describeChanges(fold(told), judged, recorded, day);
    if (drafts.length > 0) {
      events.set(component, numberEvents(told, drafts, at));
    }
  }
  return events;
}

function createRun(
  { definitions, day, facts }: DayInput,
  { startedAt }: State,
  gathered: readonly Gathered[],
  { at, held, accepted, events }: ReturnType<typeof judgeGathered> & Pick<Run, 'at' | 'events'>,
): Run {
  const asked = gathered.reduce((sum, each) => sum + each.asked, 0);
  const troubles = gathered.flatMap((each) => each.troubles);
  const waits = held.map(({ id, component, since, reason }) => ({ id, component, since, reason }));
  return {
    id: Array.from({ length: 13 }, () => randomInt(36).toString(36)).join(''),
    asOf: day,
    at,
    ...facts,
    node: process.versions.node,
    operatingSystem: type(),
    numberOfCpuCores: availableParallelism(),
    nodeLocale: new Intl.DateTimeFormat().resolvedOptions().locale,
    startedAt,
    components: definitions.size,
    asked,
    answered: asked - troubles.length,
    troubles: troubles.length > 0 ? troubles : undefined,
    waits: waits.length > 0 ? waits : undefined,
    accepted: accepted.length > 0 ? accepted : undefined,
    finishedAt: at,
    events,
  };
}

/** What readers would be told by the edits since a commit, as of a day, what was edited, and new decisions. Asks no source. */
export function planEdit(
  root: string,
  base: string,
  day: Day,
): { events: Map<string, Event[]>; edits: string[]; decisions: Decision[] } {
  const folder = mkdtempSync(join(tmpdir(), 'release-index-'));
  try {
    // A work tree of git would stay after a crash.
    const archive = join(folder, 'base.tar');
    openGit(root)('archive', '--format=tar', `--output=${archive}`, base);
    execFileSync('tar', ['-xf', archive, '-C', folder]);

    // What the next run tells without the edit is not of it.
    const [before, after] = [openData(folder), openData(root)];
    const tell = (at: string, { readRecorded }: DataFiles, readTold: DataFiles['readJournal']) => {
      const definitions = requireDefinitions(at, readSettings(at));
      return listEvents({ definitions, day }, '', readRecorded, readTold);
    };
    const due = tell(folder, before, before.readJournal);
    const told = (name: string) => [...before.readJournal(name), ...(due.get(name) ?? [])];
    const former = JSON.stringify(before.readDecisions());
    const decisions = after.readDecisions();
    return {
      events: tell(root, after, told),
      edits: listEdits(folder, root),
      decisions: decisions.filter((each) => !former.includes(JSON.stringify(each))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
