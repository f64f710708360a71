import * as z from 'zod';

/** The public keys of an issuer (RFC 7517). Other members of a key may be there. */
export interface JwkSet {
  keys: { kty: 'RSA' | 'EC' | 'OKP'; kid?: string; [member: string]: unknown }[];
}

/** What a public key of each type consists of (RFC 7518, section 6; RFC 8037). */
const membersOf: Readonly<Record<string, readonly string[]>> = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
};
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const leastRsaBits = 2048;
const mostKeys = 50;

export const exampleKey: JwkSet['keys'][number] = {
  kty: 'OKP',
  kid: '2026',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/**
 * Of any form, so that every message is one of these: what was got may be the private half of a key and is never quoted.
 */
export const JwkSet = z
  .unknown()
  .superRefine((set, context) => {
    for (const [path, message] of problemsOf(set)) context.addIssue({ code: 'custom', path, message });
  })
  .meta({
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        description:
          'RSA keys of at least 2048 bits, EC or OKP keys, each with a "kid" where there are several.',
        examples: [[exampleKey]],
        type: 'array',
        minItems: 1,
        maxItems: mostKeys,
        items: { type: 'object', required: ['kty'] },
      },
    },
  }) as unknown as z.ZodType<JwkSet, JwkSet>;

type Problem = [path: (string | number)[], message: string];

function problemsOf(set: unknown): Problem[] {
  const keys = isObject(set) ? set['keys'] : undefined;
  if (!Array.isArray(keys)) return [[[], 'expected {"keys": […]}; got something else']];
  if (keys.length === 0 || keys.length > mostKeys)
    return [[['keys'], `expected 1 to ${mostKeys} keys; got ${keys.length}`]];
  const problems: Problem[] = [];
  const seen = new Set<unknown>();
  for (const [index, key] of keys.entries()) {
    const wrong = whyNoPublicKey(key) ?? whyNotToldApart(key, keys.length, seen);
    if (wrong !== undefined) problems.push([['keys', index], wrong]);
    if (isObject(key)) seen.add(key['kid']);
  }
  return problems;
}

function whyNoPublicKey(key: unknown): string | undefined {
  if (!isObject(key)) return 'expected a key {"kty": …}; got something else';
  const { kty } = key;
  if (kty === 'oct')
    return 'expected a public key; got a symmetric one, with which whoever reads it signs tokens. Replace it at the issuer';
  const secret = privateMembers.find((member) => Object.hasOwn(key, member));
  if (secret !== undefined)
    return `expected a public key; got its private half ("${secret}"). Remove it here, and replace the key at the issuer`;
  const members = typeof kty === 'string' && Object.hasOwn(membersOf, kty) ? membersOf[kty]! : undefined;
  if (!members) return `expected "kty" to be one of ${Object.keys(membersOf).join(', ')}; got another`;
  const missing = members.filter((member) => typeof key[member] !== 'string' || key[member] === '');
  if (missing.length > 0) return `expected ${members.join(', ')} of its type ${kty}; got no ${missing[0]}`;
  const bits = kty === 'RSA' ? Buffer.from(key['n'] as string, 'base64url').length * 8 : leastRsaBits;
  if (bits < leastRsaBits) return `expected an RSA key of at least ${leastRsaBits} bits; got ${bits}`;
  if (key['use'] !== undefined && key['use'] !== 'sig')
    return 'expected a key that signs ("use": "sig"); got one for something else';
  return undefined;
}

/** A token names its key by `kid`. */
function whyNotToldApart(key: unknown, count: number, seen: ReadonlySet<unknown>): string | undefined {
  const kid = (key as Record<string, unknown>)['kid'];
  if (kid === undefined)
    return count === 1 ? undefined : 'expected a "kid", by which tokens name one key of several; got none';
  if (typeof kid !== 'string' || kid === '') return 'expected "kid" to be a text; got something else';
  return seen.has(kid) ? 'expected each "kid" once; got that of an earlier key' : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
