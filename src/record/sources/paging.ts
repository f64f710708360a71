import LinkHeader from 'http-link-header';
import type { z } from 'zod';
import type { Fetcher, HttpResponse } from '../../io/http/client.ts';
import type { HttpRequest } from '../../io/http/messages.ts';
import { showUrl } from '../../io/http/error.ts';
import { show } from '../../core/schemas/problems.ts';
import { readJson } from './elements.ts';
import { SourceError } from './source.ts';

/** More than any real list has: a server that makes up page after page must not keep us for ever. */
const maxPages = 1000;
const maxBytes = 100 * 1024 * 1024;

/** The address of the next page, from the header `Link` (RFC 8288). */
export function nextLink(page: Pick<HttpResponse, 'url' | 'headers'>): string | undefined {
  // A link with an anchor is about another document.
  const next = parseLinks(page.headers.get('link')).find(
    ({ rel, anchor }) => rel?.toLowerCase() === 'next' && anchor === undefined,
  );
  return addressAtSameHost(page, next?.uri, 'next');
}

function parseLinks(header = ''): LinkHeader.Reference[] {
  try {
    return LinkHeader.parse(header).refs;
  } catch {
    return [];
  }
}

/** All pages of a list, in their order. One that fails fails all: half a list would look like versions withdrawn. */
export async function fetchPages<T>(
  http: Fetcher,
  first: HttpRequest,
  schema: z.ZodType<T>,
  nextPage: (response: HttpResponse, page: T) => string | undefined = nextLink,
): Promise<T[]> {
  const pages: T[] = [];
  const asked = new Set<string>();
  let bytes = 0;
  let url: string | undefined = first.url;
  while (url !== undefined) {
    if (asked.has(url)) throw new SourceError(`${showUrl(url)}: its pages lead in a circle`);
    if (asked.size === maxPages || bytes > maxBytes) {
      throw new SourceError(`${showUrl(url)}: its list goes on after ${pages.length} pages, ${bytes} bytes`);
    }
    asked.add(url);
    const response: HttpResponse = await http.fetch({ ...first, url });
    bytes += response.body.length;
    const page = readJson(response, schema);
    pages.push(page);
    url = nextPage(response, page);
  }
  return pages;
}

/**
 * The address of another part of a list, as a document names it under the key. Throws for one at another host: no list is
 * on two hosts, and the other host would be requested without our checks.
 */
export function addressAtSameHost(
  page: Pick<HttpResponse, 'url'>,
  address: string | null | undefined,
  key: string,
): string | undefined {
  if (!address) return undefined;
  const url = URL.parse(address, page.url);
  if (url?.origin === new URL(page.url).origin) return url.href;
  throw new SourceError(
    `${showUrl(page.url)}: ${key}: expected an address at the same host; got ${show(address)}`,
  );
}
