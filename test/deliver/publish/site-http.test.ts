import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  checkProtection,
  compareProtection,
  readProtection,
} from '../../../src/deliver/publish/protection.ts';
import { openSiteHttp, type SiteHttpInput } from '../../../src/deliver/publish/site-http.ts';
import { readSiteConfig } from '../../../src/io/files/settings-files.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { createRoot } from '../../harness/root.ts';
import { startUpstream, type Upstream } from '../../harness/upstream.ts';

interface Answer {
  readonly status?: number;
  readonly type?: string;
}

let server: Upstream;
let url: string;
/** The answers by path, and keys without which there is a 401; the rest is absent. */
let answers: Readonly<Record<string, Answer>>;
let accepted: readonly string[] | undefined;
/** Holds an answer back. */
let waitFor: (path: string, key: string | undefined) => Promise<void> | undefined;

beforeAll(async () => {
  server = await startUpstream(() => async ({ url: path = '', headers }, response) => {
    const key = headers.authorization?.replace('Bearer ', '');
    await waitFor(path, key);
    const isDenied = accepted?.includes(key ?? '') === false;
    const { status = 200, type = 'application/json' } = answers[path] ?? { status: 404 };
    response.writeHead(isDenied ? 401 : status, { 'content-type': type }).end('{}');
  });
  url = new URL(server.url).origin;
});

afterAll(() => server.close());

function serve(
  stated: typeof answers,
  keys?: readonly string[],
  wait: typeof waitFor = () => undefined,
) {
  [answers, accepted, waitFor] = [stated, keys, wait];
  server.requests.length = 0;
}

/** What was asked: path and key. */
const asked = () =>
  server.requests.map(({ path, headers }) =>
    [path, headers.authorization?.replace('Bearer ', '')].filter(Boolean).join(' '),
  );

function input(key?: string, more: Partial<SiteHttpInput> = {}): SiteHttpInput {
  const config = readSiteConfig(openRoot(createRoot().dir, checkout)).value!;
  const env = key === undefined ? {} : { RELEASE_INDEX_KEY: key };
  return { config, env, signal: new AbortController().signal, ownUrl: url, ...more };
}

const metadata = '/.well-known/oauth-protected-resource/mcp';

test.each<[string, Answer | undefined, Answer | undefined, string]>([
  ['answers everybody and has no metadata', {}, undefined, 'nothing'],
  ['answers with a page for missing documents', {}, { type: 'text/html' }, 'nothing'],
  ['has metadata', {}, {}, 'mcp'],
  ['denies its metadata', {}, { status: 401 }, 'unknown'],
  ['forbids its metadata', {}, { status: 403 }, 'unknown'],
  ['asks for a credential', { status: 401 }, {}, 'everything'],
  ['forbids its status', { status: 403 }, undefined, 'unknown'],
  ['has no status', undefined, undefined, 'nothing'],
  [
    'answers with a page for every address',
    { type: 'text/html' },
    { type: 'text/html' },
    'unknown',
  ],
])('a site that %s', async (_, status, ofMetadata, protection) => {
  serve({
    ...(status && { '/status.json': status }),
    ...(ofMetadata && { [metadata]: ofMetadata }),
  });

  expect(await readProtection(url, input('mine'))).toBe(protection);
  // A credential would hide what others get.
  expect(asked().every((request) => !request.includes('mine'))).toBe(true);
});

test('an address that answers nothing has an unknown protection', async () => {
  expect(await readProtection('http://127.0.0.1:9', input())).toBe('unknown');
});

test('the anonymous client goes through the proxy of the environment', async () => {
  const env = { HTTP_PROXY: 'ftp://proxy.example' };

  await expect(readProtection(url, input(undefined, { env }))).rejects.toThrow(
    'HTTP_PROXY: expected the URL of a proxy',
  );
});

const remedy = 'The live site stays as it is. To open it to everybody: publish --unprotect';

test.each([
  ['unknown', 'everything', undefined],
  ['unknown', 'nothing', 'the live site may protect everything, and this one nothing.'],
  ['unknown', 'mcp', 'the live site may protect everything, and this one mcp.'],
  ['nothing', 'nothing', undefined],
  ['nothing', 'mcp', undefined],
  ['mcp', 'everything', undefined],
  ['everything', 'everything', undefined],
  ['mcp', 'nothing', 'the live site protects mcp, and this one nothing.'],
  ['everything', 'mcp', 'the live site protects everything, and this one mcp.'],
] as const)('a live site protects %s, and the next one %s', (live, wanted, text) => {
  const subject = 'site/access.json';
  const findings = (level: string, more: string) =>
    text === undefined ? [] : [{ level, subject, message: `${text} ${more}` }];

  expect(compareProtection(live, wanted, { unprotect: false })).toEqual(findings('error', remedy));
  expect(compareProtection(live, wanted, { unprotect: true })).toEqual(
    findings('warning', 'Accepted.'),
  );
});

