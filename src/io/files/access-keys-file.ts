import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AccessKeys } from '../../core/schemas/access-keys.ts';
import { parseDocument, readBytes, type ReadResult } from './documents.ts';
import { isAbsent, makeFolder } from './file-system.ts';
import type { Root } from './root.ts';
import { formatDocument, saveIfChanged } from './save.ts';

/** The access keys between runs: no host gives a secret back. The file is the value of that secret. */
export const accessKeysFile = '.access/keys.json';

/** Without a value where there is no file yet. */
export function readAccessKeys(root: Root): ReadResult<AccessKeys> {
  const path = join(root.dir, accessKeysFile);
  if (isAbsent(path)) return { findings: [] };
  const { value, findings } = readBytes(path, accessKeysFile);
  return value ? parseAccessKeys(value, accessKeysFile) : { findings };
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

/** Replaces the file as a whole. Only its owner may read it, and its folder keeps itself out of version control. */
export function saveAccessKeys(root: Root, keys: AccessKeys): void {
  const path = join(root.dir, accessKeysFile);
  const folder = dirname(path);
  makeFolder(folder);
  chmodSync(folder, 0o700);
  writeFileSync(join(folder, '.gitignore'), '*\n');
  saveIfChanged(path, formatDocument(keys), 0o600);
}
