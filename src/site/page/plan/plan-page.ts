import { versionList } from '../../../ask/answers/ask-exactly.ts';
import { mostPlanned } from '../../../ask/plan/make-plan.ts';
import { outcomesOf } from '../../../ask/plan/plan-outcome.ts';
import { judgeRead, planFor } from '../../../ask/plan/plan-versions.ts';
import {
  identifyForPerson,
  leftInWords,
  withConfirmed,
  type IdentifiedText,
} from '../../../ask/texts/identify.ts';
import { longestTexts, readText } from '../../../ask/texts/read-text.ts';
import type { Plan } from '../../../core/schemas/published/plan-answer.ts';
import { counted } from '../../../core/text/text.ts';
import { markDays } from '../../render/html/end-view.ts';
import { markup } from '../../render/html/markup.ts';
import { drawLane, drawSteps } from './draw-plan.ts';
import { announce, find, make, makeButton, makeMarkup } from '../dom.ts';
import { exportLinks } from './plan-exports.ts';
import type * as More from '../more.ts';
import { openSite } from '../site-index.ts';

const index = {
  ...openSite(Infinity),
  bills: loadMore,
  searchVersion: async (version: string) => (await loadMore()).searchSmallSite(version),
};

/** Few lists are bills of materials, or have a version without a name. The variable keeps the bundler from resolving the path. */
function loadMore(): Promise<typeof More> {
  const file = './more.js';
  return import(file);
}

/** Shows the plan of a pasted text, and puts its versions into the address. `confirmed`: guesses that the visitor confirmed. */
export async function showText(text: string, confirmed: readonly string[] = []): Promise<void> {
  announce('Looking…');

  const read = await readText(index, text, longestTexts.page);
  const identified = withConfirmed(await identifyForPerson(index, read), confirmed);
  const inputs = await judgeRead(index, identified.versions.slice(0, mostPlanned));
  const plan = await planFor(index, inputs, identified);
  const outcomes = outcomesOf(plan, inputs);
  const confirm = (meant: string) => void showText(text, [...confirmed, meant]);

  if (plan.items.length > 0) {
    history.replaceState(
      null,
      '',
      `#c=${encodeURI(versionList(plan.items)).replaceAll('#', '%23')}`,
    );
  }

  find('h1').textContent = plan.text;
  find('#plan-lead').replaceChildren(makeMarkup(markup`${leadOf(plan)}`), drawLane(plan, outcomes));
  find('#plan-steps').replaceChildren(drawSteps(plan, outcomes));
  find('#plan-read').replaceChildren(...(await accountOf(identified, confirm)));
  find('#plan-beside').replaceChildren(
    ...notesOf(plan),
    ...(plan.items.length > 0 ? [exportLinks(plan, outcomes)] : []),
  );

  announce(plan.text);
}

/** Shows the list in an address. */
export async function showAddress(list: string): Promise<void> {
  const text = decodeURIComponent(list).split(',').join('\n');
  find<HTMLTextAreaElement>('#list-text').value = text.replaceAll('@', ' ');
  await showText(text);
}

function leadOf({ items, steps, asOf }: Plan) {
  if (items.length === 0) {
    return '';
  }

  const order =
    steps.length > 1
      ? ' Steps are in an order in which what is stated to go together stays together.'
      : '';

  return markup`<p class="note">${markDays(`${counted(items.length, 'version')}, as of ${asOf}.${order}`)}</p>`;
}

/** How much of the text was read, and each other part with its reason. */
async function accountOf(
  { entriesRead, others, isDocument, problems, notRead }: IdentifiedText,
  confirm: (meant: string) => void,
): Promise<Node[]> {
  const titles = new Map((await index.named()).map(({ name, title }) => [name, title]));
  const total = entriesRead + notRead.length + others;
  const account =
    total === 0 && problems.length === 0
      ? await emptySentence()
      : `${counted(total, isDocument ? 'package' : 'statement')}, ${entriesRead} read.`;

  const items = notRead.map((left) => {
    const { line, text, didYouMean = [] } = left;
    const place = line === undefined ? '' : `Line ${line}: `;
    if (didYouMean.length === 0) {
      return make('li', {}, `${place}${leftInWords(left)}`);
    }

    const choices = didYouMean.map((meant) => {
      const [component = '', version = ''] = meant.split('@');
      return makeButton('', `${titles.get(component) ?? component} ${version}`, () =>
        confirm(meant),
      );
    });

    return make('li', {}, place, make('code', {}, text), ' left out. Is it ', ...choices, '?');
  });

  return [
    make('p', {}, make('b', {}, account)),
    make(
      'ul',
      { className: 'left-out' },
      ...items,
      ...problems.map((text) => make('li', {}, text)),
    ),
  ];
}

/** Says what a text needs, with the first component that has a version. */
async function emptySentence(): Promise<string> {
  const { components } = await index.status();
  const { title, latest } =
    Object.values(components).find((each) => each.latest !== undefined) ?? {};
  const example = title === undefined ? '' : `, such as "${title} ${latest}"`;

  return `The text states no version. Each line needs a name and its version${example}.`;
}

/** What the plan rests on. */
function notesOf({ notes }: Plan): Node[] {
  if (notes.length === 0) {
    return [];
  }

  const items = notes.map((note) => markup`<li>${markDays(note)}</li>`);

  return [
    makeMarkup(
      markup`<section><h2>What it rests on</h2><ul class="left-out">${items}</ul></section>`,
    ),
  ];
}
