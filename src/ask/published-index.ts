import { toDay, type Day } from '../core/dates.ts';
import { componentName } from '../core/schemas/component-name.ts';
import type { Run } from '../core/schemas/journal.ts';
import type { PublishedChange } from '../core/schemas/published/changes-file.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import type {
  PackageOwner,
  PackagesFile,
  PoliciesFile,
  PublishedNamedPolicy,
} from '../core/schemas/published/small-files.ts';
import type { SearchedComponent, SearchFile } from '../core/schemas/published/search-file.ts';
import type { AttestationBundle, ReleaseStatement } from '../core/schemas/published/statement.ts';
import type { StatusFile } from '../core/schemas/published/status-file.ts';
import { TooMuchToSearchError } from '../core/query/budget.ts';
import type { Catalogue } from '../core/query/catalogue.ts';
import { rowsOn } from '../core/rows.ts';
import { counted } from '../core/text.ts';
import type { NamedComponent } from './match-names.ts';
import { detailsOn, rowsOfDetails, staleness, type DetailsOn } from './details-on.ts';
import { unpublishedSince, type RecordedYears } from './recorded-years.ts';

/** The documents of a published index, wherever they are: in a folder, behind an address, beside the Worker. */
export interface PublishedDocuments {
  /** A file as text; undefined if there is no file of this path. Throws if it cannot be read. */
  read(path: string): Promise<string | undefined>;
}

/** What questions are answered from, as of the day they are asked. Each document is read when it is first needed. */
export interface PublishedIndex {
  /** The day that is asked for; never before the day of the build. */
  day(): Promise<Day>;
  /** That the index was built too long ago, in a sentence; undefined where it was not. */
  staleness(): Promise<string | undefined>;
  /** What is known of all components, as of the day of the build. */
  status(): Promise<StatusFile>;
  /** Every component by its names. */
  named(): Promise<readonly NamedComponent[]>;
  /** As of the day that is asked for. Undefined if there is no such component; an earlier name gives the component of now. */
  details(component: string): Promise<DetailsOn | undefined>;
  /** The facts about the releases of each component, under its name. */
  searched(): Promise<ReadonlyMap<string, SearchedComponent>>;
  /** The releases to choose from; where only those of one component are wanted, no more needs to be read. */
  catalogue(component?: string): Promise<Catalogue>;
  /** Of the files that the index serves, by path. */
  digests(): Promise<ReadonlyMap<string, string>>;
  /** The components that packages belong to, by package URL. */
  packages(): Promise<ReadonlyMap<string, readonly PackageOwner[]>>;
  /** What a scan may ask. */
  policies(): Promise<readonly PublishedNamedPolicy[]>;
  /** What was stated and signed about its releases, the newest last; empty where nothing was. */
  statements(component: string): Promise<readonly SignedStatement[]>;
  /** From which instant of recording on a client may lack something that asks for what is new since an instant. */
  unpublishedSince(instant: number): Promise<number>;
  /** The feed of a component. */
  feed(component: string): Promise<string | undefined>;
  readonly recordedChanges: RecordedYears<PublishedChange>;
  /** The runs of the index. */
  readonly recordedBuilds: RecordedYears<Run>;
}

export interface SignedStatement {
  readonly envelope: AttestationBundle['dsseEnvelope'];
  readonly statement: ReleaseStatement;
}

export type { PublishedChange, SearchedComponent };

/**
 * Opens an index, which must not change while it is open: what was read is kept. `mostSearched`: characters of `search.json`
 * and its parts; `today`: the day that is asked for.
 */
