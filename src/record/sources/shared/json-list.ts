import * as z from 'zod';
import type { Fetcher } from '../../../io/http/client.ts';
import type { HttpRequest } from '../../../io/http/request.ts';
import type {
  RequestContext,
  PackageSource,
  PackageDescription,
  SourceContext,
  ListedFacts,
} from '../datasource.ts';
import { listElements, readReleases, expectPackage, readJson, OptionalText } from './document.ts';
import { joinUrl, fetchPages, resolveAtHost } from './requests.ts';

/** A registry with documents in JSON. In an address, `{packageName}` is one segment, and `{+packageName}` may be several, as in RFC 6570. */
interface JsonRegistry {
  /** The address of the registry unless a definition names another. */
  registry: string;
  /** The end of a registry's address that a definition may include. */
  optionalPath?: RegExp;
  request?: Omit<HttpRequest, 'url'>;
  /** The package's own document, and its keys for a description. */
  package: {
    address: string;
    keys: Partial<Record<keyof PackageDescription, string>>;
    /** The page of its changes, below that of its repository. */
    changesPath?: string;
    /** The document states the package's name, which must be the one of the definition. */
    namesPackage?: true;
  };
}

/** A registry that answers with a JSON list, or with pages of it. */
interface JsonList<Entry> extends JsonRegistry {
  /** The first page. */
  address: string;
  /** The key of the list in a page, beside `next`. Without it a page is a list, and the header `Link` leads to the next. */
  entries?: string;
  /** The key of the version or tag in an entry. */
  version: string;
  schema: z.ZodType<Entry>;
  /** The facts of an entry, or nothing of an entry that is no release. `name`: its version or tag. */
  readFacts(entry: Entry, name: string): ListedFacts | undefined;
}

/** The functions of an adapter that read a registry's list and its documents of packages. */
export function createListAdapter<Entry>(list: JsonList<Entry>) {
  const readList = (url: string, entries: readonly unknown[]) =>
    readReleases(url, listElements(entries, list.version), list.schema, list.readFacts);

  return {
    async gather(source: PackageSource, { http }: SourceContext) {
      const first = createRequest(list, list.address, source);
      return readList(first.url, await fetchEntries(http, first, list.entries));
    },
    readList,
    describe: (source: PackageSource, { http }: RequestContext) =>
      describePackage(list, source, http),
  };
}

async function describePackage(
  registry: JsonRegistry,
  source: PackageSource,
  http: Fetcher,
): Promise<PackageDescription> {
  const { address, keys, changesPath, namesPackage } = registry.package;
  const request = createRequest(registry, address, source);
  const document = readJson(await http.fetch(request), z.looseObject({}));
  const texts = Object.entries(keys).map(([key, field]) => [
    key,
    OptionalText.parse(document[field]),
  ]);
  const described = Object.fromEntries(texts) as PackageDescription;
  if (namesPackage) {
    expectPackage(request.url, source.packageName, described.title);
  }

  const { repository } = described;
  return changesPath === undefined
    ? described
    : { ...described, changelogUrl: repository && `${repository}${changesPath}` };
}

/** A request at one of the addresses of a registry. */
function createRequest(
  { registry, optionalPath, request = { accept: ['application/json'] } }: JsonRegistry,
  address: string,
  { packageName, registryUrl = registry }: PackageSource,
): HttpRequest {
  const [path = '', query] = address.split('?');
  const segments = path
    .split('/')
    .flatMap((segment) =>
      segment === '{+packageName}'
        ? packageName.split('/')
        : segment.replace('{packageName}', () => packageName),
    );
  const base = optionalPath ? registryUrl.replace(optionalPath, '') : registryUrl;
  return { ...request, url: joinUrl(base, segments, query) };
}

async function fetchEntries(
  http: Fetcher,
  first: HttpRequest,
  key: string | undefined,
): Promise<unknown[]> {
  if (key === undefined) {
    return (await fetchPages(http, first, z.array(z.unknown()))).flat();
  }

  const Page = z.looseObject({ [key]: z.array(z.unknown()), next: z.string().nullish() });
  const pages = await fetchPages(http, first, Page, (response, { next }) =>
    typeof next === 'string' ? resolveAtHost(response, next, 'next') : undefined,
  );
  // The schema has checked this key.
  return pages.flatMap((page) => page[key] as unknown[]);
}
