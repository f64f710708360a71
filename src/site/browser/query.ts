/** Answers queries on the first page. Loaded when somebody asks one. */
import { selects } from '../../core/query/match.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { listRows, releaseFields, type SearchRow } from '../../core/query/release-fields.ts';
import type { Search } from '../../core/search.ts';
import type { State } from '../../core/schema/published.ts';
import { markEstimated, stateLabels, stateTones } from '../../core/words.ts';
import { createElement, createLink, fetchDocument } from './find.ts';

const maxRows = 200;
const headings = ['Component', 'Version', 'State', 'Supported until, at least'];

/** A table of the releases that a query selects. */
export async function showMatches(text: string, place: HTMLElement): Promise<void> {
  const search = await fetchDocument<Search>('search.json');
  const query = parseQuery(text, releaseFields, Date.parse(search.asOf));
  const rows = listRows(search).filter((row) => selects(query, row));
  const limit = rows.length > maxRows ? `, of which the first ${maxRows} are shown` : '';
  place.replaceChildren(
    rows.length === 0
      ? `No release matches “${text}”.`
      : drawTable(rows.slice(0, maxRows), `Matches of “${text}”: ${rows.length}${limit}`),
  );
}

function drawTable(rows: readonly SearchRow[], caption: string): HTMLElement {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  const head = table.createTHead().insertRow();
  head.append(...headings.map((text) => createElement('th', text)));
  const body = table.createTBody();
  for (const { component, version, title, state, supportedUntil, isInferred } of rows) {
    const row = body.insertRow();
    row.className = `tone-${stateTones[state as State]}`;
    const cells = [
      String(title),
      createLink(component, version, version),
      createElement('span', stateLabels[state as State], 'status'),
      createElement(
        'span',
        supportedUntil ? markEstimated(String(supportedUntil), isInferred === true) : 'not known',
      ),
    ];
    for (const cell of cells) {
      row.insertCell().append(cell);
    }
  }
  return table;
}
