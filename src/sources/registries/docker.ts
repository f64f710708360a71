import { hash } from 'node:crypto';
import * as z from 'zod';
import { readJson } from '../documents.ts';
import type { Http, HttpRequest } from '../http/client.ts';
import { isAbsent } from '../http/failures.ts';
import { readReleases } from '../read-releases.ts';
import { fetchPages, joinUrl } from '../requests.ts';
import type { Datasource, PackageSource, SourceAnswer, SourceContext } from '../types.ts';
import { leaveOutMovingTags } from '../versions.ts';
import { dockerHub } from './lists.ts';

/** Docker Hub's own API lists tags with their days. At other registries, each tag needs requests, as OCI specifies. */
export const docker: Datasource<PackageSource> = {
  async list(source, context) {
    const answer = await (source.registryUrl === undefined
      ? dockerHub.list(source, context)
      : listTags(source, context));
    // Of `1.25` and `1.25.0`, which are one version, the longer one does not move.
    const releases = answer.releases.toSorted((a, b) => b.version.length - a.version.length);
    return { ...answer, releases };
  },
  /** A tag may have no image any more. One whose image is recorded already has the day of that. */
  async lookUp(source, { version }, { http, recorded }) {
    if (source.registryUrl === undefined) {
      return {};
    }

    const tagged = await fetchManifest(source, version, http).catch((error: unknown) => {
      if (isAbsent(error)) {
        return undefined;
      }
      throw error;
    });
    if (!tagged) {
      return 'absent';
    }

    const { digest, manifest } = tagged;
    const former = recorded?.releases.find(
      ({ timestampKind, digests }) => timestampKind === 'published' && digests?.includes(digest),
    );
    const releaseTimestamp =
      former?.releaseTimestamp ?? (await fetchCreated(source, manifest, http));
    return { digests: [digest], releaseTimestamp };
  },
  select: leaveOutMovingTags,
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
const TagList = z.object({ tags: z.array(z.unknown()).nullable() });

async function listTags(
  source: PackageSource,
  { http, day }: SourceContext,
): Promise<SourceAnswer> {
  const first = createRequest(source, ['tags', 'list'], 'n=1000');
  const lists = await fetchPages(http, first, TagList);
  const tags = lists.flatMap((list) => list.tags ?? []);
  return readReleases(first.url, day, tags, Tag);
}

/** An index has a manifest for each platform, and the attestations of a build as the platform `unknown`. */
const Platform = z.object({
  digest: z.string(),
  platform: z.object({ os: z.string().optional() }).optional(),
});
const Manifest = z.object({
  manifests: z.array(Platform).optional(),
  config: z.object({ digest: z.string() }).optional(),
});
type Manifest = z.infer<typeof Manifest>;

const manifestTypes = [
  'oci.image.index.v1',
  'oci.image.manifest.v1',
  'docker.distribution.manifest.list.v2',
  'docker.distribution.manifest.v2',
]
  .map((type) => `application/vnd.${type}+json`)
  .join(', ');

/** `reference`: a tag or a digest. Some registries omit the header with the digest. */
async function fetchManifest(source: PackageSource, reference: string, http: Http) {
  const request = createRequest(source, ['manifests', reference]);
  const response = await http.fetch({ ...request, accept: manifestTypes });
  const manifest = readJson(response, Manifest);
  const stated = response.headers.get('docker-content-digest');
  return { manifest, digest: stated ?? `sha256:${hash('sha256', response.bytes())}` };
}

/** When the image of a manifest was made, or that of its first platform. */
async function fetchCreated(
  source: PackageSource,
  tagged: Manifest,
  http: Http,
): Promise<string | undefined> {
  const platform = tagged.manifests?.find((each) => each.platform?.os !== 'unknown');
  const { config } = platform
    ? (await fetchManifest(source, platform.digest, http)).manifest
    : tagged;
  if (!config) {
    return undefined;
  }

  // Blobs come from storage that does not know their type.
  const request = createRequest(source, ['blobs', config.digest]);
  const Configuration = z.object({ created: z.string().nullish() });
  const response = await http.fetch({ ...request, accept: '*/*' });
  return readJson(response, Configuration).created ?? undefined;
}
