import { join } from 'node:path';
import { parseDocument } from '../core/parse-document.ts';
import { readJsonFile } from '../core/files.ts';
import { AccessConfig } from '../core/schema/access.ts';

/** The list of access keys (digests only): the content of the Worker's secret. */
export const keysFile = '.access/keys.json';

/** The rules of access; undefined for an index that asks for no credential. Throws an `InputError` with all problems of the file. */
export function readAccess(root: string): AccessConfig | undefined {
  const file = 'site/access.json';
  const rules = readJsonFile(join(root, file), file);
  return rules === undefined ? undefined : parseDocument(AccessConfig, rules, file);
}
