import * as z from 'zod';
import {
  defineSource,
  definePackage,
  type DescribeContext,
  type PackageDescription,
} from './datasource.ts';
import type { SourceAnswer } from './source-answer.ts';
import { orNull, createListAdapter } from './shared/json-list.ts';
import { joinUrl, fetchPages } from './shared/requests.ts';
import { sha256 } from '../../io/files/file-system.ts';
import type { HttpResponse } from '../../io/http/client.ts';
import type { HttpRequest } from '../../io/http/request.ts';
import {
  listElements,
  readReleases,
  expectPackage,
  readJson,
  Stated,
  findLatestVersion,
} from './shared/document.ts';

const dockerHubUrl = 'https://hub.docker.com/';

/** docs.docker.com/reference/api/hub/latest */
const dockerHub = createListAdapter({
  registry: dockerHubUrl,
  address: 'v2/repositories/{+packageName}/tags?page_size=100',
  entries: 'results',
  version: 'name',
  release: {
    schema: z.object({
      /** Tags pushed before Hub recorded days have none (docker/hub-feedback #2344). */
      tag_last_pushed: orNull(z.string()),
      /** The digest of the multi-platform index; old tags have only digests of single images. */
      digest: orNull(z.string()).catch(undefined),
    }),
    expression: `{
      "releaseTimestamp": tag_last_pushed ? tag_last_pushed,
      "digests": [{ "artifact": $version, "digest": digest }]
    }`,
  },
  package: {
    address: 'v2/repositories/{+packageName}',
    keys: { title: 'name', description: 'description' },
  },
});

/** Docker Hub's own API lists tags with their days. At other registries (`registryUrl`), each tag needs requests, as OCI specifies. */
export const docker = defineSource({
  datasource: 'docker',
  defaultRegistry: dockerHubUrl,
  coordinates: definePackage(
    /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/,
    'owner/image',
    'Docker Hub',
    'https://ghcr.io',
  ),
  renovate: ({ packageName, registryUrl }) => ({
    matchDatasources: ['docker'],
    matchPackageNames:
      registryUrl === undefined
        ? [packageName, `docker.io/${packageName}`]
        : [`${new URL(registryUrl).host}/${packageName}`],
  }),
  async gather({ packageName, registryUrl }, context) {
    const answer =
      registryUrl === undefined
        ? await dockerHub.gather({ packageName: findNameAtHub(packageName) }, context)
        : await gatherOciRegistry(registryUrl, packageName, context);
    return { ...answer, hasTags: true };
  },
  async describe({ packageName, registryUrl }, context) {
    if (registryUrl !== undefined) {
      return describeOciImage(registryUrl, packageName, context);
    }

    const described = await dockerHub.describe(
      { packageName: findNameAtHub(packageName) },
      context,
    );

    // Hub has only its own page about an image.
    const page = packageName.includes('/') ? ['r', ...packageName.split('/')] : ['_', packageName];
    return { ...described, registryPage: joinUrl(dockerHubUrl, page) };
  },
});

/** Official images are in the namespace "library". */
function findNameAtHub(packageName: string): string {
  return packageName.includes('/') ? packageName : `library/${packageName}`;
}

/** github.com/opencontainers/distribution-spec; some registries state `null` instead of an empty list. */
const TagList = z.object({ name: z.string().optional(), tags: z.array(z.unknown()).nullable() });

const Tag = z.string().regex(/^\w[\w.-]{0,127}$/, { error: 'expected a tag' });

/** The specification's "digest": an algorithm and its result. */
const Digest = z.string().regex(/^[a-z0-9+._-]+:[\w=-]+$/, { error: 'expected a digest' });

const Labels = z.record(z.string(), Stated).nullish().catch(undefined);

