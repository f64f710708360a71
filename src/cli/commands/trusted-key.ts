import { existsSync, readFileSync } from 'node:fs';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import { SigningPublicKey } from '../../core/schemas/signing-public-key.ts';
import { UsageError, type Options } from './command.ts';

export interface TrustedKey {
  publicKey: string;
  /** Where it stands. */
  from: string;
}

/** The key of an option, or else that of `site/site.json`. Throws a UsageError where it is none. */
export function trustedKeyOf(
  option: Options[string],
  { signingPublicKey }: SiteConfig,
): TrustedKey | undefined {
  if (typeof option !== 'string')
    return signingPublicKey === undefined
      ? undefined
      : { publicKey: signingPublicKey, from: 'site/site.json' };
  const isFile = existsSync(option);
  const publicKey = isFile ? (readFileSync(option, 'utf8').trim().split(/\r?\n/).at(-1) ?? '') : option;
  if (SigningPublicKey.safeParse(publicKey).success) return { publicKey, from: isFile ? option : '--key' };
  throw new UsageError(
    '--key: expected a public key of minisign, RW and 54 more characters, or a file signing-key.pub with one',
  );
}
