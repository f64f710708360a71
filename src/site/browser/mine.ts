/** `mine.html`: a list or a bill of materials becomes verdicts, what is due first on top. Nothing leaves the browser. */
import { describeObstacle, isDue } from '../../core/index/verdicts.ts';
import { describeReading, readList, sortReading, type Reading } from '../../core/read-list.ts';
import type { Verdict } from '../../core/schema/documents.ts';
import { decodeText } from '../../core/text.ts';
import { decodeAnchor } from '../../core/words.ts';
import { createElement, createLink, findAddress, findMatches, loadNames } from './find.ts';

/** More would make an address that nobody can send. */
const maxOthers = 200;

const form = document.querySelector<HTMLFormElement>('[data-list]')!;
const text = form.querySelector('textarea')!;
const file = form.querySelector<HTMLInputElement>('[type=file]')!;
const place = document.getElementById('answer')!;
/** The last list that somebody asks about has the place, however slow one before it is. */
let latest: object | undefined;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show(text.value);
});
file.addEventListener('change', async () => {
  const [chosen] = file.files ?? [];
  if (chosen) {
    text.value = decodeText(new Uint8Array(await chosen.arrayBuffer()));
    await show(text.value);
  }
});
addEventListener('hashchange', showAddress);
showAddress();

/** Shows the list of an address such as `#c=svc@2025.1,edge-node@1.0`. */
function showAddress(): void {
  const [, list] = /^#c=(.+)/.exec(location.hash) ?? [];
  if (list !== undefined) {
    // An `@` at the beginning is of a scope.
    const entries = list.split(',').map((entry) => decodeAnchor(entry.replace(/(?!^)@/, ' ')));
    text.value = entries.join('\n');
    // What stands below the verdicts moves while nobody sees it.
    document.body.classList.add('is-asking');
    void show(text.value).then(() => {
      place.scrollIntoView();
      document.body.classList.remove('is-asking');
    });
  }
}

async function show(content: string): Promise<void> {
  const question = {};
  latest = question;
  try {
    const names = await loadNames();
    const { items, problems } = await readList(content, names);
    const matches = await findMatches(items, names);
    if (latest !== question) {
      return;
    }

    const entries = items.map((item, position) => ({ item, match: matches[position] }));
    const reading = sortReading(entries, problems);
    draw(reading);

    // A link keeps the whole list, also lines that could not be read; of a long one, what is of this index.
    const unread = problems.flatMap((each) => /^line \d+: (.+)/.exec(each)?.[1] ?? []);
    const own = reading.matched.map(
      ({ match }) => `${match.component}@${encodeURIComponent(match.version)}`,
    );
    const rest = [...reading.others.map(({ item }) => item.text), ...unread];
    const kept = rest.length > maxOthers ? own : [...own, ...rest.map(encodeURIComponent)];
    history.replaceState(null, '', `#c=${kept.join(',')}`);
  } catch (error) {
    if (latest === question) {
      place.textContent = (error as Error).message;
    }
  }
}

function draw(reading: Reading): void {
  const { matched, others, notRead } = reading;
  const judged = matched.filter(({ match }) => match.verdict).length;
  const due = matched.filter(({ match }) => isDue(match.verdict)).length;
  const verb = due === 1 ? 'needs' : 'need';
  const action = due === 0 ? 'Nothing is due' : `${due} of ${judged} ${verb} action`;
  const rest = matched.length + others.length + notRead.length - judged;
  const gap = rest > 0 ? `, ${rest} not judged` : '';
  const heading = judged === 0 ? 'Nothing was judged' : `${action}${gap}`;
  const note = createElement('p', describeReading(reading), 'note');
  const list = createElement('ul', '', 'rows');
  list.append(...matched.map(drawResult));
  place.replaceChildren(createElement('h2', heading), note, list);
}

function drawResult({ item, match }: Reading['matched'][number]): HTMLElement {
  const { component, title, version, verdict } = match;
  const words = verdict ? `${verdict.sentence} ${verdict.advice}` : describeObstacle(item, match);
  const name = createElement('span');
  name.append(createLink(findAddress(component, version), `${title} ${version}`.trim()));
  const row = createElement('li', '', `tone-${findTone(verdict)}`);
  row.append(
    name,
    createElement('span', verdict?.label ?? 'No verdict', 'status side'),
    createElement('p', words, 'verdict'),
    createElement('p', verdict?.because.join(' '), 'note'),
  );
  return row;
}

function findTone(verdict?: Verdict): string {
  if (isDue(verdict)) {
    return verdict?.moveBy ? 'soon' : 'gone';
  }

  return verdict?.isSupported ? 'ok' : 'none';
}
