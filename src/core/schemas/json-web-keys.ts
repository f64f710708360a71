import { createPublicKey } from 'node:crypto';
import * as z from 'zod';
import { documented } from './documented.ts';

/** Present only in private and symmetric keys (RFC 7518, section 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const minRsaBits = 2048;
const maxKeys = 50;

export const exampleKey = {
  kty: 'OKP',
  kid: '2026',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

// Every message here says by itself what was got: the usual one quotes the value, which may be the private half of a key.
const notAKey = 'expected a public key of type RSA, EC or OKP (RFC 7518); got another';
const notAnId = 'expected "kid" to be a text; got something else';
const wrongCount = {
  error: ({ input }: { input?: unknown }) =>
    `expected 1 to ${maxKeys} keys; got ${(input as unknown[]).length}`,
};

const PublicKey = z
  .looseObject(
    {
      kty: documented(z.string({ error: notAKey }), 'The type of the key: RSA, EC or OKP.', 'OKP'),
      kid: documented(
        z.string({ error: notAnId }).min(1, { error: notAnId }).exactOptional(),
        'By which tokens name the key.',
        '2026',
      ),
    },
    { error: 'expected a key {"kty": …}; got something else' },
  )
  .superRefine((key, context) => {
    const message = problemOfKey(key);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
type PublicKey = z.infer<typeof PublicKey>;

/** The public keys of an issuer (RFC 7517). */
export const JwkSet = z.looseObject(
  {
    keys: documented(
      z
        .array(PublicKey, { error: 'expected an array of keys; got something else' })
        .min(1, wrongCount)
        .max(maxKeys, wrongCount)
        .superRefine((keys, context) => {
          for (const [index, key] of keys.entries()) {
            const message = problemOfId(key, keys, index);
            if (message !== undefined) context.addIssue({ code: 'custom', path: [index], message });
          }
        }),
      'RSA keys of at least 2048 bits, EC or OKP keys, each with a "kid" where there are several.',
      [exampleKey],
    ),
  },
  { error: 'expected {"keys": […]}; got something else' },
);

function problemOfKey(key: PublicKey): string | undefined {
  if (key.kty === 'oct')
    return 'expected a public key; got a symmetric one, with which anyone who reads it can sign tokens. Replace it at the issuer';
  const secret = secretMembers.find((member) => Object.hasOwn(key, member));
  if (secret !== undefined)
    return `expected a public key; got its private half ("${secret}"). Remove it here, and replace the key at the issuer`;
  const bits = rsaBitsOf(key);
  if (bits === undefined) return notAKey;
  if (bits < minRsaBits) return `expected an RSA key of at least ${minRsaBits} bits; got ${bits}`;
  if (key['use'] !== undefined && key['use'] !== 'sig')
    return 'expected a key that signs ("use": "sig"); got one for something else';
  return undefined;
}

/** The length of an RSA key; infinite for a key of another type, undefined for what is not a public key. */
function rsaBitsOf(key: PublicKey): number | undefined {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    return asymmetricKeyDetails?.modulusLength ?? Infinity;
  } catch {
    return undefined;
  }
}

/** A token names its key by `kid`. */
function problemOfId({ kid }: PublicKey, keys: readonly PublicKey[], index: number): string | undefined {
  if (kid === undefined)
    return keys.length === 1
      ? undefined
      : 'expected a "kid", by which tokens name one key of several; got none';
  const isTaken = keys.slice(0, index).some((earlier) => earlier.kid === kid);
  return isTaken ? 'expected each "kid" once; got that of an earlier key' : undefined;
}
