import * as z from 'zod';
import { findLatestVersion } from '../../../core/model/prerelease.ts';
import { sha256 } from '../../../io/files/file-system.ts';
import type { Fetcher, HttpResponse } from '../../../io/http/client.ts';
import { answerIfAbsent } from '../../../io/http/error.ts';
import type { PackageDescription, SourceAnswer } from '../datasource.ts';
import { expectPackage, listElements, OptionalText, readJson, readReleases } from './document.ts';
import { fetchPages, joinUrl } from './requests.ts';

/** A repository of images at a registry (github.com/opencontainers/distribution-spec). */
interface OciRepository {
  http: Fetcher;
  registryUrl: string;
  packageName: string;
}

export async function gatherOciTags(repository: OciRepository): Promise<SourceAnswer> {
  const { url, tags } = await fetchTags(repository);

  return readReleases(url, listElements(tags), Tag, (_, tag) => ({
    async *requestFacts() {
      const tagged = await fetchManifest(repository, tag).catch(answerIfAbsent(() => undefined));
      if (!tagged) {
        yield { isAbsent: true };
        return;
      }

      yield { digests: { [tag]: tagged.digest } };
      const config = await fetchConfig(repository, tagged.manifest);
      yield { releaseTimestamp: config?.created ?? undefined };
    },
    async *requestDigests() {
      // Avoids fetching the manifest, which registries count against a limit.
      const request = createManifestRequest(repository, tag);
      const digest = readDigest(await repository.http.fetch({ ...request, method: 'HEAD' }));
      yield { digests: digest === undefined ? undefined : { [tag]: digest } };
    },
  }));
}

/** Reads the labels and annotations of the latest image: github.com/opencontainers/image-spec, "Annotations". */
export async function describeOciImage(repository: OciRepository): Promise<PackageDescription> {
  const { tags } = await fetchTags(repository);
  const tag = findLatestVersion(tags.filter((name) => Tag.safeParse(name).success));
  if (tag === undefined) {
    return {};
  }

  const { manifest } = await fetchManifest(repository, tag);
  const config = await fetchConfig(repository, manifest);
  const labels = { ...config?.config?.Labels, ...manifest.annotations };
  const readLabel = (key: string) => labels[`org.opencontainers.image.${key}`];
  return {
    title: readLabel('title'),
    description: readLabel('description'),
    homepage: readLabel('url') ?? readLabel('documentation'),
    repository: readLabel('source'),
  };
}

function createRequest(
  { registryUrl, packageName }: OciRepository,
  path: readonly string[],
  query?: string,
) {
  const url = joinUrl(registryUrl, ['v2', ...packageName.split('/'), ...path], query);
  return { url, tokenScope: `repository:${packageName}:pull` };
}

/** Some registries state `null` instead of an empty list. */
const TagList = z.object({ name: z.string().optional(), tags: z.array(z.unknown()).nullable() });

const Tag = z.string().regex(/^\w[\w.-]{0,127}$/, { error: 'expected a tag' });

async function fetchTags(repository: OciRepository) {
  const { http, packageName } = repository;
  const request = createRequest(repository, ['tags', 'list'], 'n=1000');
  const lists = await fetchPages(http, request, TagList);

  for (const { name = packageName } of lists) {
    // A registry in front of others may add or omit the part of the name that selects the other registry.
    const isPart = `/${name}`.endsWith(`/${packageName}`) || `/${packageName}`.endsWith(`/${name}`);
    if (!isPart) {
      expectPackage(request.url, packageName, name);
    }
  }
  return { url: request.url, tags: lists.flatMap(({ tags }) => tags ?? []) };
}

/** The specification's "digest": an algorithm and its result. */
const Digest = z.string().regex(/^[a-z0-9+._-]+:[\w=-]+$/, { error: 'expected a digest' });

/** Labels and annotations by their keys; none if they have another form. */
const Annotations = z.record(z.string(), OptionalText).nullish().catch(undefined);

/** An index lists a manifest for each platform, and a build's attestations as the platform `unknown`. */
const Manifest = z
  .object({
    manifests: z
      .array(
        z.object({
          digest: z.string(),
          platform: z.object({ os: z.string().optional() }).optional(),
        }),
      )
      .optional(),
    config: z.object({ digest: Digest }).optional(),
    annotations: Annotations,
  })
  // Its digest is recorded, which must not be that of an error.
  .refine(({ manifests, config }) => manifests ?? config, {
    error: 'expected the key manifests or config',
  });
type Manifest = z.infer<typeof Manifest>;

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

/** `reference`: a tag or a digest. */
function createManifestRequest(repository: OciRepository, reference: string) {
  const request = createRequest(repository, ['manifests', reference]);
  return { ...request, accept: manifestTypes, alsoAccept: ['application/json'], isKept: false };
}

async function fetchManifest(repository: OciRepository, reference: string) {
  const response = await repository.http.fetch(createManifestRequest(repository, reference));

  // Some registries omit the header with the manifest's digest.
  const digest = readDigest(response) ?? `sha256:${sha256(response.body)}`;
  return { manifest: readJson(response, Manifest), digest };
}

function readDigest({ headers }: HttpResponse): string | undefined {
  return Digest.safeParse(headers.get('docker-content-digest')).data;
}

const ImageConfig = z.object({
  created: z.string().nullish(),
  config: z.object({ Labels: Annotations }).nullish().catch(undefined),
});

/** Reads the config of the image of a tag, or of its first platform; undefined if that manifest names none. */
async function fetchConfig(repository: OciRepository, tagged: Manifest) {
  const entry = tagged.manifests?.find(({ platform }) => platform?.os !== 'unknown');
  const manifest = entry ? (await fetchManifest(repository, entry.digest)).manifest : tagged;
  if (!manifest.config) {
    return undefined;
  }

  const request = createRequest(repository, ['blobs', manifest.config.digest]);

  // Blobs come from storage that does not know their type.
  const response = await repository.http.fetch({ ...request, accept: ['*/*'], isKept: false });
  return readJson(response, ImageConfig);
}
