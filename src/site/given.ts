/** What a site hands on as it is: the packed program, statements of other keys, the public key. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../core/files.ts';
import { parseStatements } from '../core/schema/statement.ts';
import type { Settings } from '../core/schema/written.ts';
import type { File } from './output.ts';

/** The program, packed. Pipelines of readers may name an earlier version, so all that are in `program/` are published. */
export function readPackages(root: string): File[] {
  const folder = join(root, 'program');
  return globSync('release-index-*.tgz', { cwd: folder }).flatMap((path) => {
    const bytes = readIfThere(join(folder, path), `program/${path}`);
    return bytes ? [[path, bytes]] : [];
  });
}

/** What other keys have signed about releases; empty where there is none. Throws an `InputError` for a line that is no envelope with a statement. */
export function readStatements(root: string, component: string): string {
  const file = `site/statements/${component}.ndjson`;
  const text = readIfThere(join(root, file), file)?.toString() ?? '';
  parseStatements(text, file);
  return text;
}

/** The public key for minisign, and for all other programs. */
export function* renderKeys({ signingPublicKey: key }: Settings): Generator<File> {
  if (key !== undefined) {
    yield ['signing-key.pub', `untrusted comment: minisign public key\n${key}\n`];
    yield ['signing-key.pem', openPublicKey(key).export({ type: 'spki', format: 'pem' })];
  }
}

/** `publicKey`: as for `minisign -P`, behind the letters Ed and the eight bytes of a name. */
export function openPublicKey(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url', 10);
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
