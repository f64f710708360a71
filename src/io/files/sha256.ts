import { hash } from 'node:crypto';

/** The digest in hexadecimal. */
export function sha256(body: string | Uint8Array): string {
  return hash('sha256', body, 'hex');
}
