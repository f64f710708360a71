import { openIndex, type PublishedIndex } from '../../ask/answers/published-index.ts';
import { openSite } from './site-index.ts';

/** The whole index of this site, with its search, as of today. Rejects components with more than `mostReleases`. */
export function openWholeSite(
  mostReleases = Infinity,
): PublishedIndex & ReturnType<typeof openSite> {
  const { read, ...site } = openSite(mostReleases);
  return { ...openIndex({ read }), ...site, read };
}
