import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HttpResponse } from '../../../src/io/http/client.ts';
import type { HttpOptions } from '../../../src/io/http/http-run.ts';
import type { HttpRequest } from '../../../src/io/http/request.ts';
import { openAnswerStore } from '../../../src/io/http/answer-store.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { client, failureOf, json, serve, serveJson, status, type TestServer } from './harness.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** Answers 304 to the current validator. */
function versioned(tag = '"one"'): Promise<TestServer> {
  return serve((request, response) => {
    if (request.headers['if-none-match'] === tag) {
      status(response, 304, { etag: tag });
    } else {
      json(response, { ok: true }, { etag: tag, link: '</next>; rel="next"' });
    }
  });
}

type Seen = HttpResponse & { isNotModified: boolean };

/** One run: a client of its own on the folder, closed at the end; with whether the host confirmed the stored answer. */
async function run(
  dir: string,
  url: string,
  {
    isPlausible = true,
    ...more
  }: { isPlausible?: boolean } & Partial<HttpRequest> & Partial<HttpOptions> = {},
): Promise<Seen> {
  const store = openAnswerStore(dir);
  let isNotModified = false;
  const answerStore: typeof store = {
    ...store,
    keep(key, answer) {
      ({ isNotModified } = answer);
      store.keep(key, answer);
    },
  };
  const http = client({ answerStore, ...more });
  const session = http.openSession();
  const response = await session.fetch({ url, accept: ['application/json'], ...more });
  if (isPlausible) {
    session.keep();
  }
  await http.close();
  return { ...response, isNotModified };
}

/** The only file of the folder. */
function fileIn(dir: string): string {
  const [name] = readdirSync(dir);
  return join(dir, name!);
}

const seen = (response: Seen) => [response.isNotModified, response.json()];

test.each(['"one"', 'W/"one"', 'unquoted-one'])(
  'the HTTP client sends %s as a validator the next time',
  async (tag) => {
    const dir = temporaryFolder();
    const server = await versioned(tag);

    const first = await run(dir, server.url);
    const second = await run(dir, server.url);

    expect(first.isNotModified).toBe(false);
    expect(seen(second)).toEqual([true, { ok: true }]);
    expect(second.headers.get('link')).toBe('</next>; rel="next"');
    expect(second.headers.get('content-type')).toBe('application/json');
  },
);

test('headers of a 304 replace those of the stored answer, except those about its content', async () => {
  const dir = temporaryFolder();
  const server = await serve((request, response) => {
    if (request.headers['if-none-match'] === '"one"') {
      status(response, 304, {
        etag: '"one"',
        link: '</moved>; rel="next"',
        'content-type': 'text/html',
      });
    } else {
      json(response, {}, { etag: '"one"', link: '</next>; rel="next"' });
    }
  });
  await run(dir, server.url);

  const { isNotModified, headers } = await run(dir, server.url);

  expect([isNotModified, headers.get('link')]).toEqual([true, '</moved>; rel="next"']);
  expect(headers.get('content-type')).toBe('application/json');
});

test('the HTTP client asks by date if there is no entity tag', async () => {
  const dir = temporaryFolder();
  const lastModified = 'Sun, 01 Feb 2026 10:00:00 GMT';
  const server = await serve((request, response) => {
    if (request.headers['if-modified-since'] === lastModified) {
      status(response, 304);
    } else {
      json(response, { ok: true }, { 'last-modified': lastModified });
    }
  });

  await run(dir, server.url);

  expect(seen(await run(dir, server.url))).toEqual([true, { ok: true }]);
});

test('a stated date without a zone means the same in any time zone', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await serveJson(
    {},
    {
      'last-modified': 'Sun Feb  1 10:00:30 2026',
      date: 'Sun, 01 Feb 2026 10:01:00 GMT',
    },
  );
  const dir = temporaryFolder();

  await run(dir, server.url);

  // Both headers say that the document changed half a minute ago.
  expect(readdirSync(dir)).toEqual([]);
});

test.each<[what: string, headers: Record<string, string>, isPlausible: boolean]>([
  ['with a date from within the last minute', { 'last-modified': new Date().toUTCString() }, true],
  ['that says no-store', { etag: '"one"', 'cache-control': 'private, no-store' }, true],
  ['that was not accepted as plausible', { etag: '"one"' }, false],
])('the HTTP client stores no answer %s', async (_what, headers, isPlausible) => {
  const dir = temporaryFolder();
  const server = await serveJson({}, headers);

  await run(dir, server.url, { isPlausible });

  expect(readdirSync(dir)).toEqual([]);
});

test('the HTTP client accepts the new document when upstream has one', async () => {
  const dir = temporaryFolder();
  let version = 1;
  const server = await serve((request, response) => {
    const etag = `"${version}"`;
    if (request.headers['if-none-match'] === etag) {
      status(response, 304);
    } else {
      json(response, { version }, { etag });
    }
  });

  await run(dir, server.url);
  version = 2;

  expect(seen(await run(dir, server.url))).toEqual([false, { version: 2 }]);
  expect(seen(await run(dir, server.url))).toEqual([true, { version: 2 }]);
});

test('the HTTP client keeps the last sound answer when later ones fail', async () => {
  const dir = temporaryFolder();
  let isDown = false;
  const server = await serve((request, response) => {
    if (isDown) {
      status(response, 404);
    } else if (request.headers['if-none-match'] === '"one"') {
      status(response, 304);
    } else {
      json(response, { ok: true }, { etag: '"one"' });
    }
  });
  await run(dir, server.url);
  isDown = true;
  await failureOf(run(dir, server.url));
  isDown = false;

  expect(seen(await run(dir, server.url))).toEqual([true, { ok: true }]);
});

