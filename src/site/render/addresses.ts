import type { Change } from '../../decide/change.ts';
import type { SiteContext } from './site-context.ts';

/** Address of a component's page. */
export function pageUrl(site: SiteContext, component: string): string {
  return `${site.baseUrl}/${component}.html`;
}

/** The one address of a page: that of the index is the folder. */
export function canonicalUrl(site: SiteContext, path: string): string {
  return path === 'index.html' ? `${site.baseUrl}/` : `${site.baseUrl}/${path}`;
}

/** Address of the release that a change is about, or of the greatest of several. */
export function changeUrl(site: SiteContext, change: Change): string {
  return `${pageUrl(site, change.component)}${changeAnchor(change)}`;
}

/** `#` and the anchor of that release; empty if the page does not have it. */
export function changeAnchor({ kind, version, versions, last }: Change): string {
  const subject = version ?? versions?.at(-1) ?? last;
  return subject === undefined || kind === 'left out' ? '' : `#${releaseAnchor(subject)}`;
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
