import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareSite } from '../../../src/deliver/publish/prepare-site.ts';
import { publishSite } from '../../../src/deliver/publish/publish-site.ts';
import { createRoot, temporaryFolder, writeIn } from '../../harness/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { signSite } from '../../../src/deliver/sign/sign-site.ts';
import { readSigningKey } from '../../../src/deliver/sign/minisign.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { makeSecretKey, publicKeyOf } from '../../harness/signing-key.ts';
import { readVersion } from '../../harness/worker-here.ts';
import {
  askFor,
  describeTexts,
  makeFiles,
  startMemoryHost,
  writeSite,
  type MemoryHost,
  type Wishes,
} from './memory-host.ts';

let host: MemoryHost;
let files: Readonly<Record<string, string>>;

beforeAll(async () => {
  host = await startMemoryHost();
  files = await makeFiles(host.url);
});

afterAll(() => host.close());

/** Publishes this site at a host that has nothing yet. */
async function publish(out: string, wishes: Wishes = {}) {
  const publication = await publishSite(askFor({ out, baseUrl: host.url, ...wishes }), host);
  const texts = describeTexts(publication.findings, [host.url, 'URL'], [out, 'OUT']);
  return { ...publication, texts };
}

const build = 'Run: npx release-index build';

test.each<[string, (out: string) => void, Wishes, string | RegExp]>([
  [
    'that is not there',
    (out) => rmSync(out, { recursive: true }),
    {},
    `error: OUT: there is no built site. ${build}`,
  ],
  [
    'without a file',
    (out) => rmSync(join(out, 'svc.json')),
    {},
    `error: svc.json: is missing. ${build}`,
  ],
  [
    'with a changed file',
    (out) => writeFileSync(join(out, 'svc.json'), '{}'),
    {},
    /^error: svc\.json: was changed: SHA256SUMS lists /,
  ],
  [
    'with other headers',
    (out) => writeFileSync(join(out, '_headers'), '/*'),
    {},
    /^error: _headers: was changed: SHA256SUMS lists /,
  ],
  [
    'with another file',
    (out) => writeIn(out, 'notes.txt', 'mine'),
    {},
    /^error: notes\.txt: is not listed in SHA256SUMS/,
  ],
  [
    'of a day to come',
    () => undefined,
    { day: '2026-11-19' },
    `error: OUT: is the index as of 2026-11-20; today is 2026-11-19. ${build}`,
  ],
  [
    'for another address',
    () => undefined,
    { baseUrl: 'https://elsewhere.example' },
    `error: OUT: was built for the address URL, not for https://elsewhere.example. ${build}`,
  ],
  [
    'that differs from a fresh build',
    () => undefined,
    { comparesContent: true },
    /^error: \S+: differs from a fresh build, like \d+ other files\. Run: /,
  ],
  [
    'of an index that was begun and has no repository yet',
    () => undefined,
    { site: { repositoryUrl: 'https://repository.invalid/x' } },
    /^error: site\/site\.json: repositoryUrl: \S+ is a placeholder; replace it /,
  ],
])('a site %s is rejected, and nobody is asked', async (_, spoil, wishes, text) => {
  host.begin();
  const out = writeSite(files);
  spoil(out);

  const refused = await publish(out, wishes);

  expect(refused.kind).toBe('refused');
  expect(refused.texts).toContainEqual(
    typeof text === 'string' ? text : (expect.stringMatching(text) as string),
  );
  expect([host.requests, host.deployments]).toEqual([[], []]);
});

test('an address with a path is rejected, as the host has no folders', async () => {
  host.begin();
  const address = 'https://example.com/releases';
  const preset = files['renovate.json']!.replaceAll(host.url, address);
  const out = writeSite({ ...files, 'renovate.json': preset });
  const text = `releasesUrl: ${address} has a path; the host serves a site at the root of a name`;

  const refused = await publish(out, { baseUrl: address });

  expect(refused).toMatchObject({ kind: 'refused', texts: [`error: site/site.json: ${text}`] });
});

test('files that the host does not accept are rejected', async () => {
  host.begin();

  const refused = await publish(writeSite({ ...files, 'notes.txt': 'x'.repeat(26 * 2 ** 20) }));

  expect(refused).toMatchObject({
    kind: 'refused',
    texts: [
      expect.stringMatching(/^error: notes\.txt: has 26 MiB; the host accepts 25 MiB per file/),
    ],
  });
});

test('a site of an earlier day is published with a notice', async () => {
  host.begin(readVersion(writeSite(files)));
  const out = writeSite({ ...files, 'latest/svc.txt': '2026.3\n' });

  const late = await publish(out, { day: '2026-11-21' });

  expect(late).toMatchObject({
    kind: 'published',
    texts: ['notice: OUT: is the index as of 2026-11-20; today is 2026-11-21'],
  });
});

