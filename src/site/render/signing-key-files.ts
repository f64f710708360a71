import { keyIdOf, rawKeyOf } from '../../core/schemas/signing-public-key.ts';
import type { SiteFile } from './site-context.ts';

/** What stands before the 32 bytes of an Ed25519 key (RFC 8410, section 4). */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

/** The public key as minisign writes it, and in the form of all others. */
export function renderSigningKeyFiles(publicKey: string): SiteFile[] {
  const spki = Buffer.concat([spkiHead, rawKeyOf(publicKey)]).toString('base64');
  return [
    {
      path: 'signing-key.pub',
      body: `untrusted comment: minisign public key ${keyIdOf(publicKey)}\n${publicKey}\n`,
    },
    { path: 'signing-key.pem', body: `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n` },
  ];
}
