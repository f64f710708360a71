import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { computeKeyEnd, readAccessToken } from '../../../../src/ask/server/access/own-token.ts';
import type { Grant } from '../../../../src/ask/server/access/guard.ts';
import { tokenEndpoint } from '../../../../src/ask/server/access/token-endpoint.ts';
import { readParameters } from '../../../../src/ask/server/api/read-request.ts';
import type { AccessKey } from '../../../../src/core/schemas/access/access-keys.ts';
import { baseUrl, keyOf, recorded } from './private-index.ts';

const secret = keyOf('a');
const now = Date.parse('2026-11-20T12:00:00Z');
const hour = 3_600_000;
const lasting = recorded(secret);
const ending = recorded(secret, 'jane', '2026-11-20');

function grantOf(key: AccessKey, more: { secret?: string; expiresAt?: number } = {}): Grant {
  const permissions = ['read', 'scan'] as const;
  return {
    permissions,
    credential: { key, permissions, secret, expiresAt: computeKeyEnd(key), ...more },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** The token, or the message of the refusal. */
async function ask(grant: Grant, parameters: Record<string, string> = {}): Promise<string> {
  const request = new Request(`${baseUrl}/api/auth/token`, { method: 'POST' });
  try {
    const call = { request, parameters, grant, settings: { baseUrl } };
    const answer = await tokenEndpoint.handle(call as never);
    return await (answer as Response).text();
  } catch (error) {
    return (error as Error).message;
  }
}

const read = (token: string, key = lasting, at = now) => readAccessToken(token, [key], baseUrl, at);

test.each<[string, AccessKey, Record<string, string>, number]>([
  ['two hours', lasting, {}, 2],
  ['the hours it asks for', lasting, { expiresInHours: '0.5' }, 0.5],
  ['a day at most', lasting, { expiresInHours: '24' }, 24],
  ['no longer than its key', { ...lasting, expires: '2026-11-20' }, { expiresInHours: '12' }, 12],
])('a token is valid for %s', async (_, key, parameters, hours) => {
  const token = await ask(grantOf(key), parameters);

  expect((await read(token, key)).expiresAt).toBe(now + hours * hour);
  expect(decodeJwt(token).iat).toBe(now / 1000);
});

test('a list may be repeated in a request for a token', () => {
  const request = new Request(
    `${baseUrl}/api/auth/token?permissions=read&permissions=scan&projectIds=a&projectIds=b`,
  );

  expect(readParameters(tokenEndpoint, {}, request)).toMatchObject({
    permissions: 'read,scan',
    projectIds: 'a,b',
  });
});

test('a token without hours ends with its credential, and one with more is refused', async () => {
  const grant = grantOf(ending, { expiresAt: now + hour });

  expect((await read(await ask(grant), ending)).expiresAt).toBe(now + hour);
  expect(await ask(grant, { expiresInHours: '1' })).toMatch(/^ey/);
  expect(await ask(grant, { expiresInHours: '1.1' })).toContain(
    'expiresInHours: the credential ends at 2026-11-20T13:00:00.000Z.',
  );
});

test.each(['0', '24.1', '25'])('%s hours are refused', async (expiresInHours) => {
  expect(await ask(grantOf(lasting), { expiresInHours })).toContain('a number of hours above 0');
});

test('a token has the permissions that it asks for, and no others', async () => {
  const { permissions } = await read(await ask(grantOf(lasting), { permissions: 'scan' }));

  expect(permissions).toContain('scan');
  expect(permissions).not.toContain('read');
  expect(await ask(grantOf(lasting), { permissions: 'read,mcp' })).toContain(
    'permissions: the credential has read, scan, not mcp.',
  );
  expect(await ask(grantOf(lasting), { permissions: 'all' })).toContain('all is unknown');
  expect(tokenEndpoint.answers[403]!.description).toContain('A permission is unknown');
});

test.each<[string, Grant, string]>([
  ['a token of an issuer', { permissions: ['read'] }, 'made from access keys only'],
  ['a key without one for tokens', grantOf({ ...lasting, tokenKey: undefined }), 'no tokenKey'],
])('%s makes no token', async (_, grant, message) => {
  expect(await ask(grant)).toContain(message);
});

test('eight tokens come one from another, and the ninth does not', async () => {
  let token = await ask(grantOf(lasting));
  for (let count = 1; count < 8; count += 1) {
    token = await ask(grantOf(lasting, { secret: token }));
  }

  expect((await read(token)).key).toBe(lasting);
  expect(await ask(grantOf(lasting, { secret: token }))).toContain('comes from too many others');
});

test('a token ends with its key, and is refused where that is gone', async () => {
  const token = await ask(grantOf(lasting));
  const shorter = { ...lasting, expires: '2026-11-20' };

  expect((await read(token, shorter)).expiresAt).toBe(now + 2 * hour);
  await expect(read(token, lasting, now + 2 * hour)).rejects.toThrow('"exp"');
  await expect(read(token, shorter, computeKeyEnd(shorter))).rejects.toThrow('no longer valid');
  await expect(read(token, { ...lasting, tokenKey: undefined })).rejects.toThrow('no longer valid');
  await expect(read(token, recorded(keyOf('b')))).rejects.toThrow('no longer valid');
});
