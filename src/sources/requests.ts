import { XMLParser } from 'fast-xml-parser';
import LinkHeader from 'http-link-header';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import * as z from 'zod';
import { isObject } from '../core/objects.ts';
import { describeProblems, showValue, toText } from '../core/parse-document.ts';
import { quote, toLine } from '../core/text.ts';
import type { Http, HttpRequest, HttpResponse } from './http/client.ts';
import { Failure, SourceError } from './http/failures.ts';

/* Reads documents of upstreams: JSON, YAML and XML by their schemas. */

/** An optional value of a registry. Of another type, it is ignored: without it, an entry is as good. */
export const anyText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' && value.trim()) || undefined);
/** A time as a text; `checkRelease` says where it is none. */
export const anyTime = z
  .unknown()
  .optional()
  .transform((value) => (value ? toText(value) : undefined));
/** With each of its keys: a record of zod leaves out `__proto__`. */
export const anyObject = z.custom<Record<string, unknown>>(isObject, {
  error: 'expected an object',
});

export const anyFlag = z.boolean().optional().catch(undefined);

/** The texts of an object that describe a package: by each name, that at its key. */
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

/** All values are text: with YAML's own types, the version 1.10 would be the number 1.1. A few aliases can expand without end. */
export function parseYaml(response: HttpResponse): unknown {
  return parseAs('YAML', response, (text) =>
    load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 50 }),
  );
}

/** All values are text. Entities of a DOCTYPE can expand without end. `listPath`: that of an element that is a list, even of one. */
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
    // With validation.
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
