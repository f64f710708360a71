import { tokenEndpoint } from '../../ask/server/access/token-endpoint.ts';
import type { Endpoint } from '../../ask/server/api/endpoint.ts';
import { endpoints } from '../../ask/server/api/router.ts';
import { nameVariable } from '../../io/http/credentials.ts';
import { isStatic, type SiteContext } from './site-context.ts';

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

/** Whether every file needs a credential. */
export function isClosed({ access }: SiteContext): boolean {
  return access?.protect === 'everything';
}

/** The endpoints of the host: the answers that are not files. */
export function listEndpoints(site: SiteContext): readonly Endpoint[] {
  if (isStatic(site)) {
    return [];
  }

  return site.access ? [...endpoints, tokenEndpoint] : endpoints;
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
