import * as z from 'zod';
import {
  defineSource,
  type PackageSource,
  definePackage,
  isRegistry,
  type RenovateConditions,
  type SourceContext,
} from './datasource.ts';
import { orNull, createListAdapter } from './shared/json-list.ts';
import { joinUrl } from './shared/requests.ts';
import { readJson } from './shared/document.ts';

export const githubApiUrl = 'https://api.github.com/';

/** Shared by both datasources, which ask the same API about a repository. */
const repositoryFields = {
  defaultRegistry: githubApiUrl,
  /** `registryUrl`: an enterprise server's own API. */
  coordinates: definePackage(
    /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/,
    'owner/repo',
    "GitHub's API",
    'https://ghe.example.com/api/v3/',
  ),
  renovate: ({
    packageName,
    registryUrl = githubApiUrl,
  }: PackageSource): RenovateConditions | undefined =>
    isRegistry(registryUrl, githubApiUrl)
      ? {
          matchDatasources: ['github-releases', 'github-tags'],
          matchPackageNames: [packageName],
        }
      : undefined,
};

/** docs.github.com/rest */
const githubApi = {
  registry: githubApiUrl,
  request: {
    accept: ['application/vnd.github+json'],
    alsoAccept: ['application/json'],
    headers: { 'x-github-api-version': '2022-11-28' },
  },
  /** docs.github.com/rest/repos/repos, "Get a repository". */
  package: {
    address: 'repos/{+packageName}',
    keys: {
      title: 'name',
      description: 'description',
      homepage: 'homepage',
      repository: 'html_url',
    },
    changesPath: '/releases',
  },
};

export const githubReleases = defineSource({
  datasource: 'github-releases',
  ...repositoryFields,
  ...createListAdapter({
    ...githubApi,
    address: 'repos/{+packageName}/releases?per_page=100',
    version: 'tag_name',
    /** docs.github.com/rest/releases/releases. `created_at` is the day of the commit, which can be long before the release. */
    release: {
      schema: z.object({
        published_at: orNull(z.string()),
        html_url: orNull(z.string()),
        body: orNull(z.string()).catch(undefined),
        draft: orNull(z.boolean()),
        prerelease: orNull(z.boolean()),
        /** Old assets have no digest. */
        assets: z
          .array(z.object({ name: z.string(), digest: orNull(z.string()) }))
          .default([])
          .catch([]),
      }),
      // A false condition without "else" gives nothing, so drafts are left out, and so is `prerelease: false`: many maintainers
      // forget that mark.
      expression: `draft ? () : {
        "releaseTimestamp": published_at, "changelogUrl": html_url, "notes": body,
        "isPrerelease": prerelease ? true,
        "digests": [assets.{ "artifact": $version & "/" & name, "digest": digest }]
      }`,
    },
  }),
});

const tags = createListAdapter({
  ...githubApi,
  address: 'repos/{+packageName}/tags?per_page=100',
  version: 'name',
  /** docs.github.com/rest/repos/repos, "List repository tags". */
  release: {
    schema: z.object({
      commit: z.object({ sha: z.string().regex(/^[0-9a-f]+$/, { error: 'expected a commit' }) }),
    }),
    // A commit's id is the digest of its content: a moved tag is a release with other bytes.
    expression: '{ "digests": [{ "artifact": $version, "digest": commit.sha }] }',
  },
});

/** docs.github.com/rest/commits/commits */
const Commit = z.object({
  commit: z.object({ committer: z.object({ date: z.string() }).nullish() }),
});

export const githubTags = defineSource({
  datasource: 'github-tags',
  ...repositoryFields,
  ...tags,
  async gather(source, context) {
    const answer = await tags.gather(source, context);
    const releases = answer.releases.map((release) => {
      // The schema requires the commit.
      const commit = release.digests![release.name]!;
      return { ...release, requestFacts: () => requestDay(source, commit, context) };
    });
    return { ...answer, releases };
  },
});

/** The committer's day is the day of this commit; the author's day may be much older. */
async function* requestDay(
  { packageName, registryUrl = githubApiUrl }: PackageSource,
  commit: string,
  { http }: SourceContext,
) {
  const path = ['repos', ...packageName.split('/'), 'commits', commit];
  const url = joinUrl(registryUrl, path);

  // No later run asks for a recorded day.
  const response = await http.fetch({ ...githubApi.request, url, isKept: false });
  yield { releaseTimestamp: readJson(response, Commit).commit.committer?.date };
}