test('a live site that cannot be read stops a publication, not as an error of the site', async () => {
  host.begin(readVersion(writeSite(files)));
  host.answers.set('status.json', { status: 403 });

  const failed = await publish(writeSite(files));

  expect(failed.kind).toBe('failed');
  expect(failed.texts).toEqual([
    'error: live site: GET URL/status.json answered 403. Nothing was sent: run it again',
  ]);
  expect(host.deployments).toEqual([]);
});

test('a live site whose protection is unknown is opened by nobody but a person', async () => {
  host.begin(readVersion(writeSite(files)));
  host.answers.set('.well-known/oauth-protected-resource/mcp', { status: 403 });

  const refused = await publish(writeSite({ ...files, 'latest/svc.txt': '2026.3\n' }));

  expect(refused.kind).toBe('refused');
  expect(refused.texts).toEqual([
    expect.stringContaining('the live site may protect everything, and this one nothing.'),
  ]);
  expect(host.deployments).toEqual([]);
});

test('a live site with events that the journals lack stops a publication', async () => {
  const event = { id: 'svc/1', at: '2026-11-19T00:00:00.000Z', type: 'released', version: '1.0' };
  const changes = JSON.stringify({ changes: [event] });
  host.begin(readVersion(writeSite({ ...files, 'changes/2026.json': changes })));

  const refused = await publish(writeSite(files));

  expect(refused.kind).toBe('refused');
  expect(refused.texts).toEqual([
    expect.stringContaining('error: live site: has 1 event that the journals lack: svc/1'),
  ]);
  expect(host.deployments).toEqual([]);
});

const run = {
  id: 'abcdefghijklm',
  ...{ asOf: '2026-11-20', at: '2026-11-20T04:00:00.000Z' },
  ...{ startedAt: '2026-11-20T04:00:00.000Z', finishedAt: '2026-11-20T04:01:00.000Z' },
  ...{ asked: 1, troubles: 0, events: 1 },
};
const withRun = (at: string) => {
  const status = JSON.parse(files['status.json']!) as object;
  return JSON.stringify({ ...status, runs: [{ ...run, at }] });
};

test.each([
  ['the same run', run.at, '2026-11-20T04:31:00.000Z'],
  ['an earlier run', '2026-11-19T04:00:00.000Z', undefined],
])('the host is told since when %s is public: %s', async (_, at, publishedAt) => {
  host.begin(readVersion(writeSite({ ...files, 'status.json': withRun(at) })));
  const builds = [{ availableAt: Date.parse('2026-11-20T04:31:00Z') }];
  host.answers.set(`api/builds?since=${Date.parse(at)}`, { body: JSON.stringify(builds) });
  const next = { ...files, 'status.json': withRun(run.at), 'latest/svc.txt': '2026.3\n' };

  expect(await publish(writeSite(next))).toMatchObject({ kind: 'published', texts: [] });
  expect(host.deployments).toMatchObject([{ publishedAt }]);
});

test('a first publication tells no instant', async () => {
  host.begin();

  await publish(writeSite({ ...files, 'status.json': withRun(run.at) }));

  expect(host.deployments).toMatchObject([{ publishedAt: undefined }]);
});

// Signatures

const key = makeSecretKey();
const other = makeSecretKey();
const promised = { signingPublicKey: publicKeyOf(key) };
const credentials = { CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'account' };
const signedBy = (secret: string) => ({ ...credentials, RELEASE_INDEX_SIGNING_KEY: secret });

test('a site with a key is signed, and its signature is sent and read back', async () => {
  host.begin();

  const signed = await publish(writeSite(files), { env: signedBy(key), site: promised });

  expect(signed).toMatchObject({ kind: 'published', verifiedFiles: 10, plan: { files: 11 } });
  expect(String(host.live!.files.get('SHA256SUMS.minisig'))).toContain(
    `SHA256SUMS of ${host.url} as of 2026-11-20 with 0 events`,
  );
});

test.each([
  ['no key', credentials],
  ['an empty key', signedBy(' \n')],
])('the signature of an earlier step is sent with %s', async (_, env) => {
  host.begin();
  const out = writeSite(files);
  await publish(out, { env: signedBy(key), site: promised });
  host.begin();

  const signed = await publish(out, { env, site: promised });

  expect(signed).toMatchObject({ kind: 'published', plan: { files: 11 } });
  expect(signed.texts).toEqual(['notice: live site: nothing is published at URL yet']);
});

test('a signature with another key than the promised one stops a publication', async () => {
  host.begin();
  const out = writeSite(files);
  await publish(out, { env: signedBy(other), site: { signingPublicKey: publicKeyOf(other) } });
  host.begin();

  const refused = await publish(out, { site: promised });

  expect(refused.kind).toBe('refused');
  expect(refused.texts).toEqual([expect.stringMatching(/^error: SHA256SUMS\.minisig: /)]);
  expect(host.deployments).toEqual([]);
});

