import { randomInt } from 'node:crypto';
import { availableParallelism, type } from 'node:os';
import * as z from 'zod';
import { toDay, toLaterInstant, type Day } from '../core/day.ts';
import { inputError, type Problem, requireAll, throwAll } from '../core/errors.ts';
import { Event, type Run, Freshness, Held } from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import type { DataFiles } from './data-files.ts';
import { listUnused } from './decisions.ts';
import { passGate } from './gate.ts';
import { describeBug, gatherAll, type Gathered, type GatherRun } from './gather.ts';
import { listEvents } from './journal.ts';
import { findMovedDays } from './moved-days.ts';

interface DayInput extends GatherRun {
  data: DataFiles;
  definitions: ReadonlyMap<string, Definition>;
  /** Tells whether the sources of a component should be asked. */
  asks(component: string): boolean;
  staleAfterDays: number;
  /** Whether events are left out. `gather` leaves them out, because it does not report events. */
  skipsEvents?: boolean | undefined;
  /** The facts about the run that only the command line knows. */
  facts: Pick<Run, 'requested' | 'program' | 'npm' | 'projectName' | 'commit'>;
}

export type ComposedDay = Awaited<ReturnType<typeof composeDay>>;

/** Asks all sources, and computes what a day would record. Writes nothing. */
export async function composeDay(input: DayInput) {
  const { day } = input;
  const state = readState(input);
  rejectDay(day, state);
  throwAll(await findMovedDays(state.components, input.root, input.signal));
  const { lastRun, lastInstant } = state;

  const asked = state.components.filter(({ component }) => input.asks(component));
  const { gathered, notes, bugs } = await gatherAll(asked, input);
  // The time of the run's events. This time is later than the times of all earlier runs and events.
  const at = toLaterInstant(new Date().toISOString(), lastInstant);
  const passed = passAll(state, gathered, input, at);
  const { components, events, held } = passed;
  const formerData = new Map(state.components.map((each) => [each.component, each.recorded]));
  const changed = components.flatMap(({ component, recorded }) => {
    const former = formerData.get(component)!;
    return recorded === former ? [] : [{ component, recorded, former }];
  });
  const freshness: Freshness = Object.fromEntries(
    components.map((each) => [each.component, each.freshness]),
  );
  return {
    definitions: input.definitions,
    staleAfterDays: input.staleAfterDays,
    lastRun,
    recorded: new Map(components.map((each) => [each.component, each.recorded])),
    /** Components whose recorded data changed. `former`: the recorded data before the run. */
    changed,
    events,
    freshness,
    held,
    /** The sources whose requests failed. */
    failed: gathered.flatMap((answer) => answer.failed),
    /** The sources that the next run asks first. */
    postponed: gathered.flatMap((answer) => answer.postponed),
    /** Notices about the catalogues of exploited vulnerabilities, and about the lists of releases and advisories that sources return. */
    notes: [...notes, ...gathered.flatMap((answer) => answer.notes)],
    /** Errors of this program. Each stopped only one component. */
    bugs: [...bugs, ...passed.bugs, ...gathered.flatMap((answer) => answer.bugs)],
    run: createRun(input, state, gathered, passed, at),
  };
}

/** Writes the answers of sources, for `gather`. If no source answered, nothing changes. */
export function saveGathered(data: DataFiles, composed: ComposedDay): void {
  const { asked, answered } = composed.run;
  if (answered !== 0 || asked === 0) {
    saveAnswers(data, composed, composed.lastRun?.asOf);
  }
}

/** Writes what a day records. The run itself is written last. If the run is killed before that, the next run records what is missing. */
export function saveDay(data: DataFiles, composed: ComposedDay): void {
  const { events, run } = composed;
  saveAnswers(data, composed, run.asOf);
  for (const [component, added] of events) {
    data.appendToJournal(component, added);
  }
  data.appendRun(run);
}

function saveAnswers(
  data: DataFiles,
  { changed, freshness, held }: ComposedDay,
  lastDay: Day | undefined,
): void {
  data.removeParts();
  for (const { component, recorded } of changed) {
    data.writeRecorded(component, recorded);
  }
  data.writeFreshness(freshness, lastDay);
  data.writeHeld(held);
}

type State = ReturnType<typeof readState>;

