/** `mine.html`: a list or a bill of materials becomes verdicts, what is due first on top. Nothing leaves the browser. */
import { findOwners, type Names } from '../../core/index/owners.ts';
import { readList, type Item } from '../../core/read-list.ts';
import type { Verdict } from '../../core/schema/documents.ts';
import type { Component } from '../../core/schema/published.ts';
import { expandReleases } from '../../core/search.ts';
import { findVerdict } from '../../core/index/verdicts.ts';
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
    text.value = list
      .split(',')
      .map((entry) => decodeURIComponent(entry).replace('@', ' '))
      .join('\n');
    void show(text.value);
  }
}

interface Result {
  component: string;
  title: string;
  verdict: Verdict;
}

async function show(content: string): Promise<void> {
  try {
    const names = await loadNames();
    const { items, problems } = readList(content, [...names.keys()]);
    const known: Result[] = [];
    const unknown = [...problems];
    for (const item of items) {
      const result = await judge(item, names);
      if (result) {
        known.push(result);
      } else {
        unknown.push(item.text);
      }
    }

    known.sort((a, b) => findUrgency(a.verdict).localeCompare(findUrgency(b.verdict)));
    draw(known, unknown);
    const list = known.map(
      ({ component, verdict }) => `${component}@${encodeURIComponent(verdict.version)}`,
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
    const loaded = loading.get(component) ?? loadDetails(component);
    loading.set(component, loaded);
    const details = await loaded;
    const verdict = findVerdict(details, readVersion(owner, version!));
    const result = verdict && { component, title: details.title, verdict };
    if (result?.verdict.isListed) {
      return result;
    }
    first ??= result;
  }
  return first;
}

const loading = new Map<string, Promise<Component>>();

async function loadDetails(component: string): Promise<Component> {
  const document = await fetchDocument<Component>(`details/${component}.json`);
  return { ...document, releases: expandReleases(document) };
}

/** Sorts what is due: now, by a day, then what is supported until a day, and what has no end. */
function findUrgency({
  moveReason,
  moveBy,
  supportedUntil,
  supportedUntilAtMost,
}: Verdict): string {
  if (moveReason !== undefined) {
    return moveBy ?? '';
  }

  return `${supportedUntil ?? supportedUntilAtMost ?? '9999'} later`;
}

function draw(known: readonly Result[], unknown: readonly string[]): void {
  const due = known.filter(({ verdict }) => verdict.moveReason !== undefined);
  const list = createElement('ul', '', 'rows');
  list.append(...known.map(drawResult));
  const summary = `${due.length} of ${known.length} ${due.length === 1 ? 'needs' : 'need'} action`;
  place.replaceChildren(
    createElement('h2', due.length === 0 ? 'Nothing is due' : summary),
    ...(known.length > 0
      ? [list]
      : [createElement('p', 'No entry names a version of this index.')]),
  );
  if (unknown.length > 0) {
    const more = unknown.length > maxUnknown ? ` and ${unknown.length - maxUnknown} more` : '';
    const names = unknown.slice(0, maxUnknown).join(', ');
    place.append(createElement('p', `Not known here: ${names}${more}.`, 'note'));
  }
}

function drawResult({ component, title, verdict }: Result): HTMLElement {
  const { version, label, sentence, because, advice } = verdict;
  const name = createElement('span');
  name.append(createLink(component, version, `${title} ${version}`));
  const row = createElement('li', '', `tone-${findTone(verdict)}`);
  row.append(
    name,
    createElement('span', label, 'status side'),
    createElement('p', `${sentence} ${advice}`, 'verdict'),
    createElement('p', because.join(' '), 'note'),
  );
  return row;
}

function findTone({ isSupported, moveReason, moveBy }: Verdict): string {
  if (moveReason !== undefined) {
    return moveBy === undefined ? 'gone' : 'soon';
  }

  return isSupported ? 'ok' : 'none';
}
