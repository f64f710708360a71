import * as z from 'zod';
import { documented } from './documented.ts';
import { UpstreamUrl } from './links.ts';
import { lineOf } from './scalars.ts';
import { exampleKey, JwkSet } from './json-web-keys.ts';

const IssuerUrl = UpstreamUrl.refine((url) => !/[?#]/.test(url), {
  error: 'expected an address without ? and #',
});

const Domain = z.string().regex(/^(?=.{1,253}$)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/, {
  error: 'expected a domain such as example.com, without @ and *',
});

const isWhole = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null };

/** An authorization server whose access tokens the index takes. */
export const TokenIssuer = z
  .strictObject({
    uri: documented(
      IssuerUrl,
      'Its issuer identifier, exactly as tokens ("iss") and its metadata state it.',
      'https://login.example.com/',
    ),
    accessTokenFormat: documented(
      z.enum(['jwt', 'opaque']),
      'jwt: the tokens are signed, and judged by the keys of the issuer. opaque: the issuer is asked for each, at its UserInfo endpoint.',
      'jwt',
    ),
    jwksUri: documented(
      UpstreamUrl.optional(),
      'Where the issuer publishes the keys that sign its tokens. For jwt exactly one of this and jwkSet.',
      'https://login.example.com/jwks.json',
    ),
    jwkSet: documented(
      JwkSet.optional(),
      'The public keys themselves (RFC 7517), where the index cannot reach the issuer.',
      { keys: [exampleKey] },
    ),
    restrictByJwtAudience: documented(
      z.boolean().optional(),
      'false: tokens for any audience are accepted. Only of an issuer that serves nothing but this index. true where absent.',
      false,
    ),
    allowedJwtAudiences: documented(
      z.array(lineOf(2000)).max(50).optional(),
      'A token is accepted if its "aud" names one of these.',
      ['https://releases.example.com/mcp'],
    ),
    allowedJwtTypes: documented(
      z.array(lineOf(100)).min(1).max(20).optional(),
      'A token is accepted if its "typ" is one of these; any type where absent.',
      ['at+jwt'],
    ),
    restrictByDomain: documented(
      z.boolean().default(true),
      'false: e-mail addresses of any domain are accepted. true where absent.',
      false,
    ),
    allowedDomains: documented(
      z.array(Domain).max(100).default([]),
      'A token is accepted if its e-mail address is of one of these domains; a subdomain is another.',
      ['example.com'],
    ),
    claimMapping: documented(
      z.enum(['email', 'sub', 'preferredUsername']).default('email'),
      'By what a person is found among the users: the e-mail address, or the claim "sub" or "preferred_username" as user name. The e-mail address where absent.',
      'email',
    ),
    requireEmailVerified: documented(
      z.boolean().default(false),
      'true: an e-mail address without "email_verified": true counts as none; with false it never does. Where people can choose their address at the issuer, they could otherwise choose that of a user.',
      true,
    ),
  })
  .superRefine((issuer, context) => {
    for (const [key, message] of contradictions(issuer))
      context.addIssue({ code: 'custom', path: key === undefined ? [] : [key], message });
  }, isWhole);
export type TokenIssuer = z.infer<typeof TokenIssuer>;

/** Whatever may be wrong with single keys. */
function contradictions(issuer: TokenIssuer): [key: keyof TokenIssuer | undefined, message: string][] {
  return [
    ...(issuer.accessTokenFormat === 'jwt' ? contradictionsOfJwt(issuer) : []),
    ...(issuer.accessTokenFormat === 'opaque' ? contradictionsOfOpaque(issuer) : []),
    ...alternatives(issuer, 'allowedDomains', 'restrictByDomain', 'domain'),
  ];
}

function* contradictionsOfJwt(issuer: TokenIssuer): Iterable<[keyof TokenIssuer | undefined, string]> {
  const { jwksUri, jwkSet } = issuer;
  if (jwksUri === undefined && jwkSet === undefined)
    yield [undefined, 'configure jwkSet or jwksUri; got neither'];
  if (jwksUri !== undefined && jwkSet !== undefined)
    yield [undefined, 'configure jwkSet or jwksUri, not both; got both'];
  yield* alternatives(issuer, 'allowedJwtAudiences', 'restrictByJwtAudience', 'audience');
}

function* contradictionsOfOpaque(issuer: TokenIssuer): Iterable<[keyof TokenIssuer, string]> {
  const why =
    'is only for accessTokenFormat jwt: of an opaque token nothing is known but what UserInfo answers';
  for (const key of ['jwksUri', 'jwkSet', 'allowedJwtAudiences', 'allowedJwtTypes'] as const)
    if (issuer[key] !== undefined) yield [key, `${why}; got one`];
  if (issuer.restrictByJwtAudience === true) yield ['restrictByJwtAudience', `${why}; got true`];
}

/** Either the allowed values are listed, or the restriction is explicitly off. */
function* alternatives(
  issuer: TokenIssuer,
  list: 'allowedDomains' | 'allowedJwtAudiences',
  restricts: 'restrictByDomain' | 'restrictByJwtAudience',
  what: string,
): Iterable<[keyof TokenIssuer, string]> {
  const count = Array.isArray(issuer[list]) ? issuer[list].length : 0;
  const isOff = issuer[restricts] === false;
  if (!isOff && count === 0)
    yield [list, `expected at least one ${what}, or "${restricts}": false; got none`];
  if (isOff && count > 0)
    yield [list, `expected none beside "${restricts}": false, which lets in every ${what}; got ${count}`];
}