/** Reads all files, so that an unreadable file stops the run before a source is asked. */
function readState({ data, definitions }: DayInput) {
  const startedAt = new Date().toISOString();
  const runs = data.readRuns();
  const lastRun = runs.at(-1);
  const freshness = data.readFreshness(lastRun?.asOf, definitions);
  const unused = listUnused(data.readDecisions(), runs);
  const components = requireAll(data.readComponents(definitions)).map((each) => {
    return {
      ...each,
      freshness: freshness[each.component] ?? {},
      // In an index that only uses `gather`, there are no runs. There, `held.json` shows whether a decision was used.
      decisions: unused.filter(({ id, at }) =>
        each.held.some((hold) => hold.id === id && hold.since <= at),
      ),
    };
  });
  const last = [lastRun, ...components.map(({ journal }) => journal.at(-1))];
  return {
    startedAt,
    components,
    lastRun,
    /** The time of the last run. If a run was killed after it had written an event, the time of this event. */
    lastInstant: last
      .flatMap((entry) => entry?.at ?? [])
      .sort()
      .at(-1),
  };
}

/** Rejects a date before the last run or in the future. What such a run records would stay for ever. */
function rejectDay(day: Day, { startedAt, lastRun }: State): void {
  const earliest = lastRun?.asOf;
  if (day > toDay(startedAt) || (earliest && day < earliest)) {
    const from = earliest ? `from ${earliest}, the day of the last run, ` : '';
    throw inputError(
      'day',
      `expected a day ${from}up to today; got ${day}, from the clock or --as-of`,
    );
  }
}

/** Passes all components through the gate and lists their events. If a bug stops a component, its data stays as it was. */
function passAll(
  state: State,
  gathered: readonly Gathered[],
  { day, skipsEvents }: DayInput,
  at: string,
) {
  const answers = new Map(gathered.map((answer) => [answer.component, answer]));
  const events = new Map<string, Event[]>();
  const bugs: Problem[] = [];
  const components = state.components.map((former) => {
    const { component } = former;
    try {
      const passed = passComponent(former, answers.get(component), day);
      const formerAdvisories = former.recorded.advisories;
      const news = skipsEvents ? [] : listEvents({ ...passed, formerAdvisories }, day, at);
      // `parse` throws for data that the next run could not read.
      Freshness.parse({ [component]: passed.freshness });
      Held.parse({ held: passed.held });
      if (news.length > 0) {
        z.array(Event).parse(news);
        events.set(component, news);
      }
      return passed;
    } catch (error) {
      bugs.push(describeBug(component, error));
      return { ...former, accepted: [] };
    }
  });
  return { components, events, bugs, held: components.flatMap((each) => each.held) };
}

/**
 * Passes one component through the gate. Returns:
 * - `recorded`: its new data
 * - `effective`: its new data without changes that wait for a person's decision
 * - `held`: its holds
 * - `accepted`: the ids of the decisions that were used
 */
function passComponent(
  former: State['components'][number],
  answer: Gathered | undefined,
  day: Day,
) {
  if (!answer) {
    return { ...former, accepted: [] };
  }

  const { effective: before, decisions } = former;
  const { recorded: after, endsAnsweredOn: answeredOn } = answer;
  const { lines } = former.recorded;
  const formerEnds = answeredOn === undefined ? undefined : { answeredOn, lines };
  // If nothing changed, readers already have all data, so nothing is held.
  const passed =
    after === before ? {} : passGate({ ...former, ...answer, before, after, formerEnds, day });
  return {
    ...former,
    ...passed,
    freshness: answer.freshness,
    accepted: decisions.map(({ id }) => id),
  };
}

function createRun(
  { definitions, day, facts }: DayInput,
  { startedAt }: State,
  gathered: readonly Gathered[],
  { components, events, held }: ReturnType<typeof passAll>,
  at: string,
): Run {
  const asked = gathered.reduce((sum, answer) => sum + answer.asked, 0);
  const failed = gathered.flatMap((answer) => answer.failed);
  const troubles = failed.map(({ component, source, reason, at: failedAt }) => {
    return { component, source, kind: 'failed' as const, reason, at: failedAt };
  });
  const accepted = components.flatMap((each) => each.accepted);
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
    events: [...events.values()].flat().length,
  };
}
