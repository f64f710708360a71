import { createPublicKey } from 'node:crypto';
import * as z from 'zod';
import { createLineSchema } from '../scalars.ts';
import { checked, documented, optionalKey, type Fields, type Reject } from '../keys.ts';
import { ServiceUrl } from '../urls.ts';

/** Present only in private and symmetric keys (RFC 7518, section 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const minRsaBits = 2048;
const maxKeys = 50;

const exampleKey = {
  kty: 'OKP',
  kid: '2026',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

const formError = {
  error: `expected {"keys": […]} with 1 to ${maxKeys} keys {"kty": …}, "kid" being a text`,
};
const keyTypes = `RSA with at least ${minRsaBits} bits, EC on P-256, P-384 or P-521, or Ed25519`;

const PublicKey = checked(
  z.looseObject(
    {
      kty: documented(z.string(formError), 'Its type: RSA, EC or OKP.', 'OKP'),
      kid: documented(
        z.string(formError).min(1, formError).exactOptional(),
        'The name of the key in tokens.',
        '2026',
      ),
    },
    formError,
  ),
  checkPublicKey,
);
type PublicKey = z.infer<typeof PublicKey>;

function checkPublicKey(key: Fields, reject: Reject): void {
  const secret = secretMembers.find((member) => Object.hasOwn(key, member));
  if (secret !== undefined) {
    const got = `a secret one ("${secret}"). Remove it here, and replace the key at the issuer`;
    reject([], 'expected a public key', got);
  } else if (!isPublicKey(key)) {
    reject([], `expected a public key for signatures: ${keyTypes}`);
  }
}

/** The public keys of an issuer (RFC 7517). A token names one of several by `kid`. */
const JwkSet = z.looseObject(
  {
    keys: documented(
      z
        .array(PublicKey, formError)
        .min(1, formError)
        .max(maxKeys, formError)
        .refine(haveDistinctNames, {
          error: 'expected a "kid" of its own for each of several keys',
        }),
      `${keyTypes}; each with a "kid" where there are several.`,
      [exampleKey],
    ),
  },
  formError,
);

/** A single key needs no name. */
function haveDistinctNames(keys: readonly PublicKey[]): boolean {
  const names = new Set(keys.map(({ kid }) => kid));
  return keys.length < 2 || (names.size === keys.length && !names.has(undefined));
}

function isPublicKey(key: Fields): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    const { modulusLength = minRsaBits, namedCurve } = asymmetricKeyDetails ?? {};
    const isVerifiable =
      ['rsa', 'ec', 'ed25519'].includes(asymmetricKeyType!) && namedCurve !== 'secp256k1';
    const { use = 'sig', key_ops: operations = ['verify'] } = key;
    const isForSignatures = use === 'sig' && JSON.stringify(operations) === '["verify"]';
    return isVerifiable && isForSignatures && modulusLength >= minRsaBits;
  } catch {
    // It is no key, or of a type that Node does not know.
    return false;
  }
}

const IssuerUrl = ServiceUrl.refine((url) => !/[?#]/.test(url), {
  error: 'expected an address without ? and #',
});

export const Domain = z.string().regex(/^(?=.{1,253}$)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/, {
  error: 'expected a domain such as example.com, without @ and *',
});

/** An authorization server whose access tokens the index accepts. */
export const TokenIssuer = checked(
  z.strictObject({
    uri: documented(
      IssuerUrl,
      'Its issuer identifier, exactly as in tokens ("iss") and in its metadata.',
      'https://login.example.com/',
    ),
    accessTokenFormat: documented(
      z.enum(['jwt', 'opaque']),
      'jwt: signed tokens, verified with the keys of the issuer. opaque: the index sends each token to the UserInfo endpoint of the issuer.',
      'jwt',
    ),
    jwksUri: optionalKey(
      ServiceUrl,
      'The address of the keys that sign the tokens. jwt needs either jwksUri or jwkSet.',
      'https://login.example.com/jwks.json',
    ),
    jwkSet: optionalKey(
      JwkSet,
      'The public keys themselves (RFC 7517), where the index cannot reach the issuer.',
      { keys: [exampleKey] },
    ),
    restrictByJwtAudience: optionalKey(
      z.boolean(),
      'false: accepts tokens for any audience; only for an issuer that serves just this index. true where absent.',
      false,
    ),
    allowedJwtAudiences: optionalKey(
      z.array(createLineSchema(2000)).max(50),
      'Accepted values of "aud".',
      ['https://releases.example.com/mcp'],
    ),
    allowedJwtTypes: optionalKey(
      z.array(createLineSchema(100)).min(1).max(20),
      'Accepted values of "typ"; any where absent.',
      ['at+jwt'],
    ),
    restrictByDomain: documented(
      z.boolean().default(true),
      'false: accepts e-mail addresses of any domain. true where absent.',
      false,
    ),
    allowedDomains: documented(
      z.array(Domain).max(100).default([]),
      'Accepted domains of e-mail addresses, without their subdomains.',
      ['example.com'],
    ),
    claimMapping: documented(
      z.enum(['email', 'sub', 'preferredUsername']).default('email'),
      'How a token is matched to a user: by e-mail address, or by the claim "sub" or "preferred_username" as user name. By e-mail address where absent.',
      'email',
    ),
    requireEmailVerified: documented(
      z.boolean().default(false),
      'true: ignores an e-mail address without "email_verified": true; an address with false is always ignored. Needed where people choose their address at the issuer: they could choose the address of a user.',
      true,
    ),
  }),
  checkIssuer,
);
export type TokenIssuer = z.infer<typeof TokenIssuer>;

function checkIssuer(issuer: Fields, reject: Reject): void {
  const { accessTokenFormat, jwksUri, jwkSet } = issuer;
  if (accessTokenFormat === 'jwt') {
    if (jwksUri === undefined && jwkSet === undefined) {
      reject([], 'configure jwkSet or jwksUri', 'neither');
    }
    if (jwksUri !== undefined && jwkSet !== undefined) {
      reject([], 'configure jwkSet or jwksUri, not both', 'both');
    }

    checkRestriction(issuer, 'allowedJwtAudiences', 'restrictByJwtAudience', reject);
  }

  if (accessTokenFormat === 'opaque') {
    rejectKeysForJwt(issuer, reject);
  }

  checkRestriction(issuer, 'allowedDomains', 'restrictByDomain', reject);
}

function rejectKeysForJwt(issuer: Fields, reject: Reject): void {
  const reason = 'is only for accessTokenFormat jwt: the index cannot read an opaque token';
  const keys = [
    'jwksUri',
    'jwkSet',
    'allowedJwtAudiences',
    'allowedJwtTypes',
    'restrictByJwtAudience',
  ];
  for (const key of keys) {
    if (issuer[key] !== undefined && issuer[key] !== false) {
      reject([key], reason);
    }
  }
}

/** Either the allowed values are listed, or the restriction is explicitly off. */
function checkRestriction(
  issuer: Fields,
  list: 'allowedDomains' | 'allowedJwtAudiences',
  restriction: 'restrictByDomain' | 'restrictByJwtAudience',
  reject: Reject,
): void {
  const noun = list === 'allowedDomains' ? 'domain' : 'audience';
  const allowed = issuer[list];
  const count = Array.isArray(allowed) ? allowed.length : 0;
  const isOff = issuer[restriction] === false;
  if (!isOff && count === 0) {
    reject([list], `expected at least one ${noun}, or "${restriction}": false`, 'none');
  }
  if (isOff && count > 0) {
    const expected = `expected none beside "${restriction}": false, which lets in every ${noun}`;
    reject([list], expected, String(count));
  }
}
