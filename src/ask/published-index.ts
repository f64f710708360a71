/** Reads components, verdicts and releases from a published index. */
import { countDays, msPerDay, toDay, today } from '../core/day.ts';
import { InputError } from '../core/errors.ts';
import { parseJson } from '../core/parse-document.ts';
import { describeStaleness } from '../core/phrases.ts';
import type { Change, ScanPolicy, Search, Status, Verdict } from '../core/schema/documents.ts';
import type { Component } from '../core/schema/published.ts';
import type { Run } from '../core/schema/recorded.ts';
import { parseStatements, type SignedStatement } from '../core/schema/statement.ts';
import type { SiteReader } from '../core/site-reader.ts';
import { quote } from '../core/text.ts';
import { AskError } from './ask-error.ts';
import type { Item } from './item.ts';
import {
  describeCandidates,
  findOwners,
  listOwners,
  type Names,
  type Owner,
  suggestOwners,
} from './owners.ts';
import { describeUnknown, listTerms } from './query/hints.ts';
import { type Field, parseQuery, type Query, QueryError } from './query/parse.ts';
import { releaseFields } from './query/release-fields.ts';
import { type Found, OtherBuildError, readComponent, search } from './query/search.ts';
import { readQuestion } from './question.ts';
import { describeObstacle, findItems, type Match } from './verdicts.ts';

const componentForm = /^[a-z0-9][a-z0-9.-]*$/;

/** A document `api/v1/products/<component>`. */
interface Product {
  readonly schema_version: string;
  readonly generated_at: string;
  readonly result: { readonly releases: readonly { name: string; releaseDate?: string }[] };
}

/** A published index. Its functions throw an `AskError` if a file is missing or cannot be read. */
export type PublishedIndex = ReturnType<typeof openIndex>;

/**
 * Opens an index whose files do not change while it is open.
 * - `parse`: parses the text of a file. Throws an `InputError` for an unexpected document. The default accepts any JSON.
 */
export function openIndex(site: SiteReader, parse = parseJson) {
  async function readIfThere<Document>(
    path: string,
    parseText = parse,
  ): Promise<Document | undefined> {
    const bytes = await site.read(path);
    try {
      return bytes && (parseText(bytes.toString(), path) as Document);
    } catch (error) {
      throw error instanceof InputError ? new AskError(503, error.message) : error;
    }
  }

  async function read<Document>(path: string): Promise<Document> {
    return (await readIfThere<Document>(path)) ?? rejectMissing(path);
  }

  const status = keep(() => read<Status>('status.json'));
  const names = keep(async () => listOwners(await status()));
  // Parts of `search/` stay in memory once they are read. Even those of the largest index that Cloudflare accepts fit into a Worker's
  // memory.
  const readPart = keep((path) => read<Search>(path));
  // At most 20 documents stay in memory, because all documents of an index would not fit into a Worker's memory.
  const readDetails = keep((name) => readIfThere<Component>(`details/${name}.json`), 20);

  /**
   * Yields the entries of each `<folder>/<year>.json`, newest first. Reads a file only when it is needed and does not cache it, because it
   * may be large.
   */
  async function* readYears<Entry extends { at: string; finishedAt?: string }>(
    folder: 'builds' | 'changes',
    since: number,
  ): AsyncGenerator<Entry[]> {
    // A run that finished on 1 January may be in the file of the year before, in which it started.
    const firstYear = toDay(new Date(Math.max(0, since - msPerDay))).slice(0, 4);
    const { years } = await status();
    for (const year of years[folder].filter((each) => each >= firstYear).reverse()) {
      const file = await read<Record<typeof folder, Entry[]>>(`${folder}/${year}.json`);
      yield file[folder].filter(({ at, finishedAt }) => Date.parse(finishedAt ?? at) >= since);
    }
  }

  const runs = (since = 0) => readYears<Run>('builds', since);

  return {
    status,
    names,
    /** Reads the details of a component by its exact name or a former name. */
    details: async (name: string) => (componentForm.test(name) ? readDetails(name) : undefined),
    /** Reads the lines of a component in version 0 of endoflife.date's API. `name`: its exact name or a former name. */
    lifeCycles: async (name: string) =>
      componentForm.test(name) ? readIfThere<{ cycle?: string }[]>(`api/${name}.json`) : undefined,
    /** Reads a component in version 1 of endoflife.date's API. `name`: its exact name or a former name. */
    product: async (name: string) =>
      componentForm.test(name) ? readIfThere<Product>(`api/v1/products/${name}`) : undefined,
    find: async (items: readonly Item[]) => findItems(items, await names(), readDetails),
    /** Returns the date of the build, and a warning if the index is stale. */
    async age() {
      const { asOf, staleAfterDays } = await status();
      const isStale = countDays(asOf, today()) > staleAfterDays;
      return { asOf, staleness: isStale ? describeStaleness(asOf) : undefined };
    },
    /** Returns the releases that a query selects. */
    search: (query: Query) => readTogether(async () => search(query, await status(), readPart)),
    /** Returns all releases of a component. The values of all query fields can be read from the result. */
    releases: (component: string) =>
      readTogether(async () => readComponent(component, await status(), readPart)),
    policies: keep(async () => (await read<{ policies: ScanPolicy[] }>('policies.json')).policies),
    /** Returns the runs that finished at an instant or later, oldest first. */
    runs: async (since?: number) => (await Array.fromAsync(runs(since))).flat().reverse(),
    /** Yields the runs that finished at an instant or later, year by year, newest first. */
    runsByYear: runs,
    /** Yields the changes that were recorded at an instant or later, year by year, newest first. */
    changesByYear: (since = 0) => readYears<Change>('changes', since),
    /** Reads the signed statements (in-toto) about the releases of a component, newest last. */
    async statements(component: string) {
      const path = `statements/${component}.ndjson`;
      return (await readIfThere<SignedStatement[]>(path, parseStatements)) ?? [];
    },
  };
}

