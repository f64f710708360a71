/** Lists releases and tags in the formats of GitHub, GitLab and Git servers. */
import {
  digestOf,
  fileDigest,
  fileUrl,
  from,
  linkedPages,
  platforms,
  sha1,
  type ImitatedUpstream,
} from './imitation.ts';
import { json, text } from './upstream.ts';

export const githubReleases: ImitatedUpstream = {
  source: (url) => ({
    ...from('github-releases', 'example/agent', 'api/')(url),
    digestOf: { 'linux-amd64': '_linux-amd64\\.', 'linux-arm64': '_linux-arm64\\.' },
  }),
  hasPages: true,
  documents(releases, _url, pageSize) {
    const entries = releases.map(({ version, at, isMalformed }) => ({
      tag_name: isMalformed ? null : version,
      created_at: '2001-01-01T00:00:00Z',
      published_at: at ?? null,
      draft: false,
      prerelease: false,
      assets: [
        ...platforms.map((name) => ({
          name: `agent_${name}.tgz`,
          digest: fileDigest(version, name),
          browser_download_url: fileUrl(version, name),
        })),
        { digest: null },
      ],
    }));
    return linkedPages('/api/repos/example/agent/releases?per_page=100', entries, pageSize);
  },
  files: platforms,
};

const locateCommit = (version: string) =>
  `/api/repos/example/agent/commits/${digestOf(version, 'sha1')}`;

export const githubTags: ImitatedUpstream = {
  source: from('github-tags', 'example/agent', 'api/'),
  hasPages: true,
  documents(releases, _url, pageSize) {
    const entries = releases.map(({ version, isMalformed }) => ({
      name: version,
      commit: isMalformed ? null : { sha: digestOf(version, 'sha1') },
    }));
    const commits = releases.map(({ version, at }) => {
      const committer = at === undefined ? null : { date: at };
      return [locateCommit(version), json({ commit: { committer } })];
    });
    return {
      ...linkedPages('/api/repos/example/agent/tags?per_page=100', entries, pageSize),
      ...Object.fromEntries(commits),
    };
  },
  lookUp: (version) => `GET ${locateCommit(version)}`,
  digest: sha1,
};

const project = '/api/v4/projects/group%2fagent';

export const gitlabReleases: ImitatedUpstream = {
  source: from('gitlab-releases', 'group/agent'),
  hasPages: true,
  documents(releases, _url, pageSize) {
    const entries = releases.map(({ version, at, isMalformed }) => ({
      tag_name: isMalformed ? 5 : version,
      created_at: '2001-01-01T00:00:00Z',
      released_at: at,
    }));
    return linkedPages(`${project}/releases?per_page=100`, entries, pageSize);
  },
};

export const gitlabTags: ImitatedUpstream = {
  source: from('gitlab-tags', 'group/agent'),
  hasPages: true,
  documents(releases, _url, pageSize) {
    const entries = releases.map(({ version, at, isMalformed }) => ({
      name: version,
      created_at: null,
      commit: isMalformed ? 'none' : { id: digestOf(version, 'sha1'), committed_date: at },
    }));
    return linkedPages(`${project}/repository/tags?per_page=100`, entries, pageSize);
  },
  digest: sha1,
};

/** Encodes lines in Git's pkt-line format (git-scm.com/docs/gitprotocol-common). */
export function packets(...lines: string[]): string {
  const framed = lines.map(
    (line) => `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`,
  );
  return `${framed.join('')}0000`;
}

export const gitTags: ImitatedUpstream = {
  source: (url) => ({ datasource: 'git-tags', packageName: `${url}group/agent.git` }),
  givesNoDate: true,
  isPlain: true,
  documents(releases) {
    const tags = releases.map(({ version }) => `${digestOf(version, 'sha1')} refs/tags/${version}`);
    return {
      '/group/agent.git/info/refs?service=git-upload-pack': text(
        packets('# service=git-upload-pack') + packets(...tags),
        'application/x-git-upload-pack-advertisement',
      ),
    };
  },
  digest: sha1,
};
