import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, statSync, truncateSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Http } from '../../src/http/client.ts';
import { createSpill } from '../../src/http/spill.ts';
import { ValidatorStore } from '../../src/http/validators.ts';
import { temporaryFolder } from '../harness/root.ts';
import { client, failureOf, JSON_ONLY, json, onCleanup, serve, status } from './harness.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Asks, and waits until the run has let go of what came: what is asked for then can only come from where it was put aside. */
async function forget(asked: () => Promise<object>): Promise<void> {
  const answer = await weakly(asked);
  do {
    await new Promise(setImmediate);
    collectGarbage();
  } while (answer.deref());
}

async function weakly(asked: () => Promise<object>): Promise<WeakRef<object>> {
  return new WeakRef(await asked());
}

/** Files that this process has open although they have no name any more. */
function filesPutAside(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map((fd) => `/proc/self/fd/${fd}`)
    .filter((path) => linkOf(path).startsWith(join(folder, 'put-aside-')));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

async function bodyOf(http: Http, url: string): Promise<Buffer> {
  return (await http.fetch({ url, accept: ['application/octet-stream'] })).body;
}

// 1 KiB is the most that is put aside as it came.
const sizes = [0, 1, 1023, 1024, 1025, 16 * 1024, 300_000];

test.each(sizes.slice(1))('gives a document of %i bytes again from the disk', async (size) => {
  const body = randomBytes(size);
  const server = await serve((request, response) => {
    if (request.url === '/moved') return status(response, 302, { location: '/there?part=1' });
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', link: '<x>; rel="next"' })
      .end(body);
  });
  const http = client({ spillFolder: temporaryFolder() });
  const wanted = { url: `${server.origin}/moved`, accept: ['application/octet-stream'] };
  await forget(async () => (await http.fetch(wanted)).body);

  const again = await Promise.all([http.fetch(wanted), http.fetch(wanted)]);

  for (const response of again) {
    expect(response.body.equals(body)).toBe(true);
    expect(response).toMatchObject({
      url: `${server.origin}/there?part=1`,
      requests: 2,
      notModified: false,
    });
    expect(response.headers.get('link')).toBe('<x>; rel="next"');
  }
  expect(server.paths()).toEqual(['/moved', '/there?part=1']);
});

test('says again from the disk why a document could not be had, in the same words', async () => {
  const server = await serve((_request, response) => status(response, 404, { 'x-reason': 'gone' }));
  const http = client({ spillFolder: temporaryFolder() });
  const wanted = { url: `${server.origin}/x?token=secret`, accept: JSON_ONLY };
  const first: object[] = [];
  await forget(async () => {
    const failure = await failureOf(http.fetch(wanted));
    const { kind, message, url, attempts, status: code, headers } = failure;
    first.push({ kind, message, url, attempts, status: code, headers });
    return failure;
  });

  const again = await failureOf(http.fetch(wanted));

  expect(again).toMatchObject(first[0]!);
  expect(again.message).toBe(`GET ${server.origin}/x answered 404`);
  expect(server.requests).toHaveLength(1);
});

test('gives a HEAD answer again from the disk', async () => {
  const server = await serve((_request, response) => status(response, 200, { 'last-modified': 'then' }));
  const http = client({ spillFolder: temporaryFolder() });
  const wanted = { url: server.origin, accept: ['*/*'], method: 'HEAD' } as const;
  await forget(async () => (await http.fetch(wanted)).body);

  const again = await http.fetch(wanted);

  expect(again.headers.get('last-modified')).toBe('then');
  expect(again.body).toHaveLength(0);
  expect(server.requests).toHaveLength(1);
});

test.each([5, 40_000])(
  'gives the stored answer of %i bytes again that upstream said still holds',
  async (count) => {
    const value = Array.from({ length: count }, (_, index) => index);
    const server = await serve((request, response) => {
      if (request.headers['if-none-match'] === '"one"') status(response, 304);
      else json(response, value, { etag: '"one"' });
    });
    const dir = temporaryFolder();
    const open = async () => client({ validators: await ValidatorStore.open(dir), spillFolder: dir });
    const wanted = { url: server.origin, accept: JSON_ONLY };
    const earlier = await open();
    (await earlier.fetch(wanted)).accept();
    await earlier.close();
    const http = await open();
    await forget(async () => (await http.fetch(wanted)).body);

    const again = await http.fetch(wanted);

    expect(again.notModified).toBe(true);
    expect(again.json()).toEqual(value);
    expect(again.headers.get('content-type')).toBe('application/json');
    expect(server.requests).toHaveLength(2);
  },
);

test('keeps an answer for later runs that was found plausible only when it came back from the disk', async () => {
  const server = await serve((request, response) => {
    if (request.headers['if-none-match'] === '"one"') status(response, 304);
    else json(response, 'x'.repeat(50_000), { etag: '"one"' });
  });
  const dir = temporaryFolder();
  const wanted = { url: server.origin, accept: JSON_ONLY };
  const http = client({ validators: await ValidatorStore.open(dir), spillFolder: dir });
  await forget(async () => (await http.fetch(wanted)).body);
  (await http.fetch(wanted)).accept();
  await http.close();

  const later = client({ validators: await ValidatorStore.open(dir) });
  const response = await later.fetch(wanted);

  expect(response.notModified).toBe(true);
  expect(response.json()).toBe('x'.repeat(50_000));
});

const isLinux = process.platform === 'linux';
if (!isLinux)
  console.log('Not tested here: the file without a name. Only Linux tells in /proc what is open.');

test.runIf(isLinux)(
  'puts answers in a file without a name, and asks again for what the disk has lost',
  async () => {
    const body = randomBytes(100_000);
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body),
    );
    const folder = temporaryFolder();
    const http = client({ spillFolder: folder });
    await forget(() => bodyOf(http, server.origin));

    const [file, ...more] = filesPutAside(folder);
    expect(more).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    expect(statSync(file!)).toMatchObject({ mode: 0o100600, nlink: 0 });
    expect(statSync(file!).size).toBeGreaterThan(body.length);
    await forget(() => bodyOf(http, server.origin));
    expect(server.requests).toHaveLength(1);
    truncateSync(file!, 10);

    const again = await bodyOf(http, server.origin);

    expect(again.equals(body)).toBe(true);
    expect(server.requests).toHaveLength(2);
    await http.close();
    expect(filesPutAside(folder)).toEqual([]);
  },
);

