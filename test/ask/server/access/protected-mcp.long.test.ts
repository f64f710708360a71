import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../../harness/authorization-server.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { deadUrl } from '../../../harness/upstream.ts';
import { serveSite, type ServedSite } from '../../../harness/worker.ts';
import {
  accessTo,
  baseUrl,
  jwtIssuer,
  keyOf,
  opaqueIssuer,
  recorded,
  refusalOf,
  resource,
} from './private-index.ts';
import { covers } from '../../../harness/covers.ts';

const people = { jane: { email: 'jane@example.com' } };
const key = keyOf('a');

let jwt: AuthorizationServer;
let opaque: AuthorizationServer;
let unreachable: string;
let site: ServedSite;

beforeAll(async () => {
  [jwt, opaque] = await Promise.all([
    startAuthorizationServer('jwt', people),
    startAuthorizationServer('opaque', people),
  ]);
  unreachable = (await deadUrl()).slice(0, -1);
  const issuers = [
    jwtIssuer({ issuer: unreachable, jwksUri: `${unreachable}/jwks` }),
    jwtIssuer(jwt),
    opaqueIssuer(opaque),
  ];
  const access = accessTo('mcp', issuers);
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
  site = await serveSite(siteOfFixtureIndex(), baseUrl, vars, access);
});

afterAll(async () => {
  await site?.close();
  await Promise.all([jwt?.close(), opaque?.close()]);
});

/** Lists the tools in the revision of 2026. */
function ask(authorization?: string, url = resource): Promise<Response> {
  const revision = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return site.fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/list',
      ...(authorization !== undefined && { authorization }),
    },
  });
}

const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;

test.each([undefined, '', 'Digest username="jane"', `Basic ${btoa(`jane:${key}`)}`])(
  'a request for /mcp with the credential %j learns where to get one, and of no error',
  async (authorization) => {
    covers(
      '401 without valid credential',
      '401 with WWW-Authenticate naming the metadata; order of issuers',
      '401 no error, resource\\metadata, realm mcp',
    );
    const response = await ask(authorization);

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'WWW-Authenticate',
    });
    expect(await refusalOf(response)).toEqual({
      status: 401,
      detail: 'Full authentication is required. Send Authorization: Bearer <access key or token>.',
      challenge: `Bearer realm="mcp", ${metadata}`,
    });
  },
);

test('each method but a preflight needs a credential, in the header only', async () => {
  const preflight = await site.fetch(resource, { method: 'OPTIONS' });
  const form = { method: 'POST', body: new URLSearchParams({ access_token: key }) };

  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    expect((await site.fetch(resource, { method })).status).toBe(401);
    const headers = { authorization: `Bearer ${key}` };
    expect((await site.fetch(resource, { method, headers })).status).toBe(405);
  }
  expect((await ask(undefined, `${resource}?access_token=${key}&key=${key}`)).status).toBe(401);
  expect((await site.fetch(resource, form)).status).toBe(401);
});

test('paths other than /mcp are public', async () => {
  const paths = ['/index.json', '/', '/api/components', '/nothing', '/mcp/', '/%6dcp'];
  const statuses = await Promise.all(
    paths.map(async (path) => (await site.fetch(baseUrl + path)).status),
  );

  expect(statuses).toEqual([200, 200, 200, 404, 404, 404]);
});

test('an access key is accepted, with the scheme in any case', async () => {
  covers(
    'Accepts access keys or OAuth access tokens of trusted servers',
    'Authorization: Bearer, key or token',
    'Bearer key',
  );
  for (const scheme of ['Bearer', 'bearer', 'Bearer  ']) {
    expect(await (await ask(`${scheme} ${key}`)).text(), scheme).toContain('"check_versions"');
  }
});

test('tokens of users are accepted, and others get the reason', async () => {
  covers(
    'Accepts access keys or OAuth access tokens of trusted servers',
    'jwksUri',
    'Validates, matches the claim against an existing user',
    '401 no error, resource\\metadata, realm mcp',
  );
  const statuses = [await jwt.grant('jane', resource), await opaque.grant('jane')].map(
    async (token) => (await ask(`Bearer ${token}`)).status,
  );

  expect(await Promise.all(statuses)).toEqual([200, 200]);
  expect(await refusalOf(await ask('Bearer unknown'))).toEqual({
    status: 401,
    detail: 'Token validation failed',
    challenge: `Bearer realm="mcp", error="invalid_token", error_description="Token validation failed", ${metadata}`,
  });
});

test('the metadata names the issuers in their order, to pages of any origin, and is read-only', async () => {
  covers(
    'Metadata at /.well-known/oauth-protected-resource/mcp',
    'resource: identifier to use as audience, verbatim',
    'authorization\\servers in the order of issuers',
    'bearer\\methods\\supported: header',
    'scopes\\supported: openid, email',
    'Metadata needs no credential',
    '401 with WWW-Authenticate naming the metadata; order of issuers',
  );
  const url = `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
  const response = await site.fetch(url);
  const preflight = await site.fetch(url, { method: 'OPTIONS' });
  const head = await site.fetch(url, { method: 'HEAD' });

  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
  });
  expect(await response.json()).toEqual({
    resource,
    authorization_servers: [unreachable, jwt.issuer, opaque.issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: ['openid', 'email'],
  });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version');
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await site.fetch(url, { method: 'POST', body: '{}' })).status).toBe(405);
});

test('logs of the Worker and its host contain no secret', async () => {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  expect((await ask(`Bearer ${await jwt.sign({ iss: unreachable, exp })}`)).status).toBe(503);
  const folder = process.env['WRANGLER_LOG_PATH']!;
  const files = globSync('**/*.log', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  const said = [site.logs(), ...files].join('\n');

  expect(said).toContain(`${unreachable}/jwks `);
  expect(said).toContain('Tokens that need it are answered with 503.');
  expect(said).not.toMatch(/release_index_[a-z]|eyJ|Bearer \w/i);
});
