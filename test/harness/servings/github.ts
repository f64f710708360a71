import { json, linkedPages, type Serving } from '../serving.ts';

const githubList = (list: string, entries: readonly unknown[], pageSize: number) =>
  linkedPages(`/api/repos/example/agent/${list}?per_page=100`, entries, pageSize);

export const githubReleases: Serving = {
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
    const entries = releases.map(({ version, at, link, isMalformed }) => ({
      tag_name: version,
      published_at: isMalformed ? 5 : (at ?? null),
      html_url: link ?? null,
      draft: false,
      prerelease: false,
    }));
    return githubList('releases', entries, pageSize);
  },
};

export const githubTags: Serving = {
  name: 'github-tags',
  home: '/api/repos/example/agent/',
  hasPages: true,
  entry: 'object',
  source: (url) => ({ datasource: 'github-tags', packageName: 'example/agent', registryUrl: `${url}api/` }),
  documents(releases, { pageSize }) {
    const entries = releases.map(({ version, isMalformed }) => ({
      name: version,
      commit: isMalformed ? null : { sha: shaOf(version) },
    }));
    const documents = githubList('tags', entries, pageSize);
    for (const { version, at } of releases) {
      const committer = at === undefined ? null : { date: at };
      const commit = { author: { date: '2001-01-01T00:00:00Z' }, committer };
      documents.set(githubTags.lookUp!(version), json({ sha: shaOf(version), commit }));
    }
    return documents;
  },
  lookUp: (version) => `/api/repos/example/agent/commits/${shaOf(version)}`,
};

function shaOf(tag: string): string {
  return Buffer.from(tag).toString('hex');
}
