import type { Day } from '../dates.ts';
import { componentName } from '../model/component-name.ts';
import type { ChangesYearFile } from '../model/published/changes-file.ts';
import type { DetailsFile } from '../model/published/details-file.ts';
import type { PublishedComing, SearchFile } from '../model/published/search-file.ts';
import type { StatusFile } from '../model/published/status-file.ts';
import type { Row } from '../query/fields.ts';
import { unfold, type FoldedComponent } from '../query/folded.ts';

/** The documents of a published index, wherever they lie: in a folder, behind an address, beside the Worker. */
export interface PublishedDocuments {
  /** A file as text; undefined where there is none of this path. Throws where it cannot be read. */
  read(path: string): Promise<string | undefined>;
}

/** What questions are answered from. Each document is read when it is first needed. */
export interface PublishedIndex extends PublishedReleases {
  /** Newest first: those on the day and later, or all. */
  changes(since?: Day): Promise<readonly PublishedChange[]>;
}

/** What is known of releases. */
export interface PublishedReleases {
  /** What is known of all components, and the day that all verdicts are of. */
  status(): Promise<StatusFile>;
  /** Undefined for what is no component. An old name gives what is there now. */
  details(component: string): Promise<DetailsFile | undefined>;
  /** What is shared by all releases of a component, and its coming changes, under its name. */
  searched(): Promise<ReadonlyMap<string, SearchedComponent>>;
  /** Every release, by component, then in version order; without what depends on the day asked for. */
  rows(): Promise<readonly Row[]>;
}

export type SearchedComponent = SearchFile['components'][string];
export type PublishedChange = ChangesYearFile['changes'][number];
export type { PublishedComing };

/** Opens an index, which must not change while it is open: what was read is kept, but never that it could not be read. */
export function openIndex(documents: PublishedDocuments): PublishedIndex {
  return { ...openReleases(documents), changes: openChanges(documents) };
}

/** The part of an index that the pages ask, too. */
export function openReleases(documents: PublishedDocuments): PublishedReleases {
  const once = createMemory();
  const json = <Document>(path: string) => readJson<Document>(documents, path);

  const status = () => once('status', () => json<StatusFile>('status.json'));

  const searched = () =>
    once('searched', async () => {
      const { components, parts = [] } = await json<SearchFile>('search.json');
      const documents = [components];
      for (const path of parts) documents.push((await json<SearchFile>(path)).components);
      return new Map(documents.flatMap((components) => Object.entries(components)));
    });

  const rows = () =>
    once('rows', async () => {
      const { components } = await status();
      return Array.from(await searched()).flatMap(([name, component]) => {
        const freshness = components[name]?.state;
        return unfold(name, component as FoldedComponent).map((row) =>
          freshness === undefined ? row : { ...row, freshness },
        );
      });
    });

  return {
    status,
    searched,
    rows,
    async details(component) {
      if (!componentName.test(component)) return undefined;
      const text = await documents.read(`details/${component}.json`);
      return text === undefined ? undefined : (JSON.parse(text) as DetailsFile);
    },
  };
}

function openChanges(documents: PublishedDocuments): PublishedIndex['changes'] {
  const once = createMemory();

  /** The years in which something changed, newest first. */
  const years = () =>
    once('years', async () => {
      const listed = (await documents.read('SHA256SUMS')) ?? '';
      const found = listed.matchAll(/ changes\/(\d{4})\.json$/gm);
      return Array.from(found, ([, year]) => year!)
        .sort()
        .reverse();
    });

  return async (since = '') => {
    const wanted = (await years()).filter((year) => year >= since.slice(0, 4));
    const files: ChangesYearFile[] = [];
    for (const year of wanted) {
      const path = `changes/${year}.json`;
      files.push(await once(path, () => readJson<ChangesYearFile>(documents, path)));
    }
    return files.flatMap(({ changes }) => changes).filter(({ on }) => on >= since);
  };
}

function createMemory() {
  const known = new Map<string, Promise<unknown>>();
  return <Value>(key: string, make: () => Promise<Value>): Promise<Value> => {
    const made = known.get(key) ?? make();
    known.set(key, made);
    made.catch(() => known.delete(key));
    return made as Promise<Value>;
  };
}

async function readJson<Document>(documents: PublishedDocuments, path: string): Promise<Document> {
  const text = await documents.read(path);
  if (text === undefined) throw new Error(`${path} is missing in the index`);
  return JSON.parse(text) as Document;
}
