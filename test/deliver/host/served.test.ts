import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestHarness } from 'wrangler';
import { hostingFor, wranglerConfig } from '../../../src/deliver/host/hosting.ts';
import { publishedPaths } from '../../../src/site/render/paths.ts';
import {
  everywhere,
  headersFor,
  kinds,
  renderHeadersFile,
  unservedFiles,
} from '../../../src/site/render/headers.ts';

const files = [
  'index.html',
  'svc.html',
  '404.html',
  'svc.json',
  'details/svc.json',
  'SHA256SUMS',
  'SHA256SUMS.minisig',
  'feed.atom',
  'feeds/svc.atom',
  'support.ics',
  'calendars/svc.ics',
  'badges/svc.svg',
  'assets/style.css',
  'assets/filter.js',
  'assets/icon.png',
  'assets/icon.ico',
  'latest/svc.txt',
  'robots.txt',
  'sitemap.xml',
];

let folder: string;
let host: ReturnType<typeof createTestHarness>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'host-'));
  const out = join(folder, 'site');
  for (const file of [...files, '_headers']) {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    writeFileSync(join(out, file), file === '_headers' ? renderHeadersFile() : contentOf(file));
  }
  const configPath = join(folder, 'wrangler.json');
  const hosting = hostingFor('http://127.0.0.1');
  writeFileSync(configPath, JSON.stringify(wranglerConfig({ hosting, out })));
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  process.env['WRANGLER_LOG_PATH'] = join(folder, 'logs');
  host = createTestHarness({ workers: [{ configPath }] });
  await host.listen();
});

afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a file', () => {
  test.each(files)('%s is served whole with the headers of its kind', async (file) => {
    const answer = await get(`/${file}`);

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(contentOf(file));
    expect(namesOf(answer)).toMatchObject(expectedHeaders(file));
    expect(answer.headers.get('etag')).toMatch(/^"\w+"$/);
  });

  test.each(files)('%s answers HEAD with the same headers and no body', async (file) => {
    const answer = await get(`/${file}`, { method: 'HEAD' });

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    expect(namesOf(answer)).toMatchObject(expectedHeaders(file));
  });

  test.each(files)('%s answers 304 to one who has it, with its headers', async (file) => {
    const etag = (await get(`/${file}`)).headers.get('etag')!;

    for (const known of [etag, `W/${etag}`]) {
      const answer = await get(`/${file}`, { headers: { 'If-None-Match': known } });
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe('');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toBe('ETag');
    }
  });

  test.each(['svc.json', 'index.html', 'SHA256SUMS'])('%s refuses to be written to', async (file) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await get(`/${file}`, { method });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('is found under its own name only: no redirect leads to it', async () => {
    for (const path of ['/svc', '/svc/', '/index', '/SVC.json'])
      expect((await get(path)).status, path).toBe(404);
  });
});

describe('the root', () => {
  test('is the index page, with the headers of a page', async () => {
    const answer = await get('/');

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(contentOf('index.html'));
    expect(namesOf(answer)).toMatchObject(expectedHeaders('index.html'));
  });

  test('answers HEAD and 304', async () => {
    const head = await get('/', { method: 'HEAD' });
    expect(head.status).toBe(200);

    const again = await get('/', { headers: { 'If-None-Match': head.headers.get('etag')! } });
    expect(again.status).toBe(304);
    expect(again.headers.get('cache-control')).toBe('public, max-age=3600');
  });
});

describe('a miss', () => {
  const asked: Record<string, string>[] = [{}, { Accept: 'application/json' }, { Accept: '*/*' }];
  test.each(asked)('is a problem document that nobody caches, asked with %j', async (headers) => {
    const answer = await get('/nothing.json', { headers });

    expect(answer.status).toBe(404);
    expect(namesOf(answer)).toMatchObject({
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

  test('is a page for a browser, with the headers of a page, that nobody caches', async () => {
    const answer = await get('/nothing', {
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });

    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe(contentOf('404.html'));
    expect(namesOf(answer)).toMatchObject({ ...expectedHeaders('404.html'), 'cache-control': 'no-store' });
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('stays a miss for one who says that it has the page', async () => {
    const etag = (await get('/404.html')).headers.get('etag')!;

    const answer = await get('/nothing', { headers: { Accept: 'text/html', 'If-None-Match': etag } });

    expect(answer.status).toBe(404);
  });

  test('has no body for HEAD', async () => {
    for (const Accept of ['text/html', 'application/json']) {
      const answer = await get('/nothing', { method: 'HEAD', headers: { Accept } });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.text()).toBe('');
    }
  });

  test('to be written to names what is possible', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await get('/nothing', { method });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.json()).toMatchObject({ title: 'Method Not Allowed', status: 405 });
    }
  });

  test('answers what a browser asks before it sends a condition from another origin', async () => {
    for (const path of ['/', '/nothing']) {
      const answer = await get(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://example.com', 'Access-Control-Request-Headers': 'if-none-match' },
      });
      expect(answer.status).toBe(204);
      expect(await answer.text()).toBe('');
      expect(namesOf(answer)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': expect.stringContaining('If-None-Match') as string,
        'cache-control': 'no-store',
      });
    }
  });

  test('is no page for one who does not want any', async () => {
    const answer = await get('/nothing', { headers: { Accept: 'application/json, text/html;q=0' } });

    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  test('is all that there is of the files that are for the host', async () => {
    for (const file of unservedFiles) expect((await get(`/${file}`)).status, file).toBe(404);
  });
});

describe('the table of headers', () => {
  test('sets no header twice for one path, as the host would join the two values with a comma', () => {
    for (const file of files) {
      const path = `/${file}`;
      const rules = kinds.filter(({ pattern }) =>
        pattern.startsWith('/*') ? path.endsWith(pattern.slice(2)) : path === pattern,
      );
      const names = [everywhere, ...rules].flatMap((rule) => Object.keys(rule.headers));
      expect(new Set(names).size, file).toBe(names.length);
      expect(rules, file).toHaveLength(1);
    }
  });

  test('gives every published path the type that is published for it', () => {
    for (const { path, mediaType } of publishedPaths) {
      if (mediaType === '*/*') continue;
      const stated = headersFor(path.replace(/\{\w+\}/, 'svc'))?.get('Content-Type');
      expect(stated?.split(';')[0], path).toBe(mediaType.split(';')[0]);
    }
  });

  test('lets pages run nothing that stands in them', () => {
    const policy = headersFor('svc.html')!.get('Content-Security-Policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test('knows no headers for a file of an unknown kind', () => {
    expect(headersFor('movie.mp4')).toBeUndefined();
    expect(headersFor('other/SHA256SUMS')).toBeUndefined();
  });

  test('is what the published file says', () => {
    const lines = readFileSync(join(folder, 'site', '_headers'), 'utf8').split('\n');
    expect(lines.slice(0, 5)).toEqual([
      '/*',
      '  Access-Control-Allow-Origin: *',
      '  Access-Control-Expose-Headers: ETag',
      '  Cache-Control: public, max-age=3600',
      '  X-Content-Type-Options: nosniff',
    ]);
  });
});

function get(path: string, init: { method?: string; headers?: Record<string, string> } = {}) {
  return host.fetch(path, { redirect: 'manual', ...init });
}

function contentOf(file: string): string {
  return `the content of ${file}\n`;
}

function expectedHeaders(file: string): Record<string, string> {
  return Object.fromEntries(Array.from(headersFor(file)!, ([name, value]) => [name.toLowerCase(), value]));
}

function namesOf(answer: Awaited<ReturnType<typeof get>>): Record<string, string> {
  return Object.fromEntries(answer.headers);
}
