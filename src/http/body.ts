import { type Duplex, pipeline } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { bytes, Failure } from './failure.ts';

export interface BodyLimits {
  /** as it travels */
  maxTransferBytes: number;
  /** unpacked */
  maxBytes: number;
}

type Chunks = AsyncIterable<Buffer>;

const CHUNK = { chunkSize: 64 * 1024 };
const MAX_ENCODINGS = 2;

/**
 * Reads and unpacks a body, and stops at the first byte beyond a limit, whatever the rest would unpack to.
 * Throws a `Failure`, or what the connection threw.
 */
export async function readBody(
  source: Chunks,
  url: URL,
  encoding: string | undefined,
  limits: BodyLimits,
): Promise<Buffer> {
  const steps = unpackers(url, encoding);
  const onTheWay = limited(source, limits.maxTransferBytes, () =>
    tooBig(url, limits.maxTransferBytes, 'on the way'),
  );
  const unpacked = limited(
    steps.reduce((stream, unpack) => unpack(stream), onTheWay),
    limits.maxBytes,
    () => tooBig(url, limits.maxBytes, steps.length > 0 ? 'unpacked' : ''),
  );
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of unpacked) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw unpackFailure(error, url, encoding) ?? error;
  }
}

async function* limited(source: Chunks, most: number, failure: () => Failure): Chunks {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > most) throw failure();
    yield chunk;
  }
}

/** Fails early on an answer that announces more than is read. */
export function refuseAnnounced(url: URL, contentLength: string | undefined, limits: BodyLimits): void {
  const most = limits.maxTransferBytes;
  if (Number(contentLength) > most) throw tooBig(url, most, `announced as ${bytes(Number(contentLength))}`);
}

function tooBig(url: URL, limit: number, how: string): Failure {
  const text = ` is bigger than the ${bytes(limit)} we read${how && ` (${how})`}`;
  return new Failure({ kind: 'limit', url, text });
}

type Unpacker = (source: Chunks) => Chunks;

function unpackers(url: URL, encoding = ''): Unpacker[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_ENCODINGS) {
    throw new Failure({
      kind: 'content',
      url,
      text: ` is packed ${names.length} times over ("${encoding}")`,
    });
  }
  return names.reverse().map((name) => {
    const unpacker = unpackerFor(name);
    if (!unpacker) throw new Failure({ kind: 'content', url, text: ` has the unknown encoding "${name}"` });
    return unpacker;
  });
}

function unpackerFor(name: string): Unpacker | undefined {
  if (name === 'gzip' || name === 'x-gzip') return through(() => createGunzip(CHUNK));
  if (name === 'br') return through(() => createBrotliDecompress(CHUNK));
  if (name === 'zstd') return through(() => createZstdDecompress(CHUNK));
  if (name === 'deflate') return inflate;
  return undefined;
}

function through(create: () => Duplex): Unpacker {
  // An error on either side reaches the reader of the stream, so the callback has nothing to add.
  return (source) => pipeline(source, create(), () => undefined);
}

// Some servers send "deflate" without the zlib wrapper that RFC 9110, section 8.4.1.2, asks for.
async function* inflate(source: Chunks): Chunks {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const isWrapped = ((first.value[0] ?? 0) & 0x0f) === 8;
  const rest = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  yield* through(() => (isWrapped ? createInflate(CHUNK) : createInflateRaw(CHUNK)))(rest());
}

function unpackFailure(error: unknown, url: URL, encoding: string | undefined): Failure | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') {
    return new Failure({
      kind: 'trouble',
      url,
      text: ': the answer was cut',
      retry: 'backoff',
      cause: error,
    });
  }
  if (!/^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING|ZSTD_|ERR_ZLIB)/.test(code)) return undefined;
  return new Failure({
    kind: 'content',
    url,
    text: ` is not ${encoding} as it says (${code})`,
    cause: error,
  });
}
