import type { Datasource } from '../../src/core/schemas/source-schema.ts';
import type { Serving } from './serving.ts';
import { crate } from './servings/crate.ts';
import { dockerHub, ociRegistry } from './servings/docker.ts';
import { githubReleases, githubTags } from './servings/github.ts';
import { gitTags } from './servings/git-tags.ts';
import { gitlabReleases, gitlabTags } from './servings/gitlab.ts';
import { go } from './servings/go.ts';
import { helm } from './servings/helm.ts';
import { json } from './servings/json.ts';
import { maven } from './servings/maven.ts';
import { npm } from './servings/npm.ts';
import { nuget } from './servings/nuget.ts';
import { page } from './servings/page.ts';
import { pypi } from './servings/pypi.ts';
import { rubygems } from './servings/rubygems.ts';
import { staticSource } from './servings/static.ts';

/** Every datasource once; one that is missing does not compile. */
export const servings = {
  npm: [npm],
  maven: [maven],
  pypi: [pypi],
  docker: [dockerHub, ociRegistry],
  helm: [helm],
  'github-releases': [githubReleases],
  'github-tags': [githubTags],
  'gitlab-releases': [gitlabReleases],
  'gitlab-tags': [gitlabTags],
  'git-tags': [gitTags],
  nuget: [nuget],
  crate: [crate],
  rubygems: [rubygems],
  go: [go],
  json: [json],
  page: [page],
  static: [staticSource],
} satisfies { [D in Datasource]: readonly Serving[] };

export const allServings: readonly Serving[] = Object.values(servings).flat();

/** Those that are asked over the network. */
export const remoteServings = allServings.filter(({ documents }) => documents !== undefined);
