import type { ImitatedUpstream } from '../imitated-upstream.ts';

export const page: ImitatedUpstream = {
  name: 'page',
  home: '/history/',
  onlyAdds: true,
  source: (url) => ({
    datasource: 'page',
    url: `${url}history/index.md`,
    matchStrings: ['^## (?<version>\\S.*)$(?:\\s+on (?<releaseTimestamp>\\S.*)$)?'],
  }),
  documents(releases) {
    const entries = releases.map(
      ({ version, at }) =>
        `## ${version}\n\n${at === undefined ? '' : `on ${at}`}\n\n- [FIX] Something.\n`,
    );
    const body = `# History\n\n${entries.join('\n')}`;
    return new Map([['/history/index.md', { type: 'text/markdown; charset=utf-8', body }]]);
  },
};
