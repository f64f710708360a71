import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuard } from '../../../../src/ask/server/access/guard.ts';
import { intersectPermissions } from '../../../../src/core/schemas/access/permissions.ts';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../../harness/authorization-server.ts';
import { covers } from '../../../harness/covers.ts';
import { handlers } from './guarding.ts';
import { accessTo, baseUrl, jwtIssuer, resource } from './private-index.ts';

const people = {
  jane: { email: 'jane@example.com' },
  colleague: { email: 'Any.Body@Example.com' },
  builder: { email: 'builder@example.com', groups: ['other', 'build-team'] },
  partner: { email: 'p@partner.example', groups: ['build-team'] },
  nameless: { groups: ['build-team'] },
  robot: { groups: ['robots'] },
  addressed: { email: 'robot@else.example', groups: ['robots'] },
  named: { email: 'n@partner.example', preferred_username: 'b' },
  subdomain: { email: 'x@mail.example.com' },
};
const staff = { username: 'staff', domain: 'example.com', permissions: ['scan'] };
const builders = {
  username: 'b',
  claim: { name: 'groups', value: 'build-team' },
  permissions: ['read'],
};
const robots = {
  username: 'r',
  claim: { name: 'groups', value: 'robots' },
  program: true,
  permissions: ['mcp'],
};
const ci = { username: 'ci', claim: { name: 'client_id', value: 'publisher' } };
const jane = { username: 'jane', email: 'jane@example.com' };
const users = [staff, builders, robots, ci, jane];

let issuer: AuthorizationServer;
const access = (mapping: object = {}) =>
  accessTo('everything', [jwtIssuer(issuer, mapping)], { users });

beforeAll(async () => {
  issuer = await startAuthorizationServer('jwt', people);
});

afterAll(() => issuer?.close());

/** The permissions of an accepted token, or the status of the rejection. */
async function permissionsFor(token: string, mapping: object = {}) {
  const guard = createGuard({
    access: access(mapping),
    keys: [],
    baseUrl,
    ...handlers,
  });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await guard(new Request(resource, { headers }));
  return answer instanceof Response ? answer.status : answer.permissions;
}

test.each<[keyof typeof people, string, { username: string } | number]>([
  ['jane', 'as herself', jane],
  ['colleague', 'with the limits of the domain, in any case', staff],
  ['builder', 'with the limits of the group, which precede the domain', builders],
  ['partner', 'in no way: the domain is not allowed', 401],
  ['nameless', 'in no way: only a program has no address', 401],
  ['robot', 'as a program of a group', robots],
  ['addressed', 'in no way: an address keeps its domain, also in a group of programs', 401],
  ['subdomain', 'in no way: a subdomain is another domain', 401],
])('the guard accepts %s %s', async (person, _, expected) => {
  covers("Signing in through OAuth grants no extra access; the user's normal permissions apply");
  const user = access().users.find(
    ({ username }) => username === (expected as typeof jane).username,
  );

  expect(await permissionsFor(await issuer.grant(person, resource))).toEqual(
    user ? intersectPermissions(user) : expected,
  );
});

test('the guard accepts a client that signs in by itself, by the claim that names it', async () => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { aud: resource, exp: now + 60, sub: ci.claim.value, client_id: ci.claim.value };

  for (const email of [undefined, null]) {
    const token = await issuer.sign({ ...claims, email });
    expect(await permissionsFor(token)).toEqual(intersectPermissions());
  }
  expect(await permissionsFor(await issuer.sign({ ...claims, client_id: 'other' }))).toBe(401);
});

test.each<[keyof typeof people, object, string]>([
  ['nameless', { restrictByDomain: false, allowedDomains: [] }, 'a group without an address'],
  ['named', { allowedDomains: ['example.com', 'partner.example'] }, 'the user name of a group'],
])('the guard finds no user for %s with %j: %s', async (person, mapping) => {
  const token = await issuer.grant(person, resource);

  expect(await permissionsFor(token, { claimMapping: 'preferredUsername', ...mapping })).toBe(403);
});
