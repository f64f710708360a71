import type { AccessKey } from '../../core/schemas/access-keys.ts';

/** The key whose digest is that of the secret. How long it takes tells nothing of any digest: all are compared to their ends. */
export async function findAccessKey(
  secret: string,
  keys: readonly AccessKey[],
): Promise<AccessKey | undefined> {
  const digest = await sha256Hex(secret);
  let found: AccessKey | undefined;
  for (const key of keys) if (isEqual(digest, key.sha256)) found = key;
  return found;
}

export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Node has no `timingSafeEqual` for the Web's types, and the host none of Node's. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
