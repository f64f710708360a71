import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** Creates a secret key without a password, as `minisign -G -W` writes it. Its checksum is zero, because nothing reads it. */
export function createSecretKey(): string {
  const pair = generateKeyPairSync('ed25519');
  const bytes = Buffer.concat([
    Buffer.from('Ed\0\0B2'),
    Buffer.alloc(48),
    randomBytes(8),
    pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
    pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    Buffer.alloc(32),
  ]);
  return `untrusted comment: minisign secret key\n${bytes.toString('base64')}\n`;
}
