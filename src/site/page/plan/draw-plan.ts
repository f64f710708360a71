import {
  pairResultsOf,
  greatestTogether,
  nextEndOf,
  partnersAmong,
  positionInWords,
  type Outcome,
} from '../../../ask/plan/plan-outcome.ts';
import type { Position } from '../../../ask/plan/pairs.ts';
import { waysInWords } from '../../../ask/plan/plan-words.ts';
import type { Day } from '../../../core/model/dates.ts';
import { askedTone, behindInWords, endInWords, stateLabels } from '../../../core/model/words.ts';
import type { Plan, PlanStep } from '../../../core/schemas/published/plan-answer.ts';
import { releaseAnchor } from '../../../core/text/anchors.ts';
import { counted } from '../../../core/text/text.ts';
import { markDays } from '../../render/html/end-view.ts';
import { markup, type Markup } from '../../render/html/markup.ts';
import { distance } from '../distance.ts';
import { copyText, findAll, makeMarkup } from '../dom.ts';

/** The days of a plan on one line: what ended, today, what is due, and the end that comes next. */
export function drawLane(plan: Plan, outcomes: readonly Outcome[]): Node {
  const marks = marksOf(plan, outcomes);
  if (marks.length < 2) {
    return makeMarkup(markup``);
  }

  const items = marks.map(
    ({ tone, day, text }) =>
      markup`<li class="${tone}"><b>${markDays(day)}</b><span>${text}</span></li>`,
  );

  return makeMarkup(markup`<ol class="lane" aria-label="The days of this plan">${items}</ol>`);
}

interface Mark {
  readonly tone: string;
  readonly day: Day;
  readonly text: string;
}

/** More days would not be read at a glance. */
const mostDue = 3;

function marksOf({ asOf }: Plan, outcomes: readonly Outcome[]): Mark[] {
  const marks: Mark[] = [];
  const ended = outcomes.filter(
    ({ input: { answer } }) => (answer.lineState ?? answer.state) === 'ended',
  );
  const endedOn = ended
    .map(({ input }) => endOf(input.answer))
    .filter((value) => value !== undefined)
    .sort();
  const last = endedOn.at(-1);

  if (last !== undefined) {
    const [only, another] = ended;
    const text = another ? counted(ended.length, 'version') : versionInWords(only!);
    marks.push({ tone: 'tone-gone', day: last, text: `${text} ended` });
  }

  marks.push({ tone: 'tone-now', day: asOf, text: 'today' });

  const due = Map.groupBy(
    outcomes.filter(({ step }) => step?.by !== undefined),
    ({ step }) => step!.by!,
  );

  for (const [day, of] of [...due].sort().slice(0, mostDue)) {
    const [only, another] = of;
    marks.push({
      tone: 'tone-soon',
      day,
      text: another ? `${counted(of.length, 'version')} end` : `${versionInWords(only!)} ends`,
    });
  }

  const next = nextEndOf(outcomes, asOf);
  if (next) {
    marks.push({
      tone: 'tone-ok',
      day: next.day,
      text: `${positionInWords(next.position)} ends next`,
    });
  }

  return marks;
}

function endOf({
  supportedUntil,
  supportedUntilAtMost,
}: Outcome['input']['answer']): Day | undefined {
  return supportedUntilAtMost ?? supportedUntil;
}

function versionInWords({ input }: Outcome): string {
  return `${input.details.title} ${input.answer.version}`;
}

