import type { TypedSource } from '../../src/record/sources/index.ts';
import type { ImitatedUpstream } from './imitated-upstream.ts';
import { crate } from './upstreams/crate.ts';
import { dockerHub, ociRegistry } from './upstreams/docker.ts';
import { endoflifeDate } from './upstreams/endoflife-date.ts';
import { githubReleases, githubTags } from './upstreams/github.ts';
import { gitTags } from './upstreams/git-tags.ts';
import { gitlabReleases, gitlabTags } from './upstreams/gitlab.ts';
import { go } from './upstreams/go.ts';
import { helm } from './upstreams/helm.ts';
import { json } from './upstreams/json.ts';
import { maven } from './upstreams/maven.ts';
import { npm } from './upstreams/npm.ts';
import { nuget } from './upstreams/nuget.ts';
import { page } from './upstreams/page.ts';
import { pypi } from './upstreams/pypi.ts';
import { rubygems } from './upstreams/rubygems.ts';
import { staticSource } from './upstreams/static.ts';

/** Every datasource once; one that is missing does not compile. */
export const imitatedUpstreams = {
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
  'endoflife-date': [endoflifeDate],
  json: [json],
  page: [page],
  static: [staticSource],
  /** It lists no releases. */
  osv: [],
} satisfies { [D in TypedSource['datasource']]: readonly ImitatedUpstream[] };

export const allUpstreams: readonly ImitatedUpstream[] = Object.values(imitatedUpstreams).flat();

/** Those that are asked over the network. */
export const remoteUpstreams = allUpstreams.filter(({ documents }) => documents !== undefined);
