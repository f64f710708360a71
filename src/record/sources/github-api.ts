import type { HttpResponse } from '../../io/http/client.ts';
import type { HttpRequest } from '../../io/http/request.ts';
import { nextLink } from '../../io/http/next-link.ts';
import { z } from 'zod';
import { defined } from '../../core/text.ts';
import { readJson, Stated } from './elements.ts';
import { addressBelow } from './registry-address.ts';
import { fetchPages } from './paging.ts';
import type { DescribeContext, PackageDescription, SourceContext } from './source.ts';
import { packageFields, type PackageCoordinates } from './coordinates.ts';
import { onlySuchTags, type RenovateConditions } from './renovate.ts';

export const githubApiUrl = 'https://api.github.com/';

/** An enterprise server has an API of its own. */
export const githubCoordinates = packageFields(/^[A-Za-z0-9][\w.-]*\/[\w.-]+$/, 'owner/repo', {
  default: "GitHub's API",
  example: 'https://ghe.example.com/api/v3/',
});

export function githubConditions(
  { packageName, registryUrl }: PackageCoordinates,
  latest: string,
): RenovateConditions | undefined {
  if (registryUrl !== undefined) return undefined;
  return {
    matchDatasources: ['github-releases', 'github-tags'],
    matchPackageNames: [packageName],
    ...onlySuchTags(latest),
  };
}

/** docs.github.com/rest: one request below `/repos/{owner}/{repo}`. */
export function repositoryRequest(
  { packageName, registryUrl }: PackageCoordinates,
  path: readonly string[],
  query = '',
): HttpRequest {
  return {
    url: addressBelow(registryUrl ?? githubApiUrl, ['repos', ...packageName.split('/'), ...path], query),
    accept: ['application/vnd.github+json'],
    alsoAccept: ['application/json'],
    headers: { 'x-github-api-version': '2022-11-28' },
  };
}

/** docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api */
export function fetchRepositoryList(
  repository: PackageCoordinates,
  list: 'releases' | 'tags',
  context: SourceContext,
): Promise<HttpResponse[]> {
  return fetchPages(context.http, repositoryRequest(repository, [list], 'per_page=100'), nextLink);
}

/** docs.github.com/rest/repos/repos, "Get a repository". */
const Repository = z.object({ name: Stated, description: Stated, homepage: Stated, html_url: Stated });

export async function describeRepository(
  repository: PackageCoordinates,
  context: DescribeContext,
): Promise<PackageDescription> {
  const response = await context.http.fetch(repositoryRequest(repository, []));
  const { name, description, homepage, html_url: page } = readJson(response, Repository);
  return defined({
    title: name,
    description,
    homepage,
    changelogUrl: page && `${page}/releases`,
    repository: page,
  });
}
