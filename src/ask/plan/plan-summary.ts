import { formatDay, type Day } from '../../core/model/dates.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { PlanConflict, PlanStep } from '../../core/schemas/published/plan-answer.ts';
import { capitalise, formatCount } from '../../core/text/wording.ts';

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

/** Says until when nothing is due after the plan, and which facts on versions that may stay are unknown. */
function describeRemaining(summary: Summary): string {
  const { versions, questions, steps, conflicts, stuck, unknown, affected, nextDue } = summary;
  const { unstated, unwatched, onward } = summary;
  if (questions > 0 || stuck > 0) {
    return '';
  }

  const isOpen = conflicts.length + unknown + affected.length > 0;
  const nothing = isOpen || onward !== '' ? 'nothing else' : 'nothing';
  const before = nextDue === undefined ? '' : ` before ${formatDay(nextDue)}`;
  if (steps.length > 0) {
    // A step without a day is due now.
    const isAfterSteps =
      nextDue !== undefined && steps.every(({ by }) => by === undefined || by < nextDue);
    const afterSteps = isAfterSteps ? `Then ${nothing} is due${before}.` : '';
    return [onward, afterSteps].filter(Boolean).join(' ');
  }
  if (isOpen && nextDue === undefined) {
    return '';
  }

  const sentences = [`${capitalise(nothing)} is due${before}.`];
  if (unstated.length === 1) {
    sentences.push(...unstated);
  }
  if (unwatched > 0) {
    const subject = unwatched === versions ? '' : `${unwatched} of ${versions}`;
    sentences.push(describeUnknownAdvisories(subject));
  }
  return sentences.join(' ');
}

function describeStepItems(steps: readonly PlanStep[]): string {
  if (steps.length === 0) {
    return '';
  }

  const parts = groupByDay(steps);
  const [only, another] = parts;
  const total = `${spellCount(steps.length)} ${steps.length === 1 ? 'thing' : 'things'} to do`;
  if (only && !another) {
    return `${total} ${only.when}.`;
  }

  return `${total}: ${parts.map(({ count, when }) => `${spellCount(count)} ${when}`).join(', ')}.`;
}

/** The steps by the time at which they are due: now, and by each of two days or by the last of more. */
function groupByDay(steps: readonly PlanStep[]): { count: number; when: string }[] {
  const days = [
    ...new Set(steps.map(({ by }) => by).filter((value) => value !== undefined)),
  ].sort();
  const lastDay = days.at(-1);
  const describeDay = ({ by }: PlanStep) =>
    by === undefined ? 'now' : `by ${formatDay(days.length > 2 ? lastDay! : by)}`;
  return Array.from(Map.groupBy(steps, describeDay), ([when, group]) => ({
    when,
    count: group.length,
  }));
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function spellCount(count: number): string {
  return numbers[count] ?? String(count);
}
