import { canonicalUrl } from '../addresses.ts';
import { sitePages } from '../paths.ts';
import type { SiteContext } from '../site-context.ts';

/** A machine form of a page: `<link rel="alternate">` in its head. */
export interface Alternate {
  type: string;
  title: string;
  href: string;
}

export interface PageOptions {
  /** Title of the document; begins with what the page is about. */
  title: string;
  /** Title of a card that quotes the page. */
  heading: string;
  description: string;
  /** Path of the page in the site. */
  path: string;
  alternates?: Alternate[];
  /** Of the page of a component: its name, for the script to find its `details/`. */
  component?: string;
}

/** What the header leads to, as far as it is published. */
const navigation = [
  { path: 'index.html', text: 'Components' },
  { path: 'ends.html', text: 'Ends' },
  { path: 'changes.html', text: 'Changes' },
  { path: 'api.html', text: 'API' },
].filter(({ path }) => sitePages.includes(path));

/** What `site/templates/layout.hbs` needs, as `page`, from every view. */
export function pageOf(
  site: SiteContext,
  { path, alternates = [], component = '', ...texts }: PageOptions,
): object {
  return {
    ...texts,
    canonical: canonicalUrl(site, path),
    siteTitle: site.config.title,
    repositoryUrl: site.config.repositoryUrl,
    // The page for a missing address is served under any address, where relative links would lead nowhere.
    root: path === '404.html' ? `${new URL(site.baseUrl).pathname.replace(/\/$/, '')}/` : '',
    alternates,
    component,
    logo: site.config.logo ?? '',
    hasAccent: site.config.accent !== undefined,
    footerText: site.config.footer?.text ?? '',
    footerLinks: site.config.footer?.links ?? [],
    navigation: navigation.map((link) => ({ ...link, isCurrent: link.path === path })),
    asksForCredential: site.access !== undefined,
    isIndexable: path !== '404.html',
  };
}
