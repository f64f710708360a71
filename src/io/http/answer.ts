import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256 } from '../files/sha256.ts';
import type { HttpHeaders } from './error.ts';

/** What a document was answered with, as it is kept until the end of a run. */
export interface Answer {
  /** after redirects */
  url: URL;
  headers: HttpHeaders;
  /** the body, gzip: a run may ask for thousands of documents */
  packed: Buffer;
  /** SHA-256 of the body, in hex */
  sha256: string;
  /** the body is the stored one, which upstream said still holds */
  notModified: boolean;
}

const pack = promisify<Buffer, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, { maxOutputLength?: number }, Buffer>(gunzip);

export async function packBody(body: Buffer): Promise<Pick<Answer, 'packed' | 'sha256'>> {
  return { packed: await pack(body, { level: 3 }), sha256: sha256(body) };
}

export function unpackBody({ packed }: Pick<Answer, 'packed'>): Promise<Buffer> {
  return unpack(packed, {});
}

/** The stored body, or undefined if it is damaged or bigger than is read. */
export async function unpackStored(
  stored: Pick<Answer, 'packed' | 'sha256'>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const body = await unpack(stored.packed, { maxOutputLength: maxBytes }).catch(() => undefined);
  return body && sha256(body) === stored.sha256 ? body : undefined;
}
