import { createHash, createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto';
import { AccessConfig } from '../../../../src/core/schemas/access/access-config.ts';
import type { AccessKey } from '../../../../src/core/schemas/access/access-keys.ts';

export const baseUrl = 'https://releases.example.com';
export const resource = `${baseUrl}/mcp`;

/** An access key; the letter makes it unique. */
export function keyOf(letter: string): string {
  return `release_index_${letter.repeat(43)}`;
}

/** The record of a key in the Worker. */
export function recorded(key: string, user = 'jane', expires = '2999-12-31'): AccessKey {
  const name = `key-${key.slice(-3).toLowerCase()}`;
  return { name, user, expires, sha256: sha256(key), tokenKey: publicKeyOf(seedOf(key)) };
}

/** The seed with which an access key signs, by independent code. */
export const seedOf = (key: string) =>
  Buffer.from(hkdfSync('sha256', key, '', 'release-index access token', 32));

export function privateKeyOf(seed: Buffer) {
  const key = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

export const publicKeyOf = (seed: Buffer) =>
  createPublicKey(privateKeyOf(seed)).export({ format: 'jwk' }).x!;

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Accepts jane by default. */
export function accessTo(
  protect: AccessConfig['protect'],
  issuers: readonly object[] = [],
  more: { users?: object[]; accessKeys?: object; opaqueTokenFanOut?: boolean } = {},
): AccessConfig {
  const { opaqueTokenFanOut = false, ...rest } = more;
  return AccessConfig.parse({
    protect,
    users: [{ username: 'jane', email: 'jane@example.com' }],
    externalOauth: { issuers, opaqueTokenFanOut },
    ...rest,
  });
}

const ofExample = { allowedDomains: ['example.com'] };

export function jwtIssuer(
  { issuer, jwksUri }: { issuer: string; jwksUri: string },
  more: object = {},
): object {
  return {
    uri: issuer,
    accessTokenFormat: 'jwt',
    jwksUri,
    allowedJwtAudiences: [resource],
    allowedJwtTypes: ['at+jwt'],
    ...ofExample,
    ...more,
  };
}

export function opaqueIssuer({ issuer }: { issuer: string }, more: object = {}): object {
  return { uri: issuer, accessTokenFormat: 'opaque', ...ofExample, ...more };
}

/** Status, challenge and message. */
export async function refusalOf(response: Response) {
  const { detail } = (await response.json()) as { detail: string };
  return { status: response.status, detail, challenge: response.headers.get('www-authenticate') };
}
