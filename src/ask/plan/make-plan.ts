import { moveReasons } from '../../core/model/move-to.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type {
  Plan,
  PlanConflict,
  PlanItem,
  PlanMove,
  PlanStep,
} from '../../core/schemas/published/plan-answer.ts';
import { describeVerdict } from '../answers/verdict-sentences.ts';
import { isQuestion } from '../texts/identified-text.ts';
import { findTracks } from './find-tracks.ts';
import {
  createStayingTrack,
  findNextSupportEnd,
  isAtStop,
  isMoving,
  listUnfixed,
  type PlanInput,
  type Track,
} from './tracks.ts';
import { findMove, type Outcome } from './plan-outcomes.ts';
import { orderSteps, type StepGroup } from './order-steps.ts';
import {
  listConflicts,
  findLastStatedWith,
  formatName,
  listResolutions,
  toTarget,
  type Position,
  type Conflict,
} from './pairs.ts';
import { describePlan } from './plan-summary-words.ts';
import {
  describeAffected,
  describeOnward,
  describeStep,
  describeUnstated,
  describeNeed,
  describeObstacle,
} from './plan-words.ts';

/** Maximum number of versions in a plan. Further ones are not judged. */
export const maxPlanned = 200;

/** The parts of a plan besides its versions. */
type PlanContext = Pick<Plan, 'asOf' | 'notRead' | 'notes'>;

/**
 * The steps for the versions of a list, with their days. Each version goes to its preferred goal; where two goals do not work
 * together, one of them changes. Nothing moves for what is not stated, nothing steps back for a conflict, and no step breaks a pair.
 */
export function makePlan(inputs: readonly PlanInput[], context: PlanContext) {
  const { asOf, notRead } = context;
  const tracks = findTracks(inputs);
  const ends = tracks.map(({ end }) => end);
  const steps = orderSteps(tracks).map((group) => createStep(group, ends));
  const conflicts = [...listConflicts(ends).map(createConflict), ...listObstacles(tracks)];

  const stuck = inputs.filter(({ judged }) => judged.isStuck);
  const unknown = inputs.filter(isUnknown);
  const affected = tracks.map(describeAffected).filter((sentence) => sentence !== undefined);
  const unstated = listUnstated(ends);
  const text = describePlan({
    versions: inputs.length,
    questions: notRead.filter(isQuestion).length,
    steps,
    conflicts,
    stuck: stuck.length,
    unknown: unknown.length,
    affected,
    unstated,
    unwatched: countUnwatched(inputs),
    onward: describeOnward(tracks),
    nextDue: findNextSupportEnd(tracks, asOf),
  });

  const settled = tracks.filter((track) => isSettled(track, conflicts));
  const stays = [...stuck, ...unknown].map(describeStay);
  return createPlan(
    tracks.map((track) => createOutcome(track, ends, steps)),
    {
      text,
      steps,
      conflicts,
      nothingToDo: settled.map(({ start }) => formatName(start)),
      notes: [...stays, ...affected, ...unstated],
    },
    context,
  );
}

/** The verdicts of a text with more versions than a plan may have. */
export function planWithoutSteps(
  inputs: readonly PlanInput[],
  context: PlanContext,
  total: number,
) {
  const outcomes = inputs.map((input) => createOutcome(createStayingTrack(input), [], []));
  const text = `There is no plan: it has at most ${maxPlanned} versions, and ${total} were read.`;
  const parts = { text, steps: [], conflicts: [], nothingToDo: [], notes: [] };
  return createPlan(outcomes, parts, context);
}

type PlanParts = Pick<Plan, 'text' | 'steps' | 'conflicts' | 'nothingToDo' | 'notes'>;

/** A plan of its parts, and what becomes of each version of the list. Their notes, on steps and versions, come before the others. */
function createPlan(
  outcomes: readonly Outcome[],
  { text, notes: ownNotes, ...actions }: PlanParts,
  { asOf, notRead, notes }: PlanContext,
) {
  const unwatched = countUnwatched(outcomes.map(({ input }) => input));
  const unknown = describeUnknownAdvisories(`${unwatched} of ${outcomes.length}`);
  const plan: Plan = {
    asOf,
    text,
    items: outcomes.map(({ item }) => item),
    ...actions,
    notRead,
    notes: [...ownNotes, ...(unwatched === 0 ? [] : [unknown]), ...notes],
  };
  return { plan, outcomes };
}

/** Whether the index knows neither the version nor its line. */
function isUnknown({ answer }: PlanInput): boolean {
  return answer.line === undefined;
}

