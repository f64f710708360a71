import type { Day } from '../../core/model/dates.ts';
import type {
  Plan,
  PlanConflict,
  PlanItem,
  PlanStep,
  Resolution,
} from '../../core/schemas/published/plan-answer.ts';
import { defined } from '../../core/text/text.ts';
import { advisoriesUnknown } from '../../core/model/words.ts';
import type { PairStatement } from '../../core/model/pair-answers.ts';
import {
  conflictBetween,
  fittingWith,
  goodWith,
  isBelow,
  lastStatedWith,
  type Position,
} from './pairs.ts';
import { nextEndOf } from './plan-outcome.ts';
import { needInWords, planInWords, stepInWords } from './plan-words.ts';
import { tracksOf, type PlanInput, type Track } from './tracks.ts';

/** Maximum number of versions in a plan. */
export const mostPlanned = 200;

/** The parts of a plan besides its versions. */
interface PlanContext extends Pick<Plan, 'notRead' | 'notes'> {
  readonly asOf: Day;
}

/**
 * What to do about the versions of a list, and when. Pure. Each version goes to its own goal; where two goals do not work together,
 * one of them goes up. Nothing moves for what is not stated, and nothing steps back for a conflict.
 */
export function makePlan(inputs: readonly PlanInput[], context: PlanContext): Plan {
  const tracks = tracksOf(inputs);
  const titleOf = titlesOf(tracks);
  const goals = tracks.map(({ goal }) => goal);

  const moving = inOrder(
    tracks.filter(({ to }) => to !== undefined),
    tracks,
  );

  const steps = stepsOf(moving, tracks, titleOf);
  const conflicts = conflictsAmong(goals).map((conflict) => conflictLeft(conflict, titleOf));
  const stuck = tracks.filter(isStuck);
  const unknown = tracks.filter(isUnknown);

  return {
    asOf: context.asOf,
    text: planInWords({
      versions: tracks.length,
      steps,
      conflicts,
      stuck: stuck.length,
      unknown: unknown.length,
      nextDue: nextEndOf(
        goals.map((end) => ({ end })),
        context.asOf,
      )?.day,
    }),
    items: tracks.map((track) => itemOf(track, goals)),
    steps,
    conflicts,
    nothingToDo: tracks.filter((track) => isSettled(track, conflicts)).map(nameOf),
    notRead: [...context.notRead],
    notes: [
      ...[...stuck, ...unknown].map(
        ({ input }) => `${input.answer.sentence} ${input.answer.advice}`,
      ),
      ...advisoriesNote(inputs),
      ...context.notes,
    ],
  };
}

/** The verdicts of a text with more versions than a plan may have. */
export function verdictsOnly(
  inputs: readonly PlanInput[],
  { asOf, notRead, notes }: PlanContext,
  total: number,
): Plan {
  const tracks = inputs.map((input): Track => {
    const start = { details: input.details, version: input.answer.version };
    return { input, start, goal: start };
  });

  return {
    asOf,
    text: `There is no plan: it has at most ${mostPlanned} versions, and ${total} were read.`,
    items: tracks.map((track) => itemOf(track, [])),
    steps: [],
    conflicts: [],
    nothingToDo: [],
    notRead: [...notRead],
    notes: [...advisoriesNote(inputs), ...notes],
  };
}

function titlesOf(tracks: readonly Track[]): (component: string) => string {
  const positions = tracks.flatMap(({ start, goal }) => [start, goal]);
  const titles = new Map(positions.map(({ details }) => [details.component, details.title]));

  return (component) => titles.get(component) ?? component;
}

function nameOf({ start }: Track): string {
  return positionName(start);
}

function positionName({ details, version }: Position): string {
  return `${details.component}@${version}`;
}

/** Whether there is a reason to move, and nothing to move to. */
function isStuck({ input, to }: Track): boolean {
  return input.isStuck === true && to === undefined;
}

/** Whether the index knows neither the version nor its line. */
function isUnknown({ input }: Track): boolean {
  return input.answer.line === undefined;
}

function isSettled(track: Track, conflicts: readonly PlanConflict[]): boolean {
  const isLeft = conflicts.some(({ between }) => between.includes(positionName(track.goal)));
  return track.to === undefined && !isStuck(track) && !isUnknown(track) && !isLeft;
}

function itemOf({ input, goal }: Track, goals: readonly Position[]): PlanItem {
  const { line, answer, details } = input;
  const { component, version, state, sentence, advice, latestOfLine, newest } = answer;
  const lastStated: Record<string, string> = {};

  if (goal.details.component === details.component) {
    for (const other of goals) {
      const last = lastStatedWith(goal, other);

      if (last !== undefined) {
        lastStated[other.details.component] = last;
      }
    }
  }

  return defined({
    line,
    component,
    version,
    state,
    text: `${sentence} ${advice}`,
    latestOfLine,
    newest,
    lastStated: Object.keys(lastStated).length > 0 ? lastStated : undefined,
  });
}

interface Conflict {
  readonly one: Position;
  readonly other: Position;
  readonly statement: PairStatement;
}

