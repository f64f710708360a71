import { gunzipSync, gzip } from 'node:zlib';
import { promisify } from '../node-util.ts';

/** A body kept for the rest of the run, for others who ask for the same document, and for the validator store. */
export interface KeptBody {
  read(): Buffer;
  /** gzip */
  packed(): Promise<Buffer>;
}

// A run asks for thousands of documents, some of tens of megabytes; kept as they are they would fill the memory.
const PACK_ABOVE_BYTES = 16 * 1024;
const pack = promisify<Buffer, { level: number }, Buffer>(gzip);

export function keepBody(body: Buffer, alreadyPacked?: Buffer): KeptBody {
  let whole: Buffer | undefined = body;
  const reference = new WeakRef(body);
  let packed = alreadyPacked;
  let packing: Promise<Buffer> | undefined;

  const isLarge = body.length > PACK_ABOVE_BYTES;
  if (isLarge) void packOnce();
  return { read, packed: packOnce };

  function read(): Buffer {
    const known = whole ?? reference.deref();
    if (known) return known;
    if (!packed) throw new Error('a kept body is neither whole nor packed');
    return gunzipSync(packed);
  }

  function packOnce(): Promise<Buffer> {
    packing ??= packBody();
    return packing;
  }

  async function packBody(): Promise<Buffer> {
    packed ??= await pack(read(), { level: 3 });
    if (isLarge) whole = undefined;
    return packed;
  }
}
