/** Answers questions from the search box of the home page and of other pages. */
import { readImage } from '../../ask/item.ts';
import { findOwners, listOwners, suggestOwners, type Names } from '../../ask/owners.ts';
import { describeUnknown, listTerms } from '../../ask/query/hints.ts';
import { parseQuery, QueryError, type Query } from '../../ask/query/parse.ts';
import { releaseFields } from '../../ask/query/release-fields.ts';
import {
  describeMove,
  describeRow,
  listRows,
  search,
  type Found,
  type SearchRow,
} from '../../ask/query/search.ts';
import { cutQuestion, isPurl, readQuestion } from '../../ask/question.ts';
import { describeObstacle } from '../../ask/verdicts.ts';
import type { Status } from '../../core/schema/documents.ts';
import { findNearest } from '../../core/text.ts';
import { listContaining } from './components.ts';
import { fetchAhead } from './fetch-ahead.ts';
import {
  createElement,
  createLink,
  fetchDocument,
  findAddress,
  findEntries,
  loadNames,
  type Answer,
} from './find.ts';

const maxRows = 200;
const fieldNames = releaseFields.map(({ name }) => name);
const headings = ['Component', 'Version', 'State', 'Supported until'];

/**
 * Returns the page of the component or version that a text names. If it names neither, returns what the home page shows: matching
 * components or releases.
 */
export async function answerQuestion(text: string): Promise<Answer> {
  if (text === '') {
    return { content: [] };
  }

  const status = await fetchDocument<Status>('status.json');
  const names = listOwners(status);
  const { page, obstacle } = await findNamed(text, names);
  return page ?? { content: await answer(text, names, status, obstacle) };
}

/** Returns the page of the component or version that a text names. If it names neither, the answer is empty. */
export async function findPage(text: string): Promise<Answer> {
  const { page } = await findNamed(text, await loadNames());
  return page ?? { content: [] };
}

/** Answers a text that names neither a component nor a version. `obstacle`: why a text about a component names no version. */
async function answer(
  question: string,
  names: Names,
  status: Status,
  obstacle: Answer['content'] | undefined,
) {
  const text = cutQuestion(question, names);
  if (isPurl(text)) {
    return obstacle ?? [describeAbsent(text)];
  }

  const unknown = findUnknownName(text, names);
  if (unknown !== undefined) {
    const absent = `No component has the name “${unknown}”. `;
    return [absent, ...suggestName(text, names), ...listContaining(unknown)];
  }

  const containing = listContaining(text);
  return containing.length > 0
    ? containing
    : listMatches(question, text, status, suggestName(text, names), obstacle);
}

interface Named {
  readonly page?: Answer | undefined;
  /** Says why the text names no version, although the index knows the component: `nginx:latest`. */
  readonly obstacle?: Answer['content'] | undefined;
}

async function findNamed(text: string, names: Names): Promise<Named> {
  const item = readQuestion(text, names);
  const [owner] = item ? findOwners(item, names) : [];
  if (owner) {
    // Starts to load the component's page before `findEntries` finds the verdict. If the page is the answer, it then opens sooner.
    fetchAhead(findAddress(owner.component));
  }
  const [entry] = item ? await findEntries([item], names) : [];
  if (entry?.candidates) {
    const links = entry.candidates.flatMap((name) => [' ', createLink(findAddress(name), name)]);
    return { page: { content: [describeObstacle(entry), ...links] } };
  }

  const { match } = entry ?? {};
  if (!entry || !match) {
    return entry?.namesake === undefined ? {} : { obstacle: [describeObstacle(entry)] };
  }

  const link = createLink(findAddress(match.component, match.version), match.title);
  if (match.verdict?.mayBePatched) {
    // The component's page shows the verdict on the vendor's release, and not on the package of the distribution.
    const { label, sentence, advice } = match.verdict;
    return {
      page: { content: [link, createElement('p', `${label}. ${sentence} ${advice}`)] },
    };
  }
  if (match.verdict || item?.version === undefined) {
    return { page: { content: [], address: findAddress(match.component, match.version) } };
  }
  return {
    obstacle: [
      `${describeObstacle(entry)} `,
      createLink(findAddress(match.component), match.title),
    ],
  };
}

/** Returns a link to the name that is most similar to a misspelt name: `agnet 1.2` → "Did you mean agent 1.2?" */
function suggestName(text: string, names: Names): HTMLElement[] {
  // The version is split off only if the text has up to 200 characters. For a longer text, `suggestOwners` finds no name.
  const [, misspelt = text, version = ''] =
    (text.length <= 200 && /^(.*?)(?:[\s@:=]+v?(\d\S*))?$/i.exec(text)) || [];
  const [nearest] = names.has(misspelt.toLowerCase()) ? [] : suggestOwners(misspelt, names);
  if (!nearest) {
    return [];
  }

  const meant = `${nearest.component} ${version}`.trim();
  return [createLink(`?q=${encodeURIComponent(meant)}`, `Did you mean ${meant}?`)];
}

/**
 * Returns a table of the releases that a query selects. Words without a field are no query here: only names, titles and descriptions are
 * searched for them, because all releases would be megabytes.
 * - `question`: the text as it was asked
 * - `text`: the question without the words around the name
 */
