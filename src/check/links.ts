import { posix } from 'node:path';
import type { Report, SiteFolder } from './opened-site.ts';
import { isAllowed } from './texts.ts';

const forbidden: readonly { pattern: RegExp; what: string }[] = [
  { pattern: /<script(?![^>]*\ssrc=)/i, what: 'an inline script' },
  { pattern: /<style[\s>]/i, what: 'an inline stylesheet' },
  { pattern: /<[a-z][^<>]*\sstyle="/i, what: 'an inline style' },
  { pattern: /<[a-z][^<>]*\son[a-z]+="/i, what: 'an inline event handler' },
  { pattern: /<[a-z][^<>]*\ssrc="(?:[a-z]+:)?\/\//i, what: 'something from another host' },
];

/** A page runs and loads nothing but the site's own files, and its links lead somewhere. */
export function checkPage(
  path: string,
  html: string,
  site: SiteFolder,
  baseUrl: string | undefined,
  report: Report,
): void {
  for (const { pattern, what } of forbidden) {
    const found = pattern.exec(html);
    if (found) report(path, `line ${lineOf(html, found.index)}: holds ${what}`);
  }
  const seen = new Set<string>();
  for (const [, address] of html.matchAll(/\s(?:href|src)="([^"#?][^"#?]*)/g)) {
    if (seen.has(address!)) continue;
    seen.add(address!);
    const problem = problemOf(unescapeHtml(address!), path, site, baseUrl);
    if (problem !== undefined) report(path, problem);
  }
}

function problemOf(
  address: string,
  page: string,
  site: SiteFolder,
  baseUrl: string | undefined,
): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) {
    return isAllowed(address, baseUrl) ? undefined : `expected an https: address; got "${address}"`;
  }
  const target = targetOf(address, page, baseUrl);
  if (
    site.paths.has(target) ||
    site.paths.has(`${target}.html`) ||
    site.paths.has(posix.join(target, 'index.html'))
  )
    return undefined;
  return `links to "${address}", which the site has not`;
}

/** The page for what is missing is served under any address, so that its links begin at the top of the host. */
function targetOf(address: string, page: string, baseUrl: string | undefined): string {
  const top = baseUrl === undefined ? '/' : `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`;
  const path = address.startsWith(top) ? address.slice(top.length) : posix.join(posix.dirname(page), address);
  return path === '' ? 'index.html' : path;
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&#x3D;', '=').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
