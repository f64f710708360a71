import { toDay, type Day } from '../../core/model/dates.ts';
import { componentName } from '../../core/schemas/definition/component-name.ts';
import type { Run } from '../../core/schemas/recorded/journal.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type {
  PackageOwner,
  PackagesFile,
  PoliciesFile,
  PublishedNamedPolicy,
} from '../../core/schemas/published/small-files.ts';
import type { SearchedComponent, SearchFile } from '../../core/schemas/published/search-file.ts';
import type { StatementBundle, ReleaseStatement } from '../../core/schemas/published/statement.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import { TooMuchToSearchError } from '../../core/query/budget.ts';
import type { Catalogue } from '../../core/query/catalogue.ts';
import { rowsOn } from '../../core/query/rows.ts';
import { counted } from '../../core/text/text.ts';
import type { NamedComponent } from './match-names.ts';
import {
  detailsOn,
  rowsOfDetails,
  silenceOf,
  staleness,
  type DetailsOn,
  type Silence,
} from './details-on.ts';
import { unpublishedSince, type RecordedYears } from './recorded-years.ts';

/** The documents of a published index: in a folder, at an address, or in the assets of the Worker. */
export interface PublishedDocuments {
  /** A file as text; undefined if the file does not exist. Throws if it cannot be read. */
  read(path: string): Promise<string | undefined>;
  /** The instant at which they were published, in milliseconds since 1970; undefined if unknown. */
  publishedAt?(): Promise<number | undefined>;
}

/** A published index with its states today. Each document is read when it is first needed. */
export interface PublishedIndex {
  /** Today, but never before the day of the build. */
  day(): Promise<Day>;
  /** A warning if the index was built too long ago. */
  staleness(): Promise<string | undefined>;
  /** Which sources of a component have not answered, as of the day of the build. */
  silence(component: string): Promise<Silence>;
  /** As of the day of the build. */
  status(): Promise<StatusFile>;
  /** The names of all components. */
  named(): Promise<readonly NamedComponent[]>;
  /** As of today. Undefined if the component does not exist; a former name gives the renamed component. */
  details(component: string): Promise<DetailsOn | undefined>;
  /** The facts about the releases of each component, by component name. */
  searched(): Promise<ReadonlyMap<string, SearchedComponent>>;
  /** The releases of all components, or of one: then it reads only the document of that component. */
  catalogue(component?: string): Promise<Catalogue>;
  /** The SHA-256 digests of the published files, by path. */
  digests(): Promise<ReadonlyMap<string, string>>;
  /** The components that packages belong to, by package URL. */
  packages(): Promise<ReadonlyMap<string, readonly PackageOwner[]>>;
  policies(): Promise<readonly PublishedNamedPolicy[]>;
  /** The signed statements about the releases of a component, newest last. */
  statements(component: string): Promise<readonly SignedStatement[]>;
  /** The instant at which the index was published, in milliseconds since 1970; undefined if unknown. */
  publishedAt(): Promise<number | undefined>;
  /** See `unpublishedSince` in recorded-years.ts. In milliseconds since 1970. */
  unpublishedSince(instant: number): Promise<number>;
  readonly recordedChanges: RecordedYears<PublishedChange>;
  /** The runs that gathered and recorded the index. */
  readonly recordedBuilds: RecordedYears<Run>;
}

export interface SignedStatement {
  readonly envelope: StatementBundle['dsseEnvelope'];
  readonly statement: ReleaseStatement;
}

/**
 * Opens an index and keeps what it reads, so the files must not change meanwhile. `mostSearched`: maximum characters of
 * `search.json` and its parts.
 */
