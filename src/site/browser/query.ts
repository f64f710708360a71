/** Answers questions on the first page. Loaded when somebody asks one. */
import { readQuestion } from '../../core/index/item.ts';
import { findOwners, suggestOwners } from '../../core/index/owners.ts';
import { selects } from '../../core/query/match.ts';
import { parseQuery, QueryError, type Query } from '../../core/query/parse.ts';
import {
  describeRow,
  listRows,
  releaseFields,
  type SearchRow,
} from '../../core/query/release-fields.ts';
import type { Search } from '../../core/short-releases.ts';
import {
  createElement,
  createLink,
  fetchDocument,
  findAddress,
  findMatches,
  loadNames,
} from './find.ts';

const maxRows = 200;
const headings = ['Component', 'Version', 'State', 'Supported until'];

/** The address of the page of a name, or of the row of a version; undefined for a query, which is answered in a place. */
export async function answer(text: string, place: HTMLElement): Promise<string | undefined> {
  const names = await loadNames();
  const item = readQuestion(text, names);
  const isOurs = item && findOwners(item.purl ?? item.name ?? '', names).length > 0;
  const [match] = isOurs ? await findMatches([item], names) : [];
  // In `svc isLatest`, the second word is of a query.
  if (match && (match.verdict || !item?.version)) {
    return findAddress(match.component, match.version);
  }
  if (/^pkg:/i.test(text) && !match) {
    throw new Error(`${text} is not in this index.`);
  }

  const { name = text, version = '' } = item ?? {};
  const [nearest] = match ? [] : suggestOwners(name, names);
  const meant = nearest && `${nearest.component} ${version}`.trim();
  const suggestion = meant
    ? createLink(`?q=${encodeURIComponent(meant)}`, `Did you mean ${meant}?`)
    : '';
  place.replaceChildren(...(await listMatches(text, suggestion)));
  return undefined;
}

/** A table of the releases that a query selects. */
async function listMatches(text: string, suggestion: HTMLElement | '') {
  const search = await fetchDocument<Search>('search.json');
  let query: Query;
  try {
    query = parseQuery(text, releaseFields, Date.parse(search.asOf));
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }

    const help = createLink('use.html#queries', 'Fields of queries');
    return [`${error.message}. `, suggestion, ' ', help];
  }

  const rows = listRows(search).filter((row) => selects(query, row));
  if (rows.length === 0) {
    return [`No component, version or release matches “${text}”. `, suggestion];
  }

  const limit = rows.length > maxRows ? `, of which the first ${maxRows} are shown` : '';
  const caption = `Matches of “${text}”: ${rows.length}${limit}`;
  return [drawTable(rows.slice(0, maxRows), caption)];
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
      title,
      createLink(findAddress(component, version), version),
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
