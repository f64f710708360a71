import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccessKey } from '../../../../src/core/schemas/access/access-keys.ts';
import { permissions } from '../../../../src/core/schemas/access/permissions.ts';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../../harness/authorization-server.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { openWorkerHere, readVersion, type WorkerHere } from '../../../harness/worker-here.ts';
import { accessTo, baseUrl, keyOf, opaqueIssuer, recorded, refusalOf } from './private-index.ts';
import { covers } from '../../../harness/covers.ts';

const key = keyOf('a');
const narrowKey = keyOf('b');
const shortKey = keyOf('c');
const limitedUser = keyOf('e');
const today = () => new Date().toISOString().slice(0, 10);

const named = (secret: string, name: string, more: Partial<AccessKey> = {}): AccessKey => ({
  ...recorded(secret),
  name,
  ...more,
});
const whole = named(key, 'whole');
const kept = [
  whole,
  named(narrowKey, 'narrow', { permissions: ['read', 'scan'] }),
  named(shortKey, 'short', { expires: today() }),
  named(limitedUser, 'of-bob', { user: 'bob' }),
];

const users = [
  { username: 'jane', email: 'jane@example.com' },
  { username: 'bob', email: 'bob@example.com', permissions: ['mcp'] },
];

const secrets = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(kept) };

let out: string;
let issuer: AuthorizationServer;
let site: WorkerHere;

beforeAll(async () => {
  out = siteOfFixtureIndex();
  issuer = await startAuthorizationServer('opaque', { jane: { email: 'jane@example.com' } });
  const access = accessTo('everything', [opaqueIssuer(issuer)], { users });
  site = openWorkerHere(readVersion(out, { access, secrets }), baseUrl);
});

afterAll(() => issuer?.close());

function ask(path: string, credential: string, method = 'GET', where = site) {
  const headers = { authorization: `Bearer ${credential}` };
  return where(baseUrl + path, { method, headers });
}

const request = (credential: string, query = '', where = site) =>
  ask(`/api/auth/token${query}`, credential, 'POST', where);

async function token(credential: string, query = '', where = site): Promise<string> {
  const answer = await request(credential, query, where);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return text;
}

const status = async (path: string, credential: string, method = 'GET') =>
  (await ask(path, credential, method)).status;

const secondsLeft = (made: string) => decodeJwt(made).exp! - decodeJwt(made).iat!;

test('a token is the body of the answer: an uncached JWT for two hours with all rights of the key', async () => {
  covers(
    'Creation of short-lived access tokens',
    'The body of token creation is the token, JWT-shaped',
    'Token defaults: all permissions, 2 h or what is left of the credential',
    'Requests with a bearer token answer with the headers that allow cross-origin requests',
  );
  const answer = await request(key);
  const made = await answer.text();

  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'strict-transport-security': 'max-age=31536000',
    'access-control-allow-origin': '*',
  });
  expect(made).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(decodeProtectedHeader(made)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: 'whole' });
  expect(decodeJwt(made)).toMatchObject({
    iss: baseUrl,
    aud: baseUrl,
    sub: 'jane',
    permissions,
  });
  expect(secondsLeft(made)).toBe(7200);
  expect(made).not.toContain(whole.sha256);
});

test('a token is accepted like a key, also as a password', async () => {
  covers('Tokens work wherever keys do');
  const made = await token(key);
  const headers = { authorization: `Basic ${btoa(`jane:${made}`)}` };
  const basic = await site(`${baseUrl}/svc.json`, { headers });

  expect(basic.status).toBe(200);
  for (const path of ['/', '/svc.json', '/api/components', '/build-export/v2/builds/since/0']) {
    expect(await status(path, made), path).toBe(200);
  }
  expect(await status('/packages/generic/svc/2026.1/policy-scans/supported', made, 'POST')).toBe(
    200,
  );
  // The credential is accepted, and the message is missing.
  expect(await status('/mcp', made, 'POST')).toBe(400);
});

const everybodys = 'accessDataWithoutAssociatedProject';

test('a token has the requested permissions, in every form of a list, and reads everything', async () => {
  covers(
    'POST /api/auth/token (permissions, projectIds, expiresInHours)',
    'Repeated and comma-separated forms combine',
    'Without project-level access control every token also gets the permission to access all data without an associated project',
    'Permission config values',
    'accessDataWithoutAssociatedProject is one; read, export, mcp and scan are named as the operations are, since the specification fixes no others, and publishScan is left out: nobody publishes any.',
  );
  const made = await token(key, '?permissions=read&permissions=scan,export');

  expect(decodeJwt(made)['permissions']).toEqual(['read', 'export', 'scan', everybodys]);
  const answers = ['/svc.json', '/all.json', '/api/components', '/api/builds'];
  expect(await Promise.all(answers.map((path) => status(path, made)))).toEqual([
    200, 200, 200, 200,
  ]);
  expect(await status('/mcp', made, 'POST')).toBe(403);
});

test('projectIds, in every form of a list, limits nothing', async () => {
  covers(
    'There is no access control by project: projectIds is read and limits nothing.',
    'Token defaults: all permissions, 2 h or what is left of the credential',
    'Repeated and comma-separated forms combine',
    'Without project-level access control every token also gets the permission to access all data without an associated project',
  );
  const query = '?projectIds=svc,Other%20project&projectIds=nothing';
  const made = await token(key, query);
  const limited = await token(key, `${query}&permissions=read`);

  expect(decodeJwt(made)['permissions']).toEqual(permissions);
  expect(decodeJwt(limited)['permissions']).toEqual(['read', everybodys]);
  for (const path of ['/svc.json', '/edge-node.json', '/all.json', '/api/builds']) {
    expect([path, await status(path, made)]).toEqual([path, 200]);
    expect([path, await status(path, limited)]).toEqual([path, 200]);
  }
});

