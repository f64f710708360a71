/** `mine.html`: a list or a bill of materials becomes verdicts, what is due first on top. Nothing leaves the browser. */
import { findItems, type Match } from '../../core/index/verdicts.ts';
import { describeRest, readList } from '../../core/read-list.ts';
import type { Verdict } from '../../core/schema/documents.ts';
import type { Component } from '../../core/schema/published.ts';
import { decodeAnchor } from '../../core/words.ts';
import { createElement, createLink, fetchDocument, loadNames } from './find.ts';

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

type Known = Match & { readonly version: string | undefined };

async function show(content: string): Promise<void> {
  try {
    const names = await loadNames();
    const { items, problems } = readList(content, names);
    const matches = await findItems(items, names, (component) =>
      fetchDocument<Component>(`details/${component}.json`),
    );
    const known = matches
      .flatMap((match, index) => (match ? { version: items[index]!.version, ...match } : []))
      .sort((a, b) => findUrgency(a).localeCompare(findUrgency(b)));
    const others = items.filter((_, index) => !matches[index]).map((item) => item.text);
    const entries = items.length + problems.length;
    draw(known, describeRest(others, entries > 0 ? problems : ['no entry']), entries);

    const lines = problems.flatMap((each) => /^line \d+: (.+)/.exec(each)?.[1] ?? []);
    const list = [
      ...known.map(({ component, version, verdict }) =>
        [component, verdict?.version ?? version ?? []].flat().map(encodeURIComponent).join('@'),
      ),
      ...[...others, ...lines].map(encodeURIComponent),
    ];
    history.replaceState(null, '', list.length > 0 ? `#c=${list.join(',')}` : location.pathname);
  } catch (error) {
    place.textContent = (error as Error).message;
  }
}

/** Sorts what is due: now, by a day, then what is supported until a day, what has no end, and what has no version. */
function findUrgency({ verdict }: Known): string {
  if (!verdict) {
    return 'none';
  }

  const { moveReason, moveBy = '', supportedUntil, supportedUntilAtMost = '9999' } = verdict;
  return moveReason ? moveBy : `${supportedUntil ?? supportedUntilAtMost} later`;
}

function draw(known: readonly Known[], rest: string, entries: number): void {
  const judged = known.filter(({ verdict }) => verdict);
  const due = known.filter(({ verdict }) => verdict?.moveReason).length;
  const summary = `${due} of ${judged.length} ${due === 1 ? 'needs' : 'need'} action`;
  const gap = entries > judged.length ? `, ${entries - judged.length} not judged` : '';
  const list = createElement('ul', '', 'rows');
  list.append(...known.map(drawResult));
  place.replaceChildren(
    createElement(
      'h2',
      judged.length > 0 ? `${due === 0 ? 'Nothing is due' : summary}${gap}` : 'Nothing was judged',
    ),
    createElement('p', `${known.length} of ${entries} recognised.${rest}`, 'note'),
  );
  if (known.length > 0) {
    place.append(list);
  }
}

function drawResult(known: Known): HTMLElement {
  const { component, title, version = '', verdict } = known;
  const text = verdict?.version ?? version;
  const name = createElement('span');
  name.append(createLink(component, text, `${title} ${text}`.trim()));
  const row = createElement('li', '', `tone-${findTone(verdict)}`);
  row.append(
    name,
    createElement('span', verdict?.label ?? 'No version', 'status side'),
    createElement('p', verdict && `${verdict.sentence} ${verdict.advice}`, 'verdict'),
    createElement('p', verdict?.because.join(' '), 'note'),
  );
  return row;
}

function findTone({ isSupported, moveReason, moveBy }: Partial<Verdict> = {}): string {
  if (moveReason) {
    return moveBy ? 'soon' : 'gone';
  }

  return isSupported ? 'ok' : 'none';
}
