import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { HttpError, type HttpErrorDetails, type HttpHeaders } from './error.ts';

/** An answer as it is shared by all who ask for the document. */
export interface Answer {
  /** after redirects */
  url: URL;
  headers: HttpHeaders;
  body: Body;
  /** the body is the stored one, which upstream said still holds */
  notModified: boolean;
  /** requests sent for it, with redirects and repeats */
  requests: number;
}

export interface Body {
  bytes: Buffer;
  /** gzip; packed once, for both the rest of the run and later ones */
  packed(): Promise<Buffer>;
}

export function bodyOf(bytes: Buffer, alreadyPacked?: Buffer): Body {
  let packing: Promise<Buffer> | undefined = alreadyPacked && Promise.resolve(alreadyPacked);
  return { bytes, packed: () => (packing ??= pack(bytes, { level: 3 })) };
}

/** Packing a body that is no longer than this costs more than it saves. */
const PACK_ABOVE_BYTES = 1024;
const pack = promisify<Buffer, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, Buffer>(gunzip);

/** The first line of a record, in JSON; the body follows it. */
type Head =
  | { error: Omit<HttpErrorDetails, 'headers' | 'cause'>; headers: [string, string][] }
  | { url: string; headers: [string, string][]; notModified: boolean; requests: number; isPacked: boolean };

/** What came of asking for a document, in bytes. Of a failure, its cause is left out: nobody who reads it later asks for it. */
export async function toRecord(outcome: Answer | HttpError): Promise<Buffer> {
  const headers = [...(outcome.headers ?? [])];
  if (outcome instanceof HttpError) {
    const { kind, url, message, attempts, status } = outcome;
    return record({ error: { kind, url, message, attempts, status }, headers });
  }
  const { url, body, notModified, requests } = outcome;
  const isPacked = body.bytes.length > PACK_ABOVE_BYTES;
  const content = isPacked ? await body.packed() : body.bytes;
  return record({ url: url.href, headers, notModified, requests, isPacked }, content);
}

/** The reverse. Rejects for bytes that are no record, or a damaged one. */
export async function fromRecord(bytes: Buffer): Promise<Answer | HttpError> {
  const end = bytes.indexOf('\n');
  const head = JSON.parse(bytes.toString('utf8', 0, end)) as Head;
  const headers = new Map(head.headers);
  if ('error' in head) return new HttpError({ ...head.error, headers });
  const content = bytes.subarray(end + 1);
  const body = head.isPacked ? bodyOf(await unpack(content), content) : bodyOf(content);
  const { notModified, requests } = head;
  return { url: new URL(head.url), headers, body, notModified, requests };
}

function record(head: Head, content: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), content]);
}
