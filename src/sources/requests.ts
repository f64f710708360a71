import LinkHeader from 'http-link-header';
import type * as z from 'zod';
import { showValue } from '../core/parse-document.ts';
import { quote } from '../core/text.ts';
import { parseAs, readJson } from './documents.ts';
import type { Http, HttpRequest, HttpResponse } from './http/client.ts';
import { Failure, SourceError } from './http/failures.ts';

/**
 * An address below that of a registry, which may end with a slash: no name can lead to another place. `@` and `:` stay as they are, and
 * the slash of a scoped package becomes `%2f`, as registries expect it.
 */
export function joinUrl(registryUrl: string, segments: readonly string[], query = ''): string {
  // A URL resolves dot segments even if percent-encoded.
  if (segments.some((segment) => ['', '.', '..'].includes(segment) || !segment.isWellFormed())) {
    throw SourceError.at(registryUrl, `${quote(segments.join('/'))} is no path below it`);
  }

  const url = new URL(registryUrl);
  const path = segments.map((segment) =>
    encodeURIComponent(segment)
      .replaceAll(/%40|%3A/g, decodeURIComponent)
      .replaceAll('%2F', '%2f'),
  );
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path.join('/')}`;
  url.search = query;
  return url.href;
}

export async function fetchJson<T>(
  http: Http,
  request: HttpRequest,
  schema: z.ZodType<T>,
): Promise<T> {
  return readJson(await http.fetch(request), schema);
}

/**
 * Reads a list with a client of its own. Once begun, it goes on before another begins at its host: of half a list nothing is known, and
 * what a limit left of answers would be spent in vain. `isChanged`: the question is another one than before, so all is sent whole.
 */
export async function readList<T>(
  http: Http,
  isChanged: boolean,
  read: (http: Http) => Promise<T>,
): Promise<T> {
  const ended = Promise.withResolvers<void>();
  let begun: Promise<void> | undefined;
  const fetch: Http['fetch'] = async (request) => {
    begun ??= http.beginList(request.url, ended.promise);
    await begun;
    return http.fetch(isChanged ? { ...request, keep: 'anew' } : request);
  };
  return forgetWrong({ ...http, fetch }, read).finally(ended.resolve);
}

/** What is read by answers of which one cannot be read is asked for whole by the next run, too. */
export async function forgetWrong<T>(http: Http, read: (http: Http) => Promise<T>): Promise<T> {
  const answers: HttpResponse[] = [];
  try {
    return await read({
      ...http,
      async fetch(request) {
        const answer = await http.fetch(request);
        answers.push(answer);
        return answer;
      },
    });
  } catch (error) {
    // Of a host that fails, what it answered before is right.
    if (!((error as Error).cause instanceof Failure)) {
      answers.forEach(({ forget }) => forget());
    }
    throw error;
  }
}

/** More pages than any real list has. A list that leads in a circle ends here, too: its documents are asked for once. */
const maxPages = 500;

/**
 * All pages of a list, in order. Fails if one fails: in half a list, versions would look withdrawn. `findNext`: the changes to the request
 * for the next page.
 */
export async function fetchPages<T>(
  http: Http,
  first: HttpRequest,
  schema: z.ZodType<T>,
  findNext: (response: HttpResponse, page: T) => Partial<HttpRequest> | undefined = findNextLink,
): Promise<T[]> {
  const pages: T[] = [];
  let request: HttpRequest | undefined = first;

  while (request) {
    if (pages.length === maxPages) {
      throw SourceError.at(request.url, `its list goes on after ${maxPages} pages`);
    }

    const response: HttpResponse = await http.fetch(request);
    const page = readJson(response, schema);
    const next = findNext(response, page);
    if (!next && response.isKept && mayBeFull(page)) {
      request = { ...request, keep: 'anew' };
    } else {
      pages.push(page);
      request = next && { ...first, ...next };
    }
  }

  return pages;
}

/** Pages have round sizes. The last one stays the same when another follows: only its header tells, which a host may leave out where it sends no body. */
function mayBeFull(page: unknown): boolean {
  const { length = 0 } = Object.values(page ?? {}).find(Array.isArray) ?? [];
  return length > 0 && length % 10 === 0;
}

/** The next page by the header `Link` (RFC 8288). Throws if the header cannot be read: the list would look whole. */
export function findNextLink(response: HttpResponse): Partial<HttpRequest> | undefined {
  const header = response.headers.get('link');
  if (!header) {
    return undefined;
  }

  const link = { url: response.url, text: () => header };
  const [next] = parseAs('header Link', link, (text) => LinkHeader.parse(text).rel('next'));
  return next && resolveAtHost(response, next.uri);
}

/** The request for an address in an answer. Throws for another host: no list is on two hosts. */
export function resolveAtHost({ url, from }: HttpResponse, address: string) {
  const target = URL.parse(address, url);
  if (target?.origin !== new URL(url).origin) {
    throw SourceError.at(
      url,
      `expected the address of the next document at the same host; got ${showValue(address)}`,
    );
  }
  return { url: target.href, from };
}
