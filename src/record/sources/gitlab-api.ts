import { z } from 'zod';
import type { HttpResponse } from '../../io/http/client.ts';
import { nextLink } from '../../io/http/link.ts';
import { defined } from '../../core/text.ts';
import { addressBelow } from './registry-address.ts';
import { readJson } from './elements.ts';
import { fetchPages } from './paging.ts';
import type { DescribeContext, PackageDescription, SourceContext, SourceDefaults } from './source.ts';
import { Stated } from './stated.ts';

export interface GitlabProject {
  /** `group/project`, with the groups between them. */
  packageName: string;
  /** Address of the instance. */
  registryUrl?: string | undefined;
}

/** docs.gitlab.com/api/projects, "Retrieve a project". */
const Described = z.object({ name: Stated, description: Stated, web_url: Stated });

export async function describeProject(
  project: GitlabProject,
  { http, defaults }: DescribeContext,
): Promise<PackageDescription> {
  const url = projectAddress(project, [], defaults);
  const document = await http.fetch({ url, accept: ['application/json'] });
  const { name, description, web_url: page } = readJson(document, Described);
  const changelogUrl = page && `${page}/-/releases`;
  return defined({ title: name, description, repository: page, changelogUrl });
}

/** docs.gitlab.com/api/rest: a list below `/projects/:id`, in pages that lead to each other by `Link`. */
export function fetchProjectList(
  project: GitlabProject,
  list: readonly string[],
  context: SourceContext,
): Promise<HttpResponse[]> {
  const url = projectAddress(project, list, context.defaults, 'per_page=100');
  return fetchPages(context.http, { url, accept: ['application/json'] }, nextLink);
}

function projectAddress(
  { packageName, registryUrl }: GitlabProject,
  path: readonly string[],
  { gitlabUrl }: SourceDefaults,
  query = '',
): string {
  // As in Renovate, the address may be that of the API as well.
  const instance = (registryUrl ?? gitlabUrl).replace(/\/api\/v4\/?$/, '');
  return addressBelow(instance, ['api', 'v4', 'projects', packageName, ...path], query);
}
