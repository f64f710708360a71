/** Reads the access rules of an index. */
import { join } from 'node:path';
import type { Problem } from './errors.ts';
import { readJsonFile } from './files.ts';
import { parseDocument } from './parse-document.ts';
import { AccessConfig } from './schema/access.ts';

/** The path of the list of access keys. It contains digests, not the keys themselves. The Worker gets this list as a secret. */
export const keysFile = '.access/keys.json';

/** A notice that says what `site/access.json` protects and what it doesn't protect. */
export const accessScope: Problem = {
  subject: 'site/access.json',
  message:
    "decides who may use the Worker's processor time. It does not hide releases, because the files of the site are public. To make a whole index private, use the access control of its host",
  level: 'notice',
};

/** Reads `site/access.json`. Undefined for a public index, which lacks this file. Throws an `InputError` with all problems of the file. */
export function readAccess(root: string): AccessConfig | undefined {
  const file = 'site/access.json';
  const rules = readJsonFile(join(root, file), file);
  return rules === undefined ? undefined : parseDocument(AccessConfig, rules, file);
}
