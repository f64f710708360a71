import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { Provider, type JWKS } from 'oidc-provider';
import { listen } from './listen.ts';

/** The OpenID claims about a person, by name of the claim. */
type Person = Readonly<Record<string, unknown>>;

const client = 'index';
const scope = 'openid email profile';
const kid = 'first';

/** Starts a real OpenID Connect server. Its access tokens are signed (`jwt`) or opaque. */
export async function startAuthorizationServer(
  format: 'jwt' | 'opaque',
  people: Readonly<Record<string, Person>>,
) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const about = { kid, alg: 'RS256', use: 'sig' };
  const server = createServer();
  const issuer = await listen(server);
  const requests: string[] = [];
  // The type allows a request without `url`, but every request to a server has one.
  server.on('request', ({ url }) => requests.push(url!));
  const privateJwk = await exportJWK(privateKey);
  const provider = new Provider(issuer, {
    clients: [{ client_id: client, client_secret: 'secret', redirect_uris: ['http://127.0.0.1/'] }],
    // The cast is needed because the type also requires fields that the server computes from the key.
    jwks: { keys: [{ ...privateJwk, ...about }] } as JWKS,
    cookies: { keys: ['cookies'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
    },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people[accountId] }),
    }),
    extraTokenClaims: (_, token) => ({
      ...people[(token as { accountId?: string }).accountId ?? ''],
    }),
    ttl: { AccessToken: 3600, Grant: 3600 },
    features: {
      resourceIndicators: { enabled: format === 'jwt' },
    },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    jwksUri: `${issuer}/jwks`,
    /** The public key, without the private one. */
    jwkSet: { keys: [{ ...(await exportJWK(publicKey)), ...about }] },
    /** The paths of all requests so far, in order. */
    requests,
    /** Returns an access token for a person, as after a sign-in. With `audience`, the token is signed for this audience. */
    async grant(person: string, audience?: string): Promise<string> {
      const consent = new provider.Grant({ accountId: person, clientId: client });
      consent.addOIDCScope(scope);
      // The cast is needed because the type also requires fields that the class sets itself.
      const token = new provider.AccessToken({
        accountId: person,
        client: (await provider.Client.find(client))!,
        grantId: await consent.save(),
        gty: 'authorization_code',
        scope,
        ...(audience !== undefined && {
          resourceServer: new provider.ResourceServer(audience, {
            scope,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        }),
      } as never);
      return token.save();
    },
    /** Signs any claims with the server's key. */
    sign: (claims: JWTPayload, header: { typ?: string; kid?: string } = {}): Promise<string> =>
      new SignJWT({ iss: issuer, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'at+jwt', ...header })
        .sign(privateKey),
  };
}
