/** `mine.html`: a list or a bill of materials becomes verdicts, what is due first on top. Nothing leaves the browser. */
import { compareUrgency, findItems, isDue, type Match } from '../../core/index/verdicts.ts';
import { describeRead, readList } from '../../core/read-list.ts';
import type { Verdict } from '../../core/schema/documents.ts';
import type { Component } from '../../core/schema/published.ts';
import { decodeAnchor } from '../../core/words.ts';
import { createElement, createLink, fetchDocument, findAddress, loadNames } from './find.ts';

const form = document.querySelector<HTMLFormElement>('[data-list]')!;
const text = form.querySelector('textarea')!;
const file = form.querySelector<HTMLInputElement>('[type=file]')!;
const place = document.getElementById('found')!;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show(text.value);
});
file.addEventListener('change', async () => {
  const [chosen] = file.files ?? [];
  if (chosen) {
    await show(await chosen.text());
  }
});
addEventListener('hashchange', showAddress);
showAddress();

/** Shows the list of an address such as `#c=svc@2025.1,edge-node@1.0`. */
function showAddress(): void {
  const [, list] = /^#c=(.+)/.exec(location.hash) ?? [];
  if (list !== undefined) {
    const entries = list.split(',').map((entry) => decodeAnchor(entry.replace(/(?!^)@/, ' ')));
    text.value = entries.join('\n');
    void show(text.value);
  }
}

async function show(content: string): Promise<void> {
  try {
    const names = await loadNames();
    const list = readList(content, names);
    const { items, problems } = list;
    const matches = await findItems(items, names, (component) =>
      fetchDocument<Component>(`details/${component}.json`),
    );
    const known = matches.filter((match) => match !== undefined).sort(compareUrgency);
    const others = items.filter((_, index) => !matches[index]).map((item) => item.text);
    draw(known, items.length + problems.length, describeRead(list, others));

    const lines = problems.flatMap((each) => /^line \d+: (.+)/.exec(each)?.[1] ?? []);
    const entries = [
      ...known.map(({ component, version }) => `${component}@${encodeURIComponent(version)}`),
      ...[...others, ...lines].map(encodeURIComponent),
    ];
    const hash = entries.length > 0 ? `#c=${entries.join(',')}` : location.pathname;
    history.replaceState(null, '', hash);
  } catch (error) {
    place.textContent = (error as Error).message;
  }
}

function draw(known: readonly Match[], entries: number, note: string): void {
  const judged = known.filter(({ verdict }) => verdict).length;
  const due = known.filter(({ verdict }) => isDue(verdict)).length;
  const summary = `${due} of ${judged} ${due === 1 ? 'needs' : 'need'} action`;
  const gap = entries > judged ? `, ${entries - judged} not judged` : '';
  const heading = `${due === 0 ? 'Nothing is due' : summary}${gap}`;
  const list = createElement('ul', '', 'rows');
  list.append(...known.map(drawResult));
  place.replaceChildren(
    createElement('h2', judged > 0 ? heading : 'Nothing was judged'),
    createElement('p', note, 'note'),
    ...(known.length > 0 ? [list] : []),
  );
}

function drawResult({ component, title, version, verdict }: Match): HTMLElement {
  const name = createElement('span');
  name.append(createLink(findAddress(component, version), `${title} ${version}`.trim()));
  const row = createElement('li', '', `tone-${findTone(verdict)}`);
  row.append(
    name,
    createElement('span', verdict?.label ?? 'No version', 'status side'),
    createElement('p', verdict && `${verdict.sentence} ${verdict.advice}`, 'verdict'),
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