export function openIndex(
  documents: PublishedDocuments,
  mostSearched = Infinity,
  today = () => toDay(new Date()),
): PublishedIndex {
  const { known: remembered, once } = createMemory();
  let day = '';

  /** Drops the catalogue when the day changes. */
  async function currentDay(): Promise<Day> {
    const { asOf } = await status();
    const now = today();
    const current = now > asOf ? now : asOf;
    if (current !== day) {
      remembered.delete('catalogue');
    }

    return (day = current);
  }

  const digests = () =>
    once('digests', async () => {
      const listed = (await documents.read('SHA256SUMS')) ?? '';
      const lines = Array.from(listed.matchAll(/^\w+ [ *].+$/gm), ([line]) => line);

      return new Map(lines.map((line) => [line.replace(/^\w+ ./, ''), line.replace(/ .*/, '')]));
    });

  const status = () => once('status', () => readJson<StatusFile>(documents, 'status.json'));

  async function details(component: string): Promise<DetailsOn | undefined> {
    if (!componentName.test(component)) {
      return undefined;
    }

    const text = await documents.read(`details/${component}.json`);

    return text === undefined
      ? undefined
      : detailsOn(JSON.parse(text) as DetailsFile, await currentDay());
  }

  /** Reads `search.json` and its parts. */
  async function searched() {
    return once('searched', async () => {
      let length = 0;
      const byName = new Map<string, SearchedComponent>();
      const waiting = ['search.json'];

      for (const path of waiting) {
        const text = await readText(documents, path);

        length += text.length;

        if (length > mostSearched) {
          const limit = counted(Math.round(mostSearched / 2 ** 20), 'MiB');
          throw new TooMuchToSearchError(`the search data is larger than ${limit}, the limit here`);
        }

        // Another request may have parsed it meanwhile.
        if (remembered.has('searched')) {
          break;
        }

        const { components, parts = [] } = JSON.parse(text) as SearchFile;

        for (const [name, component] of Object.entries(components)) {
          byName.set(name, component);
        }

        waiting.push(...parts);
      }

      return byName;
    });
  }

  async function whole() {
    const day = await currentDay();

    return once('catalogue', async (): Promise<Catalogue> => {
      const { components } = await status();
      return Array.from(await searched(), ([component, facts]) => {
        return rowsOn(facts, day, { component, freshness: components[component]?.state });
      }).flat();
    });
  }

  async function ofOne(component: string): Promise<Catalogue> {
    const document = await details(component);
    // The document of a former name holds the renamed component.
    return document?.component === component ? rowsOfDetails(document, await status()) : [];
  }

  const recordedBuilds = openYears<Run>(documents, digests, 'builds');
  const publishedAt = () => once('published at', async () => documents.publishedAt?.());

  return {
    day: currentDay,
    staleness: async () => staleness(await status(), await currentDay()),
    silence: async (component) => silenceOf((await status()).components[component]?.troubles),
    status,
    named: () =>
      once('named', async () => {
        const { components } = await status();

        return Object.entries(components).map(([name, { title, aliases }]) => ({
          name,
          title,
          aliases,
        }));
      }),
    details,
    searched,
    catalogue: (component) =>
      component === undefined || remembered.has('catalogue') ? whole() : ofOne(component),
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
      if (!componentName.test(component)) {
        return [];
      }

      const text = await documents.read(`statements/${component}.ndjson`);
      const lines = (text ?? '').split('\n').filter((line) => line !== '');

      return lines.map((line) => {
        const { dsseEnvelope: envelope } = JSON.parse(line) as StatementBundle;
        const payload = Uint8Array.from(atob(envelope.payload), (letter) => letter.charCodeAt(0));

        return {
          envelope,
          statement: JSON.parse(new TextDecoder().decode(payload)) as ReleaseStatement,
        };
      });
    },
    publishedAt,
    unpublishedSince: async (instant) =>
      unpublishedSince(recordedBuilds, instant, await publishedAt()),
    recordedChanges: openYears(documents, digests, 'changes'),
    recordedBuilds,
  };
}

/** Opens `<name>/<year>.json`; each file has its entries in a field of the same name. */
function openYears<Entry>(
  documents: PublishedDocuments,
  digests: PublishedIndex['digests'],
  name: 'changes' | 'builds',
): RecordedYears<Entry> {
  const { once } = createMemory();

  const years = () =>
    once('years', async () => {
      const form = new RegExp(String.raw`^${name}/(\d{4})\.json$`);
      const names = Array.from((await digests()).keys(), (path) => form.exec(path)?.[1]);

      return names
        .filter((year) => year !== undefined)
        .sort()
        .reverse();
    });

  return {
    years,
    /** Keeps only the newest year, the one most read, to save memory. */
    async of(year) {
      const read = () =>
        readJson<Record<typeof name, readonly Entry[]>>(documents, `${name}/${year}.json`);
      const [newest] = await years();

      return (await (year === newest ? once('newest year', read) : read()))[name];
    },
  };
}

/** Interval at which a request looks for the value that another request makes, and the time after which it makes the value itself. */
const lookEachMs = 10;
const mostWaitedMs = 3000;

/**
 * Keeps values, and makes each value once even if several requests need it at the same time. A request polls for the value
 * instead of awaiting the promise of another request: a Worker cancels the promises of a request whose client has gone.
 */
function createMemory() {
  const remembered = new Map<string, unknown>();
  const madeUntil = new Map<string, number>();

  return {
    known: remembered,
    async once<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
      while (!remembered.has(key) && Date.now() < (madeUntil.get(key) ?? 0)) {
        await new Promise((done) => setTimeout(done, lookEachMs));
      }

      if (remembered.has(key)) {
        return remembered.get(key) as Value;
      }

      madeUntil.set(key, Date.now() + mostWaitedMs);

      try {
        const made = await make();

        if (!remembered.has(key)) {
          remembered.set(key, made);
        }

        return remembered.get(key) as Value;
      } finally {
        madeUntil.delete(key);
      }
    },
  };
}

/** Throws an error if the index lacks the document. */
export async function readText(documents: PublishedDocuments, path: string): Promise<string> {
  const text = await documents.read(path);
  if (text === undefined) {
    throw new Error(`${path} is missing in the index`);
  }

  return text;
}

export async function readJson<Document>(
  documents: PublishedDocuments,
  path: string,
): Promise<Document> {
  return JSON.parse(await readText(documents, path)) as Document;
}
