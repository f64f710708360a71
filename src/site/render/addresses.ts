import type { ListedChange } from '../../decide/journal/published-events.ts';
import type { SiteContext } from './site-context.ts';

/** Address of a component's page. */
export function pageUrl(site: SiteContext, component: string): string {
  return `${site.baseUrl}/${component}.html`;
}

/** The one address of a page: that of the index is the folder. */
export function canonicalUrl(site: SiteContext, path: string): string {
  return path === 'index.html' ? `${site.baseUrl}/` : `${site.baseUrl}/${path}`;
}

/** Where a change can be looked at: the release it is about, or the greatest of several. */
export function changeUrl(site: SiteContext, change: ListedChange): string {
  const isOfSeveral = change.edit !== undefined && change.edit.components.length > 1;
  return isOfSeveral
    ? canonicalUrl(site, 'changes.html')
    : `${pageUrl(site, change.component)}${changeAnchor(change)}`;
}

/** `#` and the anchor of that release; empty where the page does not hold it. */
export function changeAnchor({ type, version, line, subjects }: ListedChange): string {
  const subject = version ?? subjects?.at(-1);
  if (subject === undefined) return line === undefined ? '' : `#line-${line}`;
  return type === 'excluded' ? '' : `#${releaseAnchor(subject)}`;
}

/**
 * Id of a release on the page of its component: `v2025.3.1`. A character that is not safe both in an id and in an address
 * becomes its code point between tildes, so that two versions never share an id and none needs escaping.
 */
export function releaseAnchor(version: string): string {
  return `v${version.replace(/[^A-Za-z0-9._+-]/gu, (character) => `~${character.codePointAt(0)!.toString(16)}~`)}`;
}

/** The version of such an id. */
export function versionOfAnchor(anchor: string): string {
  return anchor
    .slice(1)
    .replace(/~([0-9a-f]{1,5})~/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

/**
 * The host in ids. Ids must never change, so that it comes from the configuration even if a build is published elsewhere
 * for a trial.
 */
export function authorityOf({ config }: SiteContext): string {
  return new URL(config.releasesUrl).hostname.replaceAll(/[^A-Za-z0-9.-]/g, '');
}
