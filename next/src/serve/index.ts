import { listRows } from '../core/query/release-fields.ts';
import { expandReleases, type Search, type ShortRelease } from '../core/search.ts';
import { AskError } from './errors.ts';
import type { Change, Policy, Row, Status } from '../core/schema/documents.ts';
import type { Run } from '../core/schema/events.ts';
import type { Component as Details } from '../core/schema/published.ts';

/** The files of an index: in a folder, at an address, or the assets of the Worker. */
export interface PublishedFiles {
  /** The text of a file; undefined if there is none. */
  read(path: string): Promise<string | undefined>;
}

export type PublishedIndex = ReturnType<typeof openIndex>;

export interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** What a signed statement says: in-toto, with the digests of a release and its facts. */
export interface Statement {
  readonly subject: readonly { readonly digest: Readonly<Record<string, string>> }[];
  readonly predicate: { readonly id: string; readonly component: string; readonly version: string };
}

/** Opens an index whose files do not change meanwhile. */
export function openIndex(files: PublishedFiles) {
  async function read<Document>(path: string): Promise<Document> {
    const text = await files.read(path);
    if (text === undefined) {
      throw new AskError(503, `${path} is missing in the index.`);
    }

    return JSON.parse(text) as Document;
  }

  const status = keep(() => read<Status>('status.json'));

  /** The entries of `<folder>/<year>.json`, oldest first. They are many, so they are not kept. */
  async function readYears<Entry>(folder: 'builds' | 'changes', since: number): Promise<Entry[]> {
    const firstYear = new Date(since).toISOString().slice(0, 4);
    const { years } = await status();
    const entries: Entry[] = [];
    for (const year of years[folder]) {
      if (year >= firstYear) {
        const file = await read<Record<string, Entry[]>>(`${folder}/${year}.json`);
        entries.push(...file[folder]!.toReversed());
      }
    }
    return entries;
  }

  return {
    status,
    /** All releases as queries see them, by component, then in the order of versions. */
    releases: keep(async (): Promise<readonly Row[]> =>
      listRows(await read<Search>('search.json')),
    ),
    policies: keep(
      async () => (await read<{ policies: readonly Policy[] }>('policies.json')).policies,
    ),
    /** Of a component by its exact or a former name. */
    async details(component: string): Promise<Details | undefined> {
      const text = /^[a-z0-9][a-z0-9.-]*$/.test(component)
        ? await files.read(`details/${component}.json`)
        : undefined;
      return text === undefined ? undefined : readDetails(text);
    },
    /** The runs that finished at an instant or later. */
    async runs(since = 0): Promise<Run[]> {
      const runs = await readYears<Run>('builds', since);
      return runs.filter(({ finishedAt }) => Date.parse(finishedAt) >= since);
    },
    /** The changes that were recorded at an instant or later. */
    async changes(since = 0): Promise<Change[]> {
      const changes = await readYears<Change>('changes', since);
      return changes.filter(({ at }) => Date.parse(at) >= since);
    },
    /** The signed statements about the releases of a component, newest last. */
    async statements(component: string) {
      const text = (await files.read(`statements/${component}.ndjson`)) ?? '';
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => {
        const { dsseEnvelope: envelope } = JSON.parse(line) as { dsseEnvelope: Envelope };
        const payload = Buffer.from(envelope.payload, 'base64').toString();
        return { envelope, statement: JSON.parse(payload) as Statement };
      });
    },
  };
}

function readDetails(text: string): Details {
  const details = JSON.parse(text) as Details & { releases: ShortRelease[] };
  return { ...details, releases: expandReleases(details) };
}

/** Makes a value once. It keeps no promise: a Worker cancels those of a request whose client has gone, and others would wait for ever. */
function keep<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Value } | undefined;
  return async () => {
    kept ??= { value: await make() };
    return kept.value;
  };
}
