import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findHeaders } from '../../../../src/site/render/headers.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { serveSite, type ServedSite } from '../../../harness/worker.ts';
import {
  findBrowser,
  isBrowserRequired,
  launchBrowser,
  missingBrowser,
} from '../../../site/pages/browser.ts';
import { accessTo, baseUrl, keyOf, recorded, refusalOf } from './private-index.ts';
import { covers } from '../../../harness/covers.ts';

const key = keyOf('a');
const basic = (password: string, user = 'anybody') => `Basic ${btoa(`${user}:${password}`)}`;

let out: string;
let site: ServedSite;

beforeAll(async () => {
  out = siteOfFixtureIndex();
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(keyOf('b')), recorded(key)]) };
  site = await serveSite(out, baseUrl, vars, accessTo('everything'));
});

afterAll(() => site?.close());

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

function ask(path: string, { headers = {}, ...init }: Asked = {}, authorization = `Bearer ${key}`) {
  return site.fetch(baseUrl + path, {
    redirect: 'manual',
    ...init,
    headers: { authorization, ...headers },
  });
}

const files = ['index.html', 'svc.json', 'SHA256SUMS', 'feed.atom', 'robots.txt'];

test.each(files)(
  'with a key, %s is served whole, with its usual headers, and as private',
  async (file) => {
    const answer = await ask(`/${file}`);
    const head = await ask(`/${file}`, { method: 'HEAD' });

    const expected = Object.fromEntries(
      Array.from(findHeaders(file)!, ([name, value]) => [name.toLowerCase(), value]),
    );
    const private_ = {
      'cache-control': 'private, max-age=3600',
      'strict-transport-security': 'max-age=31536000',
      vary: 'Authorization',
    };
    expect(await answer.text()).toBe(readFileSync(join(out, file), 'utf8'));
    expect(await head.text()).toBe('');
    for (const { status, headers } of [answer, head]) {
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({ ...expected, ...private_ });
      expect(headers.get('etag')).toMatch(/^"\w+"$/);
    }
  },
);

test('with a key, a file answers 304 to a client that has it', async () => {
  const etag = (await ask('/svc.json')).headers.get('etag')!;

  const again = await ask('/svc.json', { headers: { 'if-none-match': `W/${etag}` } });

  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(again.headers.get('cache-control')).toBe('private, max-age=3600');
  expect(again.headers.get('vary')).toBe('Authorization');
});

test('with a key, answers of the Worker are private, and no-store stays', async () => {
  for (const path of ['/', '/api/builds']) {
    expect((await ask(path)).headers.get('cache-control'), path).toBe('private, max-age=3600');
  }
  for (const path of [
    '/api/releases?query=age:>1d',
    '/nothing.json',
    '/build-export/v2/builds/since/now',
  ]) {
    const { headers } = await ask(path);
    expect(headers.get('cache-control'), path).toContain('no-store');
    expect(headers.get('vary'), path).toContain('Authorization');
  }
});

test('with a key, 404 is a page for a browser, and a problem document for a program', async () => {
  const page = await ask('/nothing', { headers: { accept: 'text/html' } });
  const problem = await ask('/nothing');

  const facts = [page, problem].map(({ status, headers }) => [
    ...[status, headers.get('content-type'), headers.get('cache-control')],
  ]);
  expect(facts).toEqual([
    [404, 'text/html; charset=utf-8', 'no-store'],
    [404, 'application/problem+json', 'no-store'],
  ]);
});

test('with a key, the key is accepted as a password with any user name', async () => {
  covers('Basic for password accounts', 'Provenance by Basic');
  for (const user of ['', 'jane', 'j\u00e4ne', 'a b'.repeat(10)]) {
    const encoded = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
    expect((await ask('/svc.json', {}, encoded)).status, user).toBe(200);
  }
});

const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
const bearer = `Bearer realm="mcp", ${metadata}`;
const realm = 'Basic realm="access key as password", charset="UTF-8"';

test('without a key, every address gives the same answer, whether it exists or not', async () => {
  covers(
    'Every request carries a key or token',
    '401: detail says full authentication is required',
  );
  const paths = [...files, '', 'nothing', '_headers', 'mcp', 'api/components', '%'];
  for (const path of paths) {
    const answer = await site.fetch(`${baseUrl}/${path}`, { headers: { accept: 'text/html' } });

    expect(Object.fromEntries(answer.headers), path).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
      vary: 'Authorization',
    });
    expect(answer.headers.get('etag'), path).toBeNull();
    expect(await refusalOf(answer), path).toEqual({
      status: 401,
      detail: 'Full authentication is required. Send Authorization: Bearer <access key or token>.',
      challenge: path === 'mcp' ? bearer : `${realm}, ${bearer}`,
    });
  }
});

