import { createHmac, sign } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { createGuard } from '../../../../src/ask/server/access/guard.ts';
import {
  intersectPermissions,
  permissions,
} from '../../../../src/core/schemas/access/permissions.ts';
import { covers } from '../../../harness/covers.ts';
import { handlers, missing, startIssuer } from './guarding.ts';
import {
  accessTo,
  baseUrl,
  keyOf,
  opaqueIssuer,
  privateKeyOf,
  publicKeyOf,
  recorded,
  resource,
  seedOf,
} from './private-index.ts';

const key = keyOf('a');
const narrowKey = keyOf('b');
const earlierKey = keyOf('f');
const whole = { ...recorded(key), name: 'whole' };
const keys = [
  whole,
  { ...recorded(narrowKey), name: 'narrow', permissions: ['read' as const, 'scan' as const] },
  { ...recorded(earlierKey), name: 'earlier', tokenKey: undefined },
];

/** The grant, or the status of the rejection. */
async function ask(credential: string, issuers: readonly object[] = [], scheme = 'Bearer') {
  const access = accessTo('everything', issuers);
  const guard = createGuard({ access, keys, baseUrl, ...handlers });
  const headers = { authorization: `${scheme} ${credential}` };
  const answer = await guard(new Request(resource, { headers }));
  return answer instanceof Response ? answer.status : answer;
}

const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const soon = Math.floor(Date.now() / 1000) + 3600;
const claims = {
  permissions: ['read'],
  iss: baseUrl,
  aud: baseUrl,
  sub: 'jane',
  iat: soon - 3600,
  exp: soon,
};

const jwt = (header: object, payload: object, signature: (signed: string) => Buffer) => {
  const signed = `${b64({ typ: 'JWT', kid: 'whole', ...header })}.${b64(payload)}`;
  return `${signed}.${signature(signed).toString('base64url')}`;
};
const eddsa = (header: object, payload: object, seed: Buffer) =>
  jwt({ alg: 'EdDSA', ...header }, payload, (signed) =>
    sign(undefined, Buffer.from(signed), privateKeyOf(seed)),
  );
const ownSeed = Buffer.alloc(32, 7);

interface Forged {
  header?: object;
  link?: object;
  seed?: Buffer;
}

/** Signs like the index, with independent code. */
function forge(changes: object = {}, { header = {}, link = {}, seed = seedOf(key) }: Forged = {}) {
  const base = { ...claims, permissions, publicKey: publicKeyOf(ownSeed) };
  const links = [eddsa(header, { ...base, ...link }, seed)];
  const own = { ...claims, links, seed: ownSeed.toString('base64url'), ...changes };
  return eddsa(header, own, ownSeed);
}

test('a token that is signed with the key of the index is accepted', async () => {
  expect(await ask(forge())).toMatchObject({
    credential: { key: whole, expiresAt: soon * 1000 },
    permissions: intersectPermissions({ permissions: ['read'] }),
  });
});

const tampered = () => {
  const [head, , signature] = forge().split('.');
  return [head, b64({ ...claims, permissions: ['read', 'mcp'] }), signature].join('.');
};
const unsigned = () => `${b64({ alg: 'none', kid: 'whole' })}.${b64(claims)}.`;
const ofList = (secret: Buffer) => () =>
  jwt({ alg: 'HS256' }, { ...claims, links: [], seed: '' }, (signed) =>
    createHmac('sha256', secret).update(signed).digest(),
  );
const digest = Buffer.from(whole.sha256, 'hex');
const elsewhere = 'https://other.example.com';

test('a token is accepted as a password where everything is protected', async () => {
  const grant = await ask(btoa(`jane:${forge()}`), [], 'Basic');

  expect(grant).toMatchObject({ credential: { key: whole } });
});

test.each([
  ['tampered with', tampered],
  ['padded', () => `${forge()}==`],
  ['not signed', unsigned],
  ['expired', () => forge({ exp: soon - 3601 })],
  ['of an expired one', () => forge({}, { link: { exp: soon - 3601 } })],
  ['without an end', () => forge({ exp: undefined })],
  ['of another address', () => forge({ iss: baseUrl, aud: elsewhere })],
  ['for another address', () => forge({}, { link: { aud: elsewhere } })],
  ['from another address', () => forge({}, { link: { iss: elsewhere } })],
  ['of an unknown key', () => forge({}, { header: { kid: 'unknown' } })],
  ['without a key', () => forge({}, { header: { kid: undefined } })],
  [
    'of a key that is revoked',
    () => forge({}, { header: { kid: 'revoked' }, seed: seedOf(keyOf('d')) }),
  ],
  ['of another key', () => forge({}, { seed: seedOf(narrowKey) })],
  ['of a key without one for tokens', () => forge({}, { header: { kid: 'earlier' } })],
  ['made from the digest in the list', () => forge({}, { seed: digest })],
  ['made from the digest as if it were a key', () => forge({}, { seed: seedOf(whole.sha256) })],
  [
    'made from the public key in the list',
    () => forge({}, { seed: Buffer.from(whole.tokenKey!, 'base64url') }),
  ],
  ['with the digest as a shared secret', ofList(digest)],
  ['with the public key as a shared secret', ofList(Buffer.from(whole.tokenKey!, 'base64url'))],
  ['with the text of the public key as a shared secret', ofList(Buffer.from(whole.tokenKey!))],
  ['without a readable header', () => `e30x.${forge().split('.').slice(1).join('.')}`],
  ['with a link to no key', () => forge({}, { link: { publicKey: 'AA' } })],
  ['whose links are no list', () => forge({ links: 'x' })],
  ['with a seed that is too short', () => forge({ seed: 'AA' })],
  ['that is only a link', () => (decodeJwt(forge())['links'] as string[])[0]!],
  ['without a link', () => forge({ links: [] })],
  ['with permissions that there are not', () => forge({ permissions: ['write'] })],
  ['of an issuer that is not known', () => forge({ iss: 'https://login.example.com/' })],
])('a token is rejected %s', async (_, made) => {
  covers('Valid only for the instance that made it; another hostname invalidates it');
  const { issuer, paths } = await startIssuer(() => missing);

  expect(await ask(made(), [opaqueIssuer({ issuer })])).toBe(401);
  expect(paths).toEqual([]);
});

test.each<[string, Forged]>([
  ['its key', { header: { kid: 'narrow' }, seed: seedOf(narrowKey) }],
  ['the token that made it', { link: { permissions: ['read'] } }],
])('a token for more rights than %s has gets only those', async (_, of) => {
  const made = forge({ permissions: ['read', 'mcp'] }, of);

  expect(await ask(made)).toMatchObject({
    permissions: intersectPermissions({ permissions: ['read'] }),
  });
});
