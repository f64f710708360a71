import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HttpOptions, HttpResponse } from '../../../src/io/http/client.ts';
import type { HttpRequest } from '../../../src/io/http/messages.ts';
import { openValidatorStore } from '../../../src/io/http/validators.ts';
import { client, failureOf, json, JSON_ONLY, onCleanup, serve, status, type TestServer } from './harness.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'validators-'));
  onCleanup(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Answers 304 to the current validator. */
function versioned(tag = '"one"'): Promise<TestServer> & { tag?: string } {
  return serve((request, response) => {
    if (request.headers['if-none-match'] === tag) status(response, 304, { etag: tag });
    else json(response, { ok: true }, { etag: tag, link: '</next>; rel="next"' });
  });
}

/** One run: a client of its own on the folder, closed at the end. */
async function run(dir: string, request: HttpRequest, isPlausible = true): Promise<HttpResponse> {
  const http = client({ validators: openValidatorStore(dir) });
  const session = http.openSession();
  const response = await session.fetch(request);
  if (isPlausible) session.keep();
  await http.close();
  return response;
}

test.each(['"one"', 'W/"one"', 'unquoted-one'])(
  'the HTTP client sends %s as a validator the next time',
  async (tag) => {
    const dir = await folder();
    const server = await versioned(tag);
    const request = { url: `${server.origin}/x`, accept: JSON_ONLY };

    const first = await run(dir, request);
    const second = await run(dir, request);

    expect(first.notModified).toBe(false);
    expect(second).toMatchObject({ notModified: true });
    expect(second.json()).toEqual({ ok: true });
    expect(second.headers.get('link')).toBe('</next>; rel="next"');
    expect(second.headers.get('content-type')).toBe('application/json');
  },
);

test('the HTTP client asks by date if there is no entity tag', async () => {
  const dir = await folder();
  const lastModified = 'Sun, 01 Feb 2026 10:00:00 GMT';
  const server = await serve((request, response) => {
    if (request.headers['if-modified-since'] === lastModified) status(response, 304);
    else json(response, { ok: true }, { 'last-modified': lastModified });
  });

  await run(dir, { url: server.origin, accept: JSON_ONLY });
  const second = await run(dir, { url: server.origin, accept: JSON_ONLY });

  expect(second.notModified).toBe(true);
  expect(second.json()).toEqual({ ok: true });
});

test('the HTTP client does not trust a date from within the last minute', async () => {
  const dir = await folder();
  const server = await serve((_request, response) =>
    json(response, {}, { 'last-modified': new Date().toUTCString() }),
  );

  await run(dir, { url: server.origin, accept: JSON_ONLY });

  expect(await readdir(dir)).toEqual([]);
});

test('the HTTP client accepts the new document when upstream has one', async () => {
  const dir = await folder();
  let version = 1;
  const server = await serve((request, response) => {
    const etag = `"${version}"`;
    if (request.headers['if-none-match'] === etag) status(response, 304);
    else json(response, { version }, { etag });
  });
  const request = { url: server.origin, accept: JSON_ONLY };

  await run(dir, request);
  version = 2;
  const changed = await run(dir, request);
  const held = await run(dir, request);

  expect([changed.notModified, changed.json()]).toEqual([false, { version: 2 }]);
  expect([held.notModified, held.json()]).toEqual([true, { version: 2 }]);
});

test('the HTTP client stores no answer that was not accepted as plausible', async () => {
  const dir = await folder();
  const server = await versioned();
  const request = { url: server.origin, accept: JSON_ONLY };

  await run(dir, request, false);
  const second = await run(dir, request);

  expect(second.notModified).toBe(false);
});

test('the HTTP client keeps the last sound answer when later ones fail', async () => {
  const dir = await folder();
  let isDown = false;
  const server = await serve((request, response) => {
    if (isDown) status(response, 404);
    else if (request.headers['if-none-match'] === '"one"') status(response, 304);
    else json(response, { ok: true }, { etag: '"one"' });
  });
  const request = { url: server.origin, accept: JSON_ONLY };
  await run(dir, request);
  isDown = true;
  await failureOf(run(dir, request));
  isDown = false;

  const response = await run(dir, request);

  expect([response.notModified, response.json()]).toEqual([true, { ok: true }]);
});

test('the HTTP client respects no-store', async () => {
  const dir = await folder();
  const server = await serve((_request, response) =>
    json(response, {}, { etag: '"one"', 'cache-control': 'private, no-store' }),
  );

  await run(dir, { url: server.origin, accept: JSON_ONLY });

  expect(await readdir(dir)).toEqual([]);
});

test.each([
  ['emptied', () => Buffer.alloc(0)],
  ['cut', (file: Buffer) => file.subarray(0, -3)],
  ['altered', (file: Buffer) => Buffer.concat([file.subarray(0, -10), Buffer.alloc(10)])],
  ['of another format', () => Buffer.from('{"format":2}\nbody')],
  [
    'given another body',
    (file: Buffer) => Buffer.from(file.toString('latin1').replace(/"sha256":"./, '"sha256":"-'), 'latin1'),
  ],
])('fetches in full when the stored answer was %s', async (_how, damage) => {
  const dir = await folder();
  const server = await versioned();
  const request = { url: server.origin, accept: JSON_ONLY };
  await run(dir, request);
  const [name] = await readdir(dir);
  const file = join(dir, String(name));
  await writeFile(file, damage(await readFile(file)));

  const damaged = await run(dir, request);
  const healed = await run(dir, request);

  expect([damaged.notModified, damaged.json()]).toEqual([false, { ok: true }]);
  expect([healed.notModified, healed.json()]).toEqual([true, { ok: true }]);
});

test('the HTTP client keeps the answers to different Accept headers apart', async () => {
  const dir = await folder();
  const server = await versioned();
  await run(dir, { url: server.origin, accept: JSON_ONLY });

  const other = await run(dir, {
    url: server.origin,
    accept: ['application/vnd.example+json', 'application/json'],
  });

  expect(other.notModified).toBe(false);
  expect(await readdir(dir)).toHaveLength(2);
});

test('the HTTP client sends validators only to the URL that gave the stored answer', async () => {
  const dir = await folder();
  let target = '/first';
  const server = await serve((request, response) => {
    if (request.url === '/x') status(response, 302, { location: target });
    else if (request.headers['if-none-match'] === '"one"') status(response, 304);
    else json(response, { from: request.url }, { etag: '"one"' });
  });
  const request = { url: `${server.origin}/x`, accept: JSON_ONLY };

  await run(dir, request);
  const same = await run(dir, request);
  target = '/second';
  const moved = await run(dir, request);

  expect([same.notModified, same.json(), same.url]).toEqual([
    true,
    { from: '/first' },
    `${server.origin}/first`,
  ]);
  expect([moved.notModified, moved.json()]).toEqual([false, { from: '/second' }]);
  expect(server.requests[2]?.headers['if-none-match']).toBeUndefined();
});

test('the HTTP client keeps answers with and without a credential apart', async () => {
  const dir = await folder();
  const server = await versioned();
  const tokens = new Map([[server.origin, 'top-secret']]);
  const asked = { url: `${server.origin}/x`, accept: JSON_ONLY };
  const ask = async (options: Partial<HttpOptions>) => {
    const http = client({ validators: openValidatorStore(dir), ...options });
    const session = http.openSession();
    const { notModified } = await session.fetch(asked);
    session.keep();
    return notModified;
  };

  expect([await ask({ tokens }), await ask({}), await ask({ tokens }), await ask({})]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('the HTTP client writes no token, userinfo or query into the folder', async () => {
  const dir = await folder();
  const server = await versioned();
  const http = client({
    validators: openValidatorStore(dir),
    tokens: new Map([[server.origin, 'top-secret']]),
  });
  const session = http.openSession();
  await session.fetch({ url: `${server.origin}/x?key=hidden`, accept: JSON_ONLY });
  session.keep();
  await http.close();

  const [name] = await readdir(dir);
  const file = (await readFile(join(dir, String(name)))).toString('latin1');
  expect(file).toContain(`"url":"${server.origin}/x"`);
  expect(file).not.toMatch(/secret|hidden/);
});

test('the HTTP client removes answers unused for 90 days, and leftovers of interrupted writes', async () => {
  const dir = await folder();
  const server = await versioned();
  const url = (path: string) => ({ url: `${server.origin}${path}`, accept: JSON_ONLY });
  await run(dir, url('/old'));
  const [old] = await readdir(dir);
  await run(dir, url('/new'));
  const unfinished = `.${old}.saving-12345`;
  await writeFile(join(dir, unfinished), 'half');
  await writeFile(join(dir, 'README'), 'not ours');
  const age = async (name: string, days: number) => {
    const at = new Date(Date.now() - days * DAY_MS);
    await utimes(join(dir, name), at, at);
  };
  await age(String(old), 91);
  await age(unfinished, 91);
  await age('README', 400);

  openValidatorStore(dir);

  const left = await readdir(dir);
  expect(left).toContain('README');
  expect(left).toHaveLength(2);
  expect(left).not.toContain(old);
});

test('the HTTP client treats a 304 as use', async () => {
  const dir = await folder();
  const server = await versioned();
  const request = { url: server.origin, accept: JSON_ONLY };
  await run(dir, request);
  const [name] = await readdir(dir);
  const file = join(dir, String(name));
  const old = new Date(Date.now() - 80 * DAY_MS);
  await utimes(file, old, old);

  await run(dir, request);

  expect(Date.now() - (await stat(file)).mtimeMs).toBeLessThan(DAY_MS);
});

test('the HTTP client works without a folder that cannot be written, and reports it once', async () => {
  const dir = await folder();
  const server = await versioned();
  const request = { url: server.origin, accept: JSON_ONLY };
  await run(dir, request);
  const [name] = await readdir(dir);
  await rm(join(dir, String(name)));
  await mkdir(join(dir, String(name)));
  const warnings: string[] = [];

  const validators = openValidatorStore(dir, (message) => warnings.push(message));
  const http = client({ validators });
  const session = http.openSession();
  const response = await session.fetch(request);
  session.keep();
  await http.close();

  expect(response.json()).toEqual({ ok: true });
  expect(warnings).toEqual([`${dir}: cannot be used (EISDIR). Every document is fetched in full.`]);
});

test('two concurrent runs on one folder both get and keep the answer', async () => {
  const dir = await folder();
  const server = await versioned();
  const request = { url: server.origin, accept: JSON_ONLY };

  const both = await Promise.all(Array.from({ length: 6 }, () => run(dir, request)));
  const later = await run(dir, request);

  expect(both.map((response) => response.json())).toEqual(Array.from({ length: 6 }, () => ({ ok: true })));
  expect(later.notModified).toBe(true);
  expect(await readdir(dir)).toHaveLength(1);
});