function rejectMissing(path: string): never {
  throw new AskError(503, `${path} is missing in the index.`);
}

async function readTogether<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof OtherBuildError ? new AskError(503, error.message) : error;
  }
}

/** Caches the values of `make` by their keys. A cache with `max` values is emptied before it takes another value. */
export function keep<Value>(make: (key: string) => Promise<Value>, max = Infinity) {
  const values = new Map<string, Value>();
  return async (key = ''): Promise<Value> => {
    const kept = values.get(key);
    if (kept !== undefined) {
      return kept;
    }

    // The promise is not cached, because a Worker cancels it if the client disconnects. Other requests for the same value would then wait
    // for ever.
    const value = await make(key);
    if (values.size >= max) {
      values.clear();
    }
    values.set(key, value);
    return value;
  };
}

/** Finds the component with exactly this name, title, alias, package or former name. Throws an `AskError` if there is none. */
export async function requireComponent(index: PublishedIndex, text: string): Promise<Component> {
  const names = await index.names();
  const named = listComponents(findOwners({ name: text }, names));
  // Another component may have a package of this name.
  const exact = named.filter((component) => component === text.toLowerCase());
  const owners = exact.length > 0 ? exact : named;
  if (owners.length > 1) {
    throw new AskError(404, describeCandidates(text, owners), { didYouMean: owners });
  }

  return (await index.details(owners[0] ?? text)) ?? rejectName(text, names);
}

export type Judged = Match & { readonly verdict: Verdict };

/** Finds the verdict on the version of an item, for commands, pages and tools. Throws an `AskError` if there is no verdict. */
export async function requireVerdict(index: PublishedIndex, item: Item): Promise<Judged> {
  const [entry] = await index.find([item]);
  if (entry?.candidates || entry?.namesake !== undefined) {
    throw new AskError(404, describeObstacle(entry), { didYouMean: entry.candidates ?? [] });
  }
  if (!entry?.match) {
    const name = item.isInWords ? undefined : item.name;
    return rejectName(name ?? item.text, await index.names());
  }

  const { verdict } = entry.match;
  if (!verdict) {
    const message = `version: ${describeObstacle(entry)}`;
    throw new AskError(400, message, { parameter: 'version' });
  }
  return { ...entry.match, verdict };
}

