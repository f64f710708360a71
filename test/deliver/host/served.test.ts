import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHeaders, unservedFiles } from '../../../src/site/render/headers.ts';
import { publishedPaths } from '../../../src/site/render/paths.ts';
import { pathsIn } from '../../harness/root.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';

const site = siteOfFixtureIndex();
const served = pathsIn(site).filter((path) => !unservedFiles.has(path));
/** One file of each kind. */
const files = [
  ...new Map(served.map((path) => [extname(path), path])).values(),
  'index.html',
  '404.html',
];
const contentOf = (file: string) => readFileSync(join(site, file), 'utf8');
const page = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let host: ServedSite;

beforeAll(async () => {
  host = await serveSite(site);
});

afterAll(() => host.close());

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return host.fetch(path, { method, headers, redirect: 'manual' });
}

function headersOf(answer: Response): Record<string, string> {
  return Object.fromEntries(answer.headers);
}

function expectedHeaders(file: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(findHeaders(file)!, ([name, value]) => [name.toLowerCase(), value]),
  );
}

describe('a file', () => {
  test.each([...files.map((file) => [`/${file}`, file]), ['/', 'index.html']])(
    '%s is served whole with the headers of its kind, and answers HEAD and 304',
    async (path, file) => {
      const answer = await get(path!);
      const head = await get(path!, {}, 'HEAD');

      expect([answer.status, head.status]).toEqual([200, 200]);
      expect([await answer.text(), await head.text()]).toEqual([contentOf(file!), '']);
      expect(headersOf(answer)).toMatchObject(expectedHeaders(file!));
      expect(headersOf(head)).toMatchObject(expectedHeaders(file!));
      const etag = answer.headers.get('etag')!;
      expect(etag).toMatch(/^"\w+"$/);
      for (const known of [etag, `W/${etag}`]) {
        const again = await get(path!, { 'If-None-Match': known });
        expect([again.status, await again.text()]).toEqual([304, '']);
        expect(headersOf(again)).toMatchObject({
          'cache-control': 'public, max-age=3600',
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'ETag',
        });
      }
    },
  );

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('rejects %s', async (method) => {
    for (const file of ['svc.json', 'index.html', 'SHA256SUMS']) {
      const answer = await get(`/${file}`, {}, method);
      expect(answer.status, file).toBe(405);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test.each([
    '/svc',
    '/svc/',
    '/index',
    '/SVC.json',
    ...Array.from(unservedFiles, (file) => `/${file}`),
  ])('is found only under its own name, not under %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe('a miss', () => {
  test.each<Record<string, string>[]>([
    [{}],
    [{ Accept: 'application/json' }],
    [{ Accept: '*/*' }],
    [{ Accept: 'application/json, text/html;q=0' }],
  ])('is a problem document that nobody caches, for a request with %j', async (headers) => {
    const answer = await get('/nothing.json', headers);

    expect(answer.status).toBe(404);
    expect(headersOf(answer)).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('etag')).toBeNull();
    expect(await answer.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail:
        'There is no such file. /index.json lists the components; <component>.json has the releases of a component.',
      instance: '/nothing.json',
    });
  });

  test('is a page for a browser that nobody caches, whatever the browser has', async () => {
    const etag = (await get('/404.html')).headers.get('etag')!;

    for (const headers of [page, { ...page, 'If-None-Match': etag }]) {
      const answer = await get('/nothing', headers);

      expect(answer.status).toBe(404);
      expect(await answer.text()).toBe(contentOf('404.html'));
      expect(headersOf(answer)).toMatchObject({
        ...expectedHeaders('404.html'),
        'cache-control': 'no-store',
      });
      expect(answer.headers.get('etag')).toBeNull();
    }
  });

  test.each([page, { Accept: 'application/json' }])(
    'has no body for HEAD with %j',
    async (headers) => {
      const answer = await get('/nothing', headers, 'HEAD');

      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(await answer.text()).toBe('');
    },
  );

  test.each(['POST', 'PUT', 'DELETE'])('is one for %s, too', async (method) => {
    const answer = await get('/api/nothing', {}, method);

    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await answer.json()).toMatchObject({ title: 'Not Found', status: 404 });
  });

  test.each(['/', '/nothing'])(
    'answers the preflight of a condition from another origin at %s',
    async (path) => {
      const asked = {
        Origin: 'https://example.com',
        'Access-Control-Request-Headers': 'if-none-match',
      };
      const answer = await get(path, asked, 'OPTIONS');

      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(headersOf(answer)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': expect.stringContaining('If-None-Match') as string,
        'cache-control': 'no-store',
      });
    },
  );
});

describe('the table of headers', () => {
  test('gives every published path a type', () => {
    for (const { path } of publishedPaths.filter(({ path }) => path !== 'assets/{asset}')) {
      const type = findHeaders(path.replace(/\{\w+\}/, 'svc'))?.get('Content-Type');
      expect(type, path).toMatch(/^(?:application|image|text)\//);
    }
  });

  test('lets pages run no inline code', () => {
    const policy = findHeaders('svc.html')!.get('Content-Security-Policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });
});
