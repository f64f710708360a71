import { posix } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import type { Report, SiteFolder } from './opened-site.ts';

const forbidden: readonly { pattern: RegExp; what: string }[] = [
  { pattern: /<script(?![^>]*\ssrc=)/i, what: 'an inline script' },
  { pattern: /<style[\s>]/i, what: 'an inline stylesheet' },
  { pattern: /<[a-z][^<>]*\sstyle="/i, what: 'an inline style' },
  { pattern: /<[a-z][^<>]*\son[a-z]+="/i, what: 'an inline event handler' },
  { pattern: /<[a-z][^<>]*\ssrc="(?:[a-z]+:)?\/\//i, what: 'something from another host' },
];

/** A page runs and loads nothing but the site's own files, and none of its links is broken. */
export function checkPage(
  path: string,
  html: string,
  site: SiteFolder,
  baseUrl: string | undefined,
  report: Report,
): void {
  for (const { pattern, what } of forbidden) {
    const found = pattern.exec(html);
    if (found) {
      report(path, `line ${html.slice(0, found.index).split('\n').length}: contains ${what}`);
    }
  }
  const addresses = Array.from(
    html.matchAll(/\s(?:href|src)="([^"#?][^"#?]*)/g),
    ([, address]) => address!,
  );
  for (const address of new Set(addresses.map(unescapeHtml))) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(address)) {
      checkAddress(path, address, baseUrl, report);
    } else if (!leadsSomewhere(address, path, site, baseUrl)) {
      report(path, `broken link: "${address}"`);
    }
  }
}

/** XML is well-formed, and its links are `https:` or lead into the site. */
export function checkXml(
  path: string,
  text: string,
  baseUrl: string | undefined,
  report: Report,
): void {
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    report(path, `line ${valid.err.line}, column ${valid.err.col}: ${valid.err.msg}`);
  }
  for (const [, address] of text.matchAll(/(?:\shref="|<loc>|<uri>)([^"<]*)/g)) {
    checkAddress(path, address!, baseUrl, report);
  }
}

/** A calendar is whole, and its links are `https:` or lead into the site. */
export function checkCalendar(
  path: string,
  text: string,
  baseUrl: string | undefined,
  report: Report,
): void {
  if (!/^BEGIN:VCALENDAR\r\n.*\r\nEND:VCALENDAR(?:\r\n)?$/s.test(text)) {
    report(path, 'expected one whole VCALENDAR');
  }
  for (const [, address] of text
    .replaceAll('\r\n ', '')
    .matchAll(/^URL[:;](?:VALUE=URI:)?(.*?)\r?$/gm)) {
    checkAddress(path, address!, baseUrl, report);
  }
}

/** A site that was built to be tried out may lead to plain loopback; all other links are `https:`. */
function checkAddress(
  path: string,
  address: string,
  baseUrl: string | undefined,
  report: Report,
): void {
  if (address.startsWith('https://') || (baseUrl !== undefined && address.startsWith(baseUrl))) {
    return;
  }
  report(path, `expected an https: address; got "${address}"`);
}

/** The Worker answers these where no file does. */
const requests = /^(?:api|build-export|packages|policies)\//;

function leadsSomewhere(
  address: string,
  page: string,
  site: SiteFolder,
  baseUrl: string | undefined,
): boolean {
  const target = targetOf(address, page, baseUrl);
  if (requests.test(target)) {
    return site.paths.has('openapi.json');
  }
  return [target, `${target}.html`, posix.join(target, 'index.html')].some((path) =>
    site.paths.has(path),
  );
}

/** `404.html` is served under any address, so its links are relative to the top of the host. */
function targetOf(address: string, page: string, baseUrl: string | undefined): string {
  const top = baseUrl === undefined ? '/' : `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`;
  const path = address.startsWith(top)
    ? address.slice(top.length)
    : posix.join(posix.dirname(page), address);
  return path === '' ? 'index.html' : path;
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&#x3D;', '=').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
}
