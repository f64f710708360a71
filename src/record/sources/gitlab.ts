import * as z from 'zod';
import {
  defineSource,
  type PackageSource,
  definePackage,
  isRegistry,
  matchRegistry,
  type RenovateConditions,
} from './datasource.ts';
import { orNull, createListAdapter } from './shared/json-list.ts';

const gitlabUrl = 'https://gitlab.com/';

const gitlabApi = {
  registry: gitlabUrl,
  // As in Renovate.
  optionalPath: /\/api\/v4\/*$/,
  /** docs.gitlab.com/api/projects, "Retrieve a project". */
  package: {
    address: 'api/v4/projects/{packageName}',
    keys: { title: 'name', description: 'description', repository: 'web_url' },
    changesPath: '/-/releases',
  },
};

/** Leaves out projects at another instance than gitlab.com, the default. */
const atDefaultInstance =
  '$not($exists(registryUrls[$contains($string($), "//") and $not($contains($string($), /\\/\\/gitlab\\.com(\\/|$)/))]))';

/** Shared by both datasources, which ask the same API about a project. */
const projectFields = {
  defaultRegistry: gitlabUrl,
  coordinates: definePackage(
    /^\w[\w.-]*(?:\/\w[\w.-]*)+$/,
    'group/project',
    'gitlab.com',
    'https://gitlab.example.com/',
  ),
  renovate({ packageName, registryUrl = gitlabUrl }: PackageSource): RenovateConditions {
    const instance = registryUrl.replace(gitlabApi.optionalPath, '');
    const conditions = {
      matchDatasources: ['gitlab-releases', 'gitlab-tags'],
      matchPackageNames: [packageName],
    };
    return isRegistry(instance, gitlabUrl)
      ? { ...conditions, matchJsonata: [atDefaultInstance] }
      : { ...conditions, ...matchRegistry(instance) };
  },
};

export const gitlabReleases = defineSource({
  datasource: 'gitlab-releases',
  ...projectFields,
  ...createListAdapter({
    ...gitlabApi,
    address: 'api/v4/projects/{packageName}/releases?per_page=100',
    version: 'tag_name',
    /** docs.gitlab.com/api/releases. A release with a future date is upcoming. */
    release: {
      schema: z.object({
        released_at: orNull(z.string()),
        upcoming_release: orNull(z.boolean()),
        description: orNull(z.string()).catch(undefined),
        _links: orNull(z.object({ self: orNull(z.string()) })),
      }),
      expression: `upcoming_release ? () : {
        "releaseTimestamp": released_at, "changelogUrl": _links.self, "notes": description
      }`,
    },
  }),
});

export const gitlabTags = defineSource({
  datasource: 'gitlab-tags',
  ...projectFields,
  ...createListAdapter({
    ...gitlabApi,
    address: 'api/v4/projects/{packageName}/repository/tags?per_page=100',
    version: 'name',
    /** docs.gitlab.com/api/tags. A lightweight tag has only the day of its commit. */
    release: {
      schema: z.object({
        created_at: orNull(z.string()),
        commit: orNull(
          z.object({
            id: orNull(z.string()),
            committed_date: orNull(z.string()),
            created_at: orNull(z.string()),
          }),
        ),
      }),
      // A commit's id is the digest of its content: a moved tag is a release with other bytes.
      expression: `{
        "releaseTimestamp": created_at ?? commit.committed_date ?? commit.created_at,
        "digests": [{ "artifact": $version, "digest": commit.id }]
      }`,
    },
  }),
});
