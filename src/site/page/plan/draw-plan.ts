import { describeAnswerEnd } from '../../../ask/answers/verdict-sentences.ts';
import {
  describePosition,
  findGreatestTogether,
  formatName,
  isBelow,
  isGood,
  type Position,
} from '../../../ask/plan/pairs.ts';
import { computePositionsAfter, listMoves, type Outcome } from '../../../ask/plan/plan-outcomes.ts';
import { describeResolutions } from '../../../ask/plan/plan-words.ts';
import { states } from '../../../core/model/states.ts';
import { findTone, markInferred, nameState } from '../../../core/model/words.ts';
import type { Plan, PlanStep } from '../../../core/schemas/published/plan-answer.ts';
import { formatCount } from '../../../core/text/wording.ts';
import { describeDistance } from '../distance.ts';
import {
  drawFact,
  drawLink,
  drawTable,
  markDays,
  markup,
  type Markup,
} from '../../render/html/markup.ts';

/** The steps with numbers, then conflicts, versions without a step, and settled versions with and without a newer release. */
export function drawSteps(plan: Plan, outcomes: readonly Outcome[]): Markup {
  const { steps, conflicts, nothingToDo } = plan;
  const isSettled = ({ start }: Outcome) => nothingToDo.includes(formatName(start));
  const settled = outcomes.filter(isSettled);
  const outdated = settled.filter(hasNewer);
  const newest = settled.filter((outcome) => !hasNewer(outcome));
  const inConflict = new Set(conflicts.flatMap(({ between }) => between));
  const withoutStep = outcomes.filter(
    (outcome) => !outcome.step && !isSettled(outcome) && !inConflict.has(formatName(outcome.start)),
  );

  const items = [
    ...steps.map((step, index) => {
      const positions = computePositionsAfter(outcomes, steps.slice(0, index + 1));
      return drawStep(step, String(index + 1), outcomes, positions);
    }),
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

/** Whether there is a newer release to use. A prerelease may be above the newest one. */
function hasNewer({ input: { answer } }: Outcome): boolean {
  return answer.newest !== undefined && isBelow(answer.version, answer.newest);
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
  const heading = describePosition(outcome.start);
  return drawItem({ tone: 'none', mark: '?', when: 'No step', heading, parts: [why] });
}

/** A button that copies a text. The page gives it its work. */
export function drawCopying(label: string, text: string): Markup {
  return markup`<button type="button" data-text="${text}">${label}</button>`;
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
  const head = markup`<p class="when">${markDays(when)}</p><h2>${heading}</h2>`;
  return markup`<li class="tone-${tone}" data-mark="${mark}">${head}${parts}</li>`;
}

/** A step with the versions that it moves. `positions`: where each version is after it. */
function drawStep(
  step: PlanStep,
  mark: string,
  outcomes: readonly Outcome[],
  positions: ReadonlyMap<Outcome, Position>,
): Markup {
  const moving = listMoves(step).flatMap((move) => outcomes.filter((each) => each.move === move));
  const parts = [
    markup`<p class="actions">${moving.map(drawActions)}</p>`,
    markup`<p class="why">${markDays(step.text)}</p>`,
    drawFacts(step, moving, positions),
  ];
  const heading = markup`${moving.map(drawPath)}`;
  return drawItem({ ...describeDue(step, moving), mark, heading, parts });
}

/** `Server 2025.1 → 2026.3` */
function drawPath(outcome: Outcome, index: number): Markup {
  const {
    input: { details, answer },
    move,
    end,
  } = outcome;
  const target = end.details === details ? end.version : describePosition(end);
  const and = index > 0 ? ', and ' : '';
  const then = move?.goal ? `, then ${move.goal.version}` : '';
  const path = `${answer.version} → ${target}${then}`;
  return markup`${and}${drawComponentLink(outcome)} ${path}`;
}

/** A button to copy the version, and the notes of the releases up to it. */
function drawActions({ input: { details, answer }, end }: Outcome): Markup {
  const count = answer.releasesBetween.length + 1;
  const isAdvised = end.details === details && end.version === answer.moveTo?.version;
  const copying = drawCopying(`Copy ${end.version}`, end.version);
  if (!isAdvised || count === 1) {
    return copying;
  }

  const query = encodeURIComponent(`${answer.version} to ${end.version}`);
  const href = `${details.component}.html?q=${query}`;
  return markup`${copying}<a href="${href}">Notes of ${formatCount(count, 'release')}</a>`;
}

/** The tone of a step, and when it is due. */
function describeDue(
  { by, reason }: PlanStep,
  moving: readonly Outcome[],
): Pick<Item, 'tone' | 'when'> {
  if (by !== undefined) {
    return { tone: 'soon', when: `By ${by}: ${describeDistance(by, Date.now())}` };
  }

  // The states are in order, the worst first.
  const severity = ({ input }: Outcome) => states.indexOf(input.answer.state);
  const worst = moving.toSorted((a, b) => severity(a) - severity(b))[0]!;
  const { state, moveBy } = worst.input.answer;
  // The versions may have time, but others need them to move.
  if (reason === 'conflict' || moveBy !== undefined) {
    return { tone: 'gone', when: 'Now: to go together' };
  }

  const ended = reason === 'ended' ? findLatestSupportEnd(worst) : undefined;
  const since = ended === undefined ? '' : ` ${describeDistance(ended, Date.now())}`;
  return { tone: findTone(state), when: `Now: ${nameState(state)}${since}` };
}

/** The latest possible last day with support of the version in use. */
function findLatestSupportEnd({ input: { answer } }: Outcome) {
  return answer.supportedUntilAtMost ?? answer.supportedUntil;
}

/** The conflicts that a step resolves, and the versions that still go with the moved ones after it. */
function drawFacts(
  step: PlanStep,
  moving: readonly Outcome[],
  positions: ReadonlyMap<Outcome, Position>,
): Markup {
  const companions = [...positions]
    .filter(([outcome]) => !moving.includes(outcome))
    .map(([, position]) => position);
  const resolved = new Set(step.resolves.flatMap(({ between }) => between));
  const fitting = companions
    .filter((each) => moving.some((outcome) => isGood(positions.get(outcome)!, each)))
    .filter((each) => !resolved.has(formatName(each)));

  const facts: Markup[] = [];
  // The text of a step because of a conflict names the conflicts.
  if (step.reason !== 'conflict' && step.resolves.length > 0) {
    facts.push(drawFact('Fits from then on', drawResolved(step)));
  }
  if (fitting.length > 0) {
    facts.push(drawFact('Keeps fitting', fitting.map(describePosition).join(', ')));
  }

  return facts.length > 0 ? markup`<dl class="effects">${facts}</dl>` : markup``;
}

/** The conflicts that are over, those of one text once. */
function drawResolved({ resolves }: PlanStep): Markup {
  const byText = new Map(resolves.map(({ text, url }) => [text, url]));
  const conflicts = Array.from(
    byText,
    ([text, url]) => markup`<span>${text}${drawLink('Source', url)}</span> `,
  );
  return markup`${conflicts}`;
}

/** The versions without a reason to move that are not the newest, in one table. */
function drawOutdated(
  outdated: readonly Outcome[],
  outcomes: readonly Outcome[],
  mark: string,
): Markup {
  const fitting = outdated.map((outcome) => {
    const ends = outcomes.filter((each) => each !== outcome).map(({ end }) => end);
    return findGreatestTogether(outcome.end.details, ends);
  });
  const hasEnds = outdated.some(findLatestSupportEnd);
  const hasFitting = fitting.some((version) => version !== undefined);
  // A column without a value in any row is left out.
  const columns = [
    { heading: 'Component', cells: outdated.map(drawComponentLink) },
    { heading: 'You run', cells: outdated.map(({ start }) => start.version) },
    { heading: 'Support', cells: hasEnds ? outdated.map(describeSupport) : [] },
    {
      heading: 'Fits your list',
      cells: hasFitting
        ? outdated.map((outcome, index) => drawFitting(outcome, fitting[index]))
        : [],
    },
    { heading: 'Newest', cells: outdated.map(({ input }) => input.answer.newest ?? '') },
  ].filter(({ cells }) => cells.length > 0);

  const headings = columns.map((column) => column.heading);
  const cells = outdated.map((_, index) => columns.map((column) => column.cells[index]!));
  const heading = `${formatCount(outdated.length, 'version')} with newer releases`;
  const parts = [drawTable('leisure', headings, cells)];
  return drawItem({ tone: 'none', mark, when: 'No deadline', heading, parts });
}

function drawComponentLink({ input: { details } }: Outcome): Markup {
  return markup`<a href="${details.component}.html">${details.title}</a>`;
}

function describeSupport({ input: { answer } }: Outcome): string | Markup {
  const end = describeAnswerEnd(answer);
  return end === '' ? answer.label : markDays(markInferred(end, answer.inferred));
}

/** The greatest release stated to work with at least one other version of the plan, and to conflict with none. */
function drawFitting({ end }: Outcome, greatest: string | undefined): Markup {
  if (greatest === undefined) {
    return markup`<span class="note">not stated</span>`;
  }

  return isBelow(greatest, end.version)
    ? markup`<span class="note">last stated ${greatest}</span>`
    : markup`<b>${greatest}</b>`;
}

function drawNewest(newest: readonly Outcome[]): Markup {
  const names = newest.map(
    (outcome) => markup`<li>${drawComponentLink(outcome)} ${outcome.start.version}</li>`,
  );
  const heading = `${formatCount(newest.length, 'version')} without a newer release to use`;
  const list = markup`<ul class="columns">${names}</ul>`;
  return drawItem({ tone: 'ok', mark: '✓', when: 'Nothing is due', heading, parts: [list] });
}
