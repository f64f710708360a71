/** A plan as markup: its steps, and the lane of its days above them. */
import {
  isBelow,
  formatName,
  describePosition,
  listGoodAmong,
  type Position,
} from '../../../ask/plan/pairs.ts';
import {
  findGreatestTogether,
  listMoves,
  computePositionsAfter,
  findNextEnd,
  type Outcome,
} from '../../../ask/plan/plan-outcome.ts';
import { describeResolutions } from '../../../ask/plan/plan-words.ts';
import { describeAnswerEnd } from '../../../ask/answers/verdict-sentences.ts';
import { findTone, describeLag, stateLabels } from '../../../core/model/words.ts';
import type { Plan, PlanStep } from '../../../core/schemas/published/plan-answer.ts';
import { formatCount } from '../../../core/text/wording.ts';
import {
  describeDistance,
  drawFact,
  drawLink,
  markDays,
  markup,
  type Markup,
} from '../../render/html/markup.ts';
import { countDaysBetween, oldestFirst, type Day } from '../../../core/model/dates.ts';

/** The steps with numbers, then conflicts, versions without a step, versions with newer releases, and the newest versions. */
export function drawSteps(plan: Plan, outcomes: readonly Outcome[]): Markup {
  const { steps, conflicts, nothingToDo } = plan;
  const isSettled = (outcome: Outcome) => nothingToDo.includes(formatInput(outcome));
  const isNewest = ({ input: { answer } }: Outcome) => answer.newest === answer.version;
  const settled = outcomes.filter(isSettled);
  const outdated = settled.filter((outcome) => !isNewest(outcome));
  const newest = settled.filter(isNewest);
  const inConflict = new Set(conflicts.flatMap(({ between }) => between));
  const withoutStep = outcomes.filter(
    (outcome) => !outcome.step && !isSettled(outcome) && !inConflict.has(formatInput(outcome)),
  );

  const items = [
    ...steps.map((_, index) => drawStep(steps, index, outcomes)),
    ...conflicts.map(drawConflict),
    ...withoutStep.map(drawWithoutStep),
  ];
  if (outdated.length > 0) {
    items.push(drawOutdated(outdated, outcomes, String(steps.length + 1)));
  }
  if (newest.length > 0) {
    items.push(drawNewest(newest));
  }

  return markup`<ol class="steps">${items}</ol>`;
}

function drawConflict({ text, url, ways }: Plan['conflicts'][number]): Markup {
  const why = markup`<p class="why">${describeResolutions(ways)}${drawLink('Source', url)}</p>`;
  return drawItem({
    tone: 'gone',
    mark: '!',
    when: 'A conflict remains',
    heading: text,
    parts: [why],
  });
}

function drawWithoutStep(outcome: Outcome): Markup {
  const { sentence, advice } = outcome.input.answer;
  const why = markup`<p class="why">${markDays(`${sentence} ${advice}`)}</p>`;
  const heading = describeVersion(outcome);
  return drawItem({ tone: 'none', mark: '?', when: 'No step', heading, parts: [why] });
}

/** A button that copies a text. The page gives it its work. */
export function drawCopying(label: string, text: string): Markup {
  return markup`<button type="button" data-text="${text}">${label}</button>`;
}

function formatInput({ input }: Outcome): string {
  return `${input.answer.component}@${input.answer.version}`;
}

interface Item {
  readonly tone: string;
  /** The number of a step, or a sign. */
  readonly mark: string;
  readonly when: string;
  readonly heading: string | Markup;
  readonly parts: readonly Markup[];
}

function drawItem({ tone, mark, when, heading, parts }: Item): Markup {
  return markup`<li class="tone-${tone}" data-mark="${mark}"><p class="when">${markDays(when)}</p><h2>${heading}</h2>${parts}</li>`;
}