test.each(['missing', 'a-file', undefined])('does without the disk where the folder is %s', async (name) => {
  const body = randomBytes(100_000);
  const server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body),
  );
  const parent = temporaryFolder();
  await writeFile(join(parent, 'a-file'), '');
  const http = client({ spillFolder: name && join(parent, name) });
  const urls = Array.from({ length: 3 }, (_, index) => `${server.origin}/${index}`);
  await Promise.all(urls.map((url) => forget(() => bodyOf(http, url))));

  const again = await Promise.all(urls.map((url) => bodyOf(http, url)));

  expect(again.every((one) => one.equals(body))).toBe(true);
  expect(server.requests).toHaveLength(3);
  expect(await readdir(parent)).toEqual(['a-file']);
});

test('what is put aside at the same time comes back as it was', async () => {
  const spill = createSpill(temporaryFolder());
  onCleanup(() => spill.close());
  const pieces = Array.from({ length: 200 }, (_, index) => randomBytes(sizes[index % sizes.length]!));

  const places = await Promise.all(pieces.map((piece) => spill.put(piece)));

  expect(places.some((place) => Buffer.isBuffer(place))).toBe(false);
  const back = await Promise.all(places.map((place) => spill.read(place)));
  expect(back.map((bytes, index) => bytes.equals(pieces[index]!))).toEqual(pieces.map(() => true));
});

test('what is put aside after the end stays in memory', async () => {
  const folder = temporaryFolder();
  const spill = createSpill(folder);
  await spill.put(Buffer.from('before'));
  await spill.close();

  const place = await spill.put(Buffer.from('after'));

  expect(await spill.read(place)).toEqual(Buffer.from('after'));
  expect(await readdir(folder)).toEqual([]);
});
