/** Reads the access rules of an index. */
import { join } from 'node:path';
import { readJsonFile } from './files.ts';
import { parseDocument } from './parse-document.ts';
import { AccessConfig } from './schema/access.ts';

/** The path of the list of access keys. It contains digests, not the keys themselves. The Worker gets this list as a secret. */
export const keysFile = '.access/keys.json';

/** Reads `site/access.json`. Undefined for a public index, which lacks this file. Throws an `InputError` with all problems of the file. */
export function readAccess(root: string): AccessConfig | undefined {
  const file = 'site/access.json';
  const rules = readJsonFile(join(root, file), file);
  return rules === undefined ? undefined : parseDocument(AccessConfig, rules, file);
}
