import { writePlanCalendar } from '../../../ask/plan/plan-calendar.ts';
import { readPlanLink, writePlanLink } from '../../../ask/plan/plan-link.ts';
import type { Outcome } from '../../../ask/plan/plan-outcomes.ts';
import { planVersions } from '../../../ask/plan/plan-versions.ts';
import {
  isQuestion,
  explainNotRead,
  applyConfirmed,
  type IdentifiedText,
} from '../../../ask/texts/identified-text.ts';
import { identifyForPerson } from '../../../ask/texts/identify.ts';
import { longestTexts, readText } from '../../../ask/texts/read-text.ts';
import { programPackage } from '../../../ask/server/mcp/connection.ts';
import type { Plan } from '../../../core/schemas/published/plan-answer.ts';
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import { markDays, markup, type Markup } from '../../render/html/markup.ts';
import { setUpCopying } from '../copy-button.ts';
import { announce, fill, find, findAll, on } from '../dom.ts';
import { loadMore } from '../load-script.ts';
import { describeFailure, openSite, toUrl } from '../site-index.ts';
import { drawLane } from './draw-lane.ts';
import { drawCopying, drawSteps } from './draw-plan.ts';

const index = {
  ...openSite(),
  guesses: loadMore,
  searchVersion: async (version: string) => (await loadMore()).searchSmallSite(version),
};

/** The number of the text that was given last. */
let lastNumber = 0;

/**
 * Shows the plan for a text, puts the text into the field and its versions into the address, or shows why there is no plan. Shows
 * nothing and returns false if another text was given meanwhile. `confirmed`: guesses that the visitor confirmed, such as `svc@2025.1`.
 */
export async function showText(text: string, confirmed: readonly string[] = []): Promise<boolean> {
  lastNumber += 1;
  const number = lastNumber;
  announce('Looking…');
  // Beside a confirmed guess, the field may have another text by now. One that is too long would keep it busy for a minute.
  if (confirmed.length === 0 && text.length <= longestTexts.page) {
    find<HTMLTextAreaElement>('#list-text').value = text;
  }

  const result = await planText(text, confirmed).catch((error: Error) => ({ error }));
  if (number !== lastNumber) {
    return false;
  }
  if ('error' in result) {
    find('#plan-read').textContent = describeFailure(result.error);
    return true;
  }

  showPlan(result);
  for (const button of findAll('[data-meant]')) {
    on(button, 'click', async () => {
      await showText(text, [...confirmed, ...button.dataset['meant']!.split(' ')]);
      // The next question.
      (findAll('.questions button')[0] ?? find('h1')).focus();
    });
  }
  announce(result.plan.text);
  return true;
}

function showPlan({
  plan,
  outcomes,
  questions,
  account,
}: Awaited<ReturnType<typeof planText>>): void {
  const code = writePlanLink(plan);
  if (code !== '') {
    history.replaceState(null, '', `#c=${code}`);
  }

  document.title = plan.text;
  const heading = find('h1');
  heading.textContent = plan.text;
  heading.tabIndex = -1;
  fill(find('#plan-lead'), drawLead(plan), drawLane(plan, outcomes));
  fill(find('#plan-steps'), questions, drawSteps(plan, outcomes));
  fill(find('#plan-read'), account);
  for (const { href } of findAll<HTMLAnchorElement>('.exports a')) {
    URL.revokeObjectURL(href);
  }
  fill(find('#plan-beside'), drawNotes(plan), drawExports(plan, outcomes));

  findAll('[data-text]').forEach(setUpCopying);
  for (const button of findAll('[data-print]')) {
    on(button, 'click', () => print());
  }
}

async function planText(text: string, confirmed: readonly string[]) {
  const result = await readText(index, text, longestTexts.page);
  const identified = applyConfirmed(await identifyForPerson(index, result), confirmed);
  const { plan, outcomes } = await planVersions(index, identified);
  const questions = await drawQuestions(plan);
  const account = drawAccount(identified);
  return { plan, outcomes, questions, account };
}