/** Every pair that is stated not to work, by name. */
function conflictsAmong(positions: readonly Position[]): Conflict[] {
  const conflicts = new Map<string, Conflict>();

  for (const [place, first] of positions.entries()) {
    for (const second of positions.slice(place + 1)) {
      const [one, other] =
        first.details.component < second.details.component ? [first, second] : [second, first];
      const statement = conflictBetween(one, other);

      if (statement) {
        conflicts.set(`${positionName(one)} ${positionName(other)}`, { one, other, statement });
      }
    }
  }

  return [...conflicts.values()];
}

function betweenOf({ one, other }: Conflict): string[] {
  return [positionName(one), positionName(other)];
}

/** What is due now, then by day, then conflicts; of equals first what resolves more, then by name. */
function inOrder(moving: readonly Track[], tracks: readonly Track[]): Track[] {
  const starts = tracks.map(({ start }) => start);

  const ranked = moving.map((track) => {
    const { input, reason, start, goal } = track;
    const others = starts.filter((other) => other !== start);
    const resolved = others.filter(
      (other) => conflictBetween(start, other) && !conflictBetween(goal, other),
    );
    const isNow = input.answer.moveBy === undefined;

    return {
      track,
      rank: reason === 'conflict' ? 2 : Number(!isNow),
      by: reason === 'conflict' ? '' : (input.answer.moveBy ?? ''),
      resolves: resolved.length,
      name: nameOf(track),
    };
  });

  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.by < b.by ? -1 : Number(a.by > b.by)) ||
      b.resolves - a.resolves ||
      (a.name < b.name ? -1 : 1),
  );

  return ranked.map(({ track }) => track);
}

/** The steps, each with the conflicts that are over once it is done. */
function stepsOf(
  moving: readonly Track[],
  tracks: readonly Track[],
  titleOf: (component: string) => string,
): PlanStep[] {
  const positions = new Map(tracks.map((track) => [track, track.start]));
  const present = new Set(tracks.map(nameOf));

  return moving.map((track) => {
    const others = tracks.filter((other) => other !== track);

    const resolved = others.flatMap((other): Conflict[] => {
      const pair = conflictsAmong([track.start, positions.get(other)!]);
      const isOver =
        !conflictBetween(track.goal, positions.get(other)!) &&
        !conflictBetween(track.goal, other.goal);

      return isOver ? pair : [];
    });

    positions.set(track, track.goal);

    return stepOf(track, resolved, { titleOf, present });
  });
}

interface StepContext {
  readonly titleOf: (component: string) => string;
  /** The versions of the list. */
  readonly present: ReadonlySet<string>;
}

function stepOf(
  track: Track,
  conflicts: readonly Conflict[],
  { titleOf, present }: StepContext,
): PlanStep {
  const { input, start, goal, reason, to } = track;
  const resolves = conflicts.map((conflict) => describe(conflict, titleOf));
  const target = { component: goal.details.component, version: goal.version };

  return defined({
    component: start.details.component,
    from: start.version,
    to: to!,
    goal: to!.version === target.version ? undefined : target,
    by: reason === 'conflict' ? undefined : input.answer.moveBy,
    reason: reason!,
    text: stepInWords(track, resolves, present.has(positionName(goal))),
    resolves,
  });
}

function describe(conflict: Conflict, titleOf: (component: string) => string) {
  const { statement } = conflict;

  return defined({
    between: betweenOf(conflict),
    text: needInWords(statement, titleOf),
    url: statement.statement.url,
  });
}

/** A conflict that no step resolves, and its two ways. */
function conflictLeft(conflict: Conflict, titleOf: (component: string) => string): PlanConflict {
  const { one, other } = conflict;

  const options = [
    { up: leastAbove(one, other), down: greatestBelow(other, one), place: one, rest: other },
    { up: leastAbove(other, one), down: greatestBelow(one, other), place: other, rest: one },
  ];

  const rated = options.toSorted(
    (a, b) =>
      Number(b.up !== undefined) - Number(a.up !== undefined) ||
      Number(b.down !== undefined) - Number(a.down !== undefined),
  );

  const { up, down, place, rest } = rated[0]!;

  const ways: Resolution[] = [
    up === undefined
      ? { component: place.details.component, replace: true }
      : { component: place.details.component, atLeast: up },
  ];

  if (down !== undefined) {
    ways.push({ component: rest.details.component, until: down });
  } else if (up === undefined) {
    ways.push({ component: rest.details.component, replace: true });
  }

  return { ...describe(conflict, titleOf), ways };
}

/** The least release above that goes with the other. */
function leastAbove({ details, version }: Position, other: Position): string | undefined {
  return [...fittingWith(details, other)].find((each) => isBelow(version, each));
}

/** The greatest release below that is stated to work with the other. */
function greatestBelow({ details, version }: Position, other: Position): string | undefined {
  return goodWith(details, other).findLast((each) => isBelow(each, version));
}

/** Says for how many versions it is not known whether an advisory affects them. */
function advisoriesNote(inputs: readonly PlanInput[]): string[] {
  const unwatched = inputs.filter(({ details }) => !details.watchesAdvisories);
  return unwatched.length === 0
    ? []
    : [advisoriesUnknown(`${unwatched.length} of ${inputs.length}`)];
}
