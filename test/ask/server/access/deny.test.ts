import { expect, test } from 'vitest';
import { deny, type Denial } from '../../../../src/ask/server/access/deny.ts';
import { answerProtected } from '../../../../src/ask/server/worker/auth-worker.ts';
import type { Env } from '../../../../src/ask/server/worker/worker.ts';
import { findNeededPermission } from '../../../../src/ask/server/access/protected-paths.ts';
import type { AccessConfig } from '../../../../src/core/schemas/access/access-config.ts';

const baseUrl = 'https://releases.example.com';
const metadata = `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
const bearer = (reason = '') => `Bearer realm="mcp",${reason} resource_metadata="${metadata}"`;
const basic = 'Basic realm="access key as password", charset="UTF-8"';
const invalid = (text: string) => bearer(` error="invalid_token", error_description="${text}",`);

function denied(denial: Denial, path: string, acceptsBasic: boolean) {
  const answer = deny(new Request(baseUrl + path), denial, { baseUrl, acceptsBasic });
  return [answer.status, answer.headers.get('WWW-Authenticate')];
}

test('a browser may ask its user for a key, and an agent never', () => {
  expect(denied('no-credential', '/svc.json', true)).toEqual([401, `${basic}, ${bearer()}`]);
  expect(denied('no-credential', '/svc.json', false)).toEqual([401, bearer()]);
  expect(denied('no-credential', '/mcp', true)).toEqual([401, bearer()]);
});

test('a browser asks for no other key where its user lacks a permission', () => {
  expect(denied('no-permission', '/svc.json', true)).toEqual(
    denied('no-permission', '/svc.json', false),
  );
});

test.each<[Denial, number, string | null]>([
  ['plain-http', 400, null],
  ['invalid-token', 401, invalid('Token validation failed')],
  ['no-email', 401, invalid('Token does not contain an email claim')],
  ['wrong-domain', 401, invalid('Email domain is not allowed')],
  ['no-user', 403, bearer(' error_description="No user matches your identity.",')],
  [
    'no-permission',
    403,
    bearer(
      ' error="insufficient_scope", error_description="The credential has no permission for this operation.",',
    ),
  ],
  ['no-answer', 503, null],
])('the denial %s has status %i and its challenge', (denial, status, challenge) => {
  expect(denied(denial, '/svc.json', false)).toEqual([status, challenge]);
});

test('only an issuer that does not answer is asked again, in ten seconds, also by scripts', () => {
  const headersOf = (denial: Denial) =>
    deny(new Request(baseUrl), denial, { baseUrl, acceptsBasic: false }).headers;
  const retry = (denial: Denial) => headersOf(denial).get('Retry-After');

  expect([retry('no-answer'), retry('no-user')]).toEqual(['10', null]);
  expect(headersOf('no-answer').get('Access-Control-Expose-Headers')).toContain('Retry-After');
});

test.each([
  ['GET', 200],
  ['HEAD', 200],
  ['POST', 405],
])('the metadata answers %s with %i', async (method, status) => {
  const access = { externalOauth: { issuers: [{ uri: 'https://id.example.com' }] } };
  const request = new Request(metadata, { method });
  const env = { BASE_URL: baseUrl } as Env;
  const answer = await answerProtected(request, env, access as unknown as AccessConfig);

  expect(answer.status).toBe(status);
  expect(method === 'GET' && (await answer.json())).toEqual(
    method === 'GET' && {
      resource: `${baseUrl}/mcp`,
      authorization_servers: ['https://id.example.com'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'email'],
    },
  );
});

test.each([
  ['POST', '/mcp', 'mcp'],
  ['GET', '/mcp', 'mcp'],
  ['GET', '/build-export/v2/builds/since/0', 'export'],
  ['POST', '/api/scan', 'scan'],
  ['GET', '/api/scan', 'read'],
])('%s %s needs the permission %s', (method, path, permission) => {
  expect(findNeededPermission(method, path)).toBe(permission);
});
