import { sha256 } from '../files/file-system.ts';
import type { AddressGuard } from './address-guard.ts';
import { HttpError, showUrl, type HttpHeaders } from './error.ts';

export interface HttpRequest {
  url: string;
  /** Where `url` comes from an answer: the address that a person named. Another host than this one is foreign. */
  namedUrl?: string | undefined;
  /** Media types to request; the answer's type must be in this list or in `alsoAccept`. */
  accept: readonly string[];
  /** Media types accepted without requesting them, such as `text/plain` for raw files. */
  alsoAccept?: readonly string[] | undefined;
  /** Further headers, with names in lower case. Redirects to other hosts get them, too, so they hold no credential. */
  headers?: Record<string, string> | undefined;
  method?: 'GET' | 'HEAD' | 'POST' | undefined;
  /** For a `POST` that only reads and may be repeated. */
  body?: { type: string; text: string } | undefined;
  /** Limit of the unpacked body. */
  maxBytes?: number | undefined;
  /** Send npm's own credentials. */
  asNpm?: boolean | undefined;
  /** Answer a registry's 401 with a token for this scope ("repository:library/alpine:pull"). */
  authenticate?: { scope: string } | undefined;
  /** False for a document that no later run will request. */
  isKept?: boolean | undefined;
  /** True if an empty body means an empty list. */
  mayBeEmpty?: boolean | undefined;
}

export interface Reply {
  url: URL;
  status: number;
  headers: HttpHeaders;
  /** Empty but for status 200. */
  body: Buffer;
}

/** Throws `HttpError` for a URL that is never requested. */
export function parseUrl(request: HttpRequest, guard: AddressGuard): URL {
  const { url: text, method = 'GET' } = request;
  const reject = (message: string) => new HttpError({ kind: 'forbidden', url: text, message });
  const url = URL.parse(text);
  if (!url) {
    throw reject(`${showUrl(text)} is not a URL`);
  }

  const subject = `${method} ${showUrl(url)}`;
  if (url.protocol !== 'https:' && !guard.admitsPlainHttp(url)) {
    throw reject(
      `${subject} is not allowed: only https: is (http: for loopback, and for plainHttpHosts of site/site.json)`,
    );
  }

  if (url.username || url.password) {
    throw reject(`${subject} has credentials in the URL`);
  }

  if (isForeign(request) && !guard.admits(url)) {
    throw reject(`${subject} is an address in a local network`);
  }

  url.hash = '';
  return url;
}

/** Whether a redirect led to the host, which no person named: it gets no credential, and may not be in a local network. */
export function isForeign({ url, namedUrl = url }: HttpRequest): boolean {
  return new URL(url).origin !== new URL(namedUrl).origin;
}

/** The answer to a URL may depend on `Accept` and on a credential. */
export function createRequestKey(url: URL, request: HttpRequest, isPersonal: boolean): string {
  const { method = 'GET', body, accept, alsoAccept, headers, maxBytes, authenticate } = request;
  const document = [method, url.href, body, accept, alsoAccept, headers];
  return sha256(JSON.stringify([...document, maxBytes, authenticate?.scope, isPersonal]));
}
