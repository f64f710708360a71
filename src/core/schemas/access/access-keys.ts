import * as z from 'zod';
import { createListSchema, DaySchema } from '../scalars.ts';
import { documented } from '../keys.ts';

/** Every credential has it: the index has no access control by project. */
const commonPermission = 'accessDataWithoutAssociatedProject';

/** The permissions of a private index: each operation needs one. */
export const permissions = ['read', 'export', 'mcp', 'scan', commonPermission] as const;
export type Permission = (typeof permissions)[number];

/** The limits of a user, an access key or a token. */
export const limitFields = {
  permissions: documented(
    createListSchema(z.enum(permissions)),
    `read: files, pages and questions. export: streams. mcp: agents. scan: scans. All of them where absent. ${commonPermission}: everybody has it.`,
    ['read', 'scan'],
  ),
};

interface Limits {
  readonly permissions?: readonly Permission[] | undefined;
}

/** The permissions that all limits have in common. */
export function intersectPermissions(...limits: readonly Limits[]): Permission[] {
  return permissions.filter(
    (permission) =>
      permission === commonPermission ||
      limits.every(
        ({ permissions: allowed }) => allowed === undefined || allowed.includes(permission),
      ),
  );
}

/** Lets secret scanners and people recognise an access key. */
export const accessKeyPrefix = 'release_index_';

/** 256 random bits as base64url after the prefix. */
export const accessKeyForm = new RegExp(`^${accessKeyPrefix}[A-Za-z0-9_-]{43}$`);

/** The stored part of an access key. */
export const AccessKey = z.strictObject({
  /** Unique among all keys. */
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,62}$/, {
    error: 'expected up to 63 lower-case letters, digits, dots and hyphens',
  }),
  /** The `username` of its owner. */
  user: z.string().min(1).max(100),
  /** Its last valid day, UTC. */
  expires: DaySchema,
  /** SHA-256 of the whole key as UTF-8, hex in lower case. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'expected 64 hex digits in lower case' }),
  /** The public key that verifies its tokens, as base64url. Without it, the key makes no tokens. */
  tokenKey: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, { error: 'expected 43 characters of base64url' })
    .optional(),
  ...limitFields,
});
export type AccessKey = z.infer<typeof AccessKey>;

/** The secrets of the host that hold access keys. A secret has at most 5 KB: about twenty-five keys. */
export const accessKeySecrets = [
  'RELEASE_INDEX_ACCESS_KEYS',
  'RELEASE_INDEX_ACCESS_KEYS_2',
] as const;

/** The value of such a secret. */
export const AccessKeys = z.array(AccessKey);
export type AccessKeys = z.infer<typeof AccessKeys>;
