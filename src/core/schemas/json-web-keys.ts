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

// These messages say what was got: the usual ones quote the value, which may be the private half of a key.
const form = {
  error: `expected {"keys": […]} with 1 to ${maxKeys} keys {"kty": …}, "kid" being a text; got something else`,
};
const notAKey = `expected a public key for signatures, of type EC, OKP or RSA with at least ${minRsaBits} bits (RFC 7518); got another`;

const PublicKey = z
  .looseObject(
    {
      kty: documented(z.string(form), 'The type of the key: RSA, EC or OKP.', 'OKP'),
      kid: documented(z.string(form).min(1, form).exactOptional(), 'By which tokens name the key.', '2026'),
    },
    form,
  )
  .superRefine((key, context) => {
    const secret = secretMembers.find((member) => Object.hasOwn(key, member));
    if (secret !== undefined)
      context.addIssue({
        code: 'custom',
        message: `expected a public key; got a secret one ("${secret}"). Remove it here, and replace the key at the issuer`,
      });
    else if (!isPublicKey(key)) context.addIssue({ code: 'custom', message: notAKey });
  });
type PublicKey = z.infer<typeof PublicKey>;

/** The public keys of an issuer (RFC 7517). A token names one of several by `kid`. */
export const JwkSet = z.looseObject(
  {
    keys: documented(
      z
        .array(PublicKey, form)
        .min(1, form)
        .max(maxKeys, form)
        .refine(
          (keys) =>
            keys.length < 2 || new Set(keys.map(({ kid = '' }) => kid).filter(Boolean)).size === keys.length,
          {
            error: 'expected a "kid" of its own for each of several keys; got the same twice, or none',
          },
        ),
      'RSA keys of at least 2048 bits, EC or OKP keys, each with a "kid" where there are several.',
      [exampleKey],
    ),
  },
  form,
);

function isPublicKey(key: PublicKey): boolean {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    const isStrong = (asymmetricKeyDetails?.modulusLength ?? minRsaBits) >= minRsaBits;
    return isStrong && (key['use'] === undefined || key['use'] === 'sig');
  } catch {
    return false;
  }
}