test.each<[string, Record<string, Answer>, string | undefined]>([
  ['as it should be', { '/status.json': {}, [metadata]: {} }, undefined],
  ['open', { '/status.json': {} }, 'its protection is nothing, not mcp'],
  ['closed', { '/status.json': { status: 401 } }, 'its protection is everything, not mcp'],
  ['in trouble', { '/status.json': { status: 403 } }, 'its protection is unknown, not mcp'],
])('the check of a protection that is %s', async (_, stated, problem) => {
  serve(stated);

  expect(await checkProtection(url, 'mcp', input())).toBe(problem && `${url}: ${problem}`);
});

// Keys

/** Fetches paths at the same time. */
async function fetchAll(http: ReturnType<typeof openSiteHttp>, ...paths: string[]) {
  const accept = ['application/json'];
  return Promise.all(
    paths.map(async (path) => {
      const { body } = await http.fetch({ url: `${url}${path}`, accept });
      return String(body);
    }),
  );
}

const documents = { '/a': {}, '/b': {}, '/c': {} };

test('without a key, none is sent', async () => {
  serve(documents);
  const http = openSiteHttp(input());
  await fetchAll(http, '/a');
  await http.close();
  expect(asked()).toEqual(['/a']);
});

test('a key is sent to its own address only', async () => {
  serve(documents);
  const [own, foreign] = [input('k1'), input('k1', { ownUrl: 'https://elsewhere.example' })];
  const configured = input('k1', { ownUrl: undefined });
  const settings = { ...configured.config, releasesUrl: url };

  for (const each of [own, foreign, { ...configured, config: settings }]) {
    const http = openSiteHttp(each);
    await fetchAll(http, '/a');
    await http.close();
  }
  expect(asked()).toEqual(['/a k1', '/a', '/a k1']);
});

test('of two keys, the one that works is preferred from then on', async () => {
  serve(documents, ['k2']);
  const http = openSiteHttp(input('k1, \n k2'));

  await fetchAll(http, '/a');
  await fetchAll(http, '/b');
  await http.close();

  expect(asked()).toEqual(['/a k1', '/a k2', '/b k2']);
});

test('a host that takes its keys in turn is asked with the other one after each 401', async () => {
  serve(documents, ['k2']);
  const http = openSiteHttp(input('k1 k2'));

  await fetchAll(http, '/a');
  accepted = ['k1'];
  await fetchAll(http, '/b');
  await http.close();

  expect(asked()).toEqual(['/a k1', '/a k2', '/b k2', '/b k1']);
});

test('a request under way while the other key turns out right takes that key, too', async () => {
  let answerB: () => void;
  const isKnown = new Promise<void>((resolve) => (answerB = resolve));
  serve(documents, ['k2'], (path, key) => (path === '/b' && key === 'k1' ? isKnown : undefined));
  const http = openSiteHttp(input('k1 k2'));

  const slow = fetchAll(http, '/b');
  await fetchAll(http, '/a');
  answerB!();
  expect(await slow).toEqual(['{}']);
  await fetchAll(http, '/c');
  await http.close();

  expect(asked().slice(-2)).toEqual(['/b k2', '/c k2']);
});

test('where no key works, or a document is absent, the error is that of the host', async () => {
  serve(documents, ['k3']);
  const http = openSiteHttp(input('k1 k2'));
  await expect(fetchAll(http, '/a')).rejects.toThrow('answered 401');
  serve(documents);
  await expect(fetchAll(http, '/d')).rejects.toThrow('answered 404');
  await http.close();

  expect(asked()).toEqual(['/d k1']);
  await expect(fetchAll(http, '/b')).rejects.toThrow();
});

test.each(['schlüssel', 'a\u0000b', 'k1 schlüssel'])('the key %j is malformed', (key) => {
  expect(() => openSiteHttp(input(key))).toThrow(
    'RELEASE_INDEX_KEY: expected an access key, as "key new" shows it',
  );
});

test('a rejected key is named by its variable', async () => {
  serve(documents, []);
  const http = openSiteHttp(input('k1'));

  await expect(fetchAll(http, '/a')).rejects.toThrow(/answered 401\..*/);
  await http.close();
});
