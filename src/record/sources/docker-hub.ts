import { z } from 'zod';
import { defined } from '../../core/text.ts';
import { addressBelow } from './registry-address.ts';
import { elementsOf, readElements, readJson } from './elements.ts';
import { fetchPages, addressAtSameHost } from './paging.ts';
import type { DescribeContext, PackageDescription, SourceContext, SourceRelease } from './source.ts';
import { Stated } from './stated.ts';

/** Docker Hub's own API, which dates each tag; a `registryUrl` leads to an OCI registry instead. */
export const dockerHubUrl = 'https://hub.docker.com/';

/** docs.docker.com/reference/api/hub/latest */
const TagPage = z.object({ results: z.array(z.unknown()), next: z.string().nullish() });

/** Tags that were pushed before Hub recorded the day have none (docker/hub-feedback #2344). */
const Tag = z.object({
  tag_last_pushed: z.string().nullish(),
  /** Of the index of all platforms; old tags state one for each image alone. */
  digest: z.string().nullish().catch(undefined),
});

const Repository = z.object({ name: Stated, description: Stated });

/** Hub knows no homepage of an image, but its own page. */
export async function describeDockerHub(
  packageName: string,
  context: DescribeContext,
): Promise<PackageDescription> {
  const url = repositoryAddress(packageName, []);
  const { name, description } = readJson(
    await context.http.fetch({ url, accept: ['application/json'] }),
    Repository,
  );
  const page = packageName.includes('/') ? ['r', ...packageName.split('/')] : ['_', packageName];
  return defined({
    title: name,
    description,
    registryPage: addressBelow(dockerHubUrl, page),
  });
}

function repositoryAddress(packageName: string, path: readonly string[], query = ''): string {
  // Official images live in a namespace of their own.
  const repository = packageName.includes('/') ? packageName : `library/${packageName}`;
  return addressBelow(dockerHubUrl, ['v2', 'repositories', ...repository.split('/'), ...path], query);
}

export async function gatherDockerHub(packageName: string, context: SourceContext): Promise<SourceRelease[]> {
  const url = repositoryAddress(packageName, ['tags'], 'page_size=100');
  const pages = await fetchPages(context.http, { url, accept: ['application/json'] }, (page) =>
    addressAtSameHost(page, readJson(page, TagPage).next, 'next'),
  );

  const results = pages.flatMap((page) => readJson(page, TagPage).results);
  const releases: SourceRelease[] = [];
  for (const { name, value } of readElements(url, elementsOf(results, 'name'), Tag, context)) {
    const version = context.offer(name);
    if (version === undefined) continue;
    releases.push({
      version,
      ...(value.tag_last_pushed && { releaseTimestamp: value.tag_last_pushed }),
      ...(value.digest && { digests: { [name]: value.digest } }),
    });
  }
  return releases;
}
