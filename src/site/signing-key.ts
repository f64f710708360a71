import { openPublicKey } from '../core/public-key.ts';
import type { Settings } from '../core/schema/written.ts';
import type { File } from './output.ts';

/** Renders the public key in two files: for minisign, and as PEM for other programs. */
export function* renderKeys({ signingPublicKey: key }: Settings): Generator<File> {
  if (key !== undefined) {
    yield ['signing-key.pub', `untrusted comment: minisign public key\n${key}\n`];
    yield ['signing-key.pem', openPublicKey(key).export({ type: 'spki', format: 'pem' })];
  }
}
