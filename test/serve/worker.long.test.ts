/** Checks the size of the uploaded Worker, and its access rules in workerd, the runtime of Cloudflare. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test, vi } from 'vitest';
import { AccessConfig } from '../../src/core/schema/access.ts';
import { startAuthorizationServer } from '../harness/authorization-server.ts';
import {
  bearer,
  describeAnswer,
  keyOf,
  askEndpoint,
  recordedKey,
  words,
} from '../harness/endpoints.ts';
import { baseUrl } from '../harness/index-folder.ts';
import { buildExample } from '../harness/site.ts';
import { bundleWorker, startWorker } from '../harness/worker.ts';

test('the Worker is at most 156 kB, compressed', async () => {
  const bundle = bundleWorker(buildExample());

  const [file = ''] = globSync('*.js', { cwd: bundle });
  const { length } = gzipSync(readFileSync(join(bundle, file)));
  expect(length).toBeLessThanOrEqual(156_000);
});

const people = { jane: { email: 'jane@example.com' }, stranger: { email: 'x@example.com' } };
const key = keyOf('a');

vi.spyOn(console, 'warn').mockReturnValue();
const jwt = await startAuthorizationServer('jwt', people);
const opaque = await startAuthorizationServer('opaque', people);
const common = { allowedDomains: ['example.com'] };
const { issuer: uri, jwksUri } = jwt;
const allowedJwtAudiences = [`${baseUrl}/mcp`];
const issuers = [
  { ...common, uri, accessTokenFormat: 'jwt', jwksUri, allowedJwtAudiences },
  { ...common, uri: opaque.issuer, accessTokenFormat: 'opaque' },
];
const access = AccessConfig.parse({
  users: [{ username: 'jane', email: 'jane@example.com' }],
  accessControl: { externalOauth: { issuers } },
});
const worker = await startWorker(buildExample(), { access, keys: [recordedKey(key)] });
afterAll(async () => {
  vi.restoreAllMocks();
  await worker.close();
});

const ask = async (authorization?: string) =>
  describeAnswer(await askEndpoint(worker.fetch, 'mcp', authorization));

test('the Worker accepts access keys and tokens of every kind, and requires no credential for files', async () => {
  const token = await (await askEndpoint(worker.fetch, 'token', bearer(key))).text();
  const secrets = [
    key,
    token,
    await jwt.grant('jane', `${baseUrl}/mcp`),
    await opaque.grant('jane'),
  ];

  for (const secret of secrets) {
    expect(await ask(bearer(secret))).toBe('in');
  }
  expect(await ask()).toBe(words.none);
  expect(await ask(bearer('never-granted'))).toBe(words.failed);
  expect(await ask(bearer(await opaque.grant('stranger')))).toBe(words.noUser);
  expect((await worker.fetch('/svc.json')).status).toBe(200);
});
