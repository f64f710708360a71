import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../../src/ask/api/endpoints.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { accessTo, baseUrl, keyOf, recorded } from './private-index.ts';

const key = keyOf('a');
let site: ServedSite;
let out: string;
/** Every address of the site. */
let paths: string[];

beforeAll(async () => {
  out = siteOfFixtureIndex();
  const files = globSync('**', { cwd: out, withFileTypes: true }).filter((entry) => entry.isFile());
  const answered = endpoints.map((endpoint) =>
    ('example' in endpoint ? endpoint.example : endpoint.path)
      .replaceAll('{component}', 'svc')
      .replaceAll('{version}', '2025.1'),
  );
  paths = [
    ...files.map(({ parentPath, name }) => join(parentPath, name).slice(out.length)),
    ...answered,
    '/',
    '/mcp',
  ];
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
  site = await serveSite(out, baseUrl, vars, accessTo('everything'));
});

afterAll(() => site?.close());

interface Asked {
  method?: string;
  /** As in the first line of the request. */
  target: string;
  headers?: readonly string[];
}

/** Sends exactly these bytes on a new connection: HTTP clients would normalise the target. */
async function say({ method = 'GET', target, headers = [] }: Asked): Promise<Heard> {
  const { hostname, port } = new URL(site.url);
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: ${hostname}:${port}`];
  const socket = connect(Number(port), hostname);
  const lines = [`${method} ${target} HTTP/1.1`, ...host, 'Connection: close', ...headers, '', ''];
  socket.write(lines.join('\r\n'), 'latin1');
  const text = (await buffer(socket)).toString('latin1');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    body: dechunked(head, rest.join('\r\n\r\n')),
  };
}

interface Heard {
  status: number;
  head: string;
  body: string;
}

function dechunked(head: string, body: string): string {
  if (!/^transfer-encoding: chunked/im.test(head)) return body;
  let text = '';
  for (let rest = body; ;) {
    const [, size = '0'] = /^([0-9a-f]+)\r\n/i.exec(rest) ?? [];
    const length = Number.parseInt(size, 16);
    if (length === 0) return text;
    const start = rest.indexOf('\r\n') + 2;
    text += rest.slice(start, start + length);
    rest = rest.slice(start + length + 2);
  }
}

/** The error in an answer to a request without a credential: it may only be a rejection. */
function leak({ status, head, body }: Heard): string | undefined {
  if (/^(?:etag|last-modified|location|content-range):/im.test(head)) return 'tells of a file in its headers';
  // An invalid request is rejected before it reaches the Worker.
  if (status >= 400 && status !== 401 && body.length < 200 && !body.includes('{')) return undefined;
  if (status === 204 || body === '') return undefined;
  if (status !== 401) return `answers ${status}`;
  const { instance: _, ...rest } = JSON.parse(body) as { instance: string };
  const details = [
    'Full authentication is required. Send Authorization: Bearer <access key or token>.',
    'Token validation failed',
  ];
  const refusals = details.map((detail) => ({
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    detail,
  }));
  return refusals.some((refusal) => JSON.stringify(refusal) === JSON.stringify(rest)) ? undefined : body;
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
const last = (path: string, change: (name: string) => string) =>
  path.replace(/[^/]*$/, (name) => change(name));

/** A path in spellings that some servers treat as the same path. */
const spellings: Readonly<Record<string, (path: string) => string>> = {
  asIs: (path) => path,
  encodedLetter: (path) => path.replace(/[a-z]/i, hex),
  encodedTwice: (path) => path.replace(/[a-z]/i, (letter) => hex(letter).replace('%', '%25')),
  encodedAll: (path) => path.replaceAll(/[^/]/g, hex),
  encodedSlash: (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  encodedDot: (path) => path.replaceAll('.', '%2E'),
  doubleSlash: (path) => `/${path}`,
  tripleSlash: (path) => `//${path}`,
  backslash: (path) => `/${path.slice(1).replaceAll('/', '\\')}`,
  leadingBackslash: (path) => `/\\${path.slice(1)}`,
  dot: (path) => `/.${path}`,
  dotDot: (path) => `/x/..${path}`,
  encodedDotDot: (path) => `/x/%2e%2e${path}`,
  outside: (path) => `/..${path}`,
  behindPublic: (path) => `/.well-known/oauth-protected-resource/mcp/../../..${path}`,
  behindPublicEncoded: (path) => `/.well-known/oauth-protected-resource/mcp/%2e%2e/%2e%2e/%2e%2e${path}`,
  afterPublic: (path) => `/.well-known/oauth-protected-resource/mcp${path}`,
  upperCase: (path) => path.toUpperCase(),
  trailingDot: (path) => `${path}.`,
  trailingSlash: (path) => `${path}/`,
  trailingSpace: (path) => `${path}%20`,
  semicolon: (path) => `${path};jsessionid=1`,
  semicolonInside: (path) => last(path, (name) => `;${name}`),
  nul: (path) => `${path}%00`,
  nulInside: (path) => last(path, (name) => `%00${name}`),
  rawNul: (path) => `${path}\0`,
  newline: (path) => `${path}%0d%0aX: y`,
  query: (path) => `${path}?access_token=${key}&key=${key}`,
  emptyQuery: (path) => `${path}?`,
  fragment: (path) => `${path}#/.well-known/oauth-protected-resource/mcp`,
  absolute: (path) => `${baseUrl}${path}`,
  absolutePublic: (path) => `http://localhost/.well-known/oauth-protected-resource/mcp/../../..${path}`,
  userinfo: (path) => `http://x:${key}@localhost${path}`,
  otherHost: (path) => `//localhost${path}`,
  overlong: (path) => path.replace('/', '/%c0%af'),
  wide: (path) => path.replace('.', '%ef%bc%8e'),
  withoutSlash: (path) => path.slice(1),
};

