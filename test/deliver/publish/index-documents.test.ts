import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PublishedDocuments } from '../../../src/ask/answers/answer-index.ts';
import {
  checkDocuments,
  findPublishedAt,
  openDocumentsAt,
  openDocumentsIn,
} from '../../../src/deliver/publish/index-documents.ts';
import { createHttp, type Http } from '../../../src/io/http/client.ts';
import { temporaryFolder, writeIn } from '../../harness/root.ts';
import { answer, startUpstream, type Upstream } from '../../harness/upstream.ts';

let server: Upstream;
let http: Http;
/** Status, or the type of a document, by path; the rest is absent. */
const answers: Readonly<Record<string, number | string>> = {
  '/status.json': 'application/json',
  '/feed.ndjson': 'application/x-ndjson',
  '/notes.txt': 'text/plain',
  '/SHA256SUMS': 'application/octet-stream',
  '/binary.txt': 'application/octet-stream',
  '/page.json': 'text/html',
  '/details/denied.json': 403,
};

beforeAll(async () => {
  server = await startUpstream(() => ({ url }, response) => {
    const stated = answers[url!] ?? 404;
    const [status, type] = typeof stated === 'number' ? [stated, 'text/plain'] : [200, stated];
    response.writeHead(status, { 'content-type': type }).end('{}');
  });
  http = createHttp({ repositoryUrl: 'https://test.example', limits: { maxRetries: 0 } });
});

afterAll(async () => {
  await http.close();
  await server.close();
});

const run = {
  ...{ id: 'abcdefghijklm', asOf: '2026-11-20', at: '2026-11-20T04:00:00.000Z' },
  ...{ startedAt: '2026-11-20T04:00:00.000Z', finishedAt: '2026-11-20T04:01:00.000Z' },
  ...{ asked: 1, troubles: 0, events: 1 },
};

const openAt = () => openDocumentsAt(http, server.url.slice(0, -1));

test.each(['status.json', 'feed.ndjson', 'notes.txt', 'SHA256SUMS'])(
  'the document %s is read from an address with its type',
  async (path) => {
    server.requests.length = 0;
    expect(await openAt().read(path)).toBe('{}');
  },
);

test.each([
  ['binary.txt', 'application/octet-stream'],
  ['page.json', 'text/html'],
  ['missing.json', 'answered 404'],
  ['details/denied.json', 'answered 403'],
])('the document %s is not read from an address: %s', async (path, problem) => {
  await expect(openAt().read(path)).rejects.toThrow(problem);
});

test.each(['details/svc.json', 'statements/svc.ndjson'])(
  'a component may lack %s',
  async (path) => {
    expect(await openAt().read(path)).toBeUndefined();
    expect(await openDocumentsIn(temporaryFolder()).read(path)).toBeUndefined();
  },
);

test('a folder has its documents, and says what it lacks', async () => {
  const folder = temporaryFolder();
  writeIn(folder, 'status.json', '{}');
  const documents = openDocumentsIn(folder);

  expect(await documents.read('status.json')).toBe('{}');
  await expect(documents.read('all.json')).rejects.toThrow('there is no all.json');
  expect([findPublishedAt(folder), await documents.publishedAt!()]).toEqual([undefined, undefined]);
});

test('a folder was published when its list was written, in whole seconds', async () => {
  const folder = temporaryFolder();
  writeIn(folder, 'SHA256SUMS', '');
  utimesSync(join(folder, 'SHA256SUMS'), 1_795_000_000.9, 1_795_000_000.9);

  expect(await openDocumentsIn(folder).publishedAt!()).toBe(1_795_000_000_000);
});

test('since when an address is public is unknown where it does not answer', async () => {
  const address = `${server.url}nothing`;
  expect(await openDocumentsAt(http, address).publishedAt!()).toBeUndefined();
  const broken = { ...http, fetch: () => Promise.reject(new TypeError('a bug')) };
  await expect(openDocumentsAt(broken, 'http://127.0.0.1').publishedAt!()).rejects.toThrow('a bug');
});

