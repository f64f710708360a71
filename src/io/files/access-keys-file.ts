import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AccessKeys } from '../../core/schemas/access-keys.ts';
import { parseDocument, readBytes, type ReadResult } from './documents.ts';
import { isAbsent, makeFolder } from './file-system.ts';
import type { Root } from './root.ts';
import { formatDocument, saveUnlessMoved } from './save.ts';

/** The access keys between runs: no host gives a secret back. The file is the value of that secret. */
export const accessKeysFile = '.access/keys.json';

export interface KeptAccessKeys {
  readonly keys: AccessKeys;
  /** The bytes of the file; undefined where there is none yet. */
  readonly before: Buffer | undefined;
}

export function readAccessKeys(root: Root): ReadResult<KeptAccessKeys> {
  const path = join(root.dir, accessKeysFile);
  if (isAbsent(path)) return { value: { keys: [], before: undefined }, findings: [] };
  const { value: before, findings } = readBytes(path, accessKeysFile);
  if (!before) return { findings };
  const { value: keys, findings: problems } = parseAccessKeys(before, accessKeysFile);
  return { ...(keys && { value: { keys, before } }), findings: problems };
}

/** No message quotes a value: somebody may have put a key where its digest belongs. */
export function parseAccessKeys(text: Uint8Array, name: string): ReadResult<AccessKeys> {
  const { value, findings } = parseDocument(text, name, AccessKeys);
  const silent = findings.map((finding) => ({
    ...finding,
    message: finding.message.replace(/(?:; got |, (?:\.\.\.)?").*/s, ''),
  }));
  return { ...(value && { value }), findings: silent };
}

/**
 * Replaces the file as a whole; false where another run has changed it meanwhile. Only its owner may read it, and its folder
 * keeps itself out of version control.
 */
export function saveAccessKeys(root: Root, { keys, before }: KeptAccessKeys): boolean {
  const path = join(root.dir, accessKeysFile);
  const folder = dirname(path);
  makeFolder(folder);
  chmodSync(folder, 0o700);
  writeFileSync(join(folder, '.gitignore'), '*\n');
  return saveUnlessMoved([{ path, before, content: formatDocument(keys), mode: 0o600 }]);
}
