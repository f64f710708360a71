import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { Provider, type JWKS } from 'oidc-provider';
import { listen } from './listen.ts';

/** What the server states of a person. */
type Person = Readonly<Record<string, unknown>>;

const client = 'index';
const scope = 'openid email profile';
const kid = 'first';

/** A real authorization server, whose access tokens are signed or opaque. */
export async function startAuthorizationServer(
  format: 'jwt' | 'opaque',
  people: Readonly<Record<string, Person>>,
) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const about = { kid, alg: 'RS256', use: 'sig' };
  const server = createServer();
  const issuer = await listen(server);
  const requests: string[] = [];
  // Each request has an address.
  server.on('request', ({ url }) => requests.push(url!));
  const privateJwk = await exportJWK(privateKey);
  const provider = new Provider(issuer, {
    clients: [{ client_id: client, client_secret: 'secret', redirect_uris: ['http://127.0.0.1/'] }],
    // The types ask for what the server derives.
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
    /** Its identifier. */
    issuer,
    jwksUri: `${issuer}/jwks`,
    /** The public keys alone. */
    jwkSet: { keys: [{ ...(await exportJWK(publicKey)), ...about }] },
    /** Paths that it was asked for, in order. */
    requests,
    /** An access token for a person, as a sign-in gives one; for the audience where it is signed. */
    async grant(person: string, audience?: string): Promise<string> {
      const consent = new provider.Grant({ accountId: person, clientId: client });
      consent.addOIDCScope(scope);
      // The types ask for what the class fills in.
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
    /** A token of any content, signed with the key of the server. */
    sign: (claims: JWTPayload, header: { typ?: string; kid?: string } = {}): Promise<string> =>
      new SignJWT({ iss: issuer, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'at+jwt', ...header })
        .sign(privateKey),
  };
}
