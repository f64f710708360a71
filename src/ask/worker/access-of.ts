import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { AccessKeys } from '../../core/schemas/access-keys.ts';

/** Replaced where the Worker is bundled, by the text of the configuration, validated and with every default filled in. */
declare const RELEASE_INDEX_ACCESS: string;

/** The host's secrets that hold access keys. One holds 5 KB, which is about thirty keys. */
export const accessKeySecrets = ['RELEASE_INDEX_ACCESS_KEYS', 'RELEASE_INDEX_ACCESS_KEYS_2'];

/** The access configuration of this version of the site; undefined for a public one. */
export function accessOf(): AccessConfig | undefined {
  return (JSON.parse(RELEASE_INDEX_ACCESS) as AccessConfig | null) ?? undefined;
}

/** The active access keys. A secret that is no list of keys holds none. */
export function accessKeysOf(env: object): AccessKeys {
  return accessKeySecrets.flatMap((name) => {
    try {
      const text = (env as Readonly<Record<string, unknown>>)[name];
      return AccessKeys.parse(JSON.parse(text as string));
    } catch {
      return [];
    }
  });
}
