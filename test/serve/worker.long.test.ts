/** The Worker as it is uploaded, and behind its rules of access, in the runtime of the host. */
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseDocument } from '../../src/core/errors.ts';
import { AccessConfig } from '../../src/core/schema/access.ts';
import { openWorkspace, startWrangler } from '../../src/publish/cloudflare.ts';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../harness/authorization-server.ts';
import { bearer, findAnswer, keyOf, knock, record, words } from '../harness/doors.ts';
import { createFolder } from '../harness/index-folder.ts';
import { buildExample } from '../harness/site.ts';
import { baseUrl, startWorker, type RunningWorker } from '../harness/worker.ts';

test('the Worker has at most 140 kB, compressed', async () => {
  using workspace = openWorkspace({ root: createFolder(), out: buildExample(), baseUrl });
  const bundle = createFolder();
  const child = startWrangler(
    ['deploy', '--dry-run', `--outdir=${bundle}`],
    workspace,
    process.env,
  );
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);

  expect(status, output).toBe(0);
  const [file = ''] = globSync('*.js', { cwd: bundle });
  const bytes = gzipSync(readFileSync(join(bundle, file))).length;
  expect(bytes).toBeLessThanOrEqual(140_000);
  expect(bytes).toBeGreaterThan(50_000);
});

let worker: RunningWorker;
let jwt: AuthorizationServer;
let opaque: AuthorizationServer;
const people = { jane: { email: 'jane@example.com' }, stranger: { email: 'x@example.com' } };
const key = keyOf('a');

beforeAll(async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  [jwt, opaque] = await Promise.all([
    startAuthorizationServer('jwt', people),
    startAuthorizationServer('opaque', people),
  ]);
  const common = { allowedDomains: ['example.com'] };
  const issuers = [
    {
      ...common,
      uri: jwt.issuer,
      accessTokenFormat: 'jwt',
      jwksUri: jwt.jwksUri,
      allowedJwtAudiences: [`${baseUrl}/mcp`],
    },
    { ...common, uri: opaque.issuer, accessTokenFormat: 'opaque' },
  ];
  const users = [{ username: 'jane', email: 'jane@example.com' }];
  const access = parseDocument(
    AccessConfig,
    { users, accessControl: { externalOauth: { issuers } } },
    'access',
  );
  worker = await startWorker(buildExample(), { access, keys: [record(key)] });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await worker?.close();
});

const at = (...parts: Parameters<typeof knock> extends [unknown, ...infer Rest] ? Rest : never) =>
  knock((path, init) => worker.fetch(path, init), ...parts);

test('the runtime of the host checks keys, tokens and both kinds of issuers', async () => {
  const token = await (await at('token', bearer(key))).text();
  const secrets = [
    key,
    token,
    await jwt.grant('jane', `${baseUrl}/mcp`),
    await opaque.grant('jane'),
  ];

  for (const secret of secrets) {
    expect(await findAnswer(await at('mcp', bearer(secret)))).toBe('in');
  }
  expect(await findAnswer(await at('mcp', undefined))).toBe(words.none);
  expect(await findAnswer(await at('mcp', bearer('never-granted')))).toBe(words.failed);
  const stranger = bearer(await opaque.grant('stranger'));
  expect(await findAnswer(await at('mcp', stranger))).toBe(words.noUser);
});

test('files stay public, and the metadata names the issuers in their order', async () => {
  const metadata = await worker.fetch('/.well-known/oauth-protected-resource/mcp');

  expect((await worker.fetch('/svc.json')).status).toBe(200);
  expect(await metadata.json()).toMatchObject({
    resource: `${baseUrl}/mcp`,
    authorization_servers: [jwt.issuer, opaque.issuer],
  });
});
