import * as z from 'zod';
import { quote } from '../../core/text/foreign-text.ts';
import {
  defineSource,
  definePackage,
  isRegistry,
  type SourceContext,
  matchPackage,
  SourceError,
} from './datasource.ts';
import {
  listElements,
  readReleases,
  expectPackage,
  listTextLines,
  OptionalText,
  collectDigests,
  readSemverPrerelease,
} from './shared/document.ts';
import { joinUrl, fetchJson, fetchPages, fileTypes, resolveAtHost } from './shared/requests.ts';

/** doc.rust-lang.org/cargo/reference/registry-index.html, "JSON schema". Older entries have no `pubtime`. */
const Entry = z.object({
  name: z.string().optional(),
  yanked: z.boolean().nullish(),
  pubtime: z.string().nullish(),
  /** SHA-256 of the `.crate` file. */
  cksum: z.string().optional().catch(undefined),
});

/**
 * An addition of crates.io to the web API of registries: github.com/rust-lang/crates.io, src/controllers/krate/versions.rs. An
 * unreadable version has no day.
 */
const Versions = z.object({
  versions: z.array(
    z.object({ num: z.string(), created_at: z.string() }).optional().catch(undefined),
  ),
  meta: z.object({ next_page: z.string().nullish() }).nullish(),
});

/** github.com/rust-lang/crates.io, src/controllers/krate/metadata.rs. */
const Described = z.object({
  crate: z.object({
    name: OptionalText,
    description: OptionalText,
    homepage: OptionalText,
    repository: OptionalText,
  }),
});

/** The web API of crates.io supplies the days that the index lacks, and the description. */
const cratesApiUrl = 'https://crates.io/';

/** Types of an index in plain file storage. */
const storageTypes = ['application/json', 'application/x-ndjson', ...fileTypes];

const defaultRegistry = 'https://index.crates.io/';

export const crate = defineSource({
  datasource: 'crate',
  osvEcosystem: 'crates.io',
  defaultRegistry,
  coordinates: definePackage(
    /^[A-Za-z][\w-]*$/,
    'crate',
    'the index of crates.io',
    defaultRegistry,
  ),
  renovate: matchPackage,
  statesDeprecation: true,
  async gather({ packageName, registryUrl: index = defaultRegistry }, context) {
    const crateName = packageName.toLowerCase();
    const url = joinUrl(index, createIndexPath(crateName));
    const response = await context.http.fetch({
      url,
      accept: ['text/plain'],
      alsoAccept: storageTypes,
    });
    const entries = listElements(parseLines(url, response.text()), 'vers');

    let days: ReturnType<typeof fetchDays> | undefined;
    async function* requestDay(version: string) {
      // The first request fetches the days of all versions.
      days ??= fetchDays(packageName, context);
      yield { releaseTimestamp: (await days).get(version) };
    }

    return readReleases(url, entries, Entry, ({ name, pubtime, yanked, cksum }, version) => {
      expectPackage(url, crateName, name?.toLowerCase());
      return {
        releaseTimestamp: pubtime || undefined,
        // Empty: without a reason.
        deprecated: yanked ? '' : undefined,
        isPrerelease: readSemverPrerelease(version),
        digests: collectDigests([[version, cksum]]),
        requestFacts: isRegistry(index, defaultRegistry) ? () => requestDay(version) : undefined,
      };
    });
  },
  async describe({ packageName, registryUrl = defaultRegistry }, { http }) {
    // Other registries have only an index of versions.
    if (!isRegistry(registryUrl, defaultRegistry)) {
      return {};
    }

    const url = joinUrl(cratesApiUrl, ['api', 'v1', 'crates', packageName], 'include=');
    const { name, ...described } = (await fetchJson(http, url, Described)).crate;
    expectPackage(url, packageName.toLowerCase(), name?.toLowerCase());

    const registryPage = joinUrl(cratesApiUrl, ['crates', packageName]);
    return { title: name, ...described, registryPage };
  },
});

/** The path of a crate's entries: doc.rust-lang.org/cargo/reference/registry-index.html, "Index files". */
function createIndexPath(name: string): string[] {
  if (name.length <= 2) {
    return [String(name.length), name];
  }
  if (name.length === 3) {
    return ['3', name.slice(0, 1), name];
  }

  return [name.slice(0, 2), name.slice(2, 4), name];
}

/** One JSON document per line. */
function parseLines(url: string, text: string): unknown[] {
  return listTextLines(url, text).map((line, index) => {
    try {
      return JSON.parse(line) as unknown;
    } catch (error) {
      const beginning = quote(line.slice(0, 40));
      const problem = `entry ${index + 1} is not valid JSON (it begins with ${beginning})`;
      throw SourceError.at(url, problem, { cause: error });
    }
  });
}

/** The days of all versions, by version. */
async function fetchDays(
  packageName: string,
  { http }: SourceContext,
): Promise<Map<string, string>> {
  const path = ['api', 'v1', 'crates', packageName, 'versions'];
  const url = joinUrl(cratesApiUrl, path, 'per_page=100');
  const request = { url, isKept: false };
  const pages = await fetchPages(http, request, Versions, (response, { meta }) =>
    meta?.next_page ? resolveAtHost(response, meta.next_page, 'next_page') : undefined,
  );
  const versions = pages
    .flatMap((page) => page.versions)
    .filter((version) => version !== undefined);
  return new Map(versions.map(({ num, created_at }) => [num, created_at]));
}
