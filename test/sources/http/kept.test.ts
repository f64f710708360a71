import { describe, expect, onTestFinished, test } from 'vitest';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import * as z from 'zod';
import { nameVariables, readCredentials } from '../../../src/sources/http/credentials.ts';
import { openStore } from '../../../src/sources/http/kept.ts';
import { sendIfChanged } from '../../../src/sources/http/send.ts';
import { ask, type AskedSource } from '../../../src/sources/index.ts';
import { fetchPages } from '../../../src/sources/requests.ts';
import { createTestHttp } from '../../harness/ask-source.ts';
import { readKept } from '../../harness/conditional-hosts.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { enterProject } from '../../harness/npm-project.ts';
import { reply, startUpstream, type Handler } from '../../harness/upstream.ts';

const type = { 'content-type': 'application/json' };
const tagged = { ...type, etag: '"a"', 'cache-control': 'max-age=0, private' };
const body = JSON.stringify({ ok: 'x'.repeat(1000) });

/** Creates a handler that answers 304 if the request has the current tag or date. Otherwise it sends the body. */
const answer =
  (headers: Record<string, string>, sent: string | Buffer = body): Handler =>
  (request, response) => {
    const { 'if-none-match': tag, 'if-modified-since': since } = request.headers;
    const isSame = tag ? tag === headers['etag'] : since && since === headers['last-modified'];
    response.writeHead(isSame ? 304 : 200, isSame ? {} : headers).end(isSame ? '' : sent);
  };

