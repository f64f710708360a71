import { describe, expect, onTestFinished, test } from 'vitest';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MockAgent } from 'undici';
import * as z from 'zod';
import { nameVariable, readCredentials } from '../../../src/sources/http/authorization.ts';
import { openStore } from '../../../src/sources/http/kept.ts';
import { sendIfChanged } from '../../../src/sources/http/send-if-changed.ts';
import { fetchPages } from '../../../src/sources/requests.ts';
import { createTestHttp } from '../../harness/ask-source.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { startUpstream, type Handler } from '../../harness/upstream.ts';

const type = { 'content-type': 'application/json' };
const tagged = { ...type, etag: '"a"', 'cache-control': 'max-age=0, private' };
const body = JSON.stringify({ ok: 'x'.repeat(1000) });

/** A host that sends its body only to whom has no other tag. */
const answer =
  (headers: Record<string, string>, sent: string | Buffer = body): Handler =>
  (request, response) => {
    const { 'if-none-match': tag, 'if-modified-since': since } = request.headers;
    const isSame = tag ? tag === headers['etag'] : since && since === headers['last-modified'];
    response.writeHead(isSame ? 304 : 200, isSame ? {} : headers).end(isSame ? '' : sent);
  };

/** What each of some runs is told of an address, one client a run. */
async function openRuns(handler: Handler, keptIn = join(createFolder(), 'http')) {
  const upstream = await startUpstream(() => handler);
  return {
    ...upstream,
    keptIn,
    async run(options: object = {}, request: object = {}) {
      upstream.requests.length = 0;
      const http = createTestHttp({ keptIn, ...options });
      onTestFinished(() => http.close());
      const { text, headers, isKept } = await http.fetch({ url: upstream.url, ...request });
      const result = { text: text(), link: headers.get('link'), isKept };
      const offsets = http.listOffsets();
      await http.close();
      return { ...result, offsets, asked: upstream.requests.map(({ headers: sent }) => sent) };
    },
  };
}

describe('a second run', () => {
  test.each<[string, Record<string, string>]>([
    ['a tag', tagged],
    ['a day', { ...type, 'last-modified': 'Mon, 01 Jun 2026 00:00:00 GMT' }],
  ])('gets no body of what has %s, and the same answer', async (_, headers) => {
    const link = '<b>; rel="next"';
    const { run } = await openRuns(answer({ ...headers, link }));
    const first = await run();

    expect(first).toMatchObject({ text: body, link, isKept: false });
    expect(await run()).toMatchObject({ text: body, link, isKept: true });
    expect(await run()).toMatchObject({ text: body, isKept: true });
  });

  test('is told the time by the host, not by what was kept', async () => {
    let date = 'Mon, 01 Jun 2026 00:00:00 GMT';
    const { run } = await openRuns((request, response) => {
      response.setHeader('date', date);
      answer(tagged)(request, response);
    });
    await run();
    date = new Date(Date.now() + 9e9).toUTCString();

    expect((await run()).offsets[0]).toBeGreaterThan(8e9);
  });

  test.each<[string, Record<string, string>]>([
    ['has neither tag nor day', type],
    ['must not be stored', { ...tagged, 'cache-control': 'no-store' }],
  ])('asks again for what %s', async (_, headers) => {
    const { run } = await openRuns(answer(headers));
    await run();

    expect(await run()).toMatchObject({ text: body, isKept: false });
  });

  test('takes what has changed', async () => {
    const headers = { ...tagged };
    let sent = body;
    const { run } = await openRuns((request, response) => answer(headers, sent)(request, response));
    await run();
    headers.etag = '"b"';
    sent = '{"ok":2}';

    expect(await run()).toMatchObject({ text: sent, isKept: false });
    expect(await run()).toMatchObject({ text: sent, isKept: true });
  });

  test('does not keep half a packed body', async () => {
    let packed = gzipSync(body).subarray(0, -4);
    const headers = { ...tagged, 'content-encoding': 'gzip' };
    const { run } = await openRuns((request, response) =>
      answer(headers, packed)(request, response),
    );
    await expect(run()).rejects.toThrow('4 attempts');
    packed = gzipSync(body);

    expect(await run()).toMatchObject({ text: body, isKept: false });
  });
});

