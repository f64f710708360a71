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

/** Docker Hub's own API lists tags with their days. At other registries, each tag needs requests by the OCI specification. */
export const docker: Datasource<PackageSource> = {
  async list(source, context) {
    const list = source.registryUrl === undefined ? dockerHub.list : listTags;
    const answer = await list(source, context);
    // If a version has several spellings, such as `1.25` and `v1.25`, the first one is recorded. Sorting makes that the longest one, whatever the order of the list.
    const releases = answer.releases.toSorted((a, b) => b.version.length - a.version.length);
    return { ...answer, releases };
  },
  /** A tag whose image was removed has none. */
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

/** github.com/opencontainers/distribution-spec. For sources with `registryUrl`; Docker Hub needs none. */
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

/** Some registries state `null` instead of an empty list. */
const TagList = z.object({ tags: z.array(z.unknown()).nullable() });

async function listTags(source: PackageSource, { http }: SourceContext) {
  const first = createRequest(source, ['tags', 'list'], 'n=1000');
  const lists = await fetchPages(http, first, TagList);
  const tags = lists.flatMap((list) => list.tags ?? []);
  return readReleases(first.url, tags, TagName);
}

/** An index has a manifest for each platform. Attestations of a build have the platform `unknown`. */
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

/** Reads when the image of a manifest was made; for an index, the image of its first platform. */
async function fetchCreated(source: PackageSource, manifest: Manifest, http: Http) {
  const platform = manifest.manifests?.find((each) => each.platform?.os !== 'unknown');
  const image = platform ? await fetchManifest(source, platform.digest, http) : { manifest };
  const { config } = image.manifest;
  if (!config) {
    return undefined;
  }

  // Blobs come from a storage that does not know their type.
  const request = createRequest(source, ['blobs', config.digest]);
  const Configuration = z.object({ created: z.string().nullish() });
  const response = await http.fetch({ ...request, accept: '*/*' });
  return readJson(response, Configuration).created ?? undefined;
}

/**
 * Drops moving tags: `1.25` is no release if it points to `1.25.4`. A recorded moving tag stays, without its digest, because each new version
 * would be reported as a replacement of its files.
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

    // The tag may have moved to a version that is not listed yet.
    const first = findEarliest(former.map(({ longer }) => longer.releaseTimestamp));
    const isLater = first !== undefined && timestamp !== undefined && first < timestamp;
    // The next run requests a tag again that could not be read.
    const isUnread = digests.length === 0 && timestamp === undefined && listed.length > 0;
    return isMoving || isLater || isUnread ? [] : tag;
  });
}

/** Groups tags by the keys of their shorter names: `1.25.4-alpine` by the keys of `1-alpine` and `1.25-alpine`. */
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
