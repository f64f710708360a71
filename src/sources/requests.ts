import { XMLParser } from 'fast-xml-parser';
import LinkHeader from 'http-link-header';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import * as z from 'zod';
import { isObject } from '../core/objects.ts';
import { describeProblems, showValue, toText } from '../core/parse-document.ts';
import { formatCount, quote, toLine } from '../core/text.ts';
import {
  countValues,
  limitValues,
  type Http,
  type HttpRequest,
  type HttpResponse,
} from './http/client.ts';
import { Failure, SourceError } from './http/failures.ts';

/* Reads JSON, YAML and XML documents of upstreams, and checks them against schemas. */

/** An optional text from a registry. A value of another type is ignored, because the entry is usable without it. */
export const anyText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' && value.trim()) || undefined);
/** A time as a text. `checkRelease` reports a text that is not a time. */
export const anyTime = z
  .unknown()
  .optional()
  .transform((value) => (value ? toText(value) : undefined));
/** An object with all its keys. zod's `record` would leave out `__proto__`. */
export const anyObject = z.custom<Record<string, unknown>>(isObject, {
  error: 'expected an object',
});

export const anyFlag = z.boolean().optional().catch(undefined);

/** Picks from an object the texts that describe a package. `keys`: where each text is in the object: `{ repository: 'html_url' }`. */
export function pickTexts(
  document: unknown,
  keys: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  const texts = z.record(z.string(), anyText).catch({}).parse(document);
  const allKeys = Object.entries({ title: 'name', description: 'description', ...keys });
  return Object.fromEntries(allKeys.map(([name, key]) => [name, texts[key]]));
}

export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  return readBySchema(response.url, parseJson(response), schema);
}

export function parseJson(response: Pick<HttpResponse, 'url' | 'text'>): unknown {
  return parseAs('JSON', response, (text): unknown => JSON.parse(text));
}

export function readBySchema<T>(url: string, document: unknown, schema: z.ZodType<T>): T {
  const { data, success } = schema.safeParse(document);
  if (!success) {
    const [problem = ''] = describeProblems(document, schema);
    throw SourceError.at(url, problem);
  }
  return data;
}

/**
 * Parses YAML. All values are text, because the version 1.10 would otherwise be the number 1.1. Aliases are not allowed, because a few can
 * expand to an enormous document.
 */
export function parseYaml(response: HttpResponse): unknown {
  return parseAs('YAML', response, (text) =>
    load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 50 }),
  );
}

/**
 * Parses XML. All values are text. Throws for a DOCTYPE, because its entities can expand to an enormous document. `listPath`: the path of
 * an element that is always a list, even with one entry.
 */
export function parseXml(response: HttpResponse, listPath?: string): unknown {
  return parseAs('XML', response, (text) => {
    if (/<!DOCTYPE/i.test(text)) {
      throw new Error('it contains <!DOCTYPE');
    }
    const parser = new XMLParser({
      ignoreDeclaration: true,
      parseTagValue: false,
      isArray: (_name, path) => String(path) === listPath,
    });
    // `true` makes the parser check that the document is well-formed.
    return parser.parse(text, true);
  });
}

export function parseAs<T>(
  format: string,
  response: Pick<HttpResponse, 'url' | 'text'>,
  parse: (text: string) => T,
): T {
  const text = response.text();
  try {
    return parse(text);
  } catch (error) {
    const problem = toLine((error as Error).message, 200);
    throw SourceError.at(response.url, `cannot be read as ${format}: ${problem}`);
  }
}

/**
 * Returns a URL below a registry's URL, which may end with a slash. Segments are encoded, so that a name cannot lead to another path.
 * Registries expect `@` and `:` as they are, and the slash of a scoped package as `%2f`.
 */
export function joinUrl(registryUrl: string, segments: readonly string[], query = ''): string {
  // Dot segments are rejected, because a URL parser resolves them even if they are percent-encoded.
  if (segments.some((segment) => ['', '.', '..'].includes(segment) || !segment.isWellFormed())) {
    throw SourceError.at(registryUrl, `${quote(segments.join('/'))} is not a path below it`);
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
 * Reads the list of a source. If too many lists are being read from a host, waits until one of them is complete. Otherwise the host's rate
 * limit might be used up while many lists are half read, and half a list cannot be used.
 * - `read`: reads the list. Its requests use the HTTP client that it receives.
 * - `isChanged`: whether the source's definition has changed. Answers of earlier runs are then not used.
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

/** Calls `read`. If an answer cannot be read, forgets all answers that `read` used. The next run then requests them in full. */
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
    // If a host failed, its earlier answers are still right, so they are not forgotten.
    if (!((error as Error).cause instanceof Failure)) {
      answers.forEach(({ forget }) => forget());
    }
    throw error;
  }
}

/** The greatest number of pages, more than any real list has. A list that leads in a circle also ends here. */
const maxPages = 500;

/**
 * Reads all pages of a list in order. Fails if one page fails, because half a list would make versions look withdrawn. `findNext` returns
 * the changes to the request for the next page.
 */
export async function fetchPages<T>(
  http: Http,
  first: HttpRequest,
  schema: z.ZodType<T>,
  findNext: (response: HttpResponse, page: T) => Partial<HttpRequest> | undefined = findNextLink,
): Promise<T[]> {
  const pages: T[] = [];
  let values = 0;
  let request: HttpRequest | undefined = first;

  while (request) {
    if (pages.length === maxPages) {
      throw SourceError.at(request.url, `its list goes on after ${maxPages} pages`);
    }

    const response: HttpResponse = await http.fetch(request);
    values += countValues(response.bytes());
    limitValues(first.url, values);
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

/**
 * Tells whether a page may be full: its number of entries is a multiple of ten. Example: in the last run, a list had one page with 100
 * entries. This page has not changed, but a second page now follows. A host that answers "not changed" may leave out the `Link` to the
 * second page. So a full last page is requested again.
 */
function mayBeFull(page: unknown): boolean {
  const { length = 0 } = Object.values(page ?? {}).find(Array.isArray) ?? [];
  return length > 0 && length % 10 === 0;
}

/** The greatest length of a `Link` header. Real headers have some hundred characters. With 64 kB, the parser would take seconds. */
const maxLinkLength = 8192;

/** Finds the next page in the header `Link` (RFC 8288). Throws for an unreadable header, because the list would otherwise look complete. */
export function findNextLink(response: HttpResponse): Partial<HttpRequest> | undefined {
  const header = response.headers.get('link');
  if (!header) {
    return undefined;
  }
  if (header.length > maxLinkLength) {
    throw SourceError.at(
      response.url,
      `has a header Link of more than ${formatCount(maxLinkLength, 'character')}`,
    );
  }

  const link = { url: response.url, text: () => header };
  const [next] = parseAs('header Link', link, (text) => LinkHeader.parse(text).rel('next'));
  return next && resolveAtHost(response, next.uri);
}

/** Returns the request for a URL in an answer. Throws if the URL leads to another host, because no real list is spread over two hosts. */
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