test.each([
  ['emptied', () => Buffer.alloc(0)],
  ['cut', (file: Buffer) => file.subarray(0, -3)],
  ['altered', (file: Buffer) => Buffer.concat([file.subarray(0, -10), Buffer.alloc(10)])],
  ['written in another format', () => Buffer.from('{"format":2}\nbody')],
])('the HTTP client fetches in full when the stored answer was %s', async (_how, damage) => {
  const dir = temporaryFolder();
  const server = await versioned();
  await run(dir, server.url);
  writeFileSync(fileIn(dir), damage(readFileSync(fileIn(dir))));

  expect(seen(await run(dir, server.url))).toEqual([false, { ok: true }]);
  expect(seen(await run(dir, server.url))).toEqual([true, { ok: true }]);
});

test('the HTTP client sends validators only to the URL that gave the stored answer', async () => {
  const dir = temporaryFolder();
  let target = '/first';
  const server = await serve((request, response) => {
    if (request.url === '/x') {
      status(response, 302, { location: target });
    } else if (request.headers['if-none-match'] === '"one"') {
      status(response, 304);
    } else {
      json(response, { from: request.url }, { etag: '"one"' });
    }
  });

  await run(dir, server.url);
  const same = await run(dir, server.url);
  target = '/second';
  const moved = await run(dir, server.url);

  expect(seen(same)).toEqual([true, { from: '/first' }]);
  expect(same.url).toBe(`${server.origin}/first`);
  expect(seen(moved)).toEqual([false, { from: '/second' }]);
  expect(server.requests[2]?.headers['if-none-match']).toBeUndefined();
});

test.each<[string, (origin: string) => Parameters<typeof run>[2]]>([
  ['with and without a credential', (origin) => ({ tokens: new Map([[origin, 'top-secret']]) })],
  [
    'to different Accept headers',
    () => ({ accept: ['application/vnd.example+json', 'application/json'] }),
  ],
])('the HTTP client keeps answers %s apart', async (_, optionsFor) => {
  const dir = temporaryFolder();
  const server = await versioned();
  const options = optionsFor(server.origin);

  const found: boolean[] = [];
  for (const each of [options, {}, options, {}]) {
    found.push((await run(dir, server.url, each)).isNotModified);
  }

  expect(found).toEqual([false, false, true, true]);
});

test('the HTTP client writes no token, userinfo or query into the folder', async () => {
  const dir = temporaryFolder();
  const server = await versioned();

  await run(dir, `${server.url}?key=hidden`, { tokens: new Map([[server.origin, 'top-secret']]) });

  const file = readFileSync(fileIn(dir), 'latin1');
  expect(file).toContain('"etag"');
  expect(file).not.toMatch(/secret|hidden/);
});

test('the HTTP client removes answers unused for 90 days, and leftovers of interrupted writes', async () => {
  const dir = temporaryFolder();
  const server = await versioned();
  await run(dir, `${server.origin}/old`);
  const [old] = readdirSync(dir);
  await run(dir, `${server.origin}/new`);
  const unfinished = `.${old}.saving-12345`;
  writeFileSync(join(dir, unfinished), 'half');
  writeFileSync(join(dir, 'README'), 'not ours');
  const then = new Date(Date.now() - 91 * dayMs);
  for (const name of [old!, 'README']) {
    utimesSync(join(dir, name), then, then);
  }
  const yesterday = new Date(Date.now() - dayMs);
  utimesSync(join(dir, unfinished), yesterday, yesterday);

  openAnswerStore(dir);

  expect(readdirSync(dir)).toHaveLength(2);
  expect(readdirSync(dir)).toContain('README');
  expect(readdirSync(dir)).not.toContain(old);
});

test('the HTTP client treats a 304 as use', async () => {
  const dir = temporaryFolder();
  const server = await versioned();
  await run(dir, server.url);
  const then = new Date(Date.now() - 80 * dayMs);
  utimesSync(fileIn(dir), then, then);

  await run(dir, server.url);

  expect(Date.now() - statSync(fileIn(dir)).mtimeMs).toBeLessThan(dayMs);
});

test('the HTTP client works without a folder that cannot be written, and reports it once', async () => {
  const dir = temporaryFolder();
  const server = await versioned();
  await run(dir, server.url);
  const file = fileIn(dir);
  rmSync(file);
  mkdirSync(file);
  const warnings: string[] = [];

  const answerStore = openAnswerStore(dir, (message) => warnings.push(message));
  const session = client({ answerStore }).openSession();
  const response = await session.fetch({ url: server.url, accept: ['application/json'] });
  session.keep();

  expect(response.json()).toEqual({ ok: true });
  expect(warnings).toEqual([`${dir}: cannot be used (EISDIR). Every document is fetched in full.`]);
});

test('concurrent runs on one folder all get the answer and keep it', async () => {
  const dir = temporaryFolder();
  const server = await versioned();

  const all = await Promise.all(Array.from({ length: 6 }, () => run(dir, server.url)));

  expect(all.map((response) => response.json())).toEqual(all.map(() => ({ ok: true })));
  expect((await run(dir, server.url)).isNotModified).toBe(true);
  expect(readdirSync(dir)).toHaveLength(1);
});
