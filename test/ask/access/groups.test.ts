import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClientToken } from '../../../src/deliver/publish/site-http.ts';
import {
  publisher,
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../harness/authorization-server.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { site as context } from '../../site/render/sites.ts';
import { covers } from '../../harness/covers.ts';
import { accessTo, baseUrl, jwtIssuer, resource } from './private-index.ts';

const people = {
  jane: { email: 'jane@example.com' },
  colleague: { email: 'Any.Body@Example.com' },
  builder: { email: 'builder@example.com', groups: ['other', 'build-team'] },
  partner: { email: 'p@partner.example', groups: ['build-team'] },
  subdomain: { email: 'x@mail.example.com' },
  nameless: { groups: ['build-team'] },
  robot: { groups: ['robots'] },
};
const users = [
  { username: 'staff', domain: 'example.com', permissions: ['scan'] },
  { username: 'builders', claim: { name: 'groups', value: 'build-team' }, components: ['svc'] },
  { username: 'robots', claim: { name: 'groups', value: 'robots' }, program: true },
  { username: 'ci', claim: { name: 'client_id', value: publisher.id } },
  { username: 'jane', email: 'jane@example.com' },
];

let issuer: AuthorizationServer;
let site: ServedSite;
const access = () => accessTo('everything', [jwtIssuer(issuer)], { users, accessKeys: { enabled: false } });

beforeAll(async () => {
  issuer = await startAuthorizationServer('jwt', people);
  site = await serveSite(siteOfFixtureIndex(), baseUrl, {}, access());
});

afterAll(() => Promise.all([site?.close(), issuer?.close()]));

const ask = async (token: string, path: string) =>
  (await site.fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

test.each<[keyof typeof people, string, all: number, svc: number]>([
  ['jane', 'as herself', 200, 200],
  ['colleague', 'with the limits of the domain, in any case', 403, 403],
  ['builder', 'with the limits of the group, which precede the domain', 403, 200],
  ['partner', 'in no way: the domain is not allowed', 401, 401],
  ['nameless', 'in no way: only a program has no address', 401, 401],
  ['robot', 'as a program of a group', 200, 200],
  ['subdomain', 'in no way: a subdomain is another domain', 401, 401],
])('the guard accepts %s %s', async (person, _, all, svc) => {
  covers(169);
  const token = await issuer.grant(person, resource);

  expect([await ask(token, '/all.json'), await ask(token, '/svc.json')]).toEqual([all, svc]);
});

test('the guard accepts the publishing client with a token from the client credentials flow', async () => {
  const env = { RELEASE_INDEX_CLIENT_ID: publisher.id, RELEASE_INDEX_CLIENT_SECRET: publisher.secret };
  const input = { config: context.config, signal: new AbortController().signal, baseUrl };
  const got = await withClientToken({ ...input, env }, access());

  expect(got.findings).toEqual([]);
  expect(await ask(got.env['RELEASE_INDEX_KEY']!, '/all.json')).toBe(200);
  expect(issuer.requests).toEqual(expect.arrayContaining(['/.well-known/openid-configuration', '/token']));
});
