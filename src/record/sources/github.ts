import * as z from 'zod';
import type { HttpRequest } from '../../io/http/messages.ts';
import {
  defineSource,
  type DescribeContext,
  type PackageCoordinates,
  type PackageDescription,
  createPackageFields,
  type RenovateConditions,
} from './datasource.ts';
import {
  listElements,
  readJson,
  readReleases,
  Stated,
  completeDigests,
} from './shared/elements.ts';
import { createAddressBelow, fetchList } from './shared/requests.ts';

export const githubApiUrl = 'https://api.github.com/';

/** docs.github.com/rest/releases/releases. `created_at` is the day of the commit, which can be long before the release. */
const Release = z.object({
  published_at: z.string().nullish(),
  html_url: z.string().nullish(),
  body: z.string().nullish().catch(undefined),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
  /** Old assets have no digest. */
  assets: z
    .array(z.object({ name: z.string(), digest: z.string().nullish() }))
    .default([])
    .catch([]),
});

/** docs.github.com/rest/repos/repos, "List repository tags". */
const Tag = z.object({
  commit: z.object({ sha: z.string().regex(/^[0-9a-f]+$/, { error: 'expected a commit' }) }),
});

/** docs.github.com/rest/commits/commits. The committer's day is the day of this commit; the author's day may be much older. */
const Commit = z.object({
  commit: z.object({ committer: z.object({ date: z.string() }).nullish() }),
});

/** docs.github.com/rest/repos/repos, "Get a repository". */
const Repository = z.object({
  name: Stated,
  description: Stated,
  homepage: Stated,
  html_url: Stated,
});

/** Shared by both datasources, which ask the same API about a repository. */
const repositoryFields = {
  purlType: 'github',
  defaultRegistry: githubApiUrl,
  /** `registryUrl`: an enterprise server's own API. */
  coordinates: createPackageFields(
    /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/,
    'owner/repo',
    "GitHub's API",
    'https://ghe.example.com/api/v3/',
  ),
  renovate: ({ packageName, registryUrl }: PackageCoordinates): RenovateConditions | undefined =>
    registryUrl === undefined
      ? {
          matchDatasources: ['github-releases', 'github-tags'],
          matchPackageNames: [packageName],
        }
      : undefined,
  async describe(
    repository: PackageCoordinates,
    { http }: DescribeContext,
  ): Promise<PackageDescription> {
    const response = await http.fetch(createRepositoryRequest(repository, []));
    const { name, description, homepage, html_url: page } = readJson(response, Repository);
    const changelogUrl = page && `${page}/releases`;
    return { title: name, description, homepage, changelogUrl, repository: page };
  },
};

export const githubReleases = defineSource({
  datasource: 'github-releases',
  ...repositoryFields,
  async gather(source, context) {
    const request = createRepositoryRequest(source, ['releases'], 'per_page=100');
    const listed = listElements(await fetchList(context.http, request), 'tag_name');

    return readReleases(request.url, listed, Release, (release, tag) =>
      release.draft
        ? undefined
        : {
            releaseTimestamp: release.published_at || undefined,
            changelogUrl: release.html_url || undefined,
            notes: release.body ?? undefined,
            // An unset mark means nothing: many maintainers forget to set it.
            isPrerelease: release.prerelease || undefined,
            digests: completeDigests(
              release.assets.map(({ name, digest }) => [`${tag}/${name}`, digest]),
            ),
          },
    );
  },
});

export const githubTags = defineSource({
  datasource: 'github-tags',
  ...repositoryFields,
  async gather(source, context) {
    const list = createRepositoryRequest(source, ['tags'], 'per_page=100');
    const listed = listElements(await fetchList(context.http, list), 'name');

    // A commit's id is the digest of its content: a moved tag is a release with other bytes.
    return readReleases(list.url, listed, Tag, ({ commit: { sha } }, tag) => ({
      digests: { [tag]: sha },
      async *requestFacts() {
        const request = { ...createRepositoryRequest(source, ['commits', sha]), isKept: false };
        const { commit } = readJson(await context.http.fetch(request), Commit);
        yield { releaseTimestamp: commit.committer?.date };
      },
    }));
  },
});

/** docs.github.com/rest: one request below `/repos/{owner}/{repo}`. */
function createRepositoryRequest(
  { packageName, registryUrl }: PackageCoordinates,
  path: readonly string[],
  query = '',
): HttpRequest {
  return {
    url: createAddressBelow(
      registryUrl ?? githubApiUrl,
      ['repos', ...packageName.split('/'), ...path],
      query,
    ),
    accept: ['application/vnd.github+json'],
    alsoAccept: ['application/json'],
    headers: { 'x-github-api-version': '2022-11-28' },
  };
}
