import { hash } from 'node:crypto';
import * as z from 'zod';
import { findEarliest } from '../../core/day.ts';
import { keyText, keyVersion, readVersion } from '../../core/version.ts';
import type { Http, HttpRequest } from '../http/client.ts';
import { isAbsent } from '../http/failures.ts';
import { readReleases } from '../read-releases.ts';
import { readJson, fetchPages, joinUrl } from '../requests.ts';
import type { Datasource, PackageSource, SourceContext, Tag } from '../types.ts';
import { dockerHub } from './lists.ts';

/**
 * Reads image tags. Docker Hub's own API lists tags with their dates. Other registries list only names (OCI Distribution Specification).
 * There, the date of each tag needs further requests.
 */
export const docker: Datasource<PackageSource> = {
  async list(source, context) {
    const list = source.registryUrl === undefined ? dockerHub.list : listTags;
    const answer = await list(source, context);
    // Of several spellings of a version, such as `1.25` and `v1.25`, the first one is recorded. Sorting puts the longest spelling first.
    const releases = answer.releases.toSorted((a, b) => b.version.length - a.version.length);
    return { ...answer, releases };
  },
  /** Looks up the date and digest of a tag. Both are absent if the image was removed. */
  async lookUp(source, { version }, { http }) {
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
    return { digests: [digest], releaseTimestamp: await fetchCreated(source, manifest, http) };
  },
  select: leaveOutMovingTags,
  describe: async (source, context) =>
    source.registryUrl === undefined ? dockerHub.describe(source, context) : {},
};

/** Creates a request to a registry, as in github.com/opencontainers/distribution-spec. Sources at Docker Hub have no `registryUrl`. */
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

const TagName = z
  .string()
  .regex(/^\w[\w.-]{0,127}$/, { error: 'expected a tag' })
  .transform((version) => ({ version }));

/** A list of tags. Some registries send `null` instead of an empty list. */
const TagList = z.object({ tags: z.array(z.unknown()).nullable() });

async function listTags(source: PackageSource, { http }: SourceContext) {
  const first = createRequest(source, ['tags', 'list'], 'n=1000');
  const lists = await fetchPages(http, first, TagList);
  const tags = lists.flatMap((list) => list.tags ?? []);
  return readReleases(first.url, tags, TagName);
}

/** The entry of a platform in an image index. Attestations of a build have the platform `unknown`. */
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

/** Requests a manifest. `reference`: a tag or a digest. Some registries omit the header with the digest. */
async function fetchManifest(source: PackageSource, reference: string, http: Http) {
  const request = createRequest(source, ['manifests', reference]);
  const response = await http.fetch({ ...request, accept: manifestTypes });
  const manifest = readJson(response, Manifest);
  const stated = response.headers.get('docker-content-digest');
  return { manifest, digest: stated ?? `sha256:${hash('sha256', response.bytes())}` };
}

/** Reads when the image of a manifest was made. For several platforms, reads when the image of the first platform was made. */
async function fetchCreated(source: PackageSource, manifest: Manifest, http: Http) {
  const platform = manifest.manifests?.find((each) => each.platform?.os !== 'unknown');
  const image = platform ? await fetchManifest(source, platform.digest, http) : { manifest };
  const { config } = image.manifest;
  if (!config) {
    return undefined;
  }

  // The registry may redirect to a storage service that does not know the media types of blobs. So every media type is accepted.
  const request = createRequest(source, ['blobs', config.digest]);
  const Configuration = z.object({ created: z.string().nullish() });
  const response = await http.fetch({ ...request, accept: '*/*' });
  return readJson(response, Configuration).created ?? undefined;
}

/**
 * Drops moving tags: `1.25` is not a release if it points to `1.25.4`. If a moving tag is already recorded, it stays, but without its
 * digest. Otherwise each new version would be reported as replaced files.
 */
function leaveOutMovingTags<T extends Tag>(tags: readonly T[], recorded: readonly Tag[]): T[] {
  const listedLonger = groupByShorter(tags);
  const recordedLonger = groupByShorter(recorded);
  const recordedKeys = new Set(recorded.map(({ version }) => keyText(version)));

  return tags.flatMap((tag) => {
    const { digests = [], releaseTimestamp: timestamp } = tag;
    const key = keyText(tag.version);
    const listed = listedLonger.get(key) ?? [];
    const former = recordedLonger.get(key) ?? [];
    const isMoving = [...listed, ...former].some(({ longer }) => {
      return longer.digests?.some((digest) => digests.includes(digest));
    });
    if (recordedKeys.has(key)) {
      return isMoving ? { ...tag, digests: undefined } : tag;
    }

    // Leaves out a new tag `1.25` if its image is newer than the oldest recorded tag that begins with 1.25, such as `1.25.1`. The new tag
    // may be a moving tag: it may already point to 1.25.7, which is not listed yet.
    const first = findEarliest(former.map(({ longer }) => longer.releaseTimestamp));
    const isLater = first !== undefined && timestamp !== undefined && first < timestamp;
    // A tag that could not be read is left out for now, and the next run requests it again.
    const isUnread = digests.length === 0 && timestamp === undefined && listed.length > 0;
    return isMoving || isLater || isUnread ? [] : tag;
  });
}

/**
 * Groups tags by each shorter tag that may point to the same image. `1.25.4-alpine` is in the groups of `1-alpine` and `1.25-alpine`.
 * `keyVersion` gives the keys of the groups.
 */
function groupByShorter(tags: readonly Tag[]) {
  const pairs = tags.flatMap((longer) => {
    const version = readVersion(longer.version);
    const { groups } = version;
    return groups.slice(1).map((_, index) => {
      return { longer, key: keyVersion({ ...version, groups: groups.slice(0, index + 1) }) };
    });
  });
  return Map.groupBy(pairs, ({ key }) => key);
}
