import * as z from 'zod';
import {
  defineSource,
  type DescribeContext,
  type PackageCoordinates,
  type PackageDescription,
  createPackageFields,
  type RenovateConditions,
} from './datasource.ts';
import { listElements, readReleases, Stated, completeDigests } from './shared/elements.ts';
import { createAddressBelow, fetchJson, fetchList } from './shared/requests.ts';

const gitlabUrl = 'https://gitlab.com/';
const accept = ['application/json'];

/** docs.gitlab.com/api/releases. A release with a future date is upcoming. */
const Release = z.object({
  released_at: z.string().nullish(),
  upcoming_release: z.boolean().nullish(),
  description: z.string().nullish().catch(undefined),
  _links: z.object({ self: z.string().nullish() }).nullish(),
});

/** docs.gitlab.com/api/tags. A lightweight tag has only the day of its commit. */
const Tag = z.object({
  created_at: z.string().nullish(),
  commit: z
    .object({
      id: z.string().nullish(),
      committed_date: z.string().nullish(),
      created_at: z.string().nullish(),
    })
    .nullish(),
});

/** docs.gitlab.com/api/projects, "Retrieve a project". */
const Described = z.object({ name: Stated, description: Stated, web_url: Stated });

/** Leaves out projects at another instance than gitlab.com, the default. */
const atDefaultInstance =
  '$not($exists(registryUrls[$contains($string($), "//") and $not($contains($string($), /\\/\\/gitlab\\.com(\\/|$)/))]))';

/** Shared by both datasources, which ask the same API about a project. */
const projectFields = {
  purlType: 'gitlab',
  defaultRegistry: gitlabUrl,
  coordinates: createPackageFields(
    /^\w[\w.-]*(?:\/\w[\w.-]*)+$/,
    'group/project',
    'gitlab.com',
    'https://gitlab.example.com/',
  ),
  renovate({ packageName, registryUrl }: PackageCoordinates): RenovateConditions {
    const conditions = {
      matchDatasources: ['gitlab-releases', 'gitlab-tags'],
      matchPackageNames: [packageName],
    };
    if (registryUrl === undefined) {
      return { ...conditions, matchJsonata: [atDefaultInstance] };
    }

    const instance = registryUrl.replace(/(?:\/api\/v4)?\/*$/, '');
    return {
      ...conditions,
      matchRegistryUrls: [instance, `${instance}/`],
    };
  },
  async describe(
    project: PackageCoordinates,
    { http }: DescribeContext,
  ): Promise<PackageDescription> {
    const {
      name,
      description,
      web_url: page,
    } = await fetchJson(http, createProjectAddress(project, []), Described);
    const changelogUrl = page && `${page}/-/releases`;
    return { title: name, description, repository: page, changelogUrl };
  },
};

export const gitlabReleases = defineSource({
  datasource: 'gitlab-releases',
  ...projectFields,
  async gather(source, context) {
    const url = createProjectAddress(source, ['releases'], 'per_page=100');
    const listed = listElements(await fetchList(context.http, { url, accept }), 'tag_name');
    return readReleases(url, listed, Release, (release) =>
      release.upcoming_release
        ? undefined
        : {
            releaseTimestamp: release.released_at ?? undefined,
            changelogUrl: release._links?.self ?? undefined,
            notes: release.description ?? undefined,
          },
    );
  },
});

export const gitlabTags = defineSource({
  datasource: 'gitlab-tags',
  ...projectFields,
  async gather(source, context) {
    const url = createProjectAddress(source, ['repository', 'tags'], 'per_page=100');
    const listed = listElements(await fetchList(context.http, { url, accept }), 'name');
    return readReleases(url, listed, Tag, ({ created_at, commit }, tag) => ({
      releaseTimestamp: created_at ?? commit?.committed_date ?? commit?.created_at ?? undefined,
      // A commit's id is the digest of its content: a moved tag is a release with other bytes.
      digests: completeDigests([[tag, commit?.id]]),
    }));
  },
});

/** docs.gitlab.com/api/rest: pages of lists are linked by the header `Link`. */
function createProjectAddress(
  { packageName, registryUrl }: PackageCoordinates,
  path: readonly string[],
  query = '',
): string {
  // As in Renovate, the address may include the path of the API.
  const instance = (registryUrl ?? gitlabUrl).replace(/\/api\/v4\/?$/, '');
  return createAddressBelow(instance, ['api', 'v4', 'projects', packageName, ...path], query);
}