describe('the folder', () => {
  const damages: [string, (path: string, bytes: Buffer) => void][] = [
    ['a changed byte', (path, bytes) => writeFileSync(path, bytes.with(120, bytes[120]! ^ 1))],
    ['half a file', (path, bytes) => writeFileSync(path, bytes.subarray(0, 100))],
    ['an empty file', (path) => writeFileSync(path, '')],
    ['a folder', (path) => (rmSync(path), mkdirSync(path))],
  ];
  test.each(damages)('counts %s as none', async (_, damage) => {
    const { run, keptIn } = await openRuns(answer(tagged));
    await run();
    const [name = ''] = readdirSync(keptIn);
    damage(join(keptIn, name), readFileSync(join(keptIn, name)));

    expect(await run()).toMatchObject({ text: body, isKept: false });
  });

  test('is not needed: a file in its place costs nothing', async () => {
    const { run, keptIn } = await openRuns(answer(tagged));
    writeFileSync(keptIn, '');

    expect(await run()).toMatchObject({ text: body });
    expect(await run()).toMatchObject({ text: body, isKept: false });
  });

  test('has a bound: what was used last stays', () => {
    const folder = createFolder();
    const store = openStore(folder, '', 2500);
    for (const key of ['a', 'b', 'c']) {
      store.keep(key, new Headers(), Buffer.alloc(1000));
    }
    for (const name of readdirSync(folder)) {
      utimesSync(join(folder, name), 1, 1);
    }
    store.find('b');
    store.find('c');
    store.close();

    expect(['a', 'b', 'c'].map((key) => store.find(key) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('credentials', () => {
  test('no answer to one of ours is written to a disk', async () => {
    const { run, url, keptIn } = await openRuns(answer(tagged));
    const env = { [nameVariable(new URL(url))]: 'Bearer secret' };
    await run({ env });

    expect(await run({ env })).toMatchObject({ isKept: false });
    expect(() => readdirSync(keptIn)).toThrow('ENOENT');
    expect((await run()).asked[0]?.['if-none-match']).toBeUndefined();
  });

  test('what anybody gets a token for is kept', async () => {
    const { run, url, keptIn } = await openRuns((request, response) => {
      if (request.url!.startsWith('/token')) {
        response.setHeader('etag', '"token"');
        response.end(JSON.stringify({ token: String(Math.random()) }));
      } else if (request.headers.authorization) {
        answer(tagged)(request, response);
      } else {
        const challenge = `Bearer realm="${url}token"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      }
    });
    await run({}, { tokenScope: 'repository:a:pull' });

    expect(await run({}, { tokenScope: 'repository:a:pull' })).toMatchObject({ isKept: true });
    expect(readdirSync(keptIn)).toHaveLength(1);
  });

  test("GitHub's tag is named for the token of this run", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const asked: Record<string, string>[] = [];
    agent
      .get('https://api.github.com')
      .intercept({ path: '/a' })
      .reply(({ headers }) => {
        asked.push(headers as Record<string, string>);
        return { statusCode: 200, data: '{"a":1}', responseOptions: { headers: tagged } };
      })
      .times(2);
    const store = openStore(createFolder());
    const url = new URL('https://api.github.com/a');
    for (const token of ['one', 'two']) {
      const env = { GITHUB_TOKEN: token };
      const credentials = readCredentials(env, { findAuthorization: () => undefined });
      const signal = new AbortController().signal;
      const sender = { agent, userAgent: 'x', limitMs: 1e4, signal, store };
      await sendIfChanged(sender, { url: url.href, accept: 'a/b' }, url, credentials.find(url));
    }

    // printf 'a/b:Bearer two:{"a":1}' | sha256sum
    expect(asked.map((headers) => headers['if-none-match'])).toEqual([
      undefined,
      '"410df010d50cfc105aad32e828d2297367953ef37df64877353ceed1781a9eec"',
    ]);
  });
});

const Tags = z.object({ tags: z.array(z.number()) });

test('a full last page is asked for whole: another may follow', async () => {
  let count = 100;
  const { keptIn, url, asked, requests } = await openRuns((request, response) => {
    const from = Number(request.url!.slice(1));
    const page = Array.from({ length: count }, (_, index) => index).slice(from, from + 100);
    const isLast = from + 100 >= count;
    const etag = `"${page.length}"`;
    const isSame = request.headers['if-none-match'] === etag;
    const link = isLast || isSame ? {} : { link: `<${from + 100}>; rel="next"` };
    response.writeHead(isSame ? 304 : 200, { ...type, etag, ...link });
    response.end(isSame ? '' : JSON.stringify({ tags: page }));
  });
  const read = async () => {
    requests.length = 0;
    const http = createTestHttp({ keptIn });
    const pages = await fetchPages(http, { url: `${url}0` }, Tags);
    await http.close();
    return pages.flatMap(({ tags }) => tags).length;
  };

  expect(await read()).toBe(100);
  expect(await read()).toBe(100);
  expect(asked()).toEqual(['GET /0', 'GET /0']);
  count = 101;
  expect(await read()).toBe(101);
  expect(await read()).toBe(101);
  expect(asked()).toEqual(['GET /0', 'GET /100']);
});
