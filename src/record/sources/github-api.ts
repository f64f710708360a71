import type { HttpResponse } from '../../io/http/client.ts';
import type { HttpRequest } from '../../io/http/request.ts';
import { nextLink } from '../../io/http/link.ts';
import { z } from 'zod';
import { defined } from '../../core/text.ts';
import { readJson } from './elements.ts';
import { addressBelow } from './registry-address.ts';
import { fetchPages } from './paging.ts';
import type { DescribeContext, PackageDescription, SourceContext } from './source.ts';
import { Stated } from './stated.ts';

export interface GithubRepository {
  /** `owner/repo` */
  packageName: string;
  /** Base of the API; an enterprise server has its own, `https://ghe.example.com/api/v3/`. */
  registryUrl?: string | undefined;
}

/** docs.github.com/rest: one request below `/repos/{owner}/{repo}`. */
export function repositoryRequest(
  { packageName, registryUrl }: GithubRepository,
  path: readonly string[],
  context: DescribeContext,
  query = '',
): HttpRequest {
  return {
    url: addressBelow(
      registryUrl ?? context.defaults.githubApiUrl,
      ['repos', ...packageName.split('/'), ...path],
      query,
    ),
    accept: ['application/vnd.github+json'],
    alsoAccept: ['application/json'],
    headers: { 'x-github-api-version': '2022-11-28' },
  };
}

/** docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api */
export function fetchRepositoryList(
  repository: GithubRepository,
  list: 'releases' | 'tags',
  context: SourceContext,
): Promise<HttpResponse[]> {
  return fetchPages(context.http, repositoryRequest(repository, [list], context, 'per_page=100'), nextLink);
}

/** docs.github.com/rest/repos/repos, "Get a repository". */
const Repository = z.object({ name: Stated, description: Stated, homepage: Stated, html_url: Stated });

export async function describeRepository(
  repository: GithubRepository,
  context: DescribeContext,
): Promise<PackageDescription> {
  const response = await context.http.fetch(repositoryRequest(repository, [], context));
  const { name, description, homepage, html_url: page } = readJson(response, Repository);
  return defined({
    title: name,
    description,
    homepage,
    changelogUrl: page && `${page}/releases`,
    repository: page,
  });
}
