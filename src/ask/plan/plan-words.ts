import { formatDay, type Day } from '../../core/model/dates.ts';
import { listStatementsOn, describeBounds } from '../../core/model/pair-answers.ts';
import { describeVerdict, describeUnknownAdvisories } from '../../core/model/words.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type {
  Plan,
  Resolution,
  PlanConflict,
  PlanStep,
} from '../../core/schemas/published/plan-answer.ts';
import { capitalise, formatList, endSentence, formatCount } from '../../core/text/wording.ts';
import type { StepGroup } from './order-steps.ts';
import {
  listConflicts,
  findLastStatedWith,
  formatName,
  describePosition,
  describeTarget,
  isUnstated,
  type Conflict,
  type Position,
} from './pairs.ts';
import { isAtStop, type PlanInput, type Track } from './tracks.ts';

/** More names would hide the sentence around them. */
export const maxNamed = 5;

/** `Edge node 2.1.0 needs Server 2026.1 or later.` */
export function describeNeed({ one, other, statement: { statement, subject } }: Conflict): string {
  const isOneSubject = subject.component === one.details.component;
  const [needing, needed] = isOneSubject ? [one, other] : [other, one];
  const { feature, reason } = statement;
  const scope = feature === undefined ? '' : ` for ${feature}`;
  const need = `${describePosition(needing)} needs ${needed.details.title} ${describeBounds(statement)}${scope}.`;
  return reason === undefined ? need : `${need} ${endSentence(reason)}`;
}

export interface StepContext {
  /** The names of the versions of the list. */
  readonly present: ReadonlySet<string>;
  /** The positions after the plan. */
  readonly ends: readonly Position[];
}

/** A step in sentences: why, where to, and by when. */
export function describeStep(
  group: StepGroup,
  resolved: readonly { readonly text: string }[],
  context: StepContext,
): string {
  const { moves, before } = group;
  const [first, ...others] = moves;
  const when = describeDue(group);
  if (others.length > 0) {
    return describeMovesTogether(moves, when, context);
  }
  if (first.reason !== 'conflict') {
    return `${describeVerdict(first.input.answer)} Move to ${describeTrackTarget(first, context)}${when}.${explainNewest(first, context)}`;
  }

  // A step that resolves no conflict today is the condition for a later move.
  const isCondition = resolved.length === 0 && before !== undefined;
  const reasons = isCondition
    ? describeNeeds(listConflicts([first.start, before.end]))
    : [...new Set(resolved.map(({ text }) => text))].join(' ');
  return `Move ${describeTrackMove(first, context)}${when}. ${reasons}`;
}

function describeMovesTogether(
  moves: readonly Track[],
  when: string,
  context: StepContext,
): string {
  const verdicts = moves
    .filter(({ reason }) => reason !== 'conflict')
    .map(({ input }) => describeVerdict(input.answer));
  const paths = moves.map((move) => describeTrackMove(move, context)).join(' and ');
  // One of the moves before the others would make some of these.
  const conflicts = moves.flatMap(({ end }) =>
    moves.flatMap(({ start }) => listConflicts([end, start])),
  );
  return `${verdicts.join(' ')} Move ${paths} together${when}: no order keeps them working. ${describeNeeds(conflicts)}`;
}

/** ` now`, ` by 2026-12-31, before Build cache node moves to Edge node 2.1.0` */
function describeDue({ by, before }: StepGroup): string {
  const next = before
    ? `, before ${before.start.details.title} moves to ${nameTarget(before)}`
    : '';
  return ` ${by === undefined ? 'now' : `by ${by}`}${next}`;
}

/** `Server 2025.1 to 2026.3` */
function describeTrackMove(track: Track, context: StepContext): string {
  return `${describePosition(track.start)} to ${describeTrackTarget(track, context)}`;
}

function describeTrackTarget(track: Track, { present }: StepContext): string {
  const note = present.has(formatName(track.end)) ? ' (you run it already)' : '';
  return `${nameTarget(track)}${note}`;
}

/** `Then go on to Server 2026.3.`: from a stop; empty without one. */
export function describeOnward(tracks: readonly Track[]): string {
  const goals = tracks.filter(isAtStop).map(({ goal }) => describePosition(goal));
  return goals.length === 0 ? '' : `Then go on to ${formatList(goals, maxNamed)}.`;
}

