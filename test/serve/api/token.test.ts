import { decodeJwt } from 'jose';
import { afterAll, expect, test, vi } from 'vitest';
import { openSiteApi } from '../../harness/api.ts';
import {
  askEndpoint,
  bearer,
  describeAnswer,
  keyOf,
  recordedKey,
} from '../../harness/endpoints.ts';
import { buildExample } from '../../harness/site.ts';

const full = keyOf('a');
const last = keyOf('e');

vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-27T23:00:00.500Z') });
afterAll(() => void vi.useRealTimers());

const access = { users: [{ username: 'jane' }] };
const keys = [recordedKey(full), recordedKey(last, { name: 'last-day', expires: '2026-11-27' })];
const ask = openSiteApi(buildExample(), { access, keys });

const makeToken = async (secret: string, query = '') =>
  (await askEndpoint(ask, 'token', bearer(secret), { query })).text();
const token = await makeToken(full);
const exportToken = await makeToken(full, '?permissions=export');

const readClaims = (token: string) =>
  decodeJwt<{ permissions: string[]; exp: number; iat: number }>(token);

test('by default, a token has the permissions of its access key and lasts two hours', async () => {
  const { permissions, exp, iat } = readClaims(token);

  expect(permissions).toEqual([
    'read',
    'export',
    'mcp',
    'scan',
    'accessDataWithoutAssociatedProject',
  ]);
  expect(exp - iat).toBe(7200);
  expect(readClaims(await makeToken(last)).exp * 1000).toBe(Date.parse('2026-11-28'));
  expect(readClaims(await makeToken(token)).exp).toBe(exp);
});

test('a token request can choose fewer permissions and a lifetime of up to a day', async () => {
  const query = '?permissions=read,scan&permissions=export&projectIds=a,b&projectIds=c';
  const { permissions } = readClaims(await makeToken(full, query));
  const short = readClaims(await makeToken(full, '?expiresInHours=0.5'));
  const long = readClaims(await makeToken(full, '?expiresInHours=24'));

  expect(permissions).toEqual(['read', 'export', 'scan', 'accessDataWithoutAssociatedProject']);
  expect([short.exp - short.iat, long.exp - long.iat]).toEqual([1800, 86_400]);
});

const hours = '400 expiresInHours: expected a number of hours above 0, at most 24; got';

test.each([
  [
    'a permission that the key lacks',
    full,
    '?permissions=publishScan',
    '403 permissions: the credential has read, export, mcp, scan, accessDataWithoutAssociatedProject, not publishScan.',
  ],
  [
    'a permission that the exchanged token lacks',
    exportToken,
    '?permissions=read',
    '403 permissions: the credential has export, accessDataWithoutAssociatedProject, not read.',
  ],
  ['a lifetime of more than a day', full, '?expiresInHours=25', `${hours} "25"`],
  [
    'a lifetime beyond the end of the key',
    last,
    '?expiresInHours=2',
    '403 expiresInHours: the credential ends at 2026-11-28T00:00:00.000Z.',
  ],
  [
    'an unknown parameter',
    full,
    '?hours=1',
    '400 hours: expected only permissions, projectIds, expiresInHours; got "1"',
  ],
])('a token request with %s is rejected', async (_name, secret, query, rejection) => {
  expect(await describeAnswer(await askEndpoint(ask, 'token', bearer(secret), { query }))).toBe(
    rejection,
  );
});

test('a public index makes no tokens', async () => {
  const open = openSiteApi(buildExample());

  expect(await describeAnswer(await askEndpoint(open, 'token', undefined))).toBe(
    '404 This index is public: nothing needs a token.',
  );
});

test('the answer with a token is not kept by caches', async () => {
  const { headers } = await askEndpoint(ask, 'token', bearer(full));

  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
});
