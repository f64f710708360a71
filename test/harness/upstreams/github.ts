import {
  digestOf,
  json,
  linkedPages,
  type Listed,
  type ImitatedUpstream,
} from '../imitated-upstream.ts';

const githubList = (list: string, entries: readonly unknown[], pageSize: number) =>
  linkedPages(`/api/repos/example/agent/${list}?per_page=100`, entries, pageSize);

export const githubReleases: ImitatedUpstream = {
  name: 'github-releases',
  home: '/api/repos/example/agent/',
  hasPages: true,
  entry: 'object',
  statesLinks: true,
  source: (url) => ({
    datasource: 'github-releases',
    packageName: 'example/agent',
    registryUrl: `${url}api/`,
  }),
  documents(releases, { pageSize }) {
    const entries = releases.map(({ version, at, link, isMalformed, ...release }) => ({
      tag_name: version,
      created_at: '2001-01-01T00:00:00Z',
      published_at: isMalformed ? 5 : (at ?? null),
      html_url: link ?? null,
      draft: false,
      prerelease: false,
      assets: [assetOf({ version, ...release })],
    }));
    return githubList('releases', entries, pageSize);
  },
  digests: (release) => ({ [`${release.version}/agent.zip`]: `sha256:${digestOf(release)}` }),
};

function assetOf(release: Listed): object {
  const digest = digestOf(release);
  return { name: 'agent.zip', digest: digest === undefined ? null : `sha256:${digest}` };
}

export const githubTags: ImitatedUpstream = {
  name: 'github-tags',
  home: '/api/repos/example/agent/',
  hasPages: true,
  entry: 'object',
  source: (url) => ({
    datasource: 'github-tags',
    packageName: 'example/agent',
    registryUrl: `${url}api/`,
  }),
  documents(releases, { pageSize }) {
    const entries = releases.map((release) => ({
      name: release.version,
      commit: release.isMalformed ? null : { sha: commitOf(release) },
    }));
    const documents = githubList('tags', entries, pageSize);
    for (const release of releases) {
      const { at } = release;
      const committer = at === undefined ? null : { date: at };
      const commit = { author: { date: '2001-01-01T00:00:00Z' }, committer };
      documents.set(
        `/api/repos/example/agent/commits/${commitOf(release)}`,
        json({ sha: commitOf(release), commit }),
      );
    }
    return documents;
  },
  lookUp: (version) => `/api/repos/example/agent/commits/${commitOf({ version })}`,
  digests: (release) => ({ [release.version]: `sha1:${commitOf(release)}` }),
};

function commitOf(release: Listed): string {
  return digestOf(release, 'sha1') ?? '';
}
