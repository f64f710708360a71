import { sha256 } from '../files/file-system.ts';
import type { AddressGuard } from './address-guard.ts';
import { HttpError, showUrl } from './error.ts';
import type { HttpHeaders } from './http-headers.ts';

export interface HttpRequest {
  url: string;
  /** The address that a person named, if `url` comes from an answer. */
  namedUrl?: string | undefined;
  /** Media types to request; JSON where absent. The answer's type must be in this list or in `alsoAccept`. */
  accept?: readonly string[] | undefined;
  /** Media types accepted without requesting them, such as `text/plain` for raw files. */
  alsoAccept?: readonly string[] | undefined;
  /** Further headers, with names in lower case. Redirects to other hosts get them, too, so they hold no credential. */
  headers?: Record<string, string> | undefined;
  method?: 'GET' | 'HEAD' | 'POST' | undefined;
  /** For a `POST` that only reads and may be repeated. */
  body?: { type: string; text: string } | undefined;
  /** Limit of the unpacked body. */
  maxBytes?: number | undefined;
  /** Whether to send npm's own credentials. */
  asNpm?: boolean | undefined;
  /** The scope of the token that answers a registry's 401 ("repository:library/alpine:pull"). */
  tokenScope?: string | undefined;
  /** Whether to keep the document for later runs; kept where absent. */
  isKept?: boolean | undefined;
  /** Whether an empty body means an empty list. */
  mayBeEmpty?: boolean | undefined;
}

export const jsonType = ['application/json'];

export interface Reply {
  url: URL;
  status: number;
  headers: HttpHeaders;
  /** Empty for a `HEAD`, and for any other status than 200. */
  body: Buffer;
}

/** The URL of a request, without its fragment. Throws `HttpError` if it may never be requested. */
export function parseUrl(request: HttpRequest, guard: AddressGuard): URL {
  const { url: text, method = 'GET' } = request;
  const reject = (message: string) => new HttpError({ kind: 'forbidden', url: text, message });
  const url = URL.parse(text);
  if (!url) {
    throw reject(`${showUrl(text)} is not a URL`);
  }

  const problem = guard.findProblem(url, isForeign(request) ? 'host' : 'person');
  if (problem !== undefined) {
    throw reject(`${method} ${showUrl(url)} ${problem}`);
  }

  url.hash = '';
  return url;
}

/** Whether the URL leaves the origin that a person named: it gets no credential, and may not be in a local network. */
export function isForeign({ url, namedUrl = url }: HttpRequest): boolean {
  return new URL(url).origin !== new URL(namedUrl).origin;
}

/** The key of equal requests, which share an answer: it may depend on the media types, on a credential and on who named the URL. */
export function createRequestKey(url: URL, request: HttpRequest, isPersonal: boolean): string {
  const {
    method = 'GET',
    body,
    accept = jsonType,
    alsoAccept,
    headers,
    maxBytes,
    tokenScope,
  } = request;
  return sha256(
    JSON.stringify([
      method,
      url.href,
      body,
      accept,
      alsoAccept,
      headers,
      maxBytes,
      tokenScope,
      isForeign(request),
      isPersonal,
    ]),
  );
}
