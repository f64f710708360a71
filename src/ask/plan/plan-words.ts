import { listStatementsOn } from '../../core/model/pair-answers.ts';
import { describeBounds, describeStatement } from '../../core/model/pair-words.ts';
import { moveLabel } from '../../core/model/words.ts';
import type { Plan, Resolution } from '../../core/schemas/published/plan-answer.ts';
import { capitalise, formatList, endSentence } from '../../core/text/wording.ts';
import { describeVerdict, nameTarget } from '../answers/verdict-sentences.ts';
import type { StepGroup } from './order-steps.ts';
import {
  listConflicts,
  listContrary,
  describePosition,
  findLastStatedWith,
  isUncovered,
  listStable,
  toTarget,
  type Conflict,
  type Position,
} from './pairs.ts';
import { isAtStop, listUnfixed, type PlanInput, type Track } from './tracks.ts';

/** More names would hide the sentence around them. */
export const maxNamed = 5;

/** `Edge node 2.1.0 needs Server 2026.1 or later.`, and each statement that says otherwise. */
export function describeNeed(conflict: Conflict): string {
  const { one, other } = conflict;
  const { statement, subject } = conflict.statement;
  const isOneSubject = subject.component === one.details.component;
  const [needing, needed] = isOneSubject ? [one, other] : [other, one];
  const need = `${describePosition(needing)} needs ${needed.details.title} ${describeBounds(statement)}.`;
  const { reason } = statement;
  const contrary = listContrary(conflict).map(
    (each) =>
      `But: ${describeStatement(each.statement, each.subject.component, each.object.component)}`,
  );
  return [need, reason && endSentence(reason), ...contrary].filter(Boolean).join(' ');
}

/** A step in sentences: why, where to, and by when. `ends`: the positions after the plan. */
export function describeStep(
  group: StepGroup,
  resolved: readonly { readonly text: string }[],
  ends: readonly Position[],
): string {
  const { tracks } = group;
  const [first, ...others] = tracks;
  const when = describeDue(group);
  if (others.length > 0) {
    return describeMovesTogether(tracks, when);
  }
  if (first.reason !== 'conflict') {
    return `${describeVerdict(first.input)} ${moveLabel} ${nameEnd(first)}${when}.${explainGoal(first, ends)}`;
  }

  // A step that resolves no conflict today is the condition for a later move.
  const reasons =
    resolved.length === 0
      ? describeNeeds(ends.flatMap((end) => listConflicts([first.start, end])))
      : [...new Set(resolved.map(({ text }) => text))].join(' ');
  return `Move ${describePath(first)}${when}. ${reasons}`;
}

function describeMovesTogether(tracks: readonly Track[], when: string): string {
  const verdicts = tracks
    .filter(({ reason }) => reason !== 'conflict')
    .map(({ input }) => describeVerdict(input));
  const paths = tracks.map(describePath).join(' and ');
  // Moving one of them first would cause one of these conflicts.
  const conflicts = tracks.flatMap(({ end }) =>
    tracks.flatMap(({ start }) => listConflicts([end, start])),
  );
  return `${verdicts.join(' ')} Move ${paths} together${when}: no order keeps them working. ${describeNeeds(conflicts)}`;
}

/** ` now`, ` by 2026-12-31, before Build cache node moves to Edge node 2.1.0` */
function describeDue({ dueDay, neededBy }: StepGroup): string {
  const next = neededBy
    ? `, before ${neededBy.start.details.title} moves to ${nameEnd(neededBy)}`
    : '';
  return ` ${dueDay === undefined ? 'now' : `by ${dueDay}`}${next}`;
}

/** `Server 2025.1 to 2026.3` */
function describePath(track: Track): string {
  return `${describePosition(track.start)} to ${nameEnd(track)}`;
}

/** `Then go on to Server 2026.3.`: from a stop; empty without one. */
export function describeOnward(tracks: readonly Track[]): string {
  const goals = tracks.filter(isAtStop).map(({ goal }) => describePosition(goal));
  return goals.length === 0 ? '' : `Then go on to ${formatList(goals, maxNamed)}.`;
}

