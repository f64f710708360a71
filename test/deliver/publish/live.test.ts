import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLive } from '../../../src/deliver/publish/live.ts';
import { sha256 } from '../../../src/io/files/file-system.ts';
import { parseDigests } from '../../../src/site/digests.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { readVersion } from '../../harness/worker-here.ts';
import { askFor, makeFiles, startMemoryHost, writeSite, type MemoryHost } from './memory-host.ts';

let host: MemoryHost;
let files: Readonly<Record<string, string>>;
let out: string;
/** Without runs. */
let status: object;

const run = {
  id: 'abcdefghijklm',
  ...{ asOf: '2026-11-20', at: '2026-11-20T04:00:00.000Z' },
  ...{ startedAt: '2026-11-20T04:00:00.000Z', finishedAt: '2026-11-20T04:01:00.000Z' },
  ...{ asked: 1, troubles: 0, events: 1 },
};
const event = { id: 'svc/1', at: run.at, type: 'released', version: '2026.1', text: 'new' };

/** Of a newer program. */
const novel = { type: 'novel', line: '2026', advisory: 'CVE-1' };

beforeAll(async () => {
  host = await startMemoryHost();
  const plain = await makeFiles(host.url);
  status = JSON.parse(plain['status.json']!) as object;
  files = {
    ...plain,
    'changes/2026.json': JSON.stringify({ changes: [{ ...event, ...novel, more: 1 }] }),
    'changes/2025.json': JSON.stringify({ changes: [{ ...event, id: 'svc/0' }] }),
    'status.json': JSON.stringify({ ...status, runs: [run] }),
  };
  out = writeSite(files);
});

afterAll(() => host.close());

const read = (own: ReadonlyMap<string, string> = new Map(), baseUrl = host.url) =>
  readLive(askFor({ out, baseUrl }), own);

test('a live site has its day, its digests and the events of the years that differ', async () => {
  host.begin(readVersion(out));
  const list = String(host.live!.files.get('SHA256SUMS'));
  const digests = parseDigests(list);
  const own = new Map([...digests, ['changes/2026.json', 'other']]);

  const live = await read(own);

  expect(live).toEqual({
    kind: 'site',
    site: {
      asOf: '2026-11-20',
      digests: digests.set('SHA256SUMS', sha256(list)),
      events: [{ id: 'svc/1', at: event.at, version: '2026.1', ...novel }],
      run: { published: run.at, publishedAt: undefined },
    },
  });
  expect(host.requests.map(({ path }) => path)).not.toContain('/changes/2025.json');
});

const builds = 'api/builds?since=1795147200000';

test.each<[string, Parameters<MemoryHost['answers']['set']>[1], string | undefined]>([
  [
    'the host states',
    { body: '[{"availableAt":1},{"availableAt":1795150000000}]' },
    '2026-11-20T04:46:40.000Z',
  ],
  ['no build states', { body: '[]' }, undefined],
  ['the host states no instant for', { body: '[{"availableAt":1e300}]' }, undefined],
  ['the host states a year before Christ for', { body: '[{"availableAt":-1e14}]' }, undefined],
  ['the answer does not have the form of', { body: '{}' }, undefined],
  ['the host does not answer about', { status: 403 }, undefined],
])('the instant since which a run is public: %s it', async (_, answer, publishedAt) => {
  host.begin(readVersion(out));
  host.answers.set(builds, answer);

  expect(await read()).toMatchObject({ site: { run: { publishedAt } } });
});

test.each([
  ['Fri, 20 Nov 2026 04:02:00 GMT', '2026-11-20T04:02:00.000Z'],
  ['yesterday', undefined],
  ['Fri, 20 Nov 12026 04:02:00 GMT', undefined],
])('a host of files states since when a run is public: %s', async (modified, publishedAt) => {
  const list = (version: ReturnType<typeof readVersion>) => String(version.files.get('SHA256SUMS'));
  for (const site of [out, writeSite({ ...files, 'status.json': JSON.stringify(status) })]) {
    host.begin(readVersion(site));
    const headers = { 'Last-Modified': modified };
    host.answers.set('SHA256SUMS', { type: 'text/plain', body: list(host.live!), headers });

    expect(await read()).toMatchObject({ site: { run: { publishedAt } } });
  }
});

