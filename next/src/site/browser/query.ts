/** Answers queries on the first page. Loaded when somebody asks one. */
import { selects } from '../../core/query/match.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { listRows, releaseFields, type SearchRow } from '../../core/query/release-fields.ts';
import type { Search } from '../../core/search.ts';
import type { State } from '../../core/schema/published.ts';
import { formatDay, stateLabels, stateTones } from '../../core/words.ts';
import { createElement, createLink } from './draw.ts';
import { fetchDocument } from './find.ts';

const maxRows = 200;
const headings = ['Component', 'Version', 'Released', 'State', 'Supported until, at least'];

let searched: Promise<Search> | undefined;

/** A table of the releases that a query selects; an empty query clears it. */
export async function showMatches(text: string, place: HTMLElement): Promise<void> {
  if (text.trim() === '') {
    place.replaceChildren();
    return;
  }

  const search = await (searched ??= fetchDocument<Search>('search.json'));
  const query = parseQuery(text, releaseFields, Date.parse(search.asOf));
  const rows = listRows(search).filter((row) => selects(query, row));
  const limit = rows.length > maxRows ? ` The first ${maxRows} of them:` : '';
  const count = `${rows.length} ${rows.length === 1 ? 'release matches' : 'releases match'}`;
  place.replaceChildren(
    rows.length === 0
      ? `No release matches “${text}”.`
      : drawTable(rows.slice(0, maxRows), search, `${count} “${text}”.${limit}`),
  );
}

function drawTable(rows: readonly SearchRow[], search: Search, caption: string): HTMLElement {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  const head = table.createTHead().insertRow();
  for (const heading of headings) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = heading;
    head.append(cell);
  }

  const body = table.createTBody();
  for (const row of rows) {
    const target = body.insertRow();
    target.className = `tone-${stateTones[row.state as State]}`;
    for (const content of listCells(row, search)) {
      target.insertCell().append(content);
    }
  }
  const frame = createElement('div', '', 'table-frame');
  frame.tabIndex = 0;
  frame.role = 'region';
  frame.ariaLabel = 'Releases that match';
  frame.append(table);
  return frame;
}

function listCells(row: SearchRow, search: Search): (string | HTMLElement)[] {
  const { component, version, title, state, releaseTimestamp, supportedUntil, isInferred } = row;
  const isObserved = search.components[component]!.releases.some(
    (release) => release.version === version && release.timestampKind === 'observed',
  );
  return [
    String(title),
    createLink(component, version, version),
    `${isObserved ? '≤ ' : ''}${showDay(releaseTimestamp) ?? 'day unknown'}`,
    createElement('span', stateLabels[state as State], 'status'),
    `${showDay(supportedUntil) ?? 'not known'}${supportedUntil && isInferred ? ' (inferred)' : ''}`,
  ];
}

function showDay(time: unknown): string | undefined {
  return typeof time === 'string' ? formatDay(time.slice(0, 10)) : undefined;
}
