import type { SourceAdapter, SourceRelease } from './source.ts';

/** The definition is its own upstream: what a person wrote there, as they wrote it. */
export const staticSource: SourceAdapter<'static'> = {
  datasource: 'static',
  statesDeprecation: true,
  gather(source, context) {
    const releases: SourceRelease[] = [];
    for (const { version: listed, releaseTimestamp, changelogUrl, deprecated } of source.releases) {
      const version = context.offer(listed);
      if (version === undefined) continue;
      releases.push({
        version,
        ...(releaseTimestamp !== undefined && { releaseTimestamp }),
        ...(changelogUrl !== undefined && { changelogUrl }),
        ...(deprecated !== undefined && { deprecated }),
      });
    }
    return Promise.resolve({ releases, accept: () => undefined });
  },
};
