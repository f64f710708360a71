import * as z from 'zod';
import { DaySchema, Sha256 } from '../scalars.ts';
import { limitFields } from './permissions.ts';

/** Lets secret scanners and people recognise an access key. */
export const accessKeyPrefix = 'release_index_';

/** 256 random bits as base64url after the prefix. */
export const accessKeyForm = new RegExp(`^${accessKeyPrefix}[A-Za-z0-9_-]{43}$`);

/** The stored part of an access key. */
export const AccessKey = z.strictObject({
  /** Unique among all keys. */
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,62}$/, {
    error:
      'expected up to 63 lower-case letters, digits, dots and hyphens, beginning with a letter or digit',
  }),
  /** The `username` of its owner. */
  user: z.string().min(1).max(100),
  /** Its last valid day, UTC. */
  expires: DaySchema,
  /** SHA-256 of the whole key as UTF-8, hex in lower case. */
  sha256: Sha256,
  /** The public key that verifies the first link of its tokens, as base64url. Without it, the key makes no tokens. */
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