/** Whether a version has no step, no conflict and no note of its own. */
function isSettled(track: Track, conflicts: readonly PlanConflict[]): boolean {
  const { input, start, obstacles } = track;
  const hasConflict = conflicts.some(({ between }) => between.includes(formatName(start)));
  const hasNote = input.judged.isStuck || isUnknown(input) || listUnfixed(track).length > 0;
  return !isMoving(track) && !obstacles && !hasConflict && !hasNote;
}

/** The verdict on a version with its advice. */
function describeStay(input: PlanInput): string {
  return `${describeVerdict(input)} ${input.answer.advice}`;
}

function createOutcome(
  track: Track,
  ends: readonly Position[],
  steps: readonly PlanStep[],
): Outcome {
  const { input, start, end } = track;
  const { component, version, state, latestOfLine, newest } = input.answer;
  const item = {
    line: input.line,
    component,
    version,
    state,
    // A step or a conflict says what to do.
    text: isMoving(track) || track.obstacles ? describeVerdict(input) : describeStay(input),
    latestOfLine,
    newest,
    lastStated: findLastStated(track, ends),
  };
  return { input, start, end, item, ...findMove(steps, input.answer) };
}

/**
 * By other component, the last release that is stated to work with it, where nothing is stated about the release at the end of the
 * plan. None for a version that is replaced: these would be releases of its replacement.
 */
function findLastStated(
  { input, end, goal }: Track,
  ends: readonly Position[],
): PlanItem['lastStated'] {
  if (goal.details.component !== input.details.component) {
    return undefined;
  }

  const stated: [string, string][] = [];
  for (const partner of ends) {
    const last = findLastStatedWith(end, partner);
    if (last !== undefined) {
      stated.push([partner.details.component, last]);
    }
  }
  return stated.length > 0 ? Object.fromEntries(stated) : undefined;
}

function createStep(group: StepGroup, ends: readonly Position[]): PlanStep {
  const { tracks, dueDay, resolved } = group;
  const [first] = tracks;
  const reason: PlanStep['reason'] =
    moveReasons.find((each) => tracks.some((track) => track.reason === each)) ?? 'conflict';
  const resolves = resolved.map(explainConflict);
  const about = {
    by: dueDay,
    reason,
    text: `${describeStep(group, resolves, ends)} ${describeOnward(tracks)}`.trimEnd(),
    resolves,
  };

  return tracks.length > 1
    ? { together: tracks.map(createMove), ...about }
    : { ...createMove(first), ...about };
}

function createMove(track: Track): PlanMove {
  const { start, end, goal } = track;
  return {
    component: start.details.component,
    from: start.version,
    to: toTarget(end),
    goal: isAtStop(track) ? toTarget(goal) : undefined,
  };
}

/** Each pair of two components that state something about each other, of which nothing is stated for these versions. */
function listUnstated(positions: readonly Position[]): string[] {
  const sentences = positions.flatMap((one, index) =>
    positions.slice(index + 1).map((other) => describeUnstated(one, other)),
  );
  return [...new Set(sentences)].filter((sentence) => sentence !== undefined);
}

/** The number of versions of which it is not known whether an advisory affects them. */
function countUnwatched(inputs: readonly PlanInput[]): number {
  return inputs.filter(({ details }) => !details.watchesAdvisories).length;
}

/** The versions of a conflict, the statement behind it as a sentence, and its source. */
function explainConflict(conflict: Conflict) {
  const { one, other, statement } = conflict;
  return {
    between: [formatName(one), formatName(other)],
    text: describeNeed(conflict),
    url: statement.statement.url,
  };
}

/** The moves that are left out, each as the conflict that it would make. */
function listObstacles(tracks: readonly Track[]): PlanConflict[] {
  const ends = new Map(tracks.map(({ input, end }) => [input, end]));
  const conflicts: PlanConflict[] = [];
  for (const { input, obstacles = [] } of tracks) {
    for (const { tracks: brokenPair, conflict } of obstacles) {
      const afterMove = createConflict(conflict);
      conflicts.push({
        ...afterMove,
        // The conflict was found in a plan with the move. These are the versions at the end of this plan, without it.
        between: brokenPair.map((track) => formatName(ends.get(track.input)!)),
        text: describeObstacle(input, afterMove.text),
      });
    }
  }

  return conflicts;
}

/** A conflict that no step resolves, and what would resolve it. */
function createConflict(conflict: Conflict): PlanConflict {
  return { ...explainConflict(conflict), ways: listResolutions(conflict) };
}
