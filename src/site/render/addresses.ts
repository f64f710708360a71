import type { ListedChange } from '../../decide/journal/published-events.ts';
import type { SiteContext } from './site-context.ts';

export function pageUrl(site: SiteContext, component: string): string {
  return `${site.baseUrl}/${component}.html`;
}

/** The canonical address of a page. For the first page, this is the folder. */
export function canonicalUrl(site: SiteContext, path: string): string {
  return path === 'index.html' ? `${site.baseUrl}/` : `${site.baseUrl}/${path}`;
}

/** The address of the changed release; of the greatest one if several changed. */
export function changeUrl(site: SiteContext, change: ListedChange): string {
  const isOfSeveral = change.edit !== undefined && change.edit.components.length > 1;
  return isOfSeveral
    ? canonicalUrl(site, 'changes.html')
    : `${pageUrl(site, change.component)}${changeAnchor(change)}`;
}

/** `#` and the anchor of the changed release; empty if the page does not show the release. */
export function changeAnchor({ type, version, line, subjects }: ListedChange): string {
  const subject = version ?? subjects?.at(-1);
  if (subject === undefined) return line === undefined ? '' : `#line-${line}`;
  return type === 'excluded' ? '' : `#${releaseAnchor(subject)}`;
}

/**
 * Id of a release on the page of its component: `v2025.3.1`. A character that is unsafe in an id or an address becomes its code
 * point between tildes, so ids are unique and need no escaping.
 */
export function releaseAnchor(version: string): string {
  return `v${version.replace(/[^A-Za-z0-9._+-]/gu, (character) => `~${character.codePointAt(0)!.toString(16)}~`)}`;
}

/** The version in an id from `releaseAnchor`. */
export function versionOfAnchor(anchor: string): string {
  return anchor
    .slice(1)
    .replace(/~([0-9a-f]{1,5})~/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

/**
 * The host in ids, from the configuration even if a trial build is published elsewhere: ids must never change.
 */
export function authorityOf({ config }: SiteContext): string {
  return new URL(config.releasesUrl).hostname.replaceAll(/[^A-Za-z0-9.-]/g, '');
}