/** The steps with numbers, then what has no step, what has time, and what needs nothing. */
export function drawSteps(plan: Plan, outcomes: readonly Outcome[]): Node {
  const { steps, conflicts, nothingToDo } = plan;
  const isSettled = (outcome: Outcome) => nothingToDo.includes(nameOf(outcome));

  const settled = outcomes.filter(isSettled);
  const behind = settled.filter(({ input: { answer } }) => answer.newest !== answer.version);
  const newest = settled.filter((outcome) => !behind.includes(outcome));
  const inConflict = new Set(conflicts.flatMap(({ between }) => between));
  const others = outcomes.filter(
    (outcome) => !outcome.step && !isSettled(outcome) && !inConflict.has(nameOf(outcome)),
  );

  const items = [
    ...steps.map((step, place) => {
      const outcome = outcomes.find((each) => each.step === step)!;
      return stepItem(step, String(place + 1), outcome, outcomes);
    }),
    ...conflicts.map(({ text, url, ways }) =>
      itemOf('gone', '!', 'A conflict remains', text, [
        markup`<p class="why">${waysInWords(ways)}${sourceLink(url)}</p>`,
      ]),
    ),
    ...others.map(({ input }) =>
      itemOf('none', '?', 'No step', `${input.details.title} ${input.answer.version}`, [
        markup`<p class="why">${markDays(`${input.answer.sentence} ${input.answer.advice}`)}</p>`,
      ]),
    ),
    ...(behind.length > 0 ? [timeItem(behind, outcomes, String(steps.length + 1))] : []),
    ...(newest.length > 0 ? [nothingItem(newest)] : []),
  ];

  const drawn = makeMarkup(markup`<ol class="steps">${items}</ol>`);

  for (const place of findAll('[data-version]', drawn)) {
    place.replaceWith(copyText(`Copy ${place.dataset['version']}`, place.dataset['version']!));
  }

  return drawn;
}

function nameOf({ input }: Outcome): string {
  return `${input.answer.component}@${input.answer.version}`;
}

function itemOf(
  tone: string,
  mark: string,
  when: string,
  heading: string | Markup,
  parts: readonly Markup[],
): Markup {
  return markup`<li class="tone-${tone}" data-mark="${mark}"><p class="when">${markDays(when)}</p><h2>${heading}</h2>${parts}</li>`;
}

function stepItem(
  step: PlanStep,
  mark: string,
  outcome: Outcome,
  outcomes: readonly Outcome[],
): Markup {
  const { component, from, to, goal, text } = step;
  const { details, answer } = outcome.input;
  const isOwn = to.component === component;
  const target = isOwn ? to.version : `${outcome.end.details.title} ${to.version}`;
  const then = goal ? markup`, then ${goal.version}` : '';
  const count = answer.releasesBetween.length + 1;
  const between =
    isOwn && count > 1
      ? markup`<a href="${component}.html#${releaseAnchor(from)}...${releaseAnchor(to.version).slice(1)}">Notes of ${String(count)} releases</a>`
      : '';

  const isDue = step.reason !== 'conflict' && step.by === undefined;

  return itemOf(
    isDue ? askedTone(answer.state) : 'soon',
    mark,
    whenOf(step, outcome),
    markup`<a href="${component}.html">${details.title}</a> ${from} → ${target}${then}`,
    [
      markup`<p class="actions"><span data-version="${to.version}"></span>${between}</p>`,
      markup`<p class="why">${markDays(text)}</p>`,
      factsOf(step, outcome, outcomes),
    ],
  );
}

function whenOf({ by, reason }: PlanStep, { input: { answer } }: Outcome): string {
  if (reason === 'conflict') {
    return 'To go together';
  }

  if (by !== undefined) {
    return `By ${by}: ${distance(by, Date.now())}`;
  }

  const ended = reason === 'ended' ? endOf(answer) : undefined;

  return ended === undefined
    ? `Now: ${stateLabels[answer.state].toLowerCase()}`
    : `Now: ${stateLabels.ended.toLowerCase()} ${distance(ended, Date.now())}`;
}

/** What fits from this step on, what goes on to fit, and what nobody states. */
function factsOf(step: PlanStep, outcome: Outcome, outcomes: readonly Outcome[]): Markup {
  const others = outcomes.filter((each) => each !== outcome);
  const { good, unstated } = pairResultsOf(outcome, others);
  const resolved = new Set(step.resolves.flatMap(({ between }) => between));
  const open = good.filter(
    ({ details, version }) => !resolved.has(`${details.component}@${version}`),
  );

  const rows: readonly (readonly [string, Markup | string])[] = [
    ['Fits from then on', resolvedIn(step)],
    ['Keeps fitting', namesOf(open)],
    ['Nobody states it', namesOf(unstated)],
  ];

  const drawn = rows
    .filter(([, value]) => value !== '')
    .map(([term, value]) => markup`<div><dt>${term}</dt><dd>${value}</dd></div>`);

  return drawn.length > 0 ? markup`<dl class="effects">${drawn}</dl>` : markup``;
}

