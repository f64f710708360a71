import { join } from 'node:path';
import type { Day } from '../core/day.ts';
import { parseDocument, parseJson } from '../core/parse-document.ts';
import { readIfThere, readJsonFile } from '../core/files.ts';
import { AccessConfig, AccessKey } from '../core/schema/access.ts';

/** The list of access keys (digests only), for workflows; else .access/keys.json. */
export const keysVariable = 'RELEASE_INDEX_ACCESS_KEYS';

/** The rules of access; undefined for an index that asks for no credential. Throws an `InputError` with all problems of the file. */
export function readAccess(root: string): AccessConfig | undefined {
  const file = 'site/access.json';
  const rules = readJsonFile(join(root, file), file);
  return rules === undefined ? undefined : parseDocument(AccessConfig, rules, file);
}

/** The rules of access for the Worker's doors, and the secret with its valid keys. Without a list of keys, the host keeps its own. */
export function readWorkerKeys(
  root: string,
  env: NodeJS.ProcessEnv,
  day: Day,
): { access?: AccessConfig; secrets?: Record<string, string> } {
  const access = readAccess(root);
  if (!access) {
    return {};
  }

  const text =
    env[keysVariable]?.trim() || readIfThere(join(root, '.access/keys.json'))?.toString();
  if (!text) {
    return { access };
  }

  const list = parseDocument(AccessKey.array(), parseJson(text, keysVariable), keysVariable);
  const keys = list.filter(({ expires }) => expires >= day);
  return { access, secrets: { [keysVariable]: JSON.stringify(keys) } };
}
