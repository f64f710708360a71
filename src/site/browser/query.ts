/** Answers queries on the first page. Loaded when somebody asks one. */
import { selects } from '../../core/query/match.ts';
import { parseQuery, type Query } from '../../core/query/parse.ts';
import {
  describeRow,
  listRows,
  releaseFields,
  type SearchRow,
} from '../../core/query/release-fields.ts';
import type { Search } from '../../core/short-releases.ts';
import { createElement, createLink, fetchDocument, suggestName } from './find.ts';

const maxRows = 200;
const headings = ['Component', 'Version', 'State', 'Supported until'];

/** A table of the releases that a query selects. */
export async function showMatches(text: string, place: HTMLElement): Promise<void> {
  const search = await fetchDocument<Search>('search.json');
  const suggestion = (await suggestName(text)) ?? '';
  let query: Query;
  try {
    query = parseQuery(text, releaseFields, Date.parse(search.asOf));
  } catch (error) {
    const help = document.createElement('a');
    help.href = 'use.html#queries';
    help.textContent = 'Fields of queries';
    place.replaceChildren(`${(error as Error).message}. `, suggestion, ' ', help);
    return;
  }

  const rows = listRows(search).filter((row) => selects(query, row));
  const limit = rows.length > maxRows ? `, of which the first ${maxRows} are shown` : '';
  if (rows.length === 0) {
    place.replaceChildren(`No component, version or release matches “${text}”. `, suggestion);
  } else {
    const caption = `Matches of “${text}”: ${rows.length}${limit}`;
    place.replaceChildren(drawTable(rows.slice(0, maxRows), caption));
  }
}

function drawTable(rows: readonly SearchRow[], caption: string): HTMLElement {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  const head = table.createTHead().insertRow();
  head.append(...headings.map((text) => createElement('th', text)));
  const body = table.createTBody();
  for (const row of rows) {
    const { component, version, title } = row;
    const { label, tone, until } = describeRow(row);
    const cells = [
      String(title),
      createLink(component, version, version),
      createElement('span', label, 'status'),
      createElement('span', until),
    ];
    const element = body.insertRow();
    element.className = `tone-${tone}`;
    for (const cell of cells) {
      element.insertCell().append(cell);
    }
  }
  return table;
}
