import type { HttpResponse } from '../http/client.ts';
import { nextLink } from '../http/link.ts';
import { addressBelow } from './registry-address.ts';
import { fetchPages } from './paging.ts';
import type { SourceContext } from './source.ts';

export interface GitlabProject {
  /** `group/project`, with the groups between them. */
  packageName: string;
  /** Address of the instance. */
  registryUrl?: string | undefined;
}

/** docs.gitlab.com/api/rest: a list below `/projects/:id`, in pages that lead to each other by `Link`. */
export function fetchProjectList(
  { packageName, registryUrl }: GitlabProject,
  list: readonly string[],
  context: SourceContext,
): Promise<HttpResponse[]> {
  // As in Renovate, the address may be that of the API as well.
  const instance = (registryUrl ?? context.defaults.gitlabUrl).replace(/\/api\/v4\/?$/, '');
  const url = addressBelow(instance, ['api', 'v4', 'projects', packageName, ...list], 'per_page=100');
  return fetchPages(context.http, { url, accept: ['application/json'] }, nextLink);
}
