import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { AccessKeys } from '../../core/schemas/access-keys.ts';

/** Put in place of this name where the Worker is bundled: the text of the configuration, checked and with every default filled in. */
declare const RELEASE_INDEX_ACCESS: string;

/**
 * A secret holds 5 KB, which are some thirty keys. All parts are always sent together, those without keys as `[]`, so that
 * none of an earlier publication survives.
 */
export const accessKeySecrets = [1, 2, 3, 4, 5, 6, 7, 8].map((part) =>
  part === 1 ? 'RELEASE_INDEX_ACCESS_KEYS' : `RELEASE_INDEX_ACCESS_KEYS_${part}`,
);

/** Who may read this version of the site; undefined where everybody may. */
export function accessOf(): AccessConfig | undefined {
  return (JSON.parse(RELEASE_INDEX_ACCESS) as AccessConfig | null) ?? undefined;
}

/** The keys that count beside the tokens of issuers. A part that is no list of keys holds none. */
export function accessKeysOf(env: object): AccessKeys {
  return accessKeySecrets.flatMap((name) => {
    const text = (env as Readonly<Record<string, unknown>>)[name];
    return typeof text === 'string' ? (readAccessKeys(text) ?? []) : [];
  });
}

function readAccessKeys(text: string): AccessKeys | undefined {
  try {
    return AccessKeys.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
