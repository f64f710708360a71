import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256 } from '../files/file-system.ts';
import type { AddressGuard } from './connections.ts';
import { HttpError, showUrl, type HttpHeaders } from './error.ts';

/** The answer for a document, cached until the end of the run. */
export interface HttpAnswer {
  /** after redirects */
  url: URL;
  headers: HttpHeaders;
  /** the gzipped body: a run may request thousands of documents */
  packed: Buffer;
  /** SHA-256 of the body, in hex */
  sha256: string;
  /** the host confirmed the stored body */
  notModified: boolean;
}

const pack = promisify<Buffer, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, { maxOutputLength?: number }, Buffer>(gunzip);

export async function packBody(body: Buffer): Promise<Pick<HttpAnswer, 'packed' | 'sha256'>> {
  return { packed: await pack(body, { level: 3 }), sha256: sha256(body) };
}

export function unpackBody(
  { packed }: Pick<HttpAnswer, 'packed'>,
  maxOutputLength?: number,
): Promise<Buffer> {
  return unpack(packed, maxOutputLength === undefined ? {} : { maxOutputLength });
}

/** Whether a stored body is undamaged and within the limit. */
export async function isIntact(
  stored: Pick<HttpAnswer, 'packed' | 'sha256'>,
  maxBytes: number,
): Promise<boolean> {
  const body = await unpackBody(stored, maxBytes).catch(() => undefined);
  return body !== undefined && sha256(body) === stored.sha256;
}

export interface Reply {
  url: URL;
  status: number;
  headers: HttpHeaders;
  /** empty but for status 200 */
  body: Buffer;
}

export interface HttpRequest {
  url: string;
  /** media types to request; the answer's type must be in this list or in `alsoAccept` */
  accept: readonly string[];
  /** media types accepted without requesting them, such as `text/plain` for raw files */
  alsoAccept?: readonly string[] | undefined;
  headers?: Record<string, string> | undefined;
  method?: 'GET' | 'HEAD' | 'POST' | undefined;
  /** for a `POST` that only reads and may be repeated */
  body?: { type: string; text: string } | undefined;
  /** limit of the unpacked body */
  maxBytes?: number | undefined;
  /** send npm's own credentials */
  asNpm?: boolean | undefined;
  /** answer a registry's 401 with a token for this scope ("repository:library/alpine:pull") */
  authenticate?: { scope: string } | undefined;
  /** false for a document that no later run will request */
  isKept?: boolean | undefined;
  /** true if an empty body means an empty list */
  mayBeEmpty?: boolean | undefined;
}

/** Throws `HttpError` for a URL that is never requested. */
export function parseUrl({ url: text, method = 'GET' }: HttpRequest, guard: AddressGuard): URL {
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

  url.hash = '';
  return url;
}

/** The answer to a URL may depend on `Accept` and on a credential. */
export function messageKey(url: URL, request: HttpRequest, isPersonal: boolean): string {
  const {
    method = 'GET',
    body,
    accept,
    alsoAccept = [],
    headers = {},
    maxBytes = 0,
    authenticate,
  } = request;
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));

  const parts = [
    method,
    url.href,
    body,
    accept,
    alsoAccept,
    sorted,
    maxBytes,
    authenticate?.scope ?? '',
  ];
  return sha256(JSON.stringify(isPersonal ? [...parts, 'personal'] : parts));
}