test('a host of plain files published its newest run when it got the list', async () => {
  const modified = 'Fri, 20 Nov 2026 05:00:00 GMT';
  const host = await startUpstream(() => ({ url }, response) => {
    if (url === '/SHA256SUMS') {
      response.setHeader('last-modified', modified);
      answer(response, 200, 'text/plain', 'a list');
    } else if (url === '/status.json') {
      answer(response, 200, 'application/json', JSON.stringify({ runs: [run] }));
    } else {
      answer(response, 404, 'text/plain', '');
    }
  });
  onTestFinished(() => host.close());

  const publishedAt = await openDocumentsAt(http, host.url.slice(0, -1)).publishedAt!();

  expect(publishedAt).toBe(Date.parse(modified));
});

test.each([
  ['runs of another form', { runs: [{ at: 5 }] }, undefined],
  ['a run, of which the API states nothing', { runs: [{ ...run }] }, 'a bug'],
])('a bug while the API is asked is none of the host: %s', async (_, status, problem) => {
  const fetch = ({ url }: { url: string }) =>
    url.includes('/api/')
      ? Promise.reject(new TypeError('a bug'))
      : Promise.resolve({ json: () => status, headers: new Map() });
  const asked = openDocumentsAt({ ...http, fetch: fetch as never }, 'http://x').publishedAt!();

  await (problem === undefined
    ? expect(asked).resolves.toBeUndefined()
    : expect(asked).rejects.toThrow(problem));
});

const documents = (texts: Readonly<Record<string, string>>): PublishedDocuments => ({
  read: (path) => Promise.resolve(texts[path]),
});

const badge = JSON.stringify({
  ...{ schemaVersion: 1, label: 'svc', message: '1.0', color: '#00aa00', more: 1 },
});

test('checked documents are those of an index', async () => {
  const { read } = checkDocuments(
    documents({
      'badges/svc.json': badge,
      'index.json': '["svc"]',
      'all.json': '{',
      'status.json': '{}',
      'x.txt': 'x',
    }),
  );

  expect([await read('index.json'), await read('x.txt')]).toEqual(['["svc"]', 'x']);
  expect(await read('details/svc.json')).toBeUndefined();
  // Of a newer program.
  expect(await read('badges/svc.json')).toBe(badge);
  await expect(read('all.json')).rejects.toMatchObject({
    reason: 'no-index',
    message: expect.stringMatching(
      /^all\.json does not belong to a release index: .*JSON/,
    ) as string,
  });
  await expect(read('status.json')).rejects.toMatchObject({
    reason: 'no-index',
    message: expect.stringMatching(
      /^status\.json does not belong to a release index: asOf: /,
    ) as string,
  });
});

test.each([
  ['svc.json', true],
  ['status.json', true],
  ['openapi.json', false],
  ['details/svc.json', true],
  ['all/3.json', true],
  ['search/12.json', true],
  ['changes/2026.json', true],
  ['svc.html', false],
  ['a/b/svc.json', false],
  ['xdetails/svc.json', false],
  ['status-json', false],
  ['all/3.jsonx', false],
])('the document %s has a schema: %s', async (path, hasSchema) => {
  const { read } = checkDocuments(documents({ [path]: '0' }));

  await (hasSchema
    ? expect(read(path)).rejects.toThrow('does not belong to a release index')
    : expect(read(path)).resolves.toBe('0'));
});

test('the failure of a host is that of a question, and a bug is not', async () => {
  await expect(checkDocuments(openAt()).read('missing.json')).rejects.toMatchObject({
    name: 'QuestionError',
    reason: 'unreadable',
    message: expect.stringContaining('answered 404') as string,
    cause: { status: 404 },
  });
  const broken = { read: () => Promise.reject(new TypeError('a bug')) };
  await expect(checkDocuments(broken).read('all.json')).rejects.toThrow(TypeError);
});
