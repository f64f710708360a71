import { hash } from 'node:crypto';

/** In hexadecimal. */
export function sha256(body: string | Uint8Array): string {
  return hash('sha256', body, 'hex');
}
