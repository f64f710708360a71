import LinkHeader from 'http-link-header';
import { HttpError, type HttpHeaders, showUrl } from './error.ts';

/**
 * The URL of the next page, from the `Link` header (RFC 8288). Throws `HttpError` of kind `forbidden` for one at another origin:
 * pages of one list have no reason to be there, and it would be requested without our checks.
 */
export function nextLink(response: { url: string; headers: HttpHeaders }): string | undefined {
  // A link with an anchor is about another document.
  const next = parseLinks(response.headers.get('link')).find(
    ({ rel, anchor }) => rel?.toLowerCase() === 'next' && anchor === undefined,
  );
  if (next === undefined) return undefined;
  const base = new URL(response.url);
  const url = URL.parse(next.uri, base.href);
  if (url && url.origin === base.origin && !url.username && !url.password) return url.href;
  const message = `GET ${showUrl(base)} names a next page at ${url ? showUrl(url) : 'no valid URL'}, not at ${base.origin}`;
  throw new HttpError({ kind: 'forbidden', url: response.url, message });
}

function parseLinks(header = ''): LinkHeader.Reference[] {
  try {
    return LinkHeader.parse(header).refs;
  } catch {
    return [];
  }
}