/** The step at an index, with the versions that it moves, and where each version is after it. */
function drawStep(steps: readonly PlanStep[], index: number, outcomes: readonly Outcome[]): Markup {
  const step = steps[index]!;
  const moving = listMoves(step).flatMap((move) => outcomes.filter((each) => each.move === move));
  const positions = computePositionsAfter(outcomes, steps.slice(0, index + 1));
  const [tone, when] = describeDue(step, moving[0]!);
  const parts = [
    markup`<p class="actions">${moving.map(drawActions)}</p>`,
    markup`<p class="why">${markDays(step.text)}</p>`,
    drawFacts(step, moving, positions),
  ];
  const heading = markup`${moving.map(drawPath)}`;
  return drawItem({ tone, mark: String(index + 1), when, heading, parts });
}

/** `Server 2025.1 → 2026.3` */
function drawPath({ input: { details, answer }, move, end }: Outcome, index: number): Markup {
  const { component, title } = details;
  const target = end.details === details ? end.version : `${end.details.title} ${end.version}`;
  const then = move?.goal ? markup`, then ${move.goal.version}` : '';
  return markup`${index > 0 ? ', and ' : ''}<a href="${component}.html">${title}</a> ${answer.version} → ${target}${then}`;
}

/** A button to copy the version, and the notes of the releases up to it. */
function drawActions({ input: { details, answer }, end }: Outcome): Markup {
  const { component } = details;
  const count = answer.releasesBetween.length + 1;
  const isAdvised = end.details === details && end.version === answer.moveTo?.version;
  const notes =
    isAdvised && count > 1
      ? markup`<a href="${component}.html?q=${encodeURIComponent(`${answer.version} to ${end.version}`)}">Notes of ${String(count)} releases</a>`
      : '';
  return markup`${drawCopying(`Copy ${end.version}`, end.version)}${notes}`;
}

/** The tone of a step, and when it is due. */
function describeDue(
  { by, reason }: PlanStep,
  { input: { answer } }: Outcome,
): readonly [tone: string, when: string] {
  if (by !== undefined) {
    return ['soon', `By ${by}: ${describeDistance(by, Date.now())}`];
  }
  // The version itself may have time, but another one needs its move.
  if (reason === 'conflict' || answer.moveBy !== undefined) {
    return ['gone', 'Now: to go together'];
  }

  const ended = reason === 'ended' ? findEnd(answer) : undefined;
  const since = ended === undefined ? '' : ` ${describeDistance(ended, Date.now())}`;
  return [findTone(answer.state), `Now: ${stateLabels[answer.state].toLowerCase()}${since}`];
}

/** The conflicts that a step resolves, and the versions that still go with the moved ones after it. */
function drawFacts(
  step: PlanStep,
  moving: readonly Outcome[],
  positions: ReadonlyMap<Outcome, Position>,
): Markup {
  const companions = Array.from(positions, ([outcome, position]) =>
    moving.includes(outcome) ? [] : position,
  ).flat();
  const resolved = new Set(step.resolves.flatMap(({ between }) => between));
  const fitting = moving
    .flatMap((outcome) => listGoodAmong(positions.get(outcome)!, companions))
    .filter((position) => !resolved.has(formatName(position)));
  const names = listNames(fitting);
  const overcome = drawResolved(step);
  const facts = [
    overcome && drawFact('Fits from then on', overcome),
    names && drawFact('Keeps fitting', names),
  ];
  return facts.some(Boolean) ? markup`<dl class="effects">${facts}</dl>` : markup``;
}

/** The conflicts that are over; a step because of a conflict has them in its text. */
function drawResolved({ reason, resolves }: PlanStep): Markup | string {
  if (reason === 'conflict' || resolves.length === 0) {
    return '';
  }

  const byText = new Map(resolves.map(({ text, url }) => [text, url]));
  return markup`${Array.from(byText, ([text, url]) => markup`<span>${text}${drawLink('Source', url)}</span> `)}`;
}

function listNames(positions: readonly Position[]): string {
  return [...new Set(positions.map(describePosition))].join(', ');
}

/** A cell of the table of versions with newer releases. */
interface Cell {
  readonly heading: string;
  /** Before the value, where there are no headings. */
  readonly label: string;
  readonly value: string | Markup;
}

