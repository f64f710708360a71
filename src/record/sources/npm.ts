import { defaultUrl as defaultRegistry } from 'registry-url';
import * as z from 'zod';
import { dropUndefined } from '../../core/model/objects.ts';
import {
  defineSource,
  type RequestContext,
  type PackageSource,
  definePackage,
  matchPackage,
} from './datasource.ts';
import {
  toElements,
  readReleases,
  expectPackage,
  readJson,
  OptionalText,
  collectDigests,
  readSemverPrerelease,
} from './shared/document.ts';
import { joinUrl, fetchPages } from './shared/requests.ts';

/**
 * The packument (github.com/npm/registry, docs/responses/package-metadata.md). It can have 60 MB, so only the parts in use are
 * checked. An unpublished version stays in `time` but not in `versions`, which a package without versions lacks.
 */
const Packument = z
  .object({
    name: z.string().optional(),
    versions: z.record(z.string(), z.unknown()).optional(),
    time: z.record(z.string(), z.unknown()).default({}),
  })
  .refine(({ versions, time }) => versions ?? time['unpublished'], {
    error: 'expected the key versions',
  });

/** `deprecated` is empty after a deprecation was undone; in some registries, it is a boolean. */
const PackumentVersion = z.object({
  deprecated: z.union([z.string(), z.boolean()]).optional(),
  /** Old versions have only a `shasum`, which is SHA-1. Invalid values are ignored. */
  dist: z
    .object({
      integrity: z.string().optional().catch(undefined),
      shasum: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** A description in a package.json. */
const Described = z.object({
  description: OptionalText,
  homepage: OptionalText,
  repository: z
    .union([z.object({ url: OptionalText }).transform(({ url }) => url), OptionalText])
    .optional()
    .catch(undefined),
});

/** Most registries copy the description of the newest release to the top. */
const DescribedPackument = Described.extend({
  name: OptionalText,
  'dist-tags': z.object({ latest: z.string() }).optional().catch(undefined),
  versions: Packument.shape.versions.catch(undefined),
});

/** github.com/npm/registry, docs/REGISTRY-API.md, "search". */
const Search = z.object({
  objects: z.array(z.object({ package: z.object({ name: z.string() }) })),
  total: z.number(),
});

export const npm = defineSource({
  datasource: 'npm',
  osvEcosystem: 'npm',
  defaultRegistry,
  coordinates: definePackage(
    /^(?:@[a-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/,
    '@scope/package',
    "that of npm's own configuration",
    'https://npm.example.com/',
  ),
  renovate: matchPackage,
  statesDeprecation: true,
  async gather(source, context) {
    const { url, response } = await fetchPackument(source, context);
    const { name, versions = {}, time } = readJson(response, Packument);
    expectPackage(url, source.packageName, name);

    // A registry's own packument states when the package was created or modified. Otherwise, a mirror may have stamped the times.
    const isCopy = typeof time['created'] !== 'string' && typeof time['modified'] !== 'string';

    return readReleases(
      url,
      toElements(Object.entries(versions)),
      PackumentVersion,
      (release, version) => {
        const { integrity = '', shasum = '' } = release.dist ?? {};
        const publishedAt = time[version];
        return {
          releaseTimestamp: typeof publishedAt === 'string' && !isCopy ? publishedAt : undefined,
          deprecated: release.deprecated === true ? '' : release.deprecated || undefined,
          isPrerelease: readSemverPrerelease(version),
          digests: collectDigests([
            [`${source.packageName}@${version}`, `${integrity} ${shasum}`.trim()],
          ]),
        };
      },
    );
  },
  async describe(source, context) {
    const { url, response } = await fetchPackument(source, context);
    const packument = readJson(response, DescribedPackument);
    const { name, 'dist-tags': tags, versions, ...described } = packument;
    expectPackage(url, source.packageName, name);
    const newest = tags && Described.safeParse(versions?.[tags.latest]).data;
    return { title: name, ...newest, ...dropUndefined(described) };
  },
  async listScope(scope, registryUrl, context) {
    const registry = findRegistry(`${scope}/`, registryUrl, context);
    const query = `text=scope:${encodeURIComponent(scope.slice(1))}&size=250&from=`;
    const createPageAddress = (from: number) =>
      joinUrl(registry, ['-', 'v1', 'search'], `${query}${from}`);

    const request = { url: createPageAddress(0), asNpm: true };
    const pages = await fetchPages(
      context.http,
      request,
      Search,
      (_, { objects, total }, readPages) => {
        const count = readPages.flatMap((page) => page.objects).length;
        return objects.length > 0 && count < total ? createPageAddress(count) : undefined;
      },
    );
    const packages = pages.flatMap(({ objects }) => objects);
    const names = new Set(packages.map((result) => result.package.name));
    return [...names].filter((name) => name.startsWith(`${scope}/`)).sort();
  },
});

/** The registry of a package, or of the packages of a scope. */
function findRegistry(
  name: string,
  registryUrl: string | undefined,
  { npmRegistry }: RequestContext,
): string {
  return registryUrl ?? npmRegistry(name) ?? defaultRegistry;
}

async function fetchPackument(
  { packageName, registryUrl }: PackageSource,
  context: RequestContext,
) {
  const url = joinUrl(findRegistry(packageName, registryUrl, context), [packageName]);

  // The abbreviated packument has no times.
  const response = await context.http.fetch({ url, asNpm: true });
  return { url, response };
}
