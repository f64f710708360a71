import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createGuard } from '../../../src/ask/server/access/guard.ts';
import { AccessConfig } from '../../../src/core/schemas/access/access-config.ts';
import { checkProtection } from '../../../src/deliver/publish/site-http.ts';
import { readSiteConfig } from '../../../src/io/files/read.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { jwtIssuer } from '../../ask/server/access/private-index.ts';
import { startAuthorizationServer } from '../../harness/authorization-server.ts';
import { checkout } from '../../harness/checkout.ts';
import type { Cloudflare } from '../../harness/cloudflare.ts';
import { filesIn } from '../../harness/root.ts';
import { openPublication, today, type TestPublication } from './publication.ts';

// The waits of a site that is read again are proven beside its other tests.
vi.mock(import('../../../src/deliver/publish/read-back.ts'), async (load) => {
  const { readBack } = await load();
  return { readBack: (options) => readBack({ ...options, sleep: () => Promise.resolve() }) };
});

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
const owner = ['--user', 'jane', '--expires', today];
async function protect(protection: string | undefined, more: object = {}): Promise<void> {
  const { root, build } = publication;
  if (protection === undefined) {
    rmSync(join(root.dir, 'site/access.json'));
  } else {
    root.write('site/access.json', { protect: protection, users, ...more });
  }
  expect((await build()).stderr).toBe('');
}
const publishWith = (own: string, ...args: string[]) =>
  publication.publishWith({ RELEASE_INDEX_KEY: own }, ...args);
/** As a person edits the list. */
function revoke(name: string): void {
  const keys = JSON.parse(publication.root.read('.access/keys.json')) as { name: string }[];
  const others = keys.filter((each) => each.name !== name);
  publication.root.write('.access/keys.json', others);
}
async function statusFor(own?: string): Promise<number> {
  const headers = own === undefined ? {} : { authorization: `Bearer ${own}` };
  return (await fetch(`${cloudflare.siteUrl}/svc.json`, { headers })).status;
}

test('a closed site is not sent without a key that can read it back', async () => {
  await protect('everything');
  key = await publication.key(...owner);
  cloudflare.calls.length = 0;

  const without = await publication.publish();
  const unknown = await publishWith(`${key.slice(0, -3)}xxx`);
  const ofScans = await publication.key(...owner, '--name', 'scans', '--permissions', 'scan');
  const limited = await publishWith(ofScans);
  revoke('scans');
  const disabled = { protect: 'everything', users, accessKeys: { enabled: false } };
  publication.root.write('site/access.json', disabled);
  const contradiction = await publishWith(key);

  expect([without.status, unknown.status, limited.status, contradiction.status]).toEqual([
    1, 1, 1, 1,
  ]);
  expect(without.stderr).toContain(
    'error: RELEASE_INDEX_KEY: is missing: comparing with the live site',
  );
  expect(unknown.stderr).toContain('error: RELEASE_INDEX_KEY: has no valid access key');
  expect(unknown.stderr).not.toContain(key.slice(20, 30));
  expect(limited.stderr).toContain(
    'error: RELEASE_INDEX_KEY: is the key scans, which may not read. Comparing with the live site',
  );
  expect(contradiction.stderr).toContain(
    'error: site/access.json: accessKeys.enabled: without keys and issuers the index has no readers',
  );
  expect(cloudflare.calls).toEqual([]);
});

test('a closed site is sent with digests of its keys and read back with a key, which is written nowhere', async () => {
  await protect('everything');
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

test('a leaked key is rejected after one publication with the key that replaces it', async () => {
  const leaked = key;
  revoke('jane');
  const fresh = await publication.key(...owner);
  const revoked = await publishWith(leaked);
  const alone = await publishWith(fresh);

  const published = await publishWith(`${leaked}, ${fresh}`);

  // The live site knows only the old key, the next one only the new key.
  expect(revoked.stderr).toContain('RELEASE_INDEX_KEY: has no valid access key');
  expect(alone.stderr).toContain('answered 401');
  expect(published.status, published.stderr).toBe(0);
  expect(published.stderr).not.toContain('Accepted');
  expect(await Promise.all([statusFor(leaked), statusFor(fresh)])).toEqual([401, 200]);
  expect(published.stdout + published.stderr).not.toContain(leaked);
  key = fresh;
});

test('publish notices a host that lets strangers in', async () => {
  const config = readSiteConfig(openRoot(publication.root.dir, checkout)).value!;
  const examine = () =>
    checkProtection(cloudflare.siteUrl, 'everything', {
      config,
      env: { RELEASE_INDEX_KEY: key },
      signal: new AbortController().signal,
    });

  expect(await examine()).toBeUndefined();
  cloudflare.disturb.set('guard', {});
  const problem = await examine();
  cloudflare.disturb.delete('guard');
  expect(problem).toBe(`${cloudflare.siteUrl}: protects nothing, not everything`);
});

test('a closed site is opened only by publish --unprotect', async () => {
  await protect(undefined);
  const slip = await publishWith(key);
  await protect('mcp');
  const less = await publishWith(key);

  for (const { status, stderr } of [less, slip]) {
    expect(status).toBe(1);
    expect(stderr).toContain('To open it to everybody: publish --unprotect');
  }
  expect(slip.stderr).toContain(
    'error: site/access.json: the live site protects everything, and this one nothing.',
  );
  expect(await statusFor()).toBe(401);

  rmSync(join(publication.root.dir, '.access'), { recursive: true });
  const meant = await publishWith(key, '--unprotect');

  expect(meant.status, meant.stderr).toBe(0);
  expect(meant.stderr).toContain(
    'warning: RELEASE_INDEX_ACCESS_KEYS: is not set, and there is no .access/keys.json. The host keeps the keys of an earlier publication',
  );
  expect(meant.stdout).toContain('; protects mcp');
  expect(await statusFor()).toBe(200);
});

test('a token of the authorization server publishes a closed site without access keys', async () => {
  const issuer = await startAuthorizationServer('jwt', {});
  onTestFinished(() => issuer.close());
  const oauth = jwtIssuer(issuer, { allowedJwtAudiences: [`${cloudflare.siteUrl}/mcp`] });
  const ofClient = { username: 'ci', claim: { name: 'client_id', value: 'publisher' } };
  const more = {
    accessKeys: { enabled: false },
    externalOauth: { issuers: [oauth] },
    users: [ofClient],
  };
  const access = AccessConfig.parse({ protect: 'everything', ...more });
  const guard = createGuard({
    access,
    keys: [],
    baseUrl: cloudflare.siteUrl,
    onTrouble: console.error,
  });
  cloudflare.lets = async (authorization) =>
    !(
      (await guard(
        new Request(`${cloudflare.siteUrl}/mcp`, { headers: { authorization } }),
      )) instanceof Response
    );
  await protect('everything', more);
  const token = await issuer.sign({
    aud: `${cloudflare.siteUrl}/mcp`,
    exp: Math.floor(Date.now() / 1000) + 600,
    client_id: 'publisher',
  });

  const without = await publication.publish();
  const wrong = await publishWith(`${token}x`);
  const published = await publishWith(token);

  expect(without.stderr).toContain(
    'need a token, as access keys are not enabled. To publish: put a token of your authorization server into RELEASE_INDEX_KEY',
  );
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toMatch(/ is live with \d+ wrong answers: .* answered 401/);
  expect(wrong.stderr).toContain('npx wrangler rollback');
  expect(published.status, published.stderr).toBe(0);
  expect(await statusFor()).toBe(401);
});