const methods = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'],
  ...['PROPFIND', 'PURGE', 'get', 'GeT', 'QUERY', 'M-SEARCH', 'XYZ'],
];

const headerSets: readonly (readonly string[])[] = [
  [],
  ['Host: localhost'],
  ['Host: evil.example'],
  ['Host: releases.example.com'],
  ['Origin: https://releases.example.com', 'Referer: https://releases.example.com/'],
  ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: localhost', 'X-Forwarded-Proto: https'],
  ['X-Original-URL: /.well-known/oauth-protected-resource/mcp'],
  ['X-Rewrite-URL: /svc.json', 'X-Original-URL: /svc.json'],
  ['X-HTTP-Method-Override: OPTIONS', 'X-HTTP-Method: OPTIONS', 'X-Method-Override: OPTIONS'],
  ['Access-Control-Request-Method: GET', 'Access-Control-Request-Headers: authorization', 'Origin: null'],
  ['Range: bytes=0-10'],
  ['If-None-Match: *'],
  ['If-Modified-Since: Fri, 20 Nov 2099 00:00:00 GMT'],
  ['Accept: text/html'],
  ['Accept: text/event-stream'],
  ['Cookie: authorization=Bearer ' + key],
  ['Authorization:'],
  ['Authorization: Bearer'],
  ['Authorization: Bearer null'],
  ['Authorization: Bearer undefined'],
  ['Authorization: Basic Og=='],
  ['Authorization: Basic'],
  ['Authorization: Bearer eyJhbGciOiJub25lIn0.e30.'],
  ['Authorization: Bearer b\u00e4d'],
  [`Authorization: ${key}`],
  [`Authorization: Token ${key}`],
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
  ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: navigate', 'Purpose: prefetch'],
  ['CF-Worker: 1', 'CF-Connecting-IP: 127.0.0.1', 'CDN-Loop: cloudflare'],
];

test('the same paths have content with a key', async () => {
  const headers = [`Authorization: Bearer ${key}`];
  const heard = await say({ target: '/svc.json', headers });

  expect(heard.status).toBe(200);
  expect(heard.body).toBe(readFileSync(join(out, 'svc.json'), 'latin1'));
  expect(await leaksOf([{ target: '/svc.json', headers }])).toHaveLength(1);
});

test('without a credential, no path has content', async () => {
  expect(paths.length).toBeGreaterThan(100);
  expect(await leaksOf(paths.map((target) => ({ target })))).toEqual([]);
});

const examples = [
  '/svc.json',
  '/details/svc.json',
  '/',
  '/mcp',
  '/api/components',
  '/robots.txt',
  '/_headers',
];

test('without a credential, no spelling, method or header gets content', async () => {
  const requests = examples.flatMap((path) => [
    ...Object.values(spellings).map((spell) => ({ target: spell(path) })),
    ...methods.map((method) => ({ target: path, method })),
    ...headerSets.map((headers) => ({ target: path, headers })),
  ]);

  expect(await leaksOf(requests)).toEqual([]);
});

test('without a credential, no combination of spelling, method and headers gets content', async () => {
  const asked = fc.record({
    target: fc
      .tuple(
        fc.constantFrom(...paths),
        fc.array(fc.constantFrom(...Object.values(spellings)), { minLength: 1, maxLength: 3 }),
      )
      .map(([path, spell]) => spell.reduce((target, change) => change(target), path)),
    method: fc.constantFrom(...methods),
    headers: fc
      .array(fc.constantFrom(...headerSets), { maxLength: 3 })
      .map((sets) => [...new Set(sets.flat())]),
  });

  expect(await leaksOf(fc.sample(asked, { numRuns: 1500, seed: 9 }))).toEqual([]);
});
