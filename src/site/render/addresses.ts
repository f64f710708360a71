import type { SiteContext } from './site-context.ts';

export function pageUrl(site: SiteContext, component: string): string {
  return `${site.baseUrl}/${component}.html`;
}

/** The canonical address of a page. For the first page, this is the folder. */
export function canonicalUrl(site: SiteContext, path: string): string {
  return path === 'index.html' ? `${site.baseUrl}/` : `${site.baseUrl}/${path}`;
}

/**
 * The host in ids, from the configuration even if a trial build is published elsewhere: ids must never change.
 */
export function nameAuthority({ config }: SiteContext): string {
  return new URL(config.releasesUrl).hostname.replaceAll(/[^A-Za-z0-9.-]/g, '');
}
