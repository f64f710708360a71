import LinkHeader from 'http-link-header';
import type * as z from 'zod';
import { showValue } from '../../../core/text/show.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import type { Fetcher, HttpResponse } from '../../../io/http/client.ts';
import type { HttpRequest } from '../../../io/http/request.ts';
import { SourceError } from '../datasource.ts';
import { readJson } from './document.ts';

/**
 * An address below a registry's address, which may end with a slash. Encodes each segment: no name can lead to another place.
 */
export function joinUrl(registryUrl: string, segments: readonly string[], query = ''): string {
  for (const segment of segments) {
    // A URL resolves dot segments even if percent-encoded, and half a surrogate pair cannot be encoded.
    if (segment === '' || segment === '.' || segment === '..' || !segment.isWellFormed()) {
      throw SourceError.at(registryUrl, `${quote(segments.join('/'))} is no path below it`);
    }
  }

  const url = new URL(registryUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${segments.map(encodeSegment).join('/')}`;
  url.search = query;
  url.hash = '';
  return url.href;
}

/**
 * `@` and `:` are valid in a path (RFC 3986, section 3.3). Registries expect them unencoded, and the slash of a scoped package as
 * `%2f`, as their own clients send it.
 */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment)
    .replaceAll('%40', '@')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '%2f');
}

export async function fetchJson<T>(http: Fetcher, url: string, schema: z.ZodType<T>): Promise<T> {
  return readJson(await http.fetch({ url }), schema);
}

/** Types of plain file storage. */
export const fileTypes = [
  'text/plain',
  'text/json',
  'application/octet-stream',
  'binary/octet-stream',
];

/** Types of a list in plain text. */
export const textTypes = { accept: ['text/plain'], alsoAccept: fileTypes };

/** Fetches JSON from an API or from plain file storage. */
export async function fetchJsonFile<T>(
  http: Fetcher,
  url: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const request = { url, alsoAccept: fileTypes, maxBytes: 20 * 1024 * 1024 };
  return readJson(await http.fetch(request), schema);
}

/** More pages and bytes than any real list has: a server that invents pages must not keep a run busy forever. */
const maxPages = 1000;
const maxListBytes = 100 * 1024 * 1024;

/** The greatest length of a header `Link`. A registry with four links in it sends some 1,500 characters. */
const maxLinkLength = 4000;

/** The address of the next page, from the header `Link` (RFC 8288). */
export function findNextLink(page: Pick<HttpResponse, 'url' | 'headers'>): string | undefined {
  const header = page.headers.get('link') ?? '';

  // Cut, it would look like the header of the last page.
  if (header.length > maxLinkLength) {
    throw SourceError.at(page.url, `its header Link has ${header.length} characters`);
  }

  // A link with an anchor is about another document.
  const next = parseLinks(page.url, header).find(
    ({ rel, anchor }) => rel?.toLowerCase() === 'next' && anchor === undefined,
  );
  return next?.uri ? resolveAtHost(page, next.uri, 'next') : undefined;
}

function parseLinks(url: string, header: string): LinkHeader.Reference[] {
  try {
    return LinkHeader.parse(header).refs;
  } catch (error) {
    // Without the next page, the list would look whole.
    if (/\bnext\b/i.test(header)) {
      throw SourceError.at(url, 'its header Link cannot be read', { cause: error });
    }

    return [];
  }
}

/**
 * All pages of a list, in order. Fails if any page fails: in half a list, versions would look withdrawn. `findNext` returns the
 * address of the page that follows the last of `pages`, or the members in which its request differs from the first.
 */
export async function fetchPages<T>(
  http: Fetcher,
  first: HttpRequest,
  schema: z.ZodType<T>,
  findNext: (
    response: HttpResponse,
    page: T,
    pages: readonly T[],
  ) => string | Partial<HttpRequest> | undefined = findNextLink,
): Promise<T[]> {
  const pages: T[] = [];
  const visited = new Set<string>();
  let bytes = 0;
  let request: HttpRequest | undefined = first;

  while (request) {
    const { url, body }: HttpRequest = request;
    const visit = `${url} ${body?.text}`;
    if (visited.has(visit)) {
      throw SourceError.at(url, 'its pages lead in a circle');
    }

    if (visited.size === maxPages || bytes > maxListBytes) {
      throw SourceError.at(url, `its list goes on after ${pages.length} pages, ${bytes} bytes`);
    }

    visited.add(visit);
    const response: HttpResponse = await http.fetch(request);
    bytes += response.body.length;
    const page = readJson(response, schema);
    pages.push(page);
    const next = findNext(response, page, pages);
    const changes = typeof next === 'string' ? { url: next } : next;
    // The first request may itself follow an address that a person named.
    request = changes && { namedUrl: first.url, ...first, ...changes };
  }

  return pages;
}

/**
 * The absolute form of an address that a page states, at the host of the page. Throws for another host: no list is on two hosts. The
 * request for it must state the `namedUrl`, since a redirect may have led to this host. `key`: names the address in the error.
 */
export function resolveAtHost(
  page: Pick<HttpResponse, 'url'>,
  address: string,
  key: string,
): string {
  const url = URL.parse(address, page.url);
  if (url?.origin === new URL(page.url).origin) {
    return url.href;
  }

  throw SourceError.at(
    page.url,
    `${key}: expected an address at the same host; got ${showValue(address)}`,
  );
}