function nameTarget({ start, end }: Track): string {
  return end.details === start.details ? end.version : describePosition(end);
}

/** Why the newest release of a replacement is not the goal; empty where it is. */
function explainNewest({ newest, goal }: Track, { ends }: StepContext): string {
  if (!newest || newest.version === goal.version) {
    return '';
  }

  const conflicts = ends.flatMap((end) => listConflicts([newest, end]));
  return ` The newest is ${newest.version}. ${describeNeeds(conflicts)}`.trimEnd();
}

function describeNeeds(conflicts: readonly Conflict[]): string {
  return [...new Set(conflicts.map(describeNeed))].join(' ');
}

/** A move that would break a pair. */
export function describeObstacle({ answer }: PlanInput, conflict: string): string {
  const { moveTo, component, title } = answer;
  const target = moveTo && describeTarget(moveTo, component);
  return `${describeVerdict(answer)} ${title} cannot move to ${target}: ${conflict}`;
}

/** `Library 2.0 is affected by CVE-2026-1, and nothing fixes it yet.` */
export function describeAffected({ title, version, advisories = [] }: VersionAnswer): string {
  return `${title} ${version} is affected by ${advisories.join(', ')}, and nothing fixes it yet.`;
}

/** `build-agent-gradle 4.4.0 with svc 2025.4: not stated; the vendor last stated 4.3.3.`; undefined for a pair with a statement. */
export function describeUnstated(one: Position, other: Position): string | undefined {
  const lastOfOne = findLastStatedWith(one, other);
  const lastOfOther = findLastStatedWith(other, one);
  const statesItself = listStatementsOn(one.details.worksWith, other.details.component).length > 0;

  // The component with the last statement is named first, else the one that states anything about the other.
  const isFirst = lastOfOne !== undefined || (lastOfOther === undefined && statesItself);
  const [subject, object] = isFirst ? [one, other] : [other, one];
  if (!isUnstated(subject, object)) {
    return undefined;
  }

  const lastStated = lastOfOne ?? lastOfOther;
  const suffix = lastStated === undefined ? '' : `; the vendor last stated ${lastStated}`;
  return `${nameVersion(subject)} with ${nameVersion(object)}: not stated${suffix}.`;
}

/** `svc 2025.4` */
function nameVersion({ details, version }: Position): string {
  return `${details.component} ${version}`;
}

/** The steps of a plan and the conflicts without one, a line each. */
export function listPlanLines({ steps, conflicts }: Plan): string[] {
  const lines: string[] = [];
  for (const [index, { text, reason, resolves }] of steps.entries()) {
    const resolved = reason === 'conflict' ? [] : resolves.map((conflict) => conflict.text);
    const suffix = resolved.length > 0 ? ` This also resolves: ${resolved.join(' ')}` : '';
    lines.push(`${index + 1}. ${text}${suffix}`);
  }
  for (const { text, ways } of conflicts) {
    lines.push(`A conflict remains: ${text} ${describeResolutions(ways)}`);
  }
  return lines;
}

/** `Move svc to 2026.1 or later; until then take build-agent-gradle 4.1.1.` */
export function describeResolutions(ways: readonly Resolution[]): string {
  const parts = ways.map((way) => {
    if ('atLeast' in way) {
      return `move ${way.component} to ${way.atLeast} or later`;
    }

    return 'until' in way
      ? `until then take ${way.component} ${way.until}`
      : `replace ${way.component}`;
  });
  return capitalise(`${parts.join('; ')}.`);
}

/** The facts of a plan that its first sentences are about. */
interface Summary {
  readonly versions: number;
  /** The number of lines that only a person can confirm. */
  readonly questions: number;
  readonly steps: readonly PlanStep[];
  readonly conflicts: readonly PlanConflict[];
  /** The number of versions with a reason to move, and nothing to move to. */
  readonly stuck: number;
  /** The number of versions that the index does not know, nor their release lines. */
  readonly unknown: number;
  /** The affected versions that nothing fixes yet, in sentences. */
  readonly affected: readonly string[];
  /** Pairs of which nothing is stated, in sentences. */
  readonly unstated: readonly string[];
  /** The number of versions for which advisories are not known. */
  readonly unwatched: number;
  /** The versions to go on to from a stop; empty without one. */
  readonly onward: string;
  /** The earliest known end of support after all steps, of versions that stop nowhere. */
  readonly nextDue: Day | undefined;
}