function rejectName(text: string, names: Names): never {
  const didYouMean = listComponents(suggestOwners(text.toLowerCase(), names));
  const hint = didYouMean[0]
    ? `Did you mean ${quote(didYouMean[0])}?`
    : 'index.json lists all components.';
  throw new AskError(404, `${quote(text)} names no component of this index. ${hint}`, {
    didYouMean,
  });
}

function listComponents(owners: readonly Owner[]): string[] {
  return owners.map(({ component }) => component);
}

/**
 * Parses a query. Throws an `AskError` with the position of the first wrong character.
 * - `asOf`: the date of the build, from which relative times such as `-5d` are counted
 */
export function readQuery(
  text: string,
  asOf: string,
  fields: readonly Field[] = releaseFields,
): Query {
  try {
    return parseQuery(text, fields, Date.parse(asOf));
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }

    const { message, position, expected } = error;
    throw new AskError(400, `query: ${message}`, { parameter: 'query', position, expected });
  }
}

/** The releases that a text names, or selects as a query. */
interface Selection {
  /** The releases, sorted by component and then by version. */
  readonly releases: readonly Found[];
  /** What readers should know about the answer, in sentences. */
  readonly hints: readonly string[];
}

/**
 * Finds the releases that a text names or selects. Reads the text in these ways, until one of them gives an answer:
 * - a listed version: returns its release
 * - a query: returns the selected releases, if there are any
 * - a component: returns all its releases
 * - an unlisted version: returns no releases, but the verdict on this version as a hint
 */
export async function searchReleases(index: PublishedIndex, text: string): Promise<Selection> {
  const named = await findNamed(index, text);
  if (named?.isListed) {
    return named;
  }

  try {
    const { asOf } = await index.status();
    const query = readQuery(text, asOf);
    const selected = await index.search(query);
    const { found } = selected;
    const suggestions = found.length === 0 ? suggestNames(query, await index.names()) : [];
    const hints = [...suggestions, ...describeUnknown(query, selected)];
    return found.length > 0 ? { releases: found, hints } : (named ?? { releases: found, hints });
  } catch (error) {
    // A text that names a component need not be a valid query. A package URL, for example, is not a query. But `svc isLatst` is a query
    // with a misspelt field.
    if (error instanceof AskError && named && !error.message.includes('(did you mean')) {
      return named;
    }
    throw error;
  }
}

interface Named extends Selection {
  /** Whether the text names a version that the index lists. */
  readonly isListed: boolean;
}

/**
 * Finds the releases that a text names:
 * - a component: returns all its releases
 * - a listed version: returns only its release. If a distribution may patch it longer, also returns the verdict as a hint
 * - an unlisted version: returns no releases, but the verdict on this version as a hint
 * - a tag such as `latest`: returns no releases, but says as a hint that it is not a version
 *
 * Undefined if the text does not name a component.
 */
async function findNamed(index: PublishedIndex, text: string): Promise<Named | undefined> {
  const item = readQuestion(text.trim(), await index.names());
  if (!item) {
    return undefined;
  }

  const [entry] = await index.find([item]);
  if (entry?.candidates) {
    return { releases: [], hints: [describeObstacle(entry)], isListed: false };
  }

  const { match } = entry ?? {};
  if (!match) {
    return undefined;
  }

  const all = await index.releases(match.component);
  if (item.version === undefined) {
    return { releases: all, hints: [], isListed: false };
  }

  const { verdict, release } = match;
  if (!verdict) {
    return { releases: [], hints: [describeObstacle(entry!)], isListed: false };
  }
  return {
    releases: all.filter(({ table, row }) => table.value('version', row) === release?.version),
    hints: release && !verdict.mayBePatched ? [] : [`${verdict.sentence} ${verdict.advice}`],
    isListed: release !== undefined,
  };
}

/** Suggests component names, because a misspelt name selects no release. */
function* suggestNames(query: Query, names: Names) {
  for (const { fields, test } of listTerms(query)) {
    const isName = fields.every(({ name }) => name === 'component');
    if (isName && 'pieces' in test && test.pieces.length === 1) {
      const [name] = test.pieces;
      const [nearest] = suggestOwners(name, names);
      if (nearest && nearest.component !== name) {
        yield `Did you mean component:${nearest.component}?`;
      }
    }
  }
}
