import { defined } from '../../core/text.ts';
import type { SourceAdapter, SourceRelease } from './source.ts';

/** The releases are written in the definition itself. */
export const staticSource: SourceAdapter<'static'> = {
  datasource: 'static',
  statesDeprecation: true,
  gather(source, context) {
    const releases: SourceRelease[] = [];
    for (const { version: listed, releaseTimestamp, changelogUrl, deprecated } of source.releases) {
      const version = context.offer(listed);
      if (version === undefined) continue;
      releases.push(defined({ version, releaseTimestamp, changelogUrl, deprecated }));
    }
    return Promise.resolve(releases);
  },
};
