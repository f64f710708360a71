import { moveReasons } from '../../core/model/move-to.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { describeUnknownAdvisories, describeVerdict } from '../../core/model/words.ts';
import type {
  Plan,
  PlanConflict,
  PlanItem,
  PlanMove,
  PlanStep,
  Resolution,
} from '../../core/schemas/published/plan-answer.ts';
import { findRelease } from '../answers/judge-version.ts';
import type { NotRead } from '../texts/identify.ts';
import { orderSteps, type StepGroup } from './order-steps.ts';
import {
  listConflicts,
  listFittingWith,
  listGoodWith,
  isBelow,
  findLastStatedWith,
  formatName,
  type Conflict,
  type Position,
} from './pairs.ts';
import { findNextEnd } from './plan-outcome.ts';
import {
  describeAffected,
  describeNeed,
  describeObstacle,
  describeOnward,
  describePlan,
  describeStepInWords,
  describeUnstated,
  type StepContext,
} from './plan-words.ts';
import {
  isAtStop,
  isMoving,
  createStayingTrack,
  findTracks,
  type PlanInput,
  type Track,
} from './tracks.ts';

/** Maximum number of versions in a plan. */
export const maxPlanned = 200;

/** The parts of a plan besides its versions. */
type PlanContext = Pick<Plan, 'asOf' | 'notRead' | 'notes'>;

/**
 * The steps for the versions of a list, with their days. Pure. Each version goes to its own goal; where two goals do not work together,
 * one of them goes up. Nothing moves for what is not stated, nothing steps back for a conflict, and no step breaks a pair.
 */
export function makePlan(inputs: readonly PlanInput[], context: PlanContext): Plan {
  const { asOf, notRead } = context;
  const tracks = findTracks(inputs);
  const ends = tracks.map(({ end }) => end);
  const present = new Set(tracks.map(({ start }) => formatName(start)));
  const steps = orderSteps(tracks).map((group) => describeStep(group, { present, ends }));
  const conflicts = [...listConflicts(ends).map(describeConflict), ...listObstacles(tracks)];

  const stuck = tracks.filter(isStuck);
  const unknown = tracks.filter(isUnknown);
  const facts = {
    affected: tracks.filter(isAffected).map(({ input }) => describeAffected(input.answer)),
    unstated: listUnstated(ends),
    unwatched: describeUnwatched(inputs),
  };
  const finalEnds = tracks.filter((track) => !isAtStop(track)).map(({ end }) => end);

  return {
    asOf,
    text: describePlan({
      versions: tracks.length,
      questions: notRead.filter(isQuestion).length,
      steps,
      conflicts,
      stuck: stuck.length,
      unknown: unknown.length,
      ...facts,
      onward: describeOnward(tracks),
      nextDue: findNextEnd(finalEnds, asOf)?.day,
    }),
    items: tracks.map((track) => describeItem(track, ends)),
    steps,
    conflicts,
    nothingToDo: tracks
      .filter((track) => isSettled(track, conflicts))
      .map(({ start }) => formatName(start)),
    notRead: [...notRead],
    notes: [
      ...[...stuck, ...unknown].map(({ input }) => describeStay(input)),
      ...facts.affected,
      ...facts.unstated,
      ...facts.unwatched,
      ...context.notes,
    ],
  };
}

/** Whether only a person can say what a part of a text means. */
export function isQuestion({
  reason,
  didYouMean,
}: Pick<NotRead, 'reason' | 'didYouMean'>): boolean {
  return reason === 'guess' && didYouMean !== undefined;
}

/** The verdicts of a text with more versions than a plan may have. */
export function planWithoutSteps(
  inputs: readonly PlanInput[],
  { asOf, notRead, notes }: PlanContext,
  total: number,
): Plan {
  return {
    asOf,
    text: `There is no plan: it has at most ${maxPlanned} versions, and ${total} were read.`,
    items: inputs.map((input) => describeItem(createStayingTrack(input), [])),
    steps: [],
    conflicts: [],
    nothingToDo: [],
    notRead: [...notRead],
    notes: [...describeUnwatched(inputs), ...notes],
  };
}

/** Whether there is a reason to move, and nothing to move to. */
function isStuck({ input }: Track): boolean {
  return input.isStuck === true;
}

/** Whether the index knows neither the version nor its line. */
function isUnknown({ input }: Track): boolean {
  return input.answer.line === undefined;
}

/** Whether an advisory affects it now, and also where it goes: nothing fixes it yet. */
function isAffected({ input, goal }: Track): boolean {
  const release = findRelease(goal.details.releases, goal.version);
  return input.answer.isVulnerable === true && release?.isVulnerable === true;
}

function isSettled(track: Track, conflicts: readonly PlanConflict[]): boolean {
  const isLeft = conflicts.some(({ between }) => between.includes(formatName(track.start)));
  const isOpen = isMoving(track) || isStuck(track) || isUnknown(track) || isAffected(track);
  return !isOpen && !isLeft && !track.obstacles;
}

/** The verdict on a version with its advice. */
function describeStay({ answer }: PlanInput): string {
  return `${describeVerdict(answer)} ${answer.advice}`;
}