/** The conflicts that are over; a step because of a conflict has them in its text. */
function resolvedIn({ reason, resolves }: PlanStep): Markup | string {
  if (reason === 'conflict' || resolves.length === 0) {
    return '';
  }

  const byText = new Map(resolves.map(({ text, url }) => [text, url]));

  return markup`${Array.from(byText, ([text, url]) => markup`<span>${text}${sourceLink(url)}</span> `)}`;
}

function namesOf(positions: readonly Position[]): string {
  return [...new Set(positions.map(positionInWords))].join(', ');
}

function sourceLink(url: string | undefined): Markup | string {
  return url === undefined ? '' : markup` <a href="${url}">Source</a>`;
}

/** A column of the table of versions that have time. */
interface Column {
  readonly heading: string;
  cellOf(outcome: Outcome): string | Markup;
}

/** The versions without a reason to move that are not the newest, in one table. */
function timeItem(behind: readonly Outcome[], outcomes: readonly Outcome[], mark: string): Markup {
  const hasEnds = behind.some(({ input }) => endOf(input.answer) !== undefined);
  const hasPartners = behind.some((outcome) => partnersAmong(outcome.end, outcomes).length > 0);

  const columns: Column[] = [
    { heading: 'You run', cellOf: ({ input }) => input.answer.version },
    { heading: 'Support', cellOf: supportCell },
    { heading: 'Goes with the rest', cellOf: (outcome) => togetherCell(outcome, outcomes) },
    { heading: 'Newest', cellOf: ({ input }) => input.answer.newest ?? '' },
    { heading: 'Behind the newest', cellOf: behindCell },
  ];

  const shown = columns.filter(
    ({ heading }) =>
      (heading !== 'Support' || hasEnds) && (heading !== 'Goes with the rest' || hasPartners),
  );

  const heads = shown.map(({ heading }) => markup`<th scope="col">${heading}</th>`);

  const rows = behind.map((outcome) => {
    const { component, title } = outcome.input.details;
    const cells = shown.map(
      ({ heading, cellOf }) =>
        markup`<td data-label="${heading.toLowerCase()}">${cellOf(outcome)}</td>`,
    );

    return markup`<tr><th scope="row"><a href="${component}.html">${title}</a></th>${cells}</tr>`;
  });

  return itemOf(
    'none',
    mark,
    hasEnds ? 'When you like' : `When you like: ${stateLabels['no-promise'].toLowerCase()}`,
    `${counted(behind.length, 'version')} with newer releases`,
    [
      markup`<table class="leisure"><caption class="visually-hidden">Versions with newer releases</caption><thead><tr><th scope="col">Component</th>${heads}</tr></thead><tbody>${rows}</tbody></table>`,
    ],
  );
}

function supportCell({ input: { answer } }: Outcome): string | Markup {
  const { state, label, isSupported, supportedUntil: until, supportedUntilAtMost } = answer;
  if (endOf(answer) === undefined) {
    return label;
  }

  const phases = [{ name: 'support', until, untilAtMost: supportedUntilAtMost }];

  return markDays(endInWords({ state, isSupported, phase: undefined, phases }));
}

function behindCell({ input: { answer, details } }: Outcome): Markup {
  const days = details.releases.find(({ version }) => version === answer.version)?.daysBehind;
  const words = behindInWords(answer.releasesBehind, days).replace(/ behind$/, '');

  return markup`<span class="note">${words}</span>`;
}

/** The greatest release that is stated to work with the rest of the plan. */
function togetherCell(outcome: Outcome, outcomes: readonly Outcome[]): Markup {
  const others = outcomes.filter((each) => each !== outcome);
  const version = greatestTogether(outcome, others);

  return version === undefined
    ? markup`<span class="note">not stated</span>`
    : markup`<b>${version}</b>`;
}

function nothingItem(newest: readonly Outcome[]): Markup {
  const names = newest.map(({ input: { answer, details } }) => {
    const { component, title } = details;
    return markup`<li><a href="${component}.html">${title}</a> ${answer.version}</li>`;
  });

  return itemOf(
    'ok',
    '✓',
    'Nothing to do',
    `${counted(newest.length, 'version')}, the newest of ${newest.length === 1 ? 'its component' : 'their components'}`,
    [markup`<ul class="columns">${names}</ul>`],
  );
}
