import type { ImitatedUpstream } from '../imitated-upstream.ts';

export const staticSource: ImitatedUpstream = {
  name: 'static',
  statesLinks: true,
  source: (_url, releases) => ({
    datasource: 'static',
    releases: releases.map(({ version, at, link }) => ({
      version,
      ...(at !== undefined && { releaseTimestamp: at }),
      ...(link !== undefined && { changelogUrl: link }),
    })),
  }),
};
