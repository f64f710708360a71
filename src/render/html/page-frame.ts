import type { SiteContext } from '../site-context.ts';

/** A machine form of a page: `<link rel="alternate">` in its head. */
export interface Alternate {
  type: string;
  title: string;
  href: string;
}

/** What `site/templates/layout.hbs` needs, as `page`, from every view. */
export interface Page {
  /** Document title; begins with what the page is about. */
  title: string;
  /** Title of a card that quotes the page. */
  heading: string;
  description: string;
  /** Absolute address. */
  canonical: string;
  siteTitle: string;
  repositoryUrl: string;
  /** What leads to the top of the site; empty on pages that are there. */
  root: string;
  alternates: Alternate[];
  isIndex: boolean;
  isApi: boolean;
  isIndexable: boolean;
}

export interface PageOptions {
  title: string;
  heading: string;
  description: string;
  /** Path of the page in the site. */
  path: string;
  alternates?: Alternate[];
}

export function pageOf(
  site: SiteContext,
  { title, heading, description, path, alternates = [] }: PageOptions,
): Page {
  return {
    title,
    heading,
    description,
    canonical: path === 'index.html' ? `${site.baseUrl}/` : `${site.baseUrl}/${path}`,
    siteTitle: site.config.title,
    repositoryUrl: site.config.repositoryUrl,
    // The page for what is missing is served under any address, so that relative links would lead nowhere.
    root: path === '404.html' ? `${new URL(site.baseUrl).pathname.replace(/\/$/, '')}/` : '',
    alternates,
    isIndex: path === 'index.html',
    isApi: path === 'api.html',
    isIndexable: path !== '404.html',
  };
}
