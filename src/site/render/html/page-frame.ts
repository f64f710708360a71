import { canonicalUrl } from '../addresses.ts';
import type { SiteContext } from '../site-context.ts';
import { hiddenPages } from '../paths.ts';
import { renderTemplate } from './templates.ts';

export interface PageOptions {
  /** Path of the page in the site, if it is not that of its template. */
  path?: string;
  /** Name of the component on whose page the script looks up `details/`. */
  component?: string;
}

/** Renders a page by its template, which holds all of its words. `layout.hbs` needs `page`. Throws a TemplateError. */
export function renderPage(
  site: SiteContext,
  template: string,
  view: object,
  { path = `${template}.html`, component = '' }: PageOptions = {},
): string {
  const { title, repositoryUrl, logo = 'favicon.svg', accent, footer } = site.config;
  const page = {
    canonical: canonicalUrl(site, path),
    siteTitle: title,
    repositoryUrl,
    // The page for a missing address is served under any address, where relative links would lead nowhere.
    root: path === '404.html' ? `${new URL(site.baseUrl).pathname.replace(/\/$/, '')}/` : '',
    // The pages about the API are one place of the site.
    current: { [template.replace(/^api-.*/, 'api')]: true },
    component,
    logo,
    hasAccent: accent !== undefined,
    footerText: footer?.text ?? '',
    footerLinks: footer?.links ?? [],
    asksForCredential: site.access !== undefined,
    isIndexable: !hiddenPages.includes(path),
  };
  return renderTemplate(site.theme, template, { page, ...view });
}
