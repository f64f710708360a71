import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { jwtIssuer } from '../../ask/server/access/private-index.ts';
import { startAuthorizationServer } from '../../harness/authorization-server.ts';
import type { Cloudflare } from '../../harness/cloudflare.ts';
import { filesIn } from '../../harness/root.ts';
import { openPublication, type TestPublication } from './publication.ts';

// One state after another, as an owner brings them about.
let publication: TestPublication;
let cloudflare: Cloudflare;
let key: string;

beforeAll(async () => {
  publication = await openPublication();
  ({ cloudflare } = publication);
});

afterAll(() => publication.close());

const users = [{ username: 'jane', email: 'jane@example.com' }];

async function protect(more: object = {}): Promise<void> {
  publication.root.write('site/access.json', { protect: 'everything', users, ...more });
  expect((await publication.build()).stderr).toBe('');
}

const publishWith = (own: string, ...args: string[]) =>
  publication.publishWith({ RELEASE_INDEX_KEY: own }, ...args);

async function statusFor(own?: string): Promise<number> {
  const headers = own === undefined ? {} : { authorization: `Bearer ${own}` };
  return (await fetch(`${cloudflare.siteUrl}/svc.json`, { headers })).status;
}

test('a closed site is sent with digests of its keys and read back with a key, which is written nowhere', async () => {
  await protect();
  key = await publication.key('--user', 'jane', '--expires', '2999-01-01');
  const list = [
    ...(JSON.parse(publication.root.read('.access/keys.json')) as object[]),
    { name: 'gone', user: 'john', expires: '2999-01-01', sha256: 'e'.repeat(64) },
    { name: 'old', user: 'jane', expires: '2026-11-19', sha256: 'f'.repeat(64) },
  ];
  const env = { RELEASE_INDEX_KEY: key, RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(list) };

  const published = await publication.publishWith(env);
  const dryRun = await publishWith(key, '--dry-run', '--json');

  expect(published.status, published.stderr).toBe(0);
  expect(published.stdout).toContain('; protects everything (1 access key)');
  for (const warning of [
    'is used instead of .access/keys.json, which differs',
    'gone (john) is not accepted: unknown user',
    'old (jane) is not accepted: expired',
  ]) {
    expect(published.stderr).toContain(`RELEASE_INDEX_ACCESS_KEYS: ${warning}`);
  }
  expect(cloudflare.live!.config).toMatchObject({ run_worker_first: true });
  expect(cloudflare.live!.headers).toContain('Cache-Control: private, max-age=3600');
  expect(Object.keys(cloudflare.live!.secrets)).toHaveLength(2);
  expect(JSON.stringify(cloudflare.live!.secrets)).not.toMatch(/e{64}|f{64}/);
  expect(await Promise.all([statusFor(), statusFor('wrong'), statusFor(key)])).toEqual([
    401, 401, 200,
  ]);
  for (const text of [
    ...[published, dryRun].flatMap(({ stdout, stderr }) => [stdout, stderr]),
    ...Object.values(filesIn(publication.root.dir)),
  ]) {
    expect(text).not.toContain(key);
  }
  expect(JSON.stringify([...cloudflare.calls, cloudflare.live])).not.toContain(key);
});

test('a token of the authorization server reads a closed site back that no longer has access keys', async () => {
  const issuer = await startAuthorizationServer('jwt', {});
  onTestFinished(() => issuer.close());
  const oauth = jwtIssuer(issuer, { allowedJwtAudiences: [`${cloudflare.siteUrl}/mcp`] });
  const ofClient = { username: 'ci', claim: { name: 'client_id', value: 'publisher' } };
  const more = {
    accessKeys: { enabled: false },
    externalOauth: { issuers: [oauth] },
    users: [ofClient],
  };
  await protect(more);
  const token = await issuer.sign({
    aud: `${cloudflare.siteUrl}/mcp`,
    exp: Math.floor(Date.now() / 1000) + 600,
    client_id: 'publisher',
  });

  const without = await publication.publish();
  const published = await publishWith(`${key}, ${token}`);

  expect(without.stderr).toContain(
    'need a token, as access keys are not enabled. To publish: put a token of your authorization server into RELEASE_INDEX_KEY',
  );
  expect(published.status, published.stderr).toBe(0);
  expect(await Promise.all([statusFor(), statusFor(key), statusFor(token)])).toEqual([
    401, 401, 200,
  ]);
});
