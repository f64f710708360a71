import type { Serving } from '../serving.ts';

export const staticSource: Serving = {
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
