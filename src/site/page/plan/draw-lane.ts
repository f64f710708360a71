import { describePosition } from '../../../ask/plan/pairs.ts';
import type { Outcome } from '../../../ask/plan/plan-outcomes.ts';
import { countDaysBetween, oldestFirst } from '../../../core/model/dates.ts';
import type { Plan } from '../../../core/schemas/published/plan-answer.ts';
import { formatCount } from '../../../core/text/wording.ts';
import { markDays, markup, type Markup } from '../../render/html/markup.ts';

/** The days of a plan, drawn to scale above their list: today, and the first ones on which steps are due. Empty if none is due by a day. */
export function drawLane({ asOf }: Plan, outcomes: readonly Outcome[]): Markup | string {
  const due = listDue(outcomes);
  const last = due.at(-1);
  if (!last) {
    return '';
  }

  const marks = [{ tone: 'tone-now', day: asOf, text: 'today' }, ...due];
  // All marks may be on one day.
  const length = Math.max(1, countDaysBetween(asOf, last.day));
  const dots = marks.map(({ tone, day }) => {
    const left = (100 * countDaysBetween(asOf, day)) / length;
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

/** More days cannot be read at a glance. */
const maxDue = 3;

/** The first days on which steps are due, the earliest first. */
function listDue(outcomes: readonly Outcome[]) {
  const byDay = Map.groupBy(outcomes, ({ step }) => step?.by ?? '');
  byDay.delete('');

  const marks = Array.from(byDay, ([day, due]) => {
    const text = `${describeVersions(due)} ${due.length > 1 ? 'are' : 'is'} due`;
    return { tone: 'tone-soon', day, text };
  });
  return marks.sort((a, b) => oldestFirst(a.day, b.day)).slice(0, maxDue);
}

/** The name of a single version, else their number. */
function describeVersions(outcomes: readonly Outcome[]): string {
  const [outcome, another] = outcomes;
  return outcome && !another
    ? describePosition(outcome.start)
    : formatCount(outcomes.length, 'version');
}
