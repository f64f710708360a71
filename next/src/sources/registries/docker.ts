import * as z from 'zod';
import { expectPackage, readReleases } from '../documents.ts';
import type { HttpRequest } from '../http/client.ts';
import { isAbsent } from '../http/failures.ts';
import { fetchPages, joinUrl } from '../requests.ts';
import type { Datasource, PackageSource } from '../types.ts';
import { dockerHub } from './lists.ts';

/** Docker Hub's own API lists tags with their days. Other registries state no day that can be trusted. */
export const docker: Datasource<PackageSource> = {
  async list(source, context) {
    if (source.registryUrl === undefined) {
      return dockerHub.list(source, context);
    }

    const first = createRequest(source, ['tags', 'list'], 'n=1000');
    const lists = await fetchPages(context.http, first, TagList);
    for (const { name = source.packageName } of lists) {
      // A registry in front of others may add or omit the part of the name that selects the other registry.
      if (
        !`/${name}`.endsWith(`/${source.packageName}`) &&
        !`/${source.packageName}`.endsWith(`/${name}`)
      ) {
        expectPackage(first.url, source.packageName, name);
      }
    }
    return readReleases(
      first.url,
      context.day,
      lists.flatMap(({ tags }) => tags ?? []),
      Tag,
    );
  },
  /** A tag may have no image any more. `HEAD`: registries count a `GET` against a limit. */
  async lookUp(source, { version }, { http }) {
    if (source.registryUrl === undefined) {
      return {};
    }

    try {
      const { headers } = await http.fetch({
        ...createRequest(source, ['manifests', version]),
        method: 'HEAD',
        accept: manifestTypes,
      });
      return { digests: [headers.get('docker-content-digest') ?? ''] };
    } catch (error) {
      if (isAbsent(error)) {
        return 'absent';
      }
      throw error;
    }
  },
  describe: async (source, context) =>
    source.registryUrl === undefined ? dockerHub.describe(source, context) : {},
};

/** github.com/opencontainers/distribution-spec */
function createRequest(
  { packageName, registryUrl = '' }: PackageSource,
  path: readonly string[],
  query?: string,
): HttpRequest {
  return {
    url: joinUrl(registryUrl, ['v2', ...packageName.split('/'), ...path], query),
    tokenScope: `repository:${packageName}:pull`,
  };
}

const Tag = z
  .string()
  .regex(/^\w[\w.-]{0,127}$/, { error: 'expected a tag' })
  .transform((version) => ({ version }));

/** Some registries state `null` instead of an empty list. */
const TagList = z.object({ name: z.string().optional(), tags: z.array(z.unknown()).nullable() });

const manifestTypes = [
  'oci.image.index.v1',
  'oci.image.manifest.v1',
  'docker.distribution.manifest.list.v2',
  'docker.distribution.manifest.v2',
]
  .map((type) => `application/vnd.${type}+json`)
  .join(', ');
