import { randomInt } from 'node:crypto';
import { availableParallelism, type } from 'node:os';
import { toLaterInstant, type Day } from '../core/day.ts';
import { inputError, UsageError } from '../core/errors.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Event, Run } from '../core/schema/events.ts';
import type { Component } from '../core/schema/published.ts';
import type { Decision, Freshness, Hold, Recorded } from '../core/schema/recorded.ts';
import { judgeAll } from '../judge/judge.ts';
import type { Http } from '../sources/http/client.ts';
import { listAlerts, listHeldIds, type Alert } from './alerts.ts';
import { findLastDay, type DataFiles } from './files.ts';
import { passGate } from './gate.ts';
import { gatherAll, type Gathered, type GatherInput } from './gather.ts';
import { describe, fold, number } from './journal.ts';

export interface DayInput {
  data: DataFiles;
  definitions: ReadonlyMap<string, Definition>;
  http: Http;
  /** Whether to ask the sources of a component. Without any, only edits of people are told. */
  asks(component: string): boolean;
  day: Day;
  signal: AbortSignal;
  staleAfterDays: number;
  /** The facts of the run that the command line knows. */
  facts: Pick<Run, 'requested' | 'program' | 'npm' | 'projectName' | 'commit'>;
  onProgress?(text: string): void;
}

export interface PlannedDay {
  recorded: Map<string, Recorded>;
  events: Map<string, Event[]>;
  freshness: Freshness;
  held: Hold[];
  alerts: Alert[];
  notes: string[];
  bugs: unknown[];
  run: Run;
}

/** Asks all sources, and finds out what a day would record. Writes nothing. */
export async function planDay(input: DayInput): Promise<PlannedDay> {
  const { data, definitions, day, facts, staleAfterDays } = input;
  const startedAt = new Date().toISOString();
  const lastRun = data.readRuns().at(-1);
  rejectDay(day, startedAt, findLastDay(data.readRuns()));

  const freshness = data.readFreshness();
  const inputs: GatherInput[] = [];
  for (const [component, definition] of definitions) {
    if (input.asks(component)) {
      const recorded = data.readRecorded(component);
      inputs.push({ component, definition, recorded, freshness: freshness[component] ?? {} });
    }
  }
  const gathered = await gatherAll(inputs, input);
  const judged = judgeGathered(input, gathered);

  // When its results are there for readers.
  const at = toLaterInstant(new Date().toISOString(), lastRun?.at);
  const events = tell(input, judged.recorded, at);
  const asked = new Map(gathered.map((each) => [each.component, each]));
  const newFreshness: Freshness = {};
  for (const component of definitions.keys()) {
    newFreshness[component] = asked.get(component)?.freshness ?? freshness[component] ?? {};
  }
  const unasked = data.readHeld().filter(({ component }) => !asked.has(component));
  const held = [...judged.held, ...unasked.filter(({ component }) => definitions.has(component))];
  const asks = gathered.reduce((sum, each) => sum + each.asked, 0);
  const troubles = gathered.flatMap((each) => each.troubles);
  const waits = held.map(({ id, component, since, reason }) => ({ id, component, since, reason }));
  const accepted = listHeldIds(lastRun).filter((id) =>
    data.readDecisions().some((each) => each.id === id),
  );

  const run: Run = {
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
    asked: asks,
    answered: asks - troubles.length,
    ...(troubles.length > 0 && { troubles }),
    ...(waits.length > 0 && { waits }),
    ...(accepted.length > 0 && { accepted }),
    finishedAt: at,
    events: [...events.values()].flat().length,
  };
  const alerts = listAlerts({
    day,
    lastDay: lastRun?.asOf,
    held,
    heldBefore: listHeldIds(lastRun),
    freshness: newFreshness,
    staleAfterDays,
  });
  const notes = gathered.flatMap((each) => each.notes);
  const bugs = gathered.flatMap((each) => each.bugs);
  return {
    recorded: judged.recorded,
    events,
    freshness: newFreshness,
    held,
    alerts,
    notes,
    bugs,
    run,
  };
}

/** Writes what sources stated: all that `gather` does. */
export function saveGathered(data: DataFiles, { recorded, freshness, held }: PlannedDay): void {
  for (const [component, document] of recorded) {
    data.writeRecorded(component, document);
  }
  data.writeFreshness(freshness);
  data.writeHeld(held);
}

/** Writes what a day records. The run is last: without it, the next run records the rest. */
export function saveDay(data: DataFiles, planned: PlannedDay): void {
  const { events, run } = planned;
  saveGathered(data, planned);
  for (const [component, added] of events) {
    data.appendToJournal(component, added);
  }
  data.appendRun(run);
}

/** Entries of a wrong day would stay forever. */
function rejectDay(day: Day, now: string, lastDay: Day | undefined): void {
  if (day > now) {
    throw inputError('day', `expected a day up to today; got ${day}`);
  }
  if (lastDay !== undefined && day < lastDay) {
    throw inputError('day', `expected a day from ${lastDay} on, that of the last run; got ${day}`);
  }
}

function judge(name: string, definition: Definition, recorded: Recorded, day: Day): Component {
  return judgeAll([{ name, definition, recorded }], day)[0]!;
}

function judgeGathered({ data, definitions, day }: DayInput, gathered: readonly Gathered[]) {
  const decisions = data.readDecisions();
  const heldBefore = data.readHeld();
  const recorded = new Map<string, Recorded>();
  const held: Hold[] = [];

  for (const { component, recorded: after } of gathered) {
    const definition = definitions.get(component)!;
    const passed = passGate({
      component,
      before: data.readRecorded(component),
      after,
      judge: (document, on) => judge(component, definition, document, on),
      decisions,
      held: heldBefore,
      day,
    });
    recorded.set(component, passed.recorded);
    held.push(...passed.held);
  }
  return { recorded, held };
}

/** The new events of each component that has any. */
function tell(
  { data, definitions, day }: DayInput,
  recorded: ReadonlyMap<string, Recorded>,
  at: string,
): Map<string, Event[]> {
  const events = new Map<string, Event[]>();
  for (const [component, definition] of definitions) {
    const document = recorded.get(component) ?? data.readRecorded(component);
    const journal = data.readJournal(component);
    const judged = judge(component, definition, document, day);
    const drafts = describe(fold(journal), judged, day);
    if (drafts.length > 0) {
      events.set(component, number(journal, drafts, at));
    }
  }
  return events;
}

/** The id of what a publication would take from readers. */
export const publicationId = /^publication-[0-9a-f]{10}$/;

/**
 * Lets through what waits under these ids, or would be lost by a publication, which nobody can look up here. Throws a `UsageError` for
 * another id.
 */
export function accept(data: DataFiles, ids: readonly string[], by: string): Decision[] {
  const held = data.readHeld();
  const decisions = ids.map((id): Decision => {
    const hold = held.find((each) => each.id === id);
    if (publicationId.test(id)) {
      return { id, at: new Date().toISOString(), by };
    }
    if (!hold) {
      const waiting = held.map((each) => each.id).join(', ') || 'nothing';
      throw new UsageError(`${id} does not wait. What waits: ${waiting}`);
    }

    const { component, versions } = hold;
    return { id, at: new Date().toISOString(), by, component, versions };
  });

  for (const decision of decisions) {
    data.appendDecision(decision);
  }
  return decisions;
}
