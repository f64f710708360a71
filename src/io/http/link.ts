import { HttpError, type HttpHeaders, showUrl } from './error.ts';

/**
 * The URL of the next page, from the `Link` header (RFC 8288). Throws `HttpError` of kind `forbidden` for one at
 * another origin: pages of one list have no reason to lie there, and it would be asked without our checks.
 */
export function nextLink(response: { url: string; headers: HttpHeaders }): string | undefined {
  for (const { target, parameters } of parseLinks(response.headers.get('link') ?? '')) {
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/);
    // A link with an anchor is about another document.
    if (!relations.includes('next') || parameters.has('anchor')) continue;
    const base = new URL(response.url);
    const url = URL.parse(target, base.href);
    if (url && url.origin === base.origin && !url.username && !url.password) return url.href;
    const message = `GET ${showUrl(base)} names a next page at ${url ? showUrl(url) : 'no valid URL'}, not at ${base.origin}`;
    throw new HttpError({ kind: 'forbidden', url: response.url, message });
  }
  return undefined;
}

interface Link {
  target: string;
  /** names in lower case; the first of a name counts */
  parameters: ReadonlyMap<string, string>;
}

const TARGET = /[\s,]*<([^>]*)>/y;
const PARAMETER = /\s*;\s*([\w!#$&+.^`|~*-]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*)))?/y;

function parseLinks(header: string): Link[] {
  const links: Link[] = [];
  let position = 0;
  for (;;) {
    const target = match(TARGET);
    if (!target) return links;
    const parameters = new Map<string, string>();
    for (let found = match(PARAMETER); found; found = match(PARAMETER)) {
      const name = (found[1] ?? '').toLowerCase();
      const value = found[2]?.replace(/\\(.)/g, '$1') ?? found[3] ?? '';
      if (!parameters.has(name)) parameters.set(name, value);
    }
    links.push({ target: target[1] ?? '', parameters });
  }

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    const found = pattern.exec(header);
    if (found) position = pattern.lastIndex;
    return found;
  }
}
