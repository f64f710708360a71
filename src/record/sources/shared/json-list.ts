import jsonata from 'jsonata';
import * as z from 'zod';
import type { Fetcher } from '../../../io/http/client.ts';
import type { HttpRequest } from '../../../io/http/request.ts';
import type {
  DescribeContext,
  ListedRelease,
  PackageCoordinates,
  PackageDescription,
  RequestedFacts,
  SourceAnswer,
  SourceContext,
} from '../datasource.ts';
import {
  completeDigests,
  expectPackage,
  listElements,
  readElements,
  readJson,
  Stated,
} from './elements.ts';
import { createAddressBelow, fetchPages, resolveAtHost } from './requests.ts';

/**
 * A registry that answers with a JSON list, or with pages of it. In an address, `{packageName}` is one segment, and
 * `{+packageName}` may be several, as in RFC 6570.
 */
interface JsonList {
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
  /** Makes `Facts`, or nothing of an entry that is not a release. `$version` is its version or tag. */
  release: Reading;
  /** One more document of a release, and its `releaseTimestamp`; `{digest}` in its address is the digest of the release. */
  more?: MoreDocument;
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

/**
 * An expression in JSONata, and the schema of the document that it reads. JSONata gives nothing for a value of another type, and
 * reports no error. It sees only the keys of the schema.
 */
interface Reading {
  schema: z.ZodType;
  expression: string;
}

interface MoreDocument extends Reading {
  address: string;
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
        completeDigests(pairs.map(({ artifact, digest }) => [artifact, digest])),
      ),
  })
  .optional();

/** An optional value of a schema: JSONata takes null for a value. */
export function orNull<T>(schema: z.ZodType<T>) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const MoreFacts = z.object({ releaseTimestamp: Text });

type Evaluate = (document: unknown, variables?: Record<string, unknown>) => Promise<unknown>;

/** The functions of an adapter that read a registry's list and its documents of packages. */
export function createListAdapter(row: JsonList) {
  const { more } = row;
  const evaluateRelease = createEvaluator(row.release);
  const evaluateMore = more && createEvaluator(more);

  return {
    async gather(source: PackageCoordinates, { http }: SourceContext): Promise<SourceAnswer> {
      const first = createRequest(row, row.address, source);
      const entries = await fetchEntries(http, first, row.entries);
      const answer = await readList(row, evaluateRelease, first.url, entries);
      if (!more || !evaluateMore) {
        return answer;
      }

      const releases = answer.releases.map((release) => ({
        ...release,
        async *requestFacts() {
          const [digest] = Object.values(release.digests ?? {});
          const request = createRequest(row, more.address, source, digest);
          yield await requestMore(http, request, more, evaluateMore);
        },
      }));
      return { ...answer, releases };
    },
    readList: (url: string, entries: readonly unknown[]) =>
      readList(row, evaluateRelease, url, entries),
    describe: (source: PackageCoordinates, { http }: DescribeContext) =>
      describePackage(row, source, http),
  };
}

async function readList(
  { version, release }: JsonList,
  evaluate: Evaluate,
  url: string,
  entries: readonly unknown[],
) {
  const { readable, ...problems } = readElements(
    url,
    listElements(entries, version),
    release.schema,
  );
  const releases: ListedRelease[] = [];
  for (const { name, value } of readable) {
    const facts = Facts.parse(await evaluate(value, { version: name }));
    if (facts) {
      releases.push({ ...facts, name });
    }
  }
  return { ...problems, releases };
}

/** The facts of one more document. It is not kept: what it states is recorded, and no later run asks for it. */
async function requestMore(
  http: Fetcher,
  request: HttpRequest,
  { schema }: MoreDocument,
  evaluate: Evaluate,
): Promise<RequestedFacts> {
  const document = readJson(await http.fetch({ ...request, isKept: false }), schema);
  return MoreFacts.parse(await evaluate(document));
}

async function describePackage(
  row: JsonList,
  source: PackageCoordinates,
  http: Fetcher,
): Promise<PackageDescription> {
  const { address, keys, changesPath, namesPackage } = row.package;
  const request = createRequest(row, address, source);
  const document = readJson(await http.fetch(request), z.looseObject({}));
  const texts = Object.entries(keys).map(([key, field]) => [key, Stated.parse(document[field])]);
  const described = Object.fromEntries(texts) as PackageDescription;
  if (namesPackage) {
    expectPackage(request.url, source.packageName, described.title);
  }

  const { repository } = described;
  return changesPath === undefined
    ? described
    : { ...described, changelogUrl: repository && `${repository}${changesPath}` };
}

function createRequest(
  { registry, optionalPath, request = { accept: ['application/json'] } }: JsonList,
  address: string,
  { packageName, registryUrl = registry }: PackageCoordinates,
  digest = '',
): HttpRequest {
  const [path = '', query] = address.split('?');
  const segments = path
    .split('/')
    .flatMap((segment) =>
      segment === '{+packageName}'
        ? packageName.split('/')
        : segment.replace('{packageName}', () => packageName).replace('{digest}', () => digest),
    );
  const base = optionalPath ? registryUrl.replace(optionalPath, '') : registryUrl;
  return { ...request, url: createAddressBelow(base, segments, query) };
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

/** Compiles an expression. Its concurrent evaluations have their own variables. */
function createEvaluator({ expression }: Reading): Evaluate {
  const compiled = jsonata(expression);
  return (document, variables = {}) => compiled.evaluate(document, variables);
}