/** The versions without a reason to move that are not the newest, in one table. */
function drawOutdated(
  outdated: readonly Outcome[],
  outcomes: readonly Outcome[],
  mark: string,
): Markup {
  const hasEnds = outdated.some(({ input }) => findEnd(input.answer) !== undefined);
  const rows = outdated.map((outcome) => {
    const ends = outcomes.filter((each) => each !== outcome).map(({ end }) => end);
    const greatest = findGreatestTogether(outcome.end, ends);
    return { details: outcome.input.details, greatest, cells: listCells(outcome, greatest) };
  });
  const hasStated = rows.some(({ greatest }) => greatest !== undefined);
  const isShown = ({ label }: Cell) =>
    (label !== 'support' || hasEnds) && (label !== 'fits' || hasStated);

  const heads = rows[0]!.cells
    .filter(isShown)
    .map(({ heading }) => markup`<th scope="col">${heading}</th>`);
  const items = rows.map(({ details: { component, title }, cells }) => {
    const values = cells
      .filter(isShown)
      .map(({ label, value }) => markup`<td data-label="${label}">${value}</td>`);
    return markup`<tr><th scope="row"><a href="${component}.html">${title}</a></th>${values}</tr>`;
  });

  const heading = `${formatCount(outdated.length, 'version')} with newer releases`;
  const table = markup`<table class="leisure" aria-label="Versions with newer releases"><thead><tr><th scope="col">Component</th>${heads}</tr></thead><tbody>${items}</tbody></table>`;
  return drawItem({ tone: 'none', mark, when: 'No deadline', heading, parts: [table] });
}

function listCells(outcome: Outcome, greatest: string | undefined): Cell[] {
  const { answer } = outcome.input;
  return [
    { heading: 'You run', label: 'runs', value: answer.version },
    { heading: 'Support', label: 'support', value: describeSupport(outcome) },
    { heading: 'Fits your list', label: 'fits', value: drawTogether(outcome, greatest) },
    { heading: 'Newest', label: 'newest', value: answer.newest ?? '' },
    { heading: 'Behind the newest', label: 'behind', value: drawBehind(outcome) },
  ];
}

function describeSupport({ input: { answer } }: Outcome): string | Markup {
  const end = describeAnswerEnd(answer);
  return end === '' ? answer.label : markDays(end + (answer.inferred ? ' (inferred)' : ''));
}

function drawBehind({ input: { answer, details } }: Outcome): Markup {
  const days = details.releases.find(({ version }) => version === answer.version)?.daysBehind;
  const words = describeLag(answer.releasesBehind, days).replace(/ behind$/, '');
  return markup`<span class="note">${words}</span>`;
}

/** The greatest release that is stated to work with the rest of the plan. */
function drawTogether({ end }: Outcome, greatest: string | undefined): Markup {
  if (greatest === undefined || isBelow(greatest, end.version)) {
    return markup`<span class="note">${greatest === undefined ? 'not stated' : `last stated ${greatest}`}</span>`;
  }

  return markup`<b>${greatest}</b>`;
}

function drawNewest(newest: readonly Outcome[]): Markup {
  const names = newest.map(({ input: { answer, details } }) => {
    const { component, title } = details;
    return markup`<li><a href="${component}.html">${title}</a> ${answer.version}</li>`;
  });
  const heading = formatCount(newest.length, 'newest version');
  const list = markup`<ul class="columns">${names}</ul>`;
  return drawItem({ tone: 'ok', mark: '✓', when: 'Nothing is due', heading, parts: [list] });
}

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

/** The last day on which support of versions ended; empty if none has on a known day. */
function markEnded(outcomes: readonly Outcome[]): Mark[] {
  const ended = outcomes.filter(
    ({ input: { answer } }) => (answer.lineState ?? answer.state) === 'ended',
  );
  const byDay = Map.groupBy(ended, ({ input }) => findEnd(input.answer) ?? '');
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
  return outcome && !another ? describeVersion(outcome) : formatCount(outcomes.length, 'version');
}

/** The last day with support, certainly or at the latest. */
function findEnd({
  supportedUntil,
  supportedUntilAtMost,
}: Outcome['input']['answer']): Day | undefined {
  return supportedUntilAtMost ?? supportedUntil;
}

function describeVersion({ input }: Outcome): string {
  return `${input.details.title} ${input.answer.version}`;
}
