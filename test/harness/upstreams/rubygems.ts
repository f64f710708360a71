import { digestOf, json, type ImitatedUpstream } from '../imitated-upstream.ts';

export const rubygems: ImitatedUpstream = {
  name: 'rubygems',
  home: '/api/v1/versions/',
  entry: 'object',
  source: (url) => ({ datasource: 'rubygems', packageName: 'agent', registryUrl: url }),
  documents(releases) {
    const gems = releases.map((release) => ({
      number: release.version,
      created_at: release.isMalformed ? 1 : release.at,
      platform: 'ruby',
      sha: digestOf(release),
    }));
    return new Map([['/api/v1/versions/agent.json', json(gems)]]);
  },
  digests: (release) => ({ ruby: `sha256:${digestOf(release)}` }),
};
