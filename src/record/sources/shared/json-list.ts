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
  /** Makes `Facts` of one more document for a release; `{digest}` in its address is the digest of the release. */
  more?: Reading & { address: string };
  /** The package's own document, and its keys for a description. */
  package: {
    address: string;
    keys: Partial<Record<keyof PackageDescription, string>>;
    /** The page of its changes, below that of its repository. */
    changesPath?: string;
    namesPackage?: true;
  };
}

/**
 * An expression in JSONata, evaluated on what the schema returns: JSONata finds nothing in a value of another type, without an
 * error, nor in a key that the schema leaves out.
 */
interface Reading {
  schema: z.ZodType;
  expression: string;
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

/** The functions of an adapter that read a registry's list and its documents of packages. */
export function createListAdapter(row: JsonList) {
  const evaluateRelease = createEvaluator(row.release);
  const more = row.more && { ...row.more, evaluate: createEvaluator(row.more) };

  return {
    async gather(source: PackageCoordinates, { http }: SourceContext): Promise<SourceAnswer> {
      const first = createRequest(row, row.address, source);
      const answer = await readList(first.url, await fetchEntries(http, first, row.entries));
      if (more === undefined) {
        return answer;
      }

      const releases = answer.releases.map((release) => ({
        ...release,
        async *requestFacts() {
          const [digest] = Object.values(release.digests ?? {});
          const request = { ...createRequest(row, more.address, source, digest), isKept: false };
          const document = readJson(await http.fetch(request), more.schema);
          yield (await more.evaluate(document)) as RequestedFacts;
        },
      }));
      return { ...answer, releases };
    },
    readList,
    async describe(
      source: PackageCoordinates,
      { http }: DescribeContext,
    ): Promise<PackageDescription> {
      const { address, keys, changesPath, namesPackage } = row.package;
      const request = createRequest(row, address, source);
      const document = readJson(await http.fetch(request), z.looseObject({}));
      const texts = Object.entries(keys).map(([key, field]) => [
        key,
        Stated.parse(document[field]),
      ]);
      const described = Object.fromEntries(texts) as PackageDescription;
      if (namesPackage) {
        expectPackage(request.url, source.packageName, described.title);
      }

      const { repository } = described;
      return changesPath === undefined
        ? described
        : { ...described, changelogUrl: repository && `${repository}${changesPath}` };
    },
  };

  async function readList(url: string, list: readonly unknown[]) {
    const elements = listElements(list, row.version);
    const { readable, ...unreadable } = readElements(url, elements, row.release.schema);
    const releases: ListedRelease[] = [];
    for (const { name, value } of readable) {
      const facts = Facts.parse(await evaluateRelease(value, { version: name }));
      if (facts) {
        releases.push({ ...facts, name });
      }
    }
    return { ...unreadable, releases };
  }
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
  const url = createAddressBelow(registryUrl.replace(optionalPath ?? '', ''), segments, query);
  return { ...request, url };
}

async function fetchEntries(
  http: Fetcher,
  first: HttpRequest,
  key: string | undefined,
): Promise<unknown[]> {
  if (key === undefined) {
    return (await fetchPages(http, first, z.array(z.unknown()))).flat();
  }

  const Page = z
    .object({ [key]: z.array(z.unknown()) })
    .and(z.object({ next: z.string().nullish() }));
  const pages = await fetchPages(http, first, Page, (response, { next }) =>
    next ? resolveAtHost(response, next, 'next') : undefined,
  );
  return pages.flatMap((page) => page[key]!);
}

/** Compiles an expression. Its concurrent evaluations have their own variables. */
function createEvaluator({ expression }: Reading) {
  const compiled = jsonata(expression);
  return (document: unknown, variables = {}): Promise<unknown> =>
    compiled.evaluate(document, variables);
}