test.each<[string, string, Parameters<MemoryHost['answers']['set']>[1], string]>([
  ['forbids', 'status.json', { status: 403 }, 'GET URL/status.json answered 403'],
  [
    'answers with a page for',
    'status.json',
    { type: 'text/html', body: '<h1>Human?</h1>' },
    'text/html',
  ],
  [
    'has another document for',
    'status.json',
    {},
    'URL: status.json does not belong to a release index: asOf',
  ],
  ['has a damaged text for', 'status.json', { body: '{' }, 'URL: status.json does not belong to'],
  [
    'has a damaged list for',
    'SHA256SUMS',
    { type: 'text/plain', body: 'none' },
    'URL: SHA256SUMS: line 1',
  ],
  ['lacks', 'SHA256SUMS', { status: 404 }, 'GET URL/SHA256SUMS answered 404'],
  [
    'has no events in',
    'changes/2026.json',
    {},
    'URL: changes/2026.json does not belong to a release index: changes',
  ],
])('a live site that %s %s cannot be read', async (_, path, answer, reason) => {
  host.begin(readVersion(out));
  host.answers.set(path, answer);

  const live = await read();

  expect(live).toEqual({ kind: 'unreadable', reason: expect.any(String) as string });
  const text = 'reason' in live ? live.reason.replaceAll(host.url, 'URL') : '';
  expect(text).toContain(reason);
  expect(text).not.toContain('private');
});

test('a live site that asks for a credential cannot be read, and there is a remedy', async () => {
  host.begin(readVersion(out));
  host.answers.set('status.json', { status: 401 });

  expect(await read()).toMatchObject({
    kind: 'unreadable',
    reason: expect.stringMatching(
      /answered 401\. If it is private, set RELEASE_INDEX_KEY\.$/,
    ) as string,
  });
});

test('an address without a status, or without a name, has nothing yet', async () => {
  host.begin();
  const unknown = `https://${'x'.repeat(64)}.example.org`;

  for (const address of [host.url, unknown]) {
    const reason = `nothing is published at ${address} yet`;
    expect(await read(new Map(), address)).toEqual({ kind: 'nothing', reason });
  }
});

test('behind a proxy whose name is unknown, the site cannot be read', async () => {
  const input = askFor({ out, baseUrl: 'https://example.com' });
  const env = { ...input.env, https_proxy: `http://${'x'.repeat(64)}.example.org:3128` };

  expect(await readLive({ ...input, env, baseUrl: 'https://example.com' })).toMatchObject({
    kind: 'unreadable',
  });
});

test('an address that refuses connections cannot be read', async () => {
  expect(await read(new Map(), 'http://127.0.0.1:9')).toMatchObject({ kind: 'unreadable' });
});

test('without a site to compare with, a live one has the events of all years, at an address and in a folder', async () => {
  host.begin(readVersion(out));
  const [atAddress, inFolder] = [
    await readLive(askFor({ out, baseUrl: host.url })),
    await readLive({ ...askFor({ out, baseUrl: 'http://127.0.0.1:9' }), to: out }),
  ];

  const site = { run: { published: run.at }, events: [{ id: 'svc/0' }, { id: 'svc/1' }] };
  expect([atAddress, inFolder]).toMatchObject([{ site }, { site }]);
});

test('a folder has a site, nothing yet, or cannot be read', async () => {
  const empty = temporaryFolder();
  const absent = join(empty, 'absent');
  const reason = (folder: string) => `nothing is in ${folder} yet`;
  const readFolder = (to: string) => readLive({ ...askFor({ out, baseUrl: host.url }), to });

  expect(await readFolder(out)).toMatchObject({
    kind: 'site',
    site: { asOf: '2026-11-20', events: [{ id: 'svc/0' }, { id: 'svc/1' }] },
  });
  expect(await readFolder(absent)).toEqual({ kind: 'nothing', reason: reason(absent) });
  expect(await readFolder(empty)).toEqual({ kind: 'nothing', reason: reason(empty) });
  mkdirSync(absent);
  expect(await readFolder(empty)).toEqual({
    kind: 'unreadable',
    reason: `${empty}: there is no status.json`,
  });
  mkdirSync(join(empty, 'status.json'));
  expect(await readFolder(empty)).toEqual({
    kind: 'unreadable',
    reason: `${empty}/status.json: illegal operation on a directory`,
  });
});
