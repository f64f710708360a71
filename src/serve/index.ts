import { countDays, msPerDay, toDay } from '../core/day.ts';
import { listRows } from '../core/query/release-fields.ts';
import type { Change, Policy, Row, Status } from '../core/schema/documents.ts';
import type { Run } from '../core/schema/events.ts';
import type { Component as Details } from '../core/schema/published.ts';
import type { Search } from '../core/short-releases.ts';
import { AskError } from './errors.ts';
import { findOwners, listOwners, type Names } from '../core/index/owners.ts';
import { findNearest, quote } from '../core/text.ts';

/** The files of an index: in a folder, at an address, or the assets of the Worker. */
interface PublishedFiles {
  /** The text of a file; undefined if there is none. */
  read(path: string): Promise<string | undefined>;
  /** Throws an `AskError` for a text that is not the document of its path. Without it, what is JSON is trusted. */
  parse?(text: string, path: string): unknown;
}

/** What the files of an index say. A file that is missing or cannot be read is an `AskError`. */
export interface PublishedIndex {
  status(): Promise<Status>;
  /** That the index is too old, in words; undefined where it is not. */
  staleness(): Promise<string | undefined>;
  /** All releases as queries see them, by component, then in the order of versions. */
  releases(): Promise<readonly Row[]>;
  policies(): Promise<readonly Policy[]>;
  /** Of a component by its exact or a former name. */
  details(component: string): Promise<Details | undefined>;
  /** The runs that finished at an instant or later, oldest first. */
  runs(since?: number): Promise<Run[]>;
  /** The changes that were recorded at an instant or later, oldest first. */
  changes(since?: number): Promise<Change[]>;
  /** The signed statements about the releases of a component, newest last, in DSSE envelopes. */
  statements(component: string): Promise<{ envelope: object; statement: Statement }[]>;
}

/** What a signed statement says: in-toto, with the digests of a release and its facts. */
export interface Statement {
  readonly subject: readonly { readonly digest: Readonly<Record<string, string>> }[];
  readonly predicate: { readonly id: string; readonly component: string; readonly version: string };
}

/** Opens an index whose files do not change meanwhile. */
export function openIndex(files: PublishedFiles): PublishedIndex {
  const parse: Parse = (text, path) => (files.parse ?? parseJson)(text, path) as never;

  async function read<Document>(path: string): Promise<Document> {
    const text = await files.read(path);
    if (text === undefined) {
      throw new AskError(503, `${path} is missing in the index.`);
    }

    return parse(text, path);
  }

  const status = keep(() => read<Status>('status.json'));
  const opened = new Map<string, Details>();

  /** The entries of `<folder>/<year>.json`, oldest first. They are many, so they are not kept. */
  async function readYears<Entry>(
    folder: 'builds' | 'changes',
    since: number,
    readInstant: (entry: Entry) => string,
  ): Promise<Entry[]> {
    // A run belongs to the year in which it started.
    const firstYear = toDay(new Date(Math.max(0, since - msPerDay))).slice(0, 4);
    const { years } = await status();
    const entries: Entry[] = [];
    for (const year of years[folder]) {
      if (year >= firstYear) {
        const file = await read<Record<string, Entry[]>>(`${folder}/${year}.json`);
        entries.push(...file[folder]!.toReversed());
      }
    }
    return entries.filter((entry) => Date.parse(readInstant(entry)) >= since);
  }

  return {
    status,
    async staleness() {
      const { asOf, staleAfterDays } = await status();
      return countDays(asOf, toDay(new Date())) > staleAfterDays
        ? `This index was last updated on ${asOf}; newer releases may be missing.`
        : undefined;
    },
    releases: keep(async () => listRows(await read<Search>('search.json'))),
    policies: keep(
      async () => (await read<{ policies: readonly Policy[] }>('policies.json')).policies,
    ),
    async details(component) {
      const path = `details/${component}.json`;
      const isNew = !opened.has(component) && /^[a-z0-9][a-z0-9.-]*$/.test(component);
      const text = isNew ? await files.read(path) : undefined;
      if (text !== undefined) {
        // Many ask for the same; all of them would not fit into a Worker.
        if (opened.size > 20) {
          opened.clear();
        }
        opened.set(component, parse(text, path));
      }
      return opened.get(component);
    },
    runs: (since = 0) => readYears<Run>('builds', since, ({ finishedAt }) => finishedAt),
    changes: (since = 0) => readYears<Change>('changes', since, ({ at }) => at),
    async statements(component) {
      const path = `statements/${component}.ndjson`;
      return readBundles((await files.read(path)) ?? '', path, parse);
    },
  };
}

type Parse = <Document>(text: string, path: string) => Document;

function readBundles(text: string, path: string, parse: Parse) {
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => {
    const { dsseEnvelope: envelope } = parse<{ dsseEnvelope: { payload: string } }>(line, path);
    const payload = Buffer.from(envelope.payload, 'base64').toString();
    return { envelope, statement: parse<Statement>(payload, `statement in ${path}`) };
  });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AskError(503, `${path} cannot be read: it is no JSON.`);
  }
}

/** Makes a value once. It keeps no promise: a Worker cancels those of a request whose client has gone, and others would wait for ever. */
function keep<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Value } | undefined;
  return async () => {
    kept ??= { value: await make() };
    return kept.value;
  };
}

const opened = new WeakMap<Status, Names>();

export async function readNames(index: Pick<PublishedIndex, 'status'>): Promise<Names> {
  const status = await index.status();
  const names = opened.get(status) ?? listOwners(status);
  opened.set(status, names);
  return names;
}

/** The component with exactly this name, title, alias, package or former name. */
export async function requireComponent(index: PublishedIndex, text: string): Promise<Details> {
  const names = await readNames(index);
  const [owner, another] = findOwners(text, names);
  if (owner && another) {
    const didYouMean = findOwners(text, names).map(({ component }) => component);
    throw new AskError(404, `${quote(text)} can mean ${didYouMean.join(' and ')}. Name one.`, {
      didYouMean,
    });
  }

  const details = await index.details(owner?.component ?? text);
  if (details) {
    return details;
  }

  const nearest = findNearest(text.toLowerCase(), names.keys());
  const didYouMean =
    nearest === undefined ? [] : findOwners(nearest, names).map(({ component }) => component);
  const hint =
    didYouMean.length > 0 ? `Did you mean ${quote(didYouMean[0]!)}?` : 'index.json lists all.';
  throw new AskError(404, `${quote(text)} names no component of this index. ${hint}`, {
    didYouMean,
  });
}
