import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AccessKeys } from '../../core/schemas/access-keys.ts';
import { parseDocument, type ReadResult } from './documents.ts';
import { isAbsent, makeFolder, readRegularFile } from './entry.ts';
import { fileRefusal } from './file-refusal.ts';
import type { Root } from './root.ts';
import { formatDocument, saveUnlessMoved } from './save.ts';
import { problem } from '../../core/schemas/finding.ts';

/** What is kept of the access keys between runs: no host gives a secret back. It is the value of that secret. */
export const accessKeysFile = '.access/keys.json';

export interface KeptAccessKeys {
  readonly keys: AccessKeys;
  /** The bytes that they were read from; undefined where there is no file yet. */
  readonly before: Buffer | undefined;
}

export function readAccessKeys(root: Root): ReadResult<KeptAccessKeys> {
  const path = join(root.dir, accessKeysFile);
  if (isAbsent(path)) return { value: { keys: [], before: undefined }, findings: [] };
  let before: Buffer;
  try {
    before = readRegularFile(path);
  } catch (error) {
    const reason = fileRefusal(error);
    if (reason === undefined) throw error;
    return { findings: [problem(accessKeysFile, `cannot be read: ${reason}`)] };
  }
  const { value, findings } = parseAccessKeys(before, accessKeysFile);
  return { ...(value && { value: { keys: value, before } }), findings };
}

/** No message quotes a value: somebody may have put a key where its digest belongs. */
export function parseAccessKeys(text: Uint8Array, name: string): ReadResult<AccessKeys> {
  const { value, findings } = parseDocument(text, name, AccessKeys);
  const silent = findings.map((finding) => ({
    ...finding,
    message: finding.message.replace(/; got .*/s, ''),
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