/** Starts a host. `run` sends a request with a new client, as each daily run does. It returns the answer and all requests. */
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
    ['a date', { ...type, 'last-modified': 'Mon, 01 Jun 2026 00:00:00 GMT' }],
  ])('does not download an unchanged document with %s again', async (_, headers) => {
    const link = '<b>; rel="next"';
    const { run } = await openRuns(answer({ ...headers, link }));
    const first = await run();

    expect(first).toMatchObject({ text: body, link, isKept: false });
    expect(await run()).toMatchObject({ text: body, link, isKept: true });
    expect(await run()).toMatchObject({ text: body, isKept: true });
  });

  test("reads the host's clock from the new answer, not from the kept answer", async () => {
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
    ['has neither a tag nor a date', type],
    ['must not be stored', { ...tagged, 'cache-control': 'No-Store' }],
  ])('downloads a document again that %s', async (_, headers) => {
    const { run } = await openRuns(answer(headers));
    await run();

    expect(await run()).toMatchObject({ text: body, isKept: false });
  });

  test('downloads a document that has changed', async () => {
    const headers = { ...tagged };
    let sent = body;
    const { run } = await openRuns((request, response) => answer(headers, sent)(request, response));
    await run();
    headers.etag = '"b"';
    sent = '{"ok":2}';

    expect(await run()).toMatchObject({ text: sent, isKept: false });
    expect(await run()).toMatchObject({ text: sent, isKept: true });
  });

  test.each<[string, Handler]>([
    ['an error', (_, response) => void response.writeHead(404, tagged).end('{}')],
    [
      'a redirect',
      (request, response) =>
        request.url === '/'
          ? void response.writeHead(301, { ...tagged, location: '/new' }).end()
          : void response.writeHead(200, type).end('{}'),
    ],
    ['a 304 for a document that was never kept', reply(304)],
  ])('finds no kept answer after %s', async (_, handler) => {
    const { run, keptIn } = await openRuns(handler);
    const describeRun = () => run().then(({ isKept, asked }) => [isKept, asked.length], String);

    expect(await describeRun()).toEqual(await describeRun());
    expect(() => readdirSync(keptIn)).toThrow('ENOENT');
  });

  test('downloads a document again if its compressed body ended too early', async () => {
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

describe('the cache folder', () => {
  const damages: [string, (path: string, bytes: Buffer) => void][] = [
    [
      'a file with a changed byte',
      (path, bytes) => writeFileSync(path, bytes.with(120, bytes[120]! ^ 1)),
    ],
    ['half a file', (path, bytes) => writeFileSync(path, bytes.subarray(0, 100))],
    ['an empty file', (path) => writeFileSync(path, '')],
    ['a folder', (path) => (rmSync(path), mkdirSync(path))],
  ];
  test.each(damages)('does not use a kept answer that was replaced by %s', async (_, damage) => {
    const { run, keptIn } = await openRuns(answer(tagged));
    await run();
    const [name = ''] = readdirSync(keptIn);
    damage(join(keptIn, name), readFileSync(join(keptIn, name)));

    expect(await run()).toMatchObject({ text: body, isKept: false });
  });

  test('is not used if a file has the same path', async () => {
    const { run, keptIn } = await openRuns(answer(tagged));
    writeFileSync(keptIn, '');

    expect(await run()).toMatchObject({ text: body });
    expect(await run()).toMatchObject({ text: body, isKept: false });
  });
});

describe('the HTTP cache', () => {
  /** Answers with the credential of the request, so that a kept answer would contain a secret. */
  const echo: Handler = (request, response) =>
    answer(tagged, JSON.stringify({ took: request.headers.authorization }))(request, response);
  const giveToken: Handler = (request, response) => {
    const { authorization = '' } = request.headers;
    if (request.url!.startsWith('/token')) {
      response.end(JSON.stringify({ token: `${authorization.split(' ')[1]}-token` }));
    } else if (authorization.endsWith('-token')) {
      echo(request, response);
    } else {
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="/token"' }).end();
    }
  };
  const secretOf = (url: string) => ({ [nameVariables([new URL(url)])]: 'Bearer secret' });

  test.each<[string, Handler, (url: string) => object, object?]>([
    ['from the environment', echo, (url) => ({ env: secretOf(url) })],
    ["from npm's configuration", echo, () => ({}), { asNpm: true }],
    [
      'that was exchanged for a token',
      giveToken,
      (url) => ({ env: secretOf(url) }),
      { tokenScope: 'a' },
    ],
    [
      'and redirected to another host',
      (request, response) => {
        const { host, authorization } = request.headers;
        if (host!.startsWith('localhost')) {
          answer(tagged, '{"secret":1}')(request, response);
        } else {
          const location = `http://${host!.replace('127.0.0.1', 'localhost')}/secret`;
          response.writeHead(authorization ? 302 : 401, { location }).end();
        }
      },
      (url) => ({ env: secretOf(url) }),
    ],
  ])(
    'does not keep an answer that needed a credential %s',
    async (_, handler, createOptions, request) => {
      const { run, url, keptIn } = await openRuns(handler);
      enterProject(`${url.slice('http:'.length)}:_authToken=secret`);

      for (const _run of [1, 2]) {
        const { text, isKept } = await run(createOptions(url), request);
        expect(text).toContain('secret');
        expect(isKept).toBe(false);
      }
      expect(() => readdirSync(keptIn)).toThrow('ENOENT');
    },
  );

  test('keeps answers that were fetched with an anonymous token', async () => {
    const { run, url, keptIn } = await openRuns((request, response) => {
      if (request.url!.startsWith('/token')) {
        response.setHeader('etag', '"token"');
        response.end(JSON.stringify({ token: `anonymous-${Math.random()}` }));
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
    expect(readKept(keptIn)).not.toContain('anonymous-');
  });

  test("computes GitHub's ETag with the token of the current run", async () => {
    const { url, requests } = await startUpstream(() => answer(tagged, '{"a":1}'));
    // Connections to api.github.com go to a local server without TLS.
    const agent = new Agent({
      connect(_, done) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1', () => done(null, socket));
      },
    });
    const folder = createFolder();
    const store = openStore(folder);
    const address = new URL('https://api.github.com/a');
    for (const token of ['one', 'two']) {
      const env = { GITHUB_TOKEN: token };
      const credentials = readCredentials(env, { findAuthorization: () => undefined });
      const { signal } = new AbortController();
      const sender = { agent, userAgent: 'x', limitMs: 1e4, signal, store };
      const request = { url: address.href, accept: 'a/b' };
      await sendIfChanged(sender, request, address, credentials.find(address)?.authorization);
    }
    await agent.close();

    // The expected tag was computed with: printf 'a/b:Bearer two:{"a":1}' | sha256sum
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      '"410df010d50cfc105aad32e828d2297367953ef37df64877353ceed1781a9eec"',
    ]);
    expect(readKept(folder)).not.toMatch(/Bearer|one|two/);
  });
});

const Tags = z.object({ tags: z.array(z.number()) });

test('the next run requests a full last page without an ETag, because another page may follow', async () => {
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

describe('a list whose ETag never changes', () => {
  const npm = (url: string) => ({ datasource: 'npm', packageName: 'a', registryUrl: url }) as const;
  const oci = (url: string) => ({ ...npm(url), datasource: 'docker' }) as const;
  const listed = (version: string) => `{"versions":{"${version}":{}}}`;

  /** Reads a source on two days. `bodies` has each day's documents by path. Returns the dates or versions that were read on each day. */
  async function readTwice(
    createSource: (url: string) => AskedSource['source'],
    bodies: readonly Readonly<Record<string, string | Buffer>>[],
    changes: { isChanged?: boolean; program?: string } = {},
  ) {
    let day = 0;
    const { url } = await startUpstream(() => (request, response) => {
      answer(tagged, bodies[day]![request.url!])(request, response);
    });
    const source = createSource(url);
    const keptIn = join(createFolder(), 'http');
    const days: unknown[] = [];
    for (; day < bodies.length; day += 1) {
      const { isChanged = false, program = '' } = day === 0 ? {} : changes;
      const http = createTestHttp({ keptIn, program });
      const question = { id: 'a', kind: 'releases', source, isChanged } as AskedSource;
      const definition = { sources: [source] } as never;
      const run = { http, root: '', day: '2026-06-30', enough: new AbortController().signal };
      const read = ask({ ...question, definition, recorded: { releases: [] }, isChanged }, run);
      const outcome = read.then(
        ({ releases }) => releases.map((each) => each.releaseTimestamp ?? each.name),
        () => 'failed',
      );
      days.push(await outcome);
      await http.close();
    }
    return days;
  }

  test('is not downloaded again for an unchanged source', async () => {
    const bodies = ['1.0.0', '2.0.0'].map((version) => ({ '/a': listed(version) }));

    expect(await readTwice(npm, bodies)).toEqual([['1.0.0'], ['1.0.0']]);
  });

  test.each([
    ['definition', { isChanged: true }],
    ['program', { program: '2' }],
  ])('is downloaded again after the %s has changed', async (_, changes) => {
    const bodies = ['1.0.0', '2.0.0'].map((version) => ({ '/a': listed(version) }));

    expect(await readTwice(npm, bodies, changes)).toEqual([['1.0.0'], ['2.0.0']]);
  });

  test.each<[string, string | Buffer]>([
    ['is cut', '{"versions":{'],
    ['has an unexpected format', '{"versions":[]}'],
    ['lists nothing', '{}'],
    ['is not UTF-8', Buffer.from([0xff])],
  ])('is downloaded again if the kept answer %s', async (_, wrong) => {
    const bodies = [{ '/a': wrong }, { '/a': listed('1.0.0') }];

    expect(await readTwice(npm, bodies)).toEqual(['failed', ['1.0.0']]);
  });

  test('is downloaded again if the date of a version could not be read', async () => {
    const sound = {
      '/v2/a/tags/list?n=1000': '{"tags":["1.0.0"]}',
      '/v2/a/manifests/1.0.0': '{"config":{"digest":"b"}}',
      '/v2/a/blobs/b': '{"created":"2026-01-01T00:00:00Z"}',
    };
    const bodies = [{ ...sound, '/v2/a/manifests/1.0.0': '{' }, sound];

    expect(await readTwice(oci, bodies)).toEqual([['1.0.0'], ['2026-01-01T00:00:00Z']]);
  });
});
