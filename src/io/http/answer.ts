import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256 } from '../files/sha256.ts';
import type { HttpHeaders } from './error.ts';

/** The answer for a document, as it is kept until the end of a run. */
export interface Answer {
  /** after redirects */
  url: URL;
  headers: HttpHeaders;
  /** the body, gzip: a run may ask for thousands of documents */
  packed: Buffer;
  /** SHA-256 of the body, in hex */
  sha256: string;
  /** the body is the stored one, which is still valid by the word of the host */
  notModified: boolean;
}

const pack = promisify<Buffer, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, { maxOutputLength?: number }, Buffer>(gunzip);

export async function packBody(body: Buffer): Promise<Pick<Answer, 'packed' | 'sha256'>> {
  return { packed: await pack(body, { level: 3 }), sha256: sha256(body) };
}

export function unpackBody({ packed }: Pick<Answer, 'packed'>, maxOutputLength?: number): Promise<Buffer> {
  return unpack(packed, maxOutputLength === undefined ? {} : { maxOutputLength });
}
