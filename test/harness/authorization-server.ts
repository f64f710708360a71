import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { Provider, type JWKS } from 'oidc-provider';
import { startUpstream, type Handler } from './upstream.ts';

/** What the server states of a person. */
export interface Person {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly preferred_username?: string;
  readonly groups?: readonly string[];
}

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>;

const client = 'index';
const scope = 'openid email profile';
const kid = 'first';

let pair: Promise<{ publicKey: CryptoKey; privateKey: CryptoKey }> | undefined;

/** A real authorization server on loopback, with forms to sign in, which registers any client. */
export async function startAuthorizationServer(
  format: 'jwt' | 'opaque',
  people: Readonly<Record<string, Person>>,
) {
  pair ??= generateKeyPair('RS256', { extractable: true });
  const { publicKey, privateKey } = await pair;
  const about = { kid, alg: 'RS256', use: 'sig' };
  const requests: string[] = [];
  let answer: Handler | undefined;
  const { url, close } = await startUpstream(() => (request, response) => {
    requests.push(request.url!);
    answer!(request, response);
  });
  const issuer = new URL(url).origin;
  const provider = new Provider(issuer, {
    clients: [{ client_id: client, client_secret: 'secret', redirect_uris: ['http://127.0.0.1/'] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), ...about }] } as JWKS,
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
    ttl: { AccessToken: 3600, Grant: 3600, Session: 3600, Interaction: 600, IdToken: 3600 },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: format === 'jwt',
        getResourceServerInfo: (_, audience) => resourceServer(audience),
      },
    },
  });
  // What it warns of is that this is no production.
  provider.on('server_error', (_, error) => console.error(error));
  answer = provider.callback();
  return {
    /** Its identifier: the address, without a slash at its end. */
    issuer,
    jwksUri: `${issuer}/jwks`,
    /** The public keys alone. */
    jwkSet: { keys: [{ ...(await exportJWK(publicKey)), ...about }] },
    /** Paths that it was asked for, in order. */
    requests,
    /** An access token for a person, as a sign-in gives one; for the audience where it is a JWT. */
    async grant(person: string, audience?: string) {
      const grant = new provider.Grant({ accountId: person, clientId: client });
      grant.addOIDCScope(scope);
      const token = new provider.AccessToken({
        accountId: person,
        client: (await provider.Client.find(client))!,
        grantId: await grant.save(),
        gty: 'authorization_code',
        scope,
        extra: { ...people[person] },
        ...(audience !== undefined && {
          resourceServer: new provider.ResourceServer(audience, resourceServer(audience)),
        }),
      } as never);
      return token.save();
    },
    /** A token of any content, signed with the key of the server. */
    sign: (claims: JWTPayload, header: { typ?: string; kid?: string } = {}) =>
      new SignJWT({ iss: issuer, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'at+jwt', ...header })
        .sign(privateKey),
    async revoke(token: string) {
      await (await provider.AccessToken.find(token))!.destroy();
    },
    close,
  };
}

function resourceServer(audience: string) {
  return {
    scope,
    audience,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: 'RS256' as const } },
  };
}