async function listMatches(
  question: string,
  text: string,
  status: Status,
  suggestion: readonly HTMLElement[],
  obstacle: Answer['content'] | undefined,
) {
  const hints = suggestion.flatMap((link) => [link, ' ']);
  const none = [describeNone(text), ...hints];
  let query: Query;
  try {
    query = parseQuery(question, releaseFields, Date.parse(status.asOf));
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }

    if (isImage(text)) {
      return obstacle ?? [describeAbsent(text), ' ', ...suggestion];
    }

    const help = createLink('use.html#queries', 'Fields of queries');
    // A text without a character of the query language (such as `=`, `(` or `field:`) is not meant as a query.
    return /[()[\]"<>=!*]|\w:/.test(question)
      ? [`${error.message}. `, ...hints, help]
      : (obstacle ?? [...none, ...suggestField(text)]);
  }
  if (isFreeText(query, question)) {
    return obstacle ?? [...none, ...suggestField(text), ...suggestVersions(text)];
  }

  const selected = await search(query, status, fetchDocument);
  const { found } = selected;
  const notes = describeUnknown(query, selected).map((note) => createElement('p', note, 'note'));
  if (found.length === 0) {
    return [...none, ...notes];
  }

  const limit = found.length > maxRows ? `, of which the first ${maxRows} are shown` : '';
  const caption = `Matches of “${question}”: ${found.length}${limit}`;
  const rows = orderFound(query, found).slice(0, maxRows);
  return [...notes, drawTable(listRows(rows), status, caption)];
}

/** Tells whether a query consists only of words without a field, such as `jdk17` or `node beta`. */
function isFreeText(query: Query, text: string): boolean {
  const terms = 'and' in query ? query.and : [query];
  return !/["*]/.test(text) && terms.every((term) => 'fields' in term && term.fields.length > 1);
}

/**
 * Orders releases for a table:
 * - If the query names an end date, the earliest end comes first.
 * - If it names a release date, the newest release comes first.
 * - Otherwise components keep their order, each with its newest release first.
 */
function orderFound(query: Query, found: readonly Found[]): Found[] {
  const fields = [...listTerms(query)].flatMap((term) => term.fields.map(({ name }) => name));
  const names = (...wanted: string[]) => fields.some((field) => wanted.includes(field));
  if (names('supportedUntil', 'supportedUntilAtMost', 'supportLeft')) {
    return orderByDay(found, 'supportedUntil', 'supportedUntilAtMost');
  }
  if (names('releaseTimestamp', 'age')) {
    return orderByDay(found, 'releaseTimestamp').reverse();
  }

  const groups = [...Map.groupBy(found, ({ table }) => table).values()];
  return groups.flatMap((ofComponent) => ofComponent.toReversed());
}

/** Orders releases by the first of these date fields that each release has. */
function orderByDay(found: readonly Found[], ...fields: string[]): Found[] {
  const dated = found.map((each) => {
    const days = fields.map((field) => each.table.value(field, each.row));
    return { each, day: String(days.find(Boolean) ?? '') };
  });
  return dated.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day))).map(({ each }) => each);
}

/**
 * Finds the name in a text such as `linux 7.2`, if no component has this name. As a query, the text would select versions of all components
 * whose titles contain the name.
 */
function findUnknownName(text: string, names: Names): string | undefined {
  const [, name = ''] = (text.length <= 200 && /^([a-z][\w.+-]*)[ @]v?\d\S*$/i.exec(text)) || [];
  const isOfQuery = [...fieldNames, 'and', 'or', 'not'].some(
    (word) => word.toLowerCase() === name.toLowerCase(),
  );
  return name === '' || isOfQuery || findOwners({ name }, names).length > 0 ? undefined : name;
}

/**
 * Tells whether a text names an image: `nginx:1.27-alpine` → true. `isLatst:true` → false, because `isLatst` is probably a misspelt field.
 */
function isImage(text: string): boolean {
  const image = readImage(text);
  return image !== undefined && findNearest(text.split(':', 1)[0]!, fieldNames) === undefined;
}

function describeAbsent(text: string): string {
  return `${text} is not in this index.`;
}

function describeNone(text: string): string {
  return `No component, version or release matches “${text}”. `;
}

/** Returns a link to the field that is most similar to a word: `vulnerable` → "Did you mean isVulnerable?" */
function suggestField(text: string): HTMLElement[] {
  const near =
    fieldNames.find((name) => name.toLowerCase() === `is${text.toLowerCase()}`) ??
    findNearest(text, fieldNames);
  return near === undefined ? [] : [createLink(`?q=${near}`, `Did you mean ${near}?`)];
}

/** Returns a link to the releases whose version begins with a number: `8.1` → "Versions 8.1" */
function suggestVersions(text: string): HTMLElement[] {
  const [number] = /^\d[\d.]*$/.exec(text) ?? [];
  return number === undefined ? [] : [createLink(`?q=version:${number}*`, `Versions ${number}`)];
}

function drawTable(rows: readonly SearchRow[], status: Status, caption: string): HTMLElement {
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
      drawEnd(until, describeMove(row, status)),
    ];
    const element = body.insertRow();
    element.className = `tone-${tone}`;
    for (const cell of cells) {
      element.insertCell().append(cell);
    }
  }
  return table;
}

/** Creates a table cell with the end of support and, below it, the version to move to. */
function drawEnd(until: string, move: string): HTMLElement {
  const cell = createElement('div', until);
  if (move !== '') {
    cell.append(createElement('p', `Move to: ${move}`, 'note'));
  }
  return cell;
}
