import { readableDay, type Day } from '../../core/model/dates.ts';
import type { MoveTarget } from '../../core/model/move-to.ts';
import type {
  Plan,
  PlanConflict,
  PlanStep,
  Resolution,
} from '../../core/schemas/published/plan-answer.ts';
import { capitalised, sentence } from '../../core/text/text.ts';
import { boundsInWords, type PairStatement } from '../../core/model/pair-answers.ts';
import type { Track } from './tracks.ts';

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function inWords(count: number): string {
  return numbers[count] ?? String(count);
}

/** `Edge node 2.1.0 needs Server 2026.1 or later.` */
export function needInWords(
  { statement, subject, object }: PairStatement,
  titleOf: (component: string) => string,
): string {
  const { feature, reason } = statement;
  const scope = feature === undefined ? '' : ` for ${feature}`;
  const need = `${titleOf(subject.component)} ${subject.version} needs ${titleOf(object.component)} ${boundsInWords(statement)}${scope}.`;

  return reason === undefined ? need : `${need} ${sentence(reason)}`;
}

/** A step in sentences: why, where to, and by when. `isRunning`: the list has the goal, too. */
export function stepInWords(
  { input, start, goal, reason, to }: Track,
  resolved: readonly { readonly text: string }[],
  isRunning: boolean,
): string {
  const { answer, details } = input;
  const nameOf = ({ component, version }: MoveTarget) =>
    component === details.component ? version : `${goal.details.title} ${version}`;
  const last = { component: goal.details.component, version: goal.version };
  const then = to && to.version !== last.version ? `, then to ${nameOf(last)}` : '';
  const by = answer.moveBy === undefined || reason === 'conflict' ? '' : ` by ${answer.moveBy}`;
  const running = isRunning ? ' (you run it already)' : '';
  const move = `${nameOf(to ?? last)}${then}${running}${by}.`;

  if (reason !== 'conflict') {
    return `${answer.sentence} Move to ${move}`;
  }

  const why = [...new Set(resolved.map(({ text }) => text))].join(' ');

  return [`Move ${details.title} ${start.version} to ${move}`, why].filter(Boolean).join(' ');
}

interface Summary {
  readonly versions: number;
  readonly steps: readonly PlanStep[];
  readonly conflicts: readonly PlanConflict[];
  /** The number of versions with a reason to move, and nothing to move to. */
  readonly stuck: number;
  /** The number of versions that the index does not know, nor their release lines. */
  readonly unknown: number;
  /** The earliest known end of support after all steps. */
  readonly nextDue: Day | undefined;
}

/** `Two things to do: one now, one by 31 Dec 2026. Then nothing is due before 30 Dec 2027.` */
export function planInWords(summary: Summary): string {
  const { versions, steps, conflicts, stuck, unknown, nextDue } = summary;

  if (versions === 0) {
    return 'No version of this index was read.';
  }

  const isDueLater = nextDue !== undefined && stuck === 0;
  const isMore = conflicts.length + stuck + unknown > 0 || isDueLater;
  const sentences = [stepsInWords(steps, isMore)];

  if (conflicts.length > 0) {
    const remain = conflicts.length === 1 ? 'conflict remains' : 'conflicts remain';
    sentences.push(`${capitalised(inWords(conflicts.length))} ${remain}.`);
  }

  if (stuck > 0) {
    const have = stuck === 1 ? 'version has' : 'versions have';
    sentences.push(`${capitalised(inWords(stuck))} ${have} nothing to move to yet.`);
  }

  if (unknown > 0) {
    const are = unknown === 1 ? 'version is' : 'versions are';
    sentences.push(`${capitalised(inWords(unknown))} ${are} not known.`);
  }

  if (isDueLater) {
    const then = steps.length > 0 ? 'Then nothing' : 'Nothing';
    sentences.push(`${then} is due before ${readableDay(nextDue)}.`);
  }

  return sentences.filter(Boolean).join(' ');
}

function stepsInWords(steps: readonly PlanStep[], isMore: boolean): string {
  if (steps.length === 0) {
    return isMore ? '' : 'Nothing is due.';
  }

  const parts = partsOf(steps);
  const [only, another] = parts;
  const total = `${capitalised(inWords(steps.length))} ${steps.length === 1 ? 'thing' : 'things'} to do`;

  if (only && !another) {
    return `${total}${only.when === conflictWords ? ',' : ''} ${only.when}.`;
  }

  return `${total}: ${parts.map(({ count, when }) => `${inWords(count)} ${when}`).join(', ')}.`;
}

const conflictWords = 'because of a conflict';

/** The steps by the time at which they are due. */
function partsOf(steps: readonly PlanStep[]): { count: number; when: string }[] {
  const days = [
    ...new Set(steps.map(({ by }) => by).filter((value) => value !== undefined)),
  ].sort();
  const last = days.at(-1);

  const whenOf = ({ reason, by }: PlanStep) => {
    if (reason === 'conflict') {
      return conflictWords;
    }

    if (by === undefined) {
      return 'now';
    }

    return `by ${readableDay(days.length > 2 ? last! : by)}`;
  };

  return Array.from(Map.groupBy(steps, whenOf), ([when, of]) => ({ when, count: of.length }));
}

/** The steps of a plan and the conflicts without one, a line each. */
export function planLines({ steps, conflicts }: Plan): string[] {
  const lines: string[] = [];

  for (const [place, { text, reason, resolves }] of steps.entries()) {
    const resolved = reason === 'conflict' ? [] : resolves.map((conflict) => conflict.text);
    const over = resolved.length > 0 ? ` This also resolves: ${resolved.join(' ')}` : '';
    lines.push(`${place + 1}. ${text}${over}`);
  }

  for (const { text, ways } of conflicts) {
    lines.push(`A conflict remains: ${text} ${waysInWords(ways)}`);
  }

  return lines;
}

/** `Move svc to 2026.1 or later; until then take build-agent-gradle 4.1.1.` */
export function waysInWords(ways: readonly Resolution[]): string {
  const parts = ways.map((way) => {
    if ('atLeast' in way) {
      return `move ${way.component} to ${way.atLeast} or later`;
    }

    return 'until' in way
      ? `until then take ${way.component} ${way.until}`
      : `replace ${way.component}`;
  });

  return capitalised(`${parts.join('; ')}.`);
}
