import type { ComponentSummary } from '../../../decide/component.ts';
import { renderTemplate } from '../html/templates.ts';
import { listSitePages } from '../paths.ts';
import { createCanonicalUrl, isClosed, type SiteContext } from '../site-context.ts';

/** `robots.txt`: everything is public, or nothing. */
export function renderRobots(site: SiteContext): string {
  if (isClosed(site)) {
    return 'User-agent: *\nDisallow: /\n';
  }

  return `User-agent: *\nAllow: /\n\nSitemap: ${site.baseUrl}/sitemap.xml\n`;
}

/** `sitemap.xml` (sitemaps.org, 0.9). It has no days, so it changes only with the list of pages. */
export function renderSitemap(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const paths = [...listSitePages(), ...summaries.map(({ name }) => `${name}.html`)];
  const pages = paths.map((path) => createCanonicalUrl(site, path));
  return renderTemplate(site.theme, 'sitemap', { pages });
}