test('without a key, a preflight gets the same answer at all addresses', async () => {
  for (const path of ['/svc.json', '/nothing', '/mcp', '/api/components', '/']) {
    const answer = await site.fetch(baseUrl + path, { method: 'OPTIONS' });

    expect([answer.status, answer.headers.get('allow')], path).toEqual([
      204,
      'GET, HEAD, POST, OPTIONS',
    ]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
  }
});

test('a browser that sends a wrong password is asked again', async () => {
  for (const authorization of [basic('secret'), basic('', key), `${basic(key)}, ${basic(key)}`]) {
    expect(await refusalOf(await ask('/svc.json', {}, authorization)), authorization).toEqual({
      status: 401,
      detail: 'Token validation failed',
      challenge: `${realm}, Bearer realm="mcp", error="invalid_token", error_description="Token validation failed", ${metadata}`,
    });
  }
});

/** Sends exactly this target: HTTP clients would normalise it. Version 1.0 has no chunks. */
async function say(target: string, headers: readonly string[], method = 'GET'): Promise<string> {
  const { hostname, port, host } = new URL(site.url);
  const socket = connect(Number(port), hostname);
  const lines = [`${method} ${target} HTTP/1.0`, `Host: ${host}`, ...headers, '', ''];
  socket.write(lines.join('\r\n'), 'latin1');
  return (await buffer(socket)).toString('latin1');
}

const hasContent = (answer: string) =>
  /^HTTP\/1\.[01] (?!204 )[23]|^(?:etag|last-modified|location):|"releases"|<h1|"component"/im.test(
    answer,
  );
const opened = '/.well-known/oauth-protected-resource/mcp';

/** An address in spellings that some servers treat as the same address. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.replace(/[a-z]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replaceAll(/[^/]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  (path) => `/${path}`,
  (path) => `/${path.slice(1).replaceAll('/', '\\')}`,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/x/%2e%2e${path}`,
  (path) => `${opened}/../../..${path}`,
  (path) => `${opened}${path}`,
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}%00`,
  (path) => `${path}\0`,
  (path) => `${path}?access_token=${key}&key=${key}`,
  (path) => `${path}#${opened}`,
  (path) => `${baseUrl}${path}`,
  (path) => `http://x:${key}@localhost${path}`,
  (path) => path.replace('/', '/%c0%af'),
];

const headerSets: readonly (readonly string[])[] = [
  ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: localhost', 'X-Forwarded-Proto: https'],
  [`X-Original-URL: ${opened}`, `X-Rewrite-URL: ${opened}`],
  ['X-HTTP-Method-Override: OPTIONS', 'X-HTTP-Method: OPTIONS'],
  ['Range: bytes=0-10'],
  ['If-None-Match: *'],
  [`Cookie: authorization=Bearer ${key}`],
  ['Authorization: Bearer eyJhbGciOiJub25lIn0.e30.'],
  ['Authorization: Bearer b\u00e4d'],
  [`Authorization: ${key}`],
  ['Authorization: Bearer x', `Authorization: Bearer ${key}`],
  [`Proxy-Authorization: Bearer ${key}`, `X-Api-Key: ${key}`, `Private-Token: ${key}`],
  [
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ],
];

test.each(['/svc.json', '/details/svc.json', '/', '/mcp', '/api/components', '/_headers'])(
  'no spelling, method or header gets content of %s without a key',
  async (path) => {
    for (const spell of spellings) {
      expect(await say(spell(path), [])).not.toSatisfy(hasContent);
    }
    for (const headers of headerSets) {
      expect(await say(path, headers)).not.toSatisfy(hasContent);
    }
    for (const method of ['HEAD', 'POST', 'PUT', 'TRACE', 'PROPFIND', 'get', 'XYZ']) {
      expect(await say(path, [], method)).not.toSatisfy(hasContent);
    }
  },
);

test('the same request has content with a key', async () => {
  expect(await say('/svc.json', [`Authorization: Bearer ${key}`])).toSatisfy(hasContent);
});

const executable = findBrowser();
if (executable === undefined && isBrowserRequired()) {
  throw new Error(`${missingBrowser}, and here one must.`);
}

test.skipIf(executable === undefined)(
  'a browser that asks its user for a password reads pages with a key, and so do their scripts',
  async () => {
    const browser = await launchBrowser(executable!);
    onTestFinished(() => browser.close());
    const open = (password: string) =>
      browser.newPage({ httpCredentials: { username: 'jane', password } });
    const page = await open(key);
    const failed: string[] = [];
    page.on('response', (response) => {
      if (!response.ok() && response.status() !== 304) {
        failed.push(`${response.status()} ${response.url()}`);
      }
    });

    expect((await page.goto(site.url))?.status()).toBe(200);
    await page.getByLabel('Is your version still supported?').fill('component:svc isLatest');
    await page.keyboard.press('Enter');
    expect(await page.locator('.card .sentence').textContent()).toMatch(
      /^1 release of 1 component\./,
    );
    expect(failed).toEqual([]);
    const guessed = await open('guess');
    expect((await guessed.goto(`${site.url}svc.html`))?.status()).toBe(401);
    expect(await guessed.content()).not.toContain('<h1');
  },
);

test('the Worker logs nothing', () => {
  expect(site.logs()).toBe('[]');
});
