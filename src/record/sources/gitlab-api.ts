import { z } from 'zod';
import type { HttpResponse } from '../../io/http/client.ts';
import { nextLink } from '../../io/http/next-link.ts';
import { defined } from '../../core/text.ts';
import { addressBelow } from './registry-address.ts';
import { readJson, Stated } from './elements.ts';
import { fetchPages } from './paging.ts';
import type { DescribeContext, PackageDescription, SourceContext } from './source.ts';
import { packageFields, type PackageCoordinates } from './coordinates.ts';
import { onlySuchTags, type RenovateConditions } from './renovate.ts';

export const gitlabUrl = 'https://gitlab.com/';

export const gitlabCoordinates = packageFields(/^\w[\w.-]*(?:\/\w[\w.-]*)+$/, 'group/project', {
  default: 'gitlab.com',
  example: 'https://gitlab.example.com/',
});

/** A dependency of another instance than gitlab.com, which is meant where none is named. */
const elsewhere =
  '$exists(registryUrls[$contains($string($), "//") and $not($contains($string($), /\\/\\/gitlab\\.com(\\/|$)/))])';

export function gitlabConditions(
  { packageName, registryUrl }: PackageCoordinates,
  latest: string,
): RenovateConditions {
  const conditions = {
    matchDatasources: ['gitlab-releases', 'gitlab-tags'],
    matchPackageNames: [packageName],
  };
  if (registryUrl === undefined) return { ...conditions, ...onlySuchTags(latest, elsewhere) };
  const instance = registryUrl.replace(/(?:\/api\/v4)?\/*$/, '');
  return { ...conditions, matchRegistryUrls: [instance, `${instance}/`], ...onlySuchTags(latest) };
}

/** docs.gitlab.com/api/projects, "Retrieve a project". */
const Described = z.object({ name: Stated, description: Stated, web_url: Stated });

export async function describeProject(
  project: PackageCoordinates,
  { http }: DescribeContext,
): Promise<PackageDescription> {
  const url = projectAddress(project, []);
  const document = await http.fetch({ url, accept: ['application/json'] });
  const { name, description, web_url: page } = readJson(document, Described);
  const changelogUrl = page && `${page}/-/releases`;
  return defined({ title: name, description, repository: page, changelogUrl });
}

/** docs.gitlab.com/api/rest: a list below `/projects/:id`, in pages that lead to each other by `Link`. */
export function fetchProjectList(
  project: PackageCoordinates,
  list: readonly string[],
  context: SourceContext,
): Promise<HttpResponse[]> {
  const url = projectAddress(project, list, 'per_page=100');
  return fetchPages(context.http, { url, accept: ['application/json'] }, nextLink);
}

function projectAddress(
  { packageName, registryUrl }: PackageCoordinates,
  path: readonly string[],
  query = '',
): string {
  // As in Renovate, the address may be that of the API as well.
  const instance = (registryUrl ?? gitlabUrl).replace(/\/api\/v4\/?$/, '');
  return addressBelow(instance, ['api', 'v4', 'projects', packageName, ...path], query);
}
