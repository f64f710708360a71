import { describePosition } from '../../../ask/plan/pairs.ts';
import { findNextEnd, type Outcome } from '../../../ask/plan/plan-outcome.ts';
import { countDaysBetween, oldestFirst, type Day } from '../../../core/model/dates.ts';
import type { Plan } from '../../../core/schemas/published/plan-answer.ts';
import { formatCount } from '../../../core/text/wording.ts';
import { markDays, markup, type Markup } from '../../render/html/markup.ts';

/** The days of a plan, drawn to scale above their list: what ended, today, what is due, and the end that comes next. */
export function drawLane(plan: Plan, outcomes: readonly Outcome[]): Markup | string {
  const marks = listMarks(plan, outcomes);
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || first === last) {
    return '';
  }

  // All marks may be on one day.
  const length = Math.max(1, countDaysBetween(first.day, last!.day));
  const dots = marks.map(({ tone, day }) => {
    const left = (100 * countDaysBetween(first.day, day)) / length;
    return markup`<circle class="${tone}" cx="${left.toFixed(2)}%" cy="8" r="6"/>`;
  });
  const items = marks.map(
    ({ tone, day, text }) =>
      markup`<li class="${tone}"><b>${markDays(day)}</b> <span>${text}</span></li>`,
  );
  return markup`<div class="lane"><svg aria-hidden="true"><line x2="100%" y1="8" y2="8"/>${dots}</svg><ol aria-label="The days of this plan">${items}</ol></div>`;
}

interface Mark {
  readonly tone: string;
  readonly day: Day;
  readonly text: string;
}

/** More days would not be read at a glance. */
const maxDue = 3;

/** The marks of a plan, the earliest first. */
function listMarks({ asOf }: Plan, outcomes: readonly Outcome[]): Mark[] {
  const positions = outcomes.map(({ end }) => end);
  const next = findNextEnd(positions, asOf);
  const marks = [...markEnded(outcomes), { tone: 'tone-now', day: asOf, text: 'today' }];
  marks.push(...markDue(outcomes));
  if (next) {
    const text = `${describePosition(next.position)} ends next`;
    marks.push({ tone: 'tone-ok', day: next.day, text });
  }

  return marks.sort((a, b) => oldestFirst(a.day, b.day));
}

/** The last day on which support of a version ended; empty if none has. */
function markEnded(outcomes: readonly Outcome[]): Mark[] {
  const ended = outcomes.filter(
    ({ input: { answer } }) => (answer.lineState ?? answer.state) === 'ended',
  );
  const days = ended.map(({ input }) => findEnd(input.answer)).filter((day) => day !== undefined);
  const text = `${describeVersions(ended)} ended`;
  return days
    .sort()
    .slice(-1)
    .map((day) => ({ tone: 'tone-gone', day, text }));
}

/** The first days on which steps are due. */
function markDue(outcomes: readonly Outcome[]): Mark[] {
  const byDay = Map.groupBy(outcomes, ({ step }) => step?.by);
  const marks: Mark[] = [];
  for (const [day, due] of byDay) {
    if (day !== undefined) {
      const text = `${describeVersions(due)} ${due.length > 1 ? 'are' : 'is'} due`;
      marks.push({ tone: 'tone-soon', day, text });
    }
  }

  return marks.sort((a, b) => oldestFirst(a.day, b.day)).slice(0, maxDue);
}

/** The name of a single version, else their number. */
function describeVersions(outcomes: readonly Outcome[]): string {
  const [outcome, another] = outcomes;
  return outcome && !another ? describeVersion(outcome) : formatCount(outcomes.length, 'version');
}

/** The last day with support, certainly or at the latest. */
export function findEnd({
  supportedUntil,
  supportedUntilAtMost,
}: Outcome['input']['answer']): Day | undefined {
  return supportedUntilAtMost ?? supportedUntil;
}

export function describeVersion({ input }: Outcome): string {
  return `${input.details.title} ${input.answer.version}`;
}