/** Shows the list in the address of a plan, as `showText` does. `code`: the list in its fragment. */
export async function showAddress(code: string): Promise<boolean> {
  return showText(readPlanLink(code));
}

function drawLead({ items, asOf }: Plan) {
  if (items.length === 0) {
    return '';
  }

  return markup`<p class="note">${markDays(`${formatCount(items.length, 'version')}, as of ${asOf}.`)}</p>`;
}

/** Guesses that only a person can confirm, with a button for each and one for all. */
async function drawQuestions({ notRead }: Plan): Promise<Markup | string> {
  const questions = notRead.filter(isQuestion);
  if (questions.length === 0) {
    return '';
  }

  const titles = new Map((await index.names()).components.map(({ name, title }) => [name, title]));
  const items = questions.map(({ text, didYouMean }) => {
    const choices = didYouMean.map((meant, position) => {
      // No name of a component has an @.
      const [component = '', version = ''] = meant.split('@');
      const words = `Yes, ${titles.get(component) ?? component} ${version}`;
      return markup`${position > 0 ? ' or ' : ' '}<button type="button" data-meant="${meant}">${words}</button>`;
    });
    return markup`<li><code>${text}</code>${choices}</li>`;
  });

  // Neither a name nor a version has a space.
  const first = questions.map(({ didYouMean: [meant = ''] }) => meant).join(' ');
  const button = markup`<button type="button" data-meant="${first}">Yes to all</button>`;
  const all = items.length > 1 ? button : '';
  return markup`<section class="questions"><h2>Do you run this?</h2><ul class="left-out">${items}</ul>${all}</section>`;
}

/** How much of the text was read, and each other part with its reason. */
function drawAccount({
  entriesRead,
  otherCount,
  isDocument,
  problems,
  notRead,
}: IdentifiedText): Markup {
  const total = entriesRead + notRead.length + otherCount;
  const account =
    total === 0 && problems.length === 0
      ? 'The text states no version. Each line needs a name and its version.'
      : `${formatCount(total, isDocument ? 'package' : 'statement')}, ${formatNumber(entriesRead)} read.`;

  const notes = notRead
    .filter((each) => !isQuestion(each))
    .map(
      (each) => `${each.line === undefined ? '' : `Line ${each.line}: `}${explainNotRead(each)}`,
    );
  const items = [...notes, ...problems].map((text) => markup`<li>${text}</li>`);
  return markup`<p><b>${account}</b></p><ul class="left-out">${items}</ul>`;
}

/** What the plan rests on, and what is not known. */
function drawNotes({ notes }: Plan): Markup | string {
  if (notes.length === 0) {
    return '';
  }

  const items = notes.map((note) => markup`<li>${markDays(note)}</li>`);
  return markup`<section><h2>Notes</h2><ul class="left-out">${items}</ul></section>`;
}

/** The plan to take along: its address, a calendar, the list, lines for Renovate and for a build, and one printed page. */
function drawExports(plan: Plan, outcomes: readonly Outcome[]): Markup | string {
  if (plan.items.length === 0) {
    return '';
  }

  const site = toUrl('').href;
  const list = plan.items.map(({ component, version }) => `${component}@${version}\n`).join('');
  const links = [
    drawCopying('Copy the link', location.href),
    drawSaving('Calendar', 'mine.ics', writePlanCalendar(outcomes, site)),
    drawSaving('The list', 'mine.txt', list),
    drawCopying('Renovate preset', `"extends": ["${toUrl('renovate.json').href}"]`),
    drawCopying('Check in CI', `npx --yes ${programPackage} scan mine.txt --index ${site}`),
    markup`<button type="button" data-print>Print</button>`,
  ].map((link) => markup`<li>${link}</li>`);

  return markup`<section class="exports"><h2>Keep this plan</h2><ul>${links}</ul></section>`;
}

/** A link that saves a text. The browser keeps the text until the next plan revokes the address. */
function drawSaving(label: string, name: string, text: string): Markup {
  const href = URL.createObjectURL(new Blob([text]));
  return markup`<a href="${href}" download="${name}">${label}</a>`;
}
