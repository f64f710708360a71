import type { SiteContext } from './site-context.ts';
import type { Change } from '../policy/change.ts';
import { releaseAnchor } from './anchors.ts';

/** Address of a component's page, or of a release on it. */
export function pageUrl(site: SiteContext, component: string, version?: string): string {
  const anchor = version === undefined ? '' : `#${releaseAnchor(version)}`;
  return `${site.baseUrl}/${component}.html${anchor}`;
}

/** Where a change can be looked at: the release it is about, or the newest of a line's. */
export function changeUrl(site: SiteContext, { component, version, versions }: Change): string {
  return pageUrl(site, component, version ?? versions?.at(-1));
}

/**
 * The host under which ids are made that must never change: the one of the configuration, wherever a build is
 * published for a try.
 */
export function authorityOf({ config }: SiteContext): string {
  return new URL(config.releasesUrl).hostname.replaceAll(/[^A-Za-z0-9.-]/g, '');
}