/** `Two things to do: one now, one by 31 Dec 2026. Then nothing is due before 30 Dec 2027.` */
export function describePlan(summary: Summary): string {
  const { versions, questions, steps, conflicts, stuck, unknown, affected } = summary;
  if (versions + questions === 0) {
    return 'No version of this index was read.';
  }

  const stepItems = describeStepItems(steps);
  const sentences = questions > 0 ? [`${formatCount(questions, 'question')} first.`] : [];
  sentences.push(questions > 0 && stepItems !== '' ? `Then ${stepItems}` : capitalise(stepItems));

  sentences.push(
    describeCount(conflicts.length, 'conflict remains', 'conflicts remain'),
    describeCount(
      stuck,
      'version has nothing to move to yet',
      'versions have nothing to move to yet',
    ),
    describeCount(unknown, 'version is not known', 'versions are not known'),
    ...affected,
    describeRemaining(summary),
  );

  return sentences.filter(Boolean).join(' ');
}

/** `Two conflicts remain.`; empty for none. */
function describeCount(count: number, single: string, several: string): string {
  return count === 0 ? '' : `${capitalise(spellCount(count))} ${count === 1 ? single : several}.`;
}

/** Says until when nothing is due. Nothing is said while a person has to answer, or while a version cannot move. */
function describeRemaining(summary: Summary): string {
  const { questions, steps, conflicts, stuck, unknown, affected, onward, nextDue } = summary;
  if (questions > 0 || stuck > 0) {
    return '';
  }

  const isOpen = conflicts.length + unknown + affected.length > 0;
  const nothing = isOpen || onward !== '' ? 'nothing else' : 'nothing';
  const nothingDue = `${nothing} is due${nextDue === undefined ? '' : ` before ${formatDay(nextDue)}`}.`;
  if (steps.length > 0) {
    // A step without a day is due now.
    const isLater =
      nextDue !== undefined && steps.every(({ by }) => by === undefined || by < nextDue);
    return [onward, isLater ? `Then ${nothingDue}` : ''].filter(Boolean).join(' ');
  }

  return isOpen && nextDue === undefined
    ? ''
    : [capitalise(nothingDue), ...listUnknownFacts(summary)].join(' ');
}

/** The facts that are not known on versions that may stay, in sentences. */
function listUnknownFacts({ versions, unstated, unwatched }: Summary): string[] {
  const sentences = unstated.length === 1 ? [...unstated] : [];
  if (unwatched > 0) {
    const subject = unwatched === versions ? '' : `${unwatched} of ${versions}`;
    sentences.push(describeUnknownAdvisories(subject));
  }
  return sentences;
}

function describeStepItems(steps: readonly PlanStep[]): string {
  if (steps.length === 0) {
    return '';
  }

  const total = `${spellCount(steps.length)} ${steps.length === 1 ? 'thing' : 'things'} to do`;
  const groups = groupByDay(steps);
  const [when] = groups.keys();
  if (groups.size === 1) {
    return `${total} ${when}.`;
  }

  const parts = Array.from(groups, ([day, group]) => `${spellCount(group.length)} ${day}`);
  return `${total}: ${parts.join(', ')}.`;
}

/** The steps by the time at which they are due: now, and by each of two days or by the last of more. */
function groupByDay(steps: readonly PlanStep[]): ReadonlyMap<string, readonly PlanStep[]> {
  const days = new Set(steps.map(({ by }) => by).filter((day) => day !== undefined));
  const lastDay = [...days].sort().at(-1);
  return Map.groupBy(steps, ({ by }) =>
    by === undefined ? 'now' : `by ${formatDay(days.size > 2 ? lastDay! : by)}`,
  );
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function spellCount(count: number): string {
  return numbers[count] ?? String(count);
}
