/** `mine.html`: a list or a bill of materials becomes verdicts, what is due first on top. Nothing leaves the browser. */
import { findOwners, type Names } from '../../core/index/owners.ts';
import { readList, type Item } from '../../core/read-list.ts';
import type { Verdict } from '../../core/schema/documents.ts';
import type { Component } from '../../core/schema/published.ts';
import { findVerdict } from '../../core/index/verdicts.ts';
import { formatList } from '../../core/text.ts';
import { createElement, createLink, fetchDocument, loadNames, readVersion } from './find.ts';

const maxUnknown = 20;

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
    const entries = list.split(',').map((entry) => decodeURIComponent(entry).replace('@', ' '));
    text.value = entries.join('\n');
    void show(text.value);
  }
}

type Result = Verdict & { component: string; title: string };

async function show(content: string): Promise<void> {
  try {
    const names = await loadNames();
    const { items, problems } = readList(content, names);
    const results = await Promise.all(items.map((item) => judge(item, names)));
    const unknown = items.filter((_, index) => !results[index]).map((item) => item.text);
    const known = results
      .filter((result) => result !== undefined)
      .sort((a, b) => findUrgency(a).localeCompare(findUrgency(b)));

    draw(known, [...problems, ...unknown]);
    const list = known.map(
      ({ component, version }) => `${component}@${encodeURIComponent(version)}`,
    );
    history.replaceState(null, '', list.length > 0 ? `#c=${list.join(',')}` : location.pathname);
  } catch (error) {
    place.textContent = (error as Error).message;
  }
}

/** The verdict on an item: of the first component that lists its version, else of the first one that it may be. */
async function judge({ name, purl, version }: Item, names: Names): Promise<Result | undefined> {
  let first: Result | undefined;
  for (const owner of version === undefined ? [] : findOwners(purl ?? name ?? '', names)) {
    const { component } = owner;
    const loaded = loading.get(component) ?? fetchDocument<Component>(`details/${component}.json`);
    loading.set(component, loaded);
    const details = await loaded;
    const verdict = findVerdict(details, readVersion(owner, version!));
    const result = verdict && { ...verdict, component, title: details.title };
    if (result?.isListed) {
      return result;
    }
    first ??= result;
  }
  return first;
}

const loading = new Map<string, Promise<Component>>();

/** Sorts what is due: now, by a day, then what is supported until a day, and what has no end. */
function findUrgency(verdict: Verdict): string {
  const { moveReason, moveBy = '', supportedUntil, supportedUntilAtMost = '9999' } = verdict;
  return moveReason ? moveBy : `${supportedUntil ?? supportedUntilAtMost} later`;
}

function draw(known: readonly Result[], unknown: readonly string[]): void {
  const due = known.filter(({ moveReason }) => moveReason);
  const summary = `${due.length} of ${known.length} ${due.length === 1 ? 'needs' : 'need'} action`;
  const list = createElement('ul', '', 'rows');
  list.append(...known.map(drawResult));
  place.replaceChildren(
    createElement('h2', due.length === 0 ? 'Nothing is due' : summary),
    known.length > 0 ? list : createElement('p', 'No entry names a version of this index.'),
  );
  if (unknown.length > 0) {
    const names = formatList(unknown, maxUnknown);
    place.append(createElement('p', `Not known here: ${names}.`, 'note'));
  }
}

function drawResult(result: Result): HTMLElement {
  const { component, title, version, label, sentence, because, advice } = result;
  const name = createElement('span');
  name.append(createLink(component, version, `${title} ${version}`));
  const row = createElement('li', '', `tone-${findTone(result)}`);
  row.append(
    name,
    createElement('span', label, 'status side'),
    createElement('p', `${sentence} ${advice}`, 'verdict'),
    createElement('p', because.join(' '), 'note'),
  );
  return row;
}

function findTone({ isSupported, moveReason, moveBy }: Verdict): string {
  if (moveReason) {
    return moveBy ? 'soon' : 'gone';
  }

  return isSupported ? 'ok' : 'none';
}
