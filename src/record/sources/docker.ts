import * as z from 'zod';
import { defineSource, createPackageFields } from './datasource.ts';
import { listElements, readReleases, Stated, completeDigests } from './shared/elements.ts';
import { describeOciImage, gatherOciRegistry } from './shared/oci-registry.ts';
import { checkSameHost, createAddressBelow, fetchJson, fetchPages } from './shared/requests.ts';

const dockerHubUrl = 'https://hub.docker.com/';

/** docs.docker.com/reference/api/hub/latest */
const TagPage = z.object({ results: z.array(z.unknown()), next: z.string().nullish() });

/** Tags pushed before Hub recorded days have none (docker/hub-feedback #2344). */
const Tag = z.object({
  tag_last_pushed: z.string().nullish(),
  /** The digest of the multi-platform index; old tags have only digests of single images. */
  digest: z.string().nullish().catch(undefined),
});

const Repository = z.object({ name: Stated, description: Stated });

/** Docker Hub's own API dates every tag in its list. Other registries (`registryUrl`) need a request per tag, as OCI specifies. */
export const docker = defineSource({
  datasource: 'docker',
  purlType: 'docker',
  defaultRegistry: dockerHubUrl,
  coordinates: createPackageFields(
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
    if (registryUrl !== undefined) {
      return gatherOciRegistry(registryUrl, packageName, context);
    }

    const url = createRepositoryAddress(packageName, ['tags'], 'page_size=100');
    const request = { url, accept: ['application/json'] };
    const pages = await fetchPages(context.http, request, TagPage, (response, { next }) =>
      checkSameHost(response, next, 'next'),
    );
    const tags = listElements(
      pages.flatMap(({ results }) => results),
      'name',
    );
    return readReleases(url, tags, Tag, ({ tag_last_pushed, digest }, tag) => ({
      releaseTimestamp: tag_last_pushed || undefined,
      digests: completeDigests([[tag, digest]]),
    }));
  },
  async describe({ packageName, registryUrl }, context) {
    if (registryUrl !== undefined) {
      return describeOciImage(registryUrl, packageName, context);
    }

    const url = createRepositoryAddress(packageName, []);
    const { name, description } = await fetchJson(context.http, url, Repository);

    // Hub has only its own page about an image.
    const page = packageName.includes('/') ? ['r', ...packageName.split('/')] : ['_', packageName];
    return { title: name, description, registryPage: createAddressBelow(dockerHubUrl, page) };
  },
});

function createRepositoryAddress(packageName: string, path: readonly string[], query = ''): string {
  // Official images are in the namespace "library".
  const repository = packageName.includes('/') ? packageName : `library/${packageName}`;
  return createAddressBelow(
    dockerHubUrl,
    ['v2', 'repositories', ...repository.split('/'), ...path],
    query,
  );
}
