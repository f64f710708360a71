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
  /** The number of versions of which the index knows neither version nor release line. */
  readonly unknown: number;
  /** The versions that stay affected by advisories, in sentences. */
  readonly affected: readonly string[];
  /** Pairs of which nothing is stated, in sentences. */
  readonly unstated: readonly string[];
  /** The number of versions for which advisories are not known. */
  readonly unwatched: number;
  /** The moves that follow the stops, as a sentence; empty without a stop. */
  readonly onward: string;
  /** The earliest known end of support after all steps, not of versions whose step ends at a stop. */
  readonly nextDue: Day | undefined;
}

/** `Two things to do: one now, one by 31 Dec 2026. Then nothing is due before 30 Dec 2027.` */
export function describePlan(summary: Summary): string {
  const { versions, questions, steps, conflicts, stuck, unknown, affected } = summary;
  if (versions + questions === 0) {
    return 'No version of this index was read.';
  }

  const stepItems = describeStepItems(steps);
  const sentences = [
    questions > 0 ? `${formatCount(questions, 'question')} first.` : '',
    questions > 0 && stepItems !== '' ? `Then ${stepItems}` : capitalise(stepItems),
    describeCount(conflicts.length, 'conflict remains', 'conflicts remain'),
    describeCount(
      stuck,
      'version has nothing to move to yet',
      'versions have nothing to move to yet',
    ),
    describeCount(unknown, 'version is not known', 'versions are not known'),
    ...affected,
    ...listRemaining(summary),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** `Two conflicts remain.`; empty for none. */
function describeCount(count: number, single: string, several: string): string {
  return count === 0 ? '' : `${capitalise(spellCount(count))} ${count === 1 ? single : several}.`;
}

/** The sentences after the steps. None while a person has to answer or a version is stuck: more may be due then. */
function listRemaining(summary: Summary): string[] {
  const { questions, steps, conflicts, stuck, unknown, affected, onward, nextDue } = summary;
  if (questions > 0 || stuck > 0) {
    return [];
  }

  const isOpen = onward !== '' || conflicts.length + unknown + affected.length > 0;
  const nothing = isOpen ? 'nothing else' : 'nothing';
  if (steps.length > 0) {
    // A step without a day is due now.
    const isLater =
      nextDue !== undefined && steps.every(({ by }) => by === undefined || by < nextDue);
    return isLater ? [onward, `Then ${nothing} is due before ${formatDay(nextDue)}.`] : [onward];
  }
  if (isOpen && nextDue === undefined) {
    return [];
  }

  const until = nextDue === undefined ? '' : ` before ${formatDay(nextDue)}`;
  return [`${capitalise(nothing)} is due${until}.`, ...listUnknownFacts(summary)];
}

/** The facts that are not known on versions that may stay, in sentences. */
function listUnknownFacts({ versions, unstated, unwatched }: Summary): string[] {
  // More pairs would hide the sentences around them. The notes of the plan have them all.
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

/** Groups steps by due time: now, and each day. With more than two days, all are shown as the last one. */
function groupByDay(steps: readonly PlanStep[]): ReadonlyMap<string, readonly PlanStep[]> {
  const days = new Set(steps.map(({ by }) => by).filter((day) => day !== undefined));
  const sharedDay = days.size > 2 ? [...days].sort().at(-1) : undefined;

  return Map.groupBy(steps, ({ by }) =>
    by === undefined ? 'now' : `by ${formatDay(sharedDay ?? by)}`,
  );
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function spellCount(count: number): string {
  return numbers[count] ?? String(count);
}