export function openIndex(
  documents: PublishedDocuments,
  mostSearched = Infinity,
  today = () => toDay(new Date()),
): PublishedIndex {
  const { known, once } = createMemory();
  let day = '';

  /** What was made for another day is forgotten. */
  async function currentDay(): Promise<Day> {
    const { asOf } = await status();
    const now = today();
    const current = now > asOf ? now : asOf;
    if (current !== day) known.delete('catalogue');
    return (day = current);
  }

  const digests = () =>
    once('digests', async () => {
      const listed = (await documents.read('SHA256SUMS')) ?? '';
      return new Map(
        Array.from(listed.matchAll(/^(\w+) [ *](.+)$/gm), ([, digest, path]) => [path!, digest!]),
      );
    });

  const status = () => once('status', () => readJson<StatusFile>(documents, 'status.json'));

  async function details(component: string): Promise<DetailsOn | undefined> {
    if (!componentName.test(component)) return undefined;
    const text = await documents.read(`details/${component}.json`);
    return text === undefined ? undefined : detailsOn(JSON.parse(text) as DetailsFile, await currentDay());
  }

  async function searched() {
    return once('searched', async () => {
      let length = 0;
      const components = await readSearched(async (path) => {
        const text = await readText(documents, path);
        length += text.length;
        if (length > mostSearched) {
          const limit = counted(Math.round(mostSearched / 2 ** 20), 'MiB');
          throw new TooMuchToSearchError(`there is more to search than ${limit}, which is what fits here`);
        }
        // Another request may have been faster.
        return known.has('searched') ? { components: {} } : (JSON.parse(text) as SearchFile);
      });
      return new Map(components);
    });
  }

  async function whole() {
    const day = await currentDay();
    return once('catalogue', async () => catalogueOn(day, await status(), await searched()));
  }

  async function ofOne(component: string): Promise<Catalogue> {
    const found = await details(component);
    // A document under an old name is about another component.
    return found?.component === component ? rowsOfDetails(found, await status()) : [];
  }

  const recordedBuilds = openYears<Run>(documents, digests, 'builds');

  return {
    day: currentDay,
    staleness: async () => staleness(await status(), await currentDay()),
    status,
    named: async () => namedIn(await status()),
    details,
    searched,
    catalogue: (component) =>
      component === undefined || known.has('catalogue') ? whole() : ofOne(component),
    digests,
    packages: () =>
      once('packages', async () => {
        const { packages } = await readJson<PackagesFile>(documents, 'packages.json');
        return new Map(Object.entries(packages));
      }),
    policies: () =>
      once('policies', async () => {
        const { policies } = await readJson<PoliciesFile>(documents, 'policies.json');
        return policies;
      }),
    async statements(component) {
      if (!componentName.test(component)) return [];
      const text = await documents.read(`statements/${component}.ndjson`);
      const lines = (text ?? '').split('\n').filter((line) => line !== '');
      return lines.map((line) => {
        const { dsseEnvelope: envelope } = JSON.parse(line) as AttestationBundle;
        const payload = Uint8Array.from(atob(envelope.payload), (letter) => letter.codePointAt(0)!);
        return { envelope, statement: JSON.parse(new TextDecoder().decode(payload)) as ReleaseStatement };
      });
    },
    unpublishedSince: (instant) => unpublishedSince(recordedBuilds, instant),
    feed: async (component) =>
      componentName.test(component) ? documents.read(`feeds/${component}.atom`) : undefined,
    recordedChanges: openYears(documents, digests, 'changes'),
    recordedBuilds,
  };
}

export function namedIn({ components }: StatusFile): NamedComponent[] {
  return Object.entries(components).map(([name, { title = name, aliases }]) => ({ name, title, aliases }));
}

/** The components of `search.json` and its parts, by name. */
export async function readSearched(
  read: (path: string) => Promise<SearchFile>,
): Promise<[name: string, searched: SearchedComponent][]> {
  const found: [string, SearchedComponent][] = [];
  const waiting = ['search.json'];
  for (const path of waiting) {
    const { components, parts = [] } = await read(path);
    found.push(...Object.entries(components));
    waiting.push(...parts);
  }
  return found;
}

/** The releases of components on a day, with the freshness of each, which moves every day. */
export function catalogueOn(
  day: Day,
  { components: stated }: StatusFile,
  components: Iterable<readonly [string, SearchedComponent]>,
): Catalogue {
  return Array.from(components, ([component, facts]) => {
    const freshness = stated[component]?.state;
    return rowsOn(facts, day, { component, ...(freshness && { freshness }) });
  }).flat();
}

/** `<name>/<year>.json`, each with the entries under the same name. */
function openYears<Entry>(
  documents: PublishedDocuments,
  digests: PublishedIndex['digests'],
  name: 'changes' | 'builds',
): RecordedYears<Entry> {
  const { once } = createMemory();

  const years = () =>
    once('years', async () => {
      const form = new RegExp(String.raw`^${name}/(\d{4})\.json$`);
      const found = Array.from((await digests()).keys(), (path) => form.exec(path)?.[1]);
      return found
        .filter((year) => year !== undefined)
        .sort()
        .reverse();
    });

  return {
    years,
    /** Only of the newest year is it asked often; all of them would take much room. */
    async of(year) {
      const read = () => readJson<Record<string, readonly Entry[]>>(documents, `${name}/${year}.json`);
      const [newest] = await years();
      return (await (year === newest ? once('newest year', read) : read()))[name]!;
    },
  };
}

/** Milliseconds between two looks at what another request makes, and how long it is left to do so. */
const lookEachMs = 10;
const mostWaitedMs = 3000;

/**
 * What was made is kept, and is made once however many requests come at the same time. None of them waits for the promise of
 * another, which may have gone: a Worker ends whatever the one who left was waiting for. Each looks again for itself, and
 * makes it where the other does not.
 */
export function createMemory() {
  const known = new Map<string, unknown>();
  const madeUntil = new Map<string, number>();
  return {
    known,
    async once<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
      while (!known.has(key) && Date.now() < (madeUntil.get(key) ?? 0))
        await new Promise((done) => setTimeout(done, lookEachMs));
      if (known.has(key)) return known.get(key) as Value;
      madeUntil.set(key, Date.now() + mostWaitedMs);
      try {
        const made = await make();
        if (!known.has(key)) known.set(key, made);
        return known.get(key) as Value;
      } finally {
        madeUntil.delete(key);
      }
    },
  };
}

async function readText(documents: PublishedDocuments, path: string): Promise<string> {
  const text = await documents.read(path);
  if (text === undefined) throw new Error(`${path} is missing in the index`);
  return text;
}

async function readJson<Document>(documents: PublishedDocuments, path: string): Promise<Document> {
  return JSON.parse(await readText(documents, path)) as Document;
}
