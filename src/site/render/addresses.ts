import { nameVariable } from '../../io/http/credentials.ts';
import { isClosed, type SiteContext } from './site-context.ts';

export function createPageUrl(site: SiteContext, component: string): string {
  return `${site.baseUrl}/${component}.html`;
}

/** The canonical address of a page. For the first page, this is the folder. */
export function createCanonicalUrl(site: SiteContext, path: string): string {
  return path === 'index.html' ? `${site.baseUrl}/` : `${site.baseUrl}/${path}`;
}

/**
 * The host in ids, from the configuration even if a trial build is published elsewhere: ids must never change.
 */
export function nameAuthority({ config }: SiteContext): string {
  return new URL(config.releasesUrl).hostname.replaceAll(/[^A-Za-z0-9.-]/g, '');
}

/** `curl` for readers to paste, with the access key from their variable if the index needs one. */
export function writeCurl(site: SiteContext): string {
  return isClosed(site) ? 'curl -H "Authorization: Bearer $RELEASE_INDEX_KEY"' : 'curl';
}

/** A command of this program that reads the index, with the access key if the index needs one. */
export function writeReadingCommand(site: SiteContext, command: string): string {
  return isClosed(site)
    ? `${nameVariable(new URL(site.baseUrl))}="Bearer $RELEASE_INDEX_KEY" ${command}`
    : command;
}