/** An index lists a manifest for each platform, and a build's attestations as the platform `unknown`. */
const Manifest = z.object({
  manifests: z
    .array(
      z.object({
        digest: z.string(),
        platform: z.object({ os: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  config: z.object({ digest: Digest }).optional(),
  annotations: Labels,
});
type Manifest = z.infer<typeof Manifest>;

const ImageConfig = z.object({
  created: z.string().nullish(),
  config: z.object({ Labels }).nullish().catch(undefined),
});

const indexType = 'application/vnd.oci.image.index.v1+json';
const manifestTypes = [
  indexType,
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

async function gatherOciRegistry(
  registryUrl: string,
  packageName: string,
  context: DescribeContext,
): Promise<SourceAnswer> {
  const repository = openRepository(registryUrl, packageName, context);
  const { url, tags } = await repository.listTags();

  return readReleases(url, listElements(tags), Tag, (_, tag) => ({
    async *requestFacts() {
      const { manifest, digest } = await repository.fetchManifest(tag);
      yield { digests: { [tag]: digest } };
      const config = await repository.fetchConfig(manifest);
      yield { releaseTimestamp: config?.created ?? undefined };
    },
    async requestDigests() {
      const digest = await repository.fetchDigest(tag);
      return digest === undefined ? undefined : { [tag]: digest };
    },
  }));
}

/** Reads the labels and annotations of the latest image: github.com/opencontainers/image-spec, "Annotations". */
async function describeOciImage(
  registryUrl: string,
  packageName: string,
  context: DescribeContext,
): Promise<PackageDescription> {
  const repository = openRepository(registryUrl, packageName, context);
  const { tags } = await repository.listTags();
  const tag = findLatestVersion(tags.filter((name) => Tag.safeParse(name).success));
  if (tag === undefined) {
    return {};
  }

  const { manifest } = await repository.fetchManifest(tag);
  const config = await repository.fetchConfig(manifest);
  const labels = { ...config?.config?.Labels, ...manifest.annotations };
  const readLabel = (key: string) => labels[`org.opencontainers.image.${key}`];
  return {
    title: readLabel('title'),
    description: readLabel('description'),
    homepage: readLabel('url') ?? readLabel('documentation'),
    repository: readLabel('source'),
  };
}

function openRepository(registryUrl: string, packageName: string, { http }: DescribeContext) {
  const authenticate = { scope: `repository:${packageName}:pull` };
  const repository = ['v2', ...packageName.split('/')];
  const createAddress = (path: readonly string[], query?: string) =>
    joinUrl(registryUrl, [...repository, ...path], query);

  return { listTags, fetchManifest, fetchDigest, fetchConfig };

  async function listTags() {
    const url = createAddress(['tags', 'list'], 'n=1000');
    const lists = await fetchPages(
      http,
      { url, accept: ['application/json'], authenticate },
      TagList,
    );
    for (const { name = packageName } of lists) {
      // A registry in front of others may add or omit the part of the name that selects the other registry.
      const isSame =
        `/${name}`.endsWith(`/${packageName}`) || `/${packageName}`.endsWith(`/${name}`);
      expectPackage(url, packageName, isSame ? packageName : name);
    }
    return { url, tags: lists.flatMap(({ tags }) => tags ?? []) };
  }

  async function fetchManifest(reference: string) {
    const response = await http.fetch(createManifestRequest(reference));

    // Some registries omit the header with the manifest's digest.
    const digest = readDigest(response) ?? `sha256:${sha256(response.body)}`;
    return { manifest: readJson(response, Manifest), digest };
  }

  /** Avoids fetching the manifest, which registries count against a limit. Undefined if the header is missing. */
  async function fetchDigest(reference: string) {
    return readDigest(await http.fetch({ ...createManifestRequest(reference), method: 'HEAD' }));
  }

  function createManifestRequest(reference: string): HttpRequest {
    const types = { accept: manifestTypes, alsoAccept: ['application/json'] };
    return { url: createAddress(['manifests', reference]), ...types, authenticate, isKept: false };
  }

  /** Reads the config of the first platform. */
  async function fetchConfig(tagged: Manifest) {
    const platform = tagged.manifests?.find((entry) => entry.platform?.os !== 'unknown');
    const manifest = platform ? (await fetchManifest(platform.digest)).manifest : tagged;
    if (!manifest.config) {
      return undefined;
    }

    const url = createAddress(['blobs', manifest.config.digest]);

    // Blobs come from storage that does not know their type.
    return readJson(
      await http.fetch({ url, accept: ['*/*'], authenticate, isKept: false }),
      ImageConfig,
    );
  }
}

function readDigest({ headers }: HttpResponse): string | undefined {
  return Digest.safeParse(headers.get('docker-content-digest')).data;
}
