import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** As `minisign -G -W` writes it, but for the checksum, which nobody reads. */
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

/** The second line of its public half. */
export function computePublicKey(secret: string): string {
  const bytes = Buffer.from(secret.split('\n')[1]!, 'base64');
  const parts = [Buffer.from('Ed'), bytes.subarray(54, 62), bytes.subarray(94, 126)];
  return Buffer.concat(parts).toString('base64');
}
