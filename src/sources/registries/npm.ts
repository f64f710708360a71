import * as z from 'zod';
import { isObject } from '../../core/objects.ts';
import { readReleases } from '../read-releases.ts';
import { anyObject, anyText, anyTime, pickTexts, readJson, joinUrl } from '../requests.ts';
import type { Datasource, PackageSource, SourceContext } from '../types.ts';

/**
 * A package's document (github.com/npm/registry, docs/responses/package-metadata.md). An unpublished version stays in `time`, but not in
 * `versions`. A package without versions has no key `versions`.
 */
const Packument = z.object({
  versions: anyObject.default({}),
  time: z.record(z.string(), anyTime).default({}),
});

/**
 * A version. `deprecated` is empty after a deprecation was reverted. Some registries send a boolean. Old versions have only `shasum`, a
 * weaker digest.
 */
const Version = z.object({
  deprecated: z
    .union([z.string(), z.boolean()])
    .nullish()
    .transform((value) => (value === true ? '' : value || undefined)),
  dist: z
    .object({
      integrity: anyText,
      shasum: anyText,
      signatures: z.unknown().optional(),
      attestations: z.unknown().optional(),
    })
    .optional()
    .catch(undefined),
});

const Described = z.looseObject({ versions: z.record(z.string(), z.looseObject({})).catch({}) });
/** The repository: an object, or a text in the short form `owner/repository`. */
const Repository = z
  .object({ repository: z.union([z.object({ url: z.string() }), z.string()]) })
  .transform(({ repository }) => (typeof repository === 'string' ? repository : repository.url))
  .optional()
  .catch(undefined);

export const npm: Datasource<PackageSource> = {
  async list(source, context) {
    const response = await fetchPackument(source, context);
    const { versions, time } = readJson(response, Packument);

    // A document without `created` and `modified` may come from a mirror, with the mirror's own times. So its times are not used.
    const hasOwnTimes = Boolean(time['created'] ?? time['modified']);
    const entry = z.tuple([z.string(), Version]).transform(([version, { deprecated, dist }]) => ({
      version,
      releaseTimestamp: hasOwnTimes && Object.hasOwn(time, version) ? time[version] : undefined,
      deprecated,
      isSemver: true,
      digests: [dist?.integrity ?? dist?.shasum],
      // See docs.npmjs.com/generating-provenance-statements. Without signatures, the answer may come from a mirror that also leaves out attestations, so nothing is known.
      hasProvenance: dist?.signatures ? isObject(dist.attestations) : undefined,
    }));
    return readReleases(response.url, Object.entries(versions), entry);
  },
  async describe(source, context) {
    const { versions, ...stated } = readJson(await fetchPackument(source, context), Described);
    // The npm registry repeats facts about the newest version for the whole package. Other registries do not, so the newest version's own
    // facts are also read.
    const facts = { ...Object.values(versions).at(-1), ...stated };
    return { ...pickTexts(facts, { homepage: 'homepage' }), repository: Repository.parse(facts) };
  },
};

/** Requests the full document of a package, because the abbreviated one has no dates. */
function fetchPackument({ packageName, registryUrl }: PackageSource, { http }: SourceContext) {
  const registry = registryUrl ?? http.findNpmRegistry(packageName);
  return http.fetch({ url: joinUrl(registry, [packageName]), asNpm: true });
}
