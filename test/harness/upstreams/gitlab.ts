import { digestOf, linkedPages, type ImitatedUpstream } from '../imitated-upstream.ts';

const project = '/api/v4/projects/group%2fagent';

export const gitlabReleases: ImitatedUpstream = {
  name: 'gitlab-releases',
  home: `${project}/`,
  hasPages: true,
  entry: 'object',
  statesLinks: true,
  source: (url) => ({
    datasource: 'gitlab-releases',
    packageName: 'group/agent',
    registryUrl: url,
  }),
  documents(releases, { pageSize }) {
    const entries = releases.map(({ version, at, link, isMalformed }) => ({
      tag_name: version,
      created_at: '2001-01-01T00:00:00Z',
      commit: { committed_date: '2001-01-01T00:00:00Z' },
      released_at: isMalformed ? 5 : at,
      upcoming_release: false,
      _links: { self: link },
    }));
    return linkedPages(`${project}/releases?per_page=100`, entries, pageSize);
  },
};

export const gitlabTags: ImitatedUpstream = {
  name: 'gitlab-tags',
  home: `${project}/`,
  hasPages: true,
  entry: 'object',
  source: (url) => ({ datasource: 'gitlab-tags', packageName: 'group/agent', registryUrl: url }),
  documents(releases, { pageSize }) {
    const entries = releases.map((release) => ({
      name: release.version,
      created_at: null,
      commit: release.isMalformed
        ? 'none'
        : {
            id: digestOf(release, 'sha1'),
            authored_date: '2001-01-01T00:00:00Z',
            committed_date: release.at,
          },
    }));
    return linkedPages(`${project}/repository/tags?per_page=100`, entries, pageSize);
  },
  digests: (release) => ({ [release.version]: `sha1:${digestOf(release, 'sha1')}` }),
};
