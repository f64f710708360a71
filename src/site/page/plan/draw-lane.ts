import { describePosition } from '../../../ask/plan/pairs.ts';
import { findEnd, findNextEnd, type Outcome } from '../../../ask/plan/plan-outcome.ts';
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
  const axis = markup`<svg aria-hidden="true"><line x2="100%" y1="8" y2="8"/>${dots}</svg>`;
  const list = markup`<ol aria-label="The days of this plan">${items}</ol>`;
  return markup`<div class="lane">${axis}${list}</div>`;
}

interface Mark {
  readonly tone: string;
  readonly day: Day;
  readonly text: string;
}

/** More days cannot be read at a glance. */
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

/** The last day on which support of versions ended; empty if none has on a known day. */
function markEnded(outcomes: readonly Outcome[]): Mark[] {
  const ended = outcomes.filter(
    ({ input: { answer } }) => (answer.lineState ?? answer.state) === 'ended',
  );
  const byDay = Map.groupBy(ended, (outcome) => findEnd(outcome) ?? '');
  const day = [...byDay.keys()].sort().at(-1);
  return day
    ? [{ tone: 'tone-gone', day, text: `${describeVersions(byDay.get(day)!)} ended` }]
    : [];
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
  return outcome && !another
    ? describePosition(outcome.start)
    : formatCount(outcomes.length, 'version');
}