test('a token ends with its key if the key has less than two hours left', async () => {
  covers('Token defaults: all permissions, 2 h or what is left of the credential');
  const made = await token(shortKey);
  const end = Date.parse(`${today()}T23:59:59Z`) / 1000 + 1;

  expect(decodeJwt(made).exp).toBe(Math.min(end, decodeJwt(made).iat! + 7200));
});

test('a token from a token has the rights and the end of that token', async () => {
  covers('403 for what the caller lacks; a token is checked by its own');
  const first = await token(key, '?permissions=read,scan&expiresInHours=1');
  const second = await token(first);
  const third = await token(second, '?permissions=scan&expiresInHours=0.25');

  expect(decodeJwt(second)).toMatchObject({
    permissions: ['read', 'scan', everybodys],
    exp: decodeJwt(first).exp,
  });
  expect(decodeJwt(third)).toMatchObject({ permissions: ['scan', everybodys] });
  expect(await status('/svc.json', second)).toBe(200);
  expect(await status('/svc.json', third)).toBe(403);
  // Whoever has the later token does not get the earlier one.
  for (const token of [second, third]) {
    expect(JSON.stringify(decodeJwt(token))).not.toContain(decodeJwt(first)['seed']);
  }
});

const challenge = `Bearer realm="mcp", error="insufficient_scope", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;

const ofKey = (query: string) => () => request(narrowKey, query);
const ofToken = (limits: string, query: string) => async () =>
  request(await token(key, limits), query);

test.each([
  [
    ofKey('?permissions=read,mcp'),
    `permissions: the credential has read, scan, ${everybodys}, not mcp.`,
  ],
  [
    ofKey('?permissions=publishScan'),
    `permissions: publishScan is unknown; known are read, export, mcp, scan, ${everybodys}.`,
  ],
  [
    ofToken('?permissions=read', '?permissions=scan'),
    `permissions: the credential has read, ${everybodys}, not scan.`,
  ],
  [
    async () => request(limitedUser, '?permissions=read'),
    `permissions: the credential has mcp, ${everybodys}, not read.`,
  ],
])(
  'a request for a token is rejected if the credential has fewer rights: %#',
  async (asked, detail) => {
    covers('403 for what the caller lacks; a token is checked by its own', '403 on token creation');
    expect(await refusalOf(await asked())).toEqual({ status: 403, detail, challenge });
  },
);

test('a request for a token is rejected if the credential ends earlier', async () => {
  covers('A lifetime beyond the credential is an error', '403 on token creation');
  const short = await token(key, '?expiresInHours=1');

  expect(await refusalOf(await request(short, '?expiresInHours=2'))).toEqual({
    status: 403,
    detail: `expiresInHours: the credential ends at ${new Date(decodeJwt(short).exp! * 1000).toISOString()}.`,
    challenge,
  });
  expect((await request(shortKey, '?expiresInHours=24')).status).toBe(403);
});

test('a request for a token is rejected from a user of an issuer', async () => {
  expect(await refusalOf(await request(await issuer.grant('jane')))).toEqual({
    status: 403,
    detail: 'Tokens are made from access keys only: sign in at the issuer again.',
    challenge,
  });
});

test.each([
  ...['25', '24.01', '0', '-1', 'soon', ''].map((hours) => [
    `expiresInHours=${hours}`,
    `expiresInHours: expected a number of hours above 0, at most 24; got "${hours}"`,
  ]),
  [
    'expiresInHours=1&expiresInHours=2',
    'expiresInHours: expected this parameter once; got it repeatedly',
  ],
  ...['', 're ad'].map((text) => [
    `permissions=${text}`,
    `permissions: expected names of permissions: ${permissions.join(', ')}; got "${text}"`,
  ]),
  ['projectIds=', 'projectIds: expected names; got ""'],
  [
    'projects=svc',
    'projects: expected only permissions, projectIds, expiresInHours; got the parameter "projects"',
  ],
])(
  'a request for a token is rejected with %s, and the problem names the expected value',
  async (query, detail) => {
    covers('expiresInHours is at most 24');
    expect(await refusalOf(await request(key, `?${query}`))).toEqual({
      status: 400,
      detail,
      challenge: null,
    });
  },
);

test('a request for a token is rejected by another method', async () => {
  const answer = await ask('/api/auth/token', key);

  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

test('an index that protects only /mcp makes tokens for it', async () => {
  const access = accessTo('mcp', [], { users });
  const open = openWorkerHere(readVersion(out, { access, secrets }), baseUrl);
  const anonymous = await open(`${baseUrl}/api/auth/token`, { method: 'POST' });
  const made = await token(limitedUser, '', open);

  expect(anonymous.status).toBe(401);
  expect((await ask('/mcp', made, 'POST', open)).status).toBe(400);
  expect((await ask('/mcp', `${made}x`, 'POST', open)).status).toBe(401);
  expect((await open(`${baseUrl}/svc.json`)).status).toBe(200);
});