test.each<[string, Wishes, string]>([
  ['without the key', { site: promised }, 'RELEASE_INDEX_SIGNING_KEY: is missing'],
  [
    'with another key',
    { env: signedBy(other), site: promised },
    'RELEASE_INDEX_SIGNING_KEY: belongs to the public key',
  ],
])(
  'a promised signature %s stops a publication, and a dry run says so',
  async (_, wishes, text) => {
    host.begin();
    const out = writeSite(files);

    const refused = await publish(out, wishes);
    const dry = await publish(out, { ...wishes, isDryRun: true });

    expect(refused.kind).toBe('refused');
    expect(refused.texts).toEqual([expect.stringContaining(`error: ${text}`)]);
    expect(dry.kind).toBe('planned');
    expect(dry.texts).toEqual([
      expect.stringContaining(`notice: ${text}`),
      'notice: live site: nothing is published at URL yet',
    ]);
    expect(host.deployments).toEqual([]);
  },
);

test('a dry run with the key signs nothing', async () => {
  host.begin();

  const dry = await publish(writeSite(files), {
    ...{ env: signedBy(key), site: promised, isDryRun: true },
  });

  expect(dry).toMatchObject({ kind: 'planned', plan: { files: 10 } });
});

test('damage is named once, whatever signature is left', async () => {
  host.begin();
  const out = writeSite(files);
  writeFileSync(join(out, 'SHA256SUMS.minisig'), 'none');
  rmSync(join(out, 'svc.json'));

  expect((await publish(out)).texts).toEqual([`error: svc.json: is missing. ${build}`]);
});

test('what signing adds counts for the limit of the host', async () => {
  host.begin();
  const most = 20_000;
  const names = Array.from({ length: most - 9 }, (_, index) => [`latest/x${index}.txt`, '']);
  const out = writeSite({ ...files, ...(Object.fromEntries(names) as Record<string, string>) });
  const dry = { isDryRun: true };

  const without = await publish(out, dry);
  const withKey = await publish(out, { ...dry, env: signedBy(key), site: promised });
  const root = openRoot(createRoot().dir, checkout);
  signSite({ root, out, baseUrl: host.url, asOf: '2026-11-20', key: readSigningKey(key) });
  const withSignature = await publish(out, { ...dry, site: promised });

  expect(without.kind).toBe('planned');
  for (const refused of [withKey, withSignature]) {
    expect(refused.kind).toBe('refused');
    expect(refused.texts).toEqual([
      expect.stringContaining('error: OUT: has 20,002 files; the host accepts 20,000'),
    ]);
  }
});

test('an unpromised signature is sent with the key alone', async () => {
  host.begin();

  const signed = await publish(writeSite(files), { env: signedBy(key) });

  expect(signed).toMatchObject({ kind: 'published', plan: { files: 11 } });
  expect(signed.texts[0]).toContain('notice: site/site.json: SHA256SUMS is signed, but its key');
});

// Plans
/** A plan for a signed site of these files and digests, over one that is live. */
function planFor(site: Record<string, string>, live: Record<string, string>) {
  const out = temporaryFolder();
  writeIn(out, 'statements/svc.ndjson', 'by day');
  writeIn(out, 'SHA256SUMS.minisig', 'by list');
  const describe = (files: Record<string, string>) => ({
    ...{ asOf: '2026-11-19', digests: new Map(Object.entries(files)) },
    ...{ inputs: undefined, newestRunAt: undefined, events: [], run: {} },
  });
  const prepared = prepareSite(
    askFor({ out, baseUrl: host.url, isDryRun: true }),
    { kind: 'checked', site: describe(site), key: undefined, findings: [] },
    { live: { kind: 'site', site: describe(live) }, findings: [] },
    { baseUrl: host.url, worker: 'svc' },
  );
  if (prepared.kind !== 'planned') {
    throw new Error(`the site was ${prepared.kind}`);
  }

  return prepared.plan;
}

const before = { SHA256SUMS: '1', 'details/svc.json': '2', 'svc.json': '3' };

test('what is signed changes with the list of digests, which does not hold it, and is looked at last', () => {
  const plan = planFor({ ...before, SHA256SUMS: '4', 'svc.json': '5' }, before);

  expect(plan.changed).toEqual([
    'SHA256SUMS',
    'svc.json',
    'statements/svc.ndjson',
    'SHA256SUMS.minisig',
  ]);
  expect(plan).toMatchObject({ files: 5, gone: [], liveAsOf: '2026-11-19' });
});

test('of the same list nothing is signed anew', () => {
  expect(planFor(before, before).changed).toEqual([]);
});

test('a file that is live and in the site no longer is named, but no statement is missed', () => {
  const { 'details/svc.json': _, ...less } = before;
  const live = { 'gone.json': '6', ...before, SHA256SUMS: '0' };

  expect(planFor(less, live).gone).toEqual(['details/svc.json', 'gone.json']);
});
