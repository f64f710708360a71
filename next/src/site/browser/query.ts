/** Answers queries on the first page. Loaded when somebody asks one. */
import { selects } from '../../core/query/match.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { listRows, releaseFields, type SearchRow } from '../../core/query/release-fields.ts';
import type { Search } from '../../core/search.ts';
import { formatDay, nameAnchor, stateLabels, stateTones } from '../../core/words.ts';
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
  const summary = document.createElement('p');
  const limit = rows.length > maxRows ? ` The first ${maxRows} of them:` : '';
  const count = `${rows.length} ${rows.length === 1 ? 'release matches' : 'releases match'}`;
  summary.textContent =
    rows.length === 0 ? `No release matches “${text}”.` : `${count} “${text}”.${limit}`;
  place.replaceChildren(summary, ...(rows.length > 0 ? [drawTable(rows.slice(0, maxRows))] : []));
}

function drawTable(rows: readonly SearchRow[]): HTMLElement {
  const table = document.createElement('table');
  table.createCaption().textContent = 'Releases that match';
  const head = table.createTHead().insertRow();
  for (const heading of headings) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = heading;
    head.append(cell);
  }

  const body = table.createTBody();
  for (const row of rows) {
    drawRow(row, body.insertRow());
  }
  const frame = document.createElement('div');
  frame.className = 'table-frame';
  frame.tabIndex = 0;
  frame.role = 'region';
  frame.ariaLabel = 'Releases that match';
  frame.append(table);
  return frame;
}

function drawRow(row: SearchRow, target: HTMLTableRowElement): void {
  const { component, version, title, releaseTimestamp, supportedUntil, isInferred } = row;
  const state = row.state as keyof typeof stateLabels;
  target.className = `tone-${stateTones[state]}`;
  const link = document.createElement('a');
  link.href = `${component}.html#${nameAnchor(version)}`;
  link.textContent = version;
  const status = document.createElement('span');
  status.className = 'status';
  status.textContent = stateLabels[state];
  const until = showDay(supportedUntil);
  const cells = [
    String(title),
    link,
    showDay(releaseTimestamp),
    status,
    until && isInferred === true ? `${until} (inferred)` : until,
  ];
  for (const content of cells) {
    target.insertCell().append(content);
  }
}

function showDay(time: unknown): string {
  return typeof time === 'string' ? formatDay(time.slice(0, 10)) : '';
}
