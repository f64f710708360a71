import jsonata from 'jsonata';
import * as z from 'zod';
import type { Fetcher } from '../../../io/http/client.ts';
import type { HttpRequest } from '../../../io/http/request.ts';
import type {
  RequestContext,
  PackageSource,
  PackageDescription,
  SourceContext,
  ListedRelease,
} from '../datasource.ts';
import {
  listElements,
  readElements,
  expectPackage,
  readJson,
  OptionalText,
  collectDigests,
} from './document.ts';
import { joinUrl, fetchPages, resolveAtHost } from './requests.ts';

/**
 * A registry that answers with a JSON list, or with pages of it. In an address, `{packageName}` is one segment, and
 * `{+packageName}` may be several, as in RFC 6570.
 */
interface JsonList {
  /** The address of the registry unless a definition names another. */
  registry: string;
  /** The end of a registry's address that a definition may include. */
  optionalPath?: RegExp;
  request?: Omit<HttpRequest, 'url'>;
  /** The first page. */
  address: string;
  /** The key of the list in a page, beside `next`. Without it a page is a list, and the header `Link` leads to the next. */
  entries?: string;
  /** The key of the version or tag in an entry. */
  version: string;
  /**
   * A JSONata expression that makes `Facts` of an entry, or nothing of an entry that is not a release. `$version` is its version
   * or tag. JSONata gives nothing for a value of another type, so a schema reports it. The expression sees only the schema's keys.
   */
  release: { schema: z.ZodType; expression: string };
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

const Text = z.string().optional();

const Facts = z
  .strictObject({
    releaseTimestamp: Text,
    changelogUrl: Text,
    notes: Text,
    isPrerelease: z.boolean().optional(),
    /** Pairs: an object in JSONata has no key `__proto__`. */
    digests: z
      .array(z.object({ artifact: Text, digest: Text }))
      .default([])
      .transform((pairs) =>
        collectDigests(pairs.map(({ artifact, digest }) => [artifact, digest])),
      ),
  })
  .optional();

/** A value that may be absent or null. Null becomes absent, because JSONata treats it as a value. */
export function orNull<T>(schema: z.ZodType<T>) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** The functions of an adapter that read a registry's list and its documents of packages. */
export function createListAdapter(list: JsonList) {
  // Concurrent evaluations of one compiled expression have their own variables.
  const expression = jsonata(list.release.expression);

  async function readList(url: string, entries: readonly unknown[]) {
    const elements = listElements(entries, list.version);
    const { readable, ...unreadable } = readElements(url, elements, list.release.schema);
    const releases: ListedRelease[] = [];
    for (const { name, value } of readable) {
      const facts = Facts.parse(await expression.evaluate(value, { version: name }));
      if (facts) {
        releases.push({ ...facts, name });
      }
    }
    return { ...unreadable, releases };
  }

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
  list: JsonList,
  source: PackageSource,
  http: Fetcher,
): Promise<PackageDescription> {
  const { address, keys, changesPath, namesPackage } = list.package;
  const request = createRequest(list, address, source);
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
  { registry, optionalPath, request }: JsonList,
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
