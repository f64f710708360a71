import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { accessTo, baseUrl, keyOf, recorded } from './private-index.ts';

const key = keyOf('a');
let site: ServedSite;

beforeAll(async () => {
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
  site = await serveSite(siteOfFixtureIndex(), baseUrl, vars, accessTo('everything'));
});

afterAll(() => site?.close());

interface Asked {
  method?: string;
  /** As in the first line of the request. */
  target: string;
  headers?: readonly string[];
}

interface Heard {
  status: number;
  head: string;
  body: string;
}

/** Sends exactly these bytes on a new connection: HTTP clients would normalise the target. Version 1.0 has no chunks. */
async function say({ method = 'GET', target, headers = [] }: Asked): Promise<Heard> {
  const { hostname, port } = new URL(site.url);
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: ${hostname}:${port}`];
  const socket = connect(Number(port), hostname);
  socket.write([`${method} ${target} HTTP/1.0`, ...host, ...headers, '', ''].join('\r\n'), 'latin1');
  const [head = '', ...rest] = (await buffer(socket)).toString('latin1').split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.[01] (\d+)/.exec(head)?.[1]), head, body: rest.join('\r\n\r\n') };
}

const details = [
  'Full authentication is required. Send Authorization: Bearer <access key or token>.',
  'Token validation failed',
];

/** The error in an answer to a request without a credential: it may only be a rejection. */
function leak({ status, head, body }: Heard): string | undefined {
  if (/^(?:etag|last-modified|location|content-range):/im.test(head)) return 'has headers of a file';
  // An invalid request is rejected before it reaches the Worker.
  if (status >= 400 && status !== 401 && body.length < 200 && !body.includes('{')) return undefined;
  if (status === 204 || body === '') return undefined;
  if (status !== 401) return `answers ${status}`;
  const { instance: _, detail, ...rest } = JSON.parse(body) as { instance: string; detail: string };
  const isRefusal = isDeepStrictEqual(rest, { type: 'about:blank', title: 'Unauthorized', status });
  return isRefusal && details.includes(detail) ? undefined : body;
}

/** The requests whose answer was not a rejection. */
async function leaksOf(requests: readonly Asked[]): Promise<string[]> {
  const atOnce = pLimit(16);
  const found = await Promise.all(
    requests.map((asked) =>
      atOnce(async () => {
        const heard = await say(asked);
        const what = leak(heard);
        return what === undefined ? [] : [`${asked.method ?? 'GET'} ${JSON.stringify(asked)}: ${what}`];
      }),
    ),
  );
  return found.flat();
}

const hex = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** A path in spellings that some servers treat as the same path. */
const spellings: Readonly<Record<string, (path: string) => string>> = {
  asIs: (path) => path,
  encodedLetter: (path) => path.replace(/[a-z]/i, hex),
  encodedAll: (path) => path.replaceAll(/[^/]/g, hex),
  encodedSlash: (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  doubleSlash: (path) => `/${path}`,
  backslash: (path) => `/${path.slice(1).replaceAll('/', '\\')}`,
  dot: (path) => `/.${path}`,
  dotDot: (path) => `/x/..${path}`,
  encodedDotDot: (path) => `/x/%2e%2e${path}`,
  outside: (path) => `/..${path}`,
  behindPublic: (path) => `/.well-known/oauth-protected-resource/mcp/../../..${path}`,
  afterPublic: (path) => `/.well-known/oauth-protected-resource/mcp${path}`,
  upperCase: (path) => path.toUpperCase(),
  trailingSlash: (path) => `${path}/`,
  semicolon: (path) => `${path};jsessionid=1`,
  nul: (path) => `${path}%00`,
  rawNul: (path) => `${path}\0`,
  newline: (path) => `${path}%0d%0aX: y`,
  query: (path) => `${path}?access_token=${key}&key=${key}`,
  fragment: (path) => `${path}#/.well-known/oauth-protected-resource/mcp`,
  absolute: (path) => `${baseUrl}${path}`,
  absolutePublic: (path) => `http://localhost/.well-known/oauth-protected-resource/mcp/../../..${path}`,
  userinfo: (path) => `http://x:${key}@localhost${path}`,
  overlong: (path) => path.replace('/', '/%c0%af'),
  wide: (path) => path.replace('.', '%ef%bc%8e'),
  withoutSlash: (path) => path.slice(1),
};

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND PURGE get QUERY XYZ'.split(
  ' ',
);

const headerSets: readonly (readonly string[])[] = [
  [],
  ['Host: evil.example'],
  ['Origin: https://releases.example.com', 'Referer: https://releases.example.com/'],
  ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: localhost', 'X-Forwarded-Proto: https'],
  ['X-Original-URL: /.well-known/oauth-protected-resource/mcp'],
  ['X-HTTP-Method-Override: OPTIONS', 'X-HTTP-Method: OPTIONS', 'X-Method-Override: OPTIONS'],
  ['Access-Control-Request-Method: GET', 'Access-Control-Request-Headers: authorization', 'Origin: null'],
  ['Range: bytes=0-10'],
  ['If-None-Match: *'],
  ['If-Modified-Since: Fri, 20 Nov 2099 00:00:00 GMT'],
  ['Accept: text/html'],
  ['Cookie: authorization=Bearer ' + key],
  ['Authorization:'],
  ['Authorization: Bearer undefined'],
  ['Authorization: Basic Og=='],
  ['Authorization: Bearer eyJhbGciOiJub25lIn0.e30.'],
  ['Authorization: Bearer b\u00e4d'],
  [`Authorization: ${key}`],
  [`Authorization: Bearer ${key}x`],
  [`Authorization: Bearer x`, `Authorization: Bearer ${key}`],
  [`Proxy-Authorization: Bearer ${key}`],
  [`X-Authorization: Bearer ${key}`, `X-Api-Key: ${key}`, `Private-Token: ${key}`],
  [
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${key.length + 13}`,
    '',
    `access_token=${key}`,
  ],
  ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
];

test('the same request has content with a key', async () => {
  const asked = { target: '/svc.json', headers: [`Authorization: Bearer ${key}`] };

  expect(await say(asked)).toMatchObject({
    status: 200,
    body: expect.stringContaining('"releases"') as string,
  });
  expect(await leaksOf([asked])).toHaveLength(1);
});

const examples = ['/svc.json', '/details/svc.json', '/', '/mcp', '/api/components', '/_headers'];

test('without a credential, no spelling, method or header gets content', async () => {
  const requests = examples.flatMap((path) => [
    ...Object.values(spellings).map((spell) => ({ target: spell(path) })),
    ...methods.map((method) => ({ target: path, method })),
    ...headerSets.map((headers) => ({ target: path, headers })),
  ]);

  expect(await leaksOf(requests)).toEqual([]);
});