function describeItem(track: Track, ends: readonly Position[]): PlanItem {
  const { input } = track;
  const { component, version, state, latestOfLine, newest } = input.answer;
  return dropUndefined({
    line: input.line,
    component,
    version,
    state,
    // A step or a conflict says what to do.
    text: isMoving(track) || track.obstacles ? describeVerdict(input.answer) : describeStay(input),
    latestOfLine,
    newest,
    lastStated: findLastStated(track, ends),
  });
}

/** The last release of a component that is stated to work with each other component, where it goes to another release. */
function findLastStated(
  { input, end, goal }: Track,
  ends: readonly Position[],
): PlanItem['lastStated'] {
  if (goal.details.component !== input.details.component) {
    return undefined;
  }

  const stated: [string, string][] = [];
  for (const other of ends) {
    const last = findLastStatedWith(end, other);
    if (last !== undefined) {
      stated.push([other.details.component, last]);
    }
  }
  return stated.length > 0 ? Object.fromEntries(stated) : undefined;
}

function describeStep(group: StepGroup, context: StepContext): PlanStep {
  const { moves, by, resolved } = group;
  const [first] = moves;
  const reason: PlanStep['reason'] =
    moveReasons.find((each) => moves.some((move) => move.reason === each)) ?? 'conflict';
  const resolves = resolved.map(describePair);
  const about = dropUndefined({
    by,
    reason,
    text: [describeStepInWords(group, resolves, context), describeOnward(moves)]
      .filter(Boolean)
      .join(' '),
    resolves,
  });

  return moves.length > 1
    ? { together: moves.map(describeMove), ...about }
    : { ...describeMove(first), ...about };
}

function describeMove(track: Track): PlanMove {
  const { start, end, goal } = track;
  return dropUndefined({
    component: start.details.component,
    from: start.version,
    to: { component: end.details.component, version: end.version },
    goal: isAtStop(track)
      ? { component: goal.details.component, version: goal.version }
      : undefined,
  });
}

function describePair(conflict: Conflict) {
  const { one, other, statement } = conflict;
  return dropUndefined({
    between: [formatName(one), formatName(other)],
    text: describeNeed(conflict),
    url: statement.statement.url,
  });
}

/** The conflicts that moves would make, which are therefore no steps. */
function listObstacles(tracks: readonly Track[]): PlanConflict[] {
  const conflicts: PlanConflict[] = [];
  for (const { input, obstacles = [] } of tracks) {
    for (const { indexes, conflict } of obstacles) {
      const planConflict = describeConflict(conflict);
      conflicts.push({
        ...planConflict,
        between: indexes.map((index) => formatName(tracks[index]!.end)),
        text: describeObstacle(input, planConflict.text),
      });
    }
  }

  return conflicts;
}

/** A conflict that no step resolves, and the two ways out of it. */
function describeConflict(conflict: Conflict): PlanConflict {
  return { ...describePair(conflict), ways: listResolutions(conflict) };
}

/** One version goes up, and until then the other may go down; else one goes down and the other is replaced, or both are. */
function listResolutions({ one, other }: Conflict): Resolution[] {
  const pairs = [
    [one, other],
    [other, one],
  ] as const;
  const replace = ({ details }: Position) =>
    ({ component: details.component, replace: true }) as const;
  const takeOlder = (position: Position, fixed: Position): Resolution[] => {
    const until = findGreatestBelow(position, fixed);
    return until === undefined ? [] : [{ component: position.details.component, until }];
  };

  for (const [subject, object] of pairs) {
    const atLeast = findLeastAbove(subject, object);
    if (atLeast !== undefined) {
      return [{ component: subject.details.component, atLeast }, ...takeOlder(object, subject)];
    }
  }
  for (const [subject, object] of pairs) {
    const [older] = takeOlder(object, subject);
    if (older) {
      return [replace(subject), older];
    }
  }

  return [replace(one), replace(other)];
}

/** The least release above that goes with the other. */
function findLeastAbove({ details, version }: Position, other: Position): string | undefined {
  return [...listFittingWith(details, other)].find((each) => isBelow(version, each));
}

/** The greatest release below that is stated to work with the other. */
function findGreatestBelow({ details, version }: Position, other: Position): string | undefined {
  return listGoodWith(details, other).findLast((each) => isBelow(each, version));
}

/** Each pair of two components that state something about each other, of which nothing is stated for these versions. */
function listUnstated(positions: readonly Position[]): string[] {
  const pairs = new Set<string>();
  for (const [index, one] of positions.entries()) {
    for (const other of positions.slice(index + 1)) {
      const words = describeUnstated(one, other);
      if (words !== undefined) {
        pairs.add(words);
      }
    }
  }
  return [...pairs];
}

/** Says for how many versions it is not known whether an advisory affects them. */
function describeUnwatched(inputs: readonly PlanInput[]): string[] {
  const { length } = inputs.filter(({ details }) => !details.watchesAdvisories);
  return length === 0 ? [] : [describeUnknownAdvisories(`${length} of ${inputs.length}`)];
}
