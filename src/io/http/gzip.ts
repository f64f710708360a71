import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

export const pack = promisify(gzip);

// Not undici's `interceptors.decompress`, which is experimental and prints a warning.
export const unpack = promisify(gunzip);