function nameEnd({ end, input }: Track): string {
  return nameTarget(toTarget(end), input.details, input.replacement);
}

/** ` The newest is 2.1.0. …`: why the goal of a replacement is not its preferred release; empty where it is. */
function explainGoal({ input, goal }: Track, ends: readonly Position[]): string {
  const { details } = goal;
  const version = input.answer.moveTo?.version;
  if (details === input.details || version === undefined || version === goal.version) {
    return '';
  }

  const newest = listStable(details).at(-1)!.version;
  const recommended = newest === version ? '' : `, the recommended version is ${version}`;
  const conflicts = ends.flatMap((end) => listConflicts([{ details, version }, end]));
  return ` The newest is ${newest}${recommended}. ${describeNeeds(conflicts)}`.trimEnd();
}

function describeNeeds(conflicts: readonly Conflict[]): string {
  return [...new Set(conflicts.map(describeNeed))].join(' ');
}

/** Says that a version cannot move, because the move would break a pair. */
export function describeObstacle(input: PlanInput, conflict: string): string {
  const { answer, details, replacement } = input;
  const target = answer.moveTo && nameTarget(answer.moveTo, details, replacement);
  return `${describeVerdict(input)} ${answer.title} cannot move to ${target}: ${conflict}`;
}

/**
 * `Library 2.0 is affected by CVE-2026-1, and there is no fix to move to yet.`; undefined for an unaffected version. The conflict of a
 * version says what keeps it from a fix.
 */
export function describeAffected(track: Track): string | undefined {
  const advisories = listUnfixed(track);
  if (advisories.length === 0) {
    return undefined;
  }

  const fact = `${describePosition(track.goal)} is affected by ${advisories.join(', ')}`;
  return track.obstacles ? `${fact}.` : `${fact}, and there is no fix to move to yet.`;
}

/**
 * `build-agent-gradle 4.4.0 with svc 2025.4: not stated; the vendor last stated 4.3.3.`; undefined if a statement covers the pair, or
 * no statement is about both components as a whole. The component with an older release that is stated to work with the other is
 * named first, else the component that makes the statements.
 */
export function describeUnstated(one: Position, other: Position): string | undefined {
  if (!isUncovered(one, other)) {
    return undefined;
  }

  for (const [subject, object] of [[one, other] as const, [other, one] as const]) {
    const lastStated = findLastStatedWith(subject, object);
    if (lastStated !== undefined) {
      return `${namePair(subject, object)}: not stated; the vendor last stated ${lastStated}.`;
    }
  }

  const statements = listStatementsOn(one.details.worksWith, other.details.component);
  return `${statements.length > 0 ? namePair(one, other) : namePair(other, one)}: not stated.`;
}

/** `build-agent-gradle 4.4.0 with svc 2025.4` */
function namePair(one: Position, other: Position): string {
  return `${one.details.component} ${one.version} with ${other.details.component} ${other.version}`;
}

/** The steps of a plan and the conflicts without one, a line each. */
export function listPlanLines({ steps, conflicts }: Plan): string[] {
  const stepLines = steps.map(({ text, reason, resolves }, index) => {
    const resolved = reason === 'conflict' ? [] : resolves.map((conflict) => conflict.text);
    const suffix = resolved.length > 0 ? ` This also resolves: ${resolved.join(' ')}` : '';
    return `${index + 1}. ${text}${suffix}`;
  });
  const conflictLines = conflicts.map(
    ({ text, ways }) => `A conflict remains: ${text} ${describeResolutions(ways)}`,
  );
  return [...stepLines, ...conflictLines];
}

/** `Move svc to 2026.1 or later; until then take build-agent-gradle 4.1.1.` */
export function describeResolutions(ways: readonly Resolution[]): string {
  const parts = ways.map((way) => {
    if ('atLeast' in way) {
      return `move ${way.component} to ${describeBounds({ from: way.atLeast, before: way.before })}`;
    }

    return 'until' in way
      ? `until then take ${way.component} ${way.until}`
      : `replace ${way.component}`;
  });
  return capitalise(`${parts.join('; ')}.`);
}
