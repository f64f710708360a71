import * as z from 'zod';
import {
  anyText,
  expectPackage,
  readJson,
  readReleases,
  readSemverPrerelease,
} from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import { joinUrl } from '../requests.ts';
import type { Datasource, PackageSource, SourceContext } from '../types.ts';

/**
 * github.com/npm/registry, docs/responses/package-metadata.md. An unpublished version stays in `time` but not in `versions`, which a
 * package without versions lacks.
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

/** `deprecated` is empty after a deprecation was undone; in some registries, it is a boolean. Old versions have only a `shasum`. */
const Version = z.object({
  deprecated: z.union([z.string(), z.boolean()]).optional(),
  dist: z.object({ integrity: anyText, shasum: anyText }).optional().catch(undefined),
});

const Described = z.object({
  name: anyText,
  description: anyText,
  homepage: anyText,
  repository: z
    .union([z.object({ url: anyText }).transform(({ url }) => url), anyText])
    .optional()
    .catch(undefined),
});

export const npm: Datasource<PackageSource> = {
  async list(source, context) {
    const response = await fetchPackument(source, context);
    const { name, versions = {}, time } = readJson(response, Packument);
    expectPackage(response.url, source.packageName, name);

    // Without these two, a mirror may have stamped the times.
    const hasOwnTimes = typeof time['created'] === 'string' || typeof time['modified'] === 'string';
    const entry = z.tuple([z.string(), Version]).transform(([version, { deprecated, dist }]) => ({
      version,
      releaseTimestamp:
        hasOwnTimes && typeof time[version] === 'string' ? time[version] : undefined,
      deprecated: deprecated === true ? '' : deprecated || undefined,
      isPrerelease: readSemverPrerelease(version),
      digests: [dist?.integrity, dist?.shasum],
    }));
    return readReleases(response.url, context.day, Object.entries(versions), entry);
  },
  async describe(source, context) {
    const response = await fetchPackument(source, context);
    const { name, ...description } = readJson(response, Described);
    expectPackage(response.url, source.packageName, name);
    return { title: name, ...description };
  },
};

/** The abbreviated packument has no times. */
function fetchPackument({ packageName, registryUrl }: PackageSource, { http }: SourceContext) {
  const registry = registryUrl ?? http.findNpmRegistry(packageName);
  if (registry === undefined) {
    throw new SourceError(`npm's configuration names no registry for ${packageName}`);
  }

  return http.fetch({ url: joinUrl(registry, [packageName]), asNpm: true });
}
