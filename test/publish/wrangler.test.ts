import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { sha256 } from '../../src/core/files.ts';
import { createConfig, nameWorker } from '../../src/publish/wrangler.ts';

const hash = (host: string) => sha256(host).slice(0, 8);
const long = `${'a'.repeat(60)}.example`;
const exact = `${'a'.repeat(55)}.example`;

test.each([
  ['https://svc-index.me.workers.dev', 'svc-index'],
  ['https://releases.example.com', 'releases-example-com'],
  ['https://a-b.example', `a-b-example-${hash('a-b.example')}`],
  ['https://a.b.example', 'a-b-example'],
  [`https://${exact}`, `${'a'.repeat(55)}-example`],
  [`https://${long}`, `${'a'.repeat(54)}-${hash(long)}`],
  ['http://127.0.0.1:8787', '127-0-0-1'],
])('the site %s has the Worker %s', (url, name) => {
  expect(nameWorker(url)).toBe(name);
  expect(name.length).toBeLessThanOrEqual(63);
});

test.each<[baseUrl: string, expected: object]>([
  [
    'https://releases.example.com',
    {
      workers_dev: false,
      routes: [{ pattern: 'releases.example.com', custom_domain: true }],
    },
  ],
  ['https://svc-index.me.workers.dev', { workers_dev: true, routes: undefined }],
  ['http://127.0.0.1:8787', { workers_dev: false, routes: undefined }],
])('the configuration for %s has these addresses', (baseUrl, expected) => {
  const config = createConfig({ out: '/srv/dist', baseUrl });

  expect({ routes: undefined, ...config }).toMatchObject({
    ...expected,
    name: nameWorker(baseUrl),
    vars: { BASE_URL: baseUrl },
    assets: {
      ...{ directory: '/srv/dist', binding: 'ASSETS' },
      ...{ html_handling: 'none', not_found_handling: 'none' },
    },
    ...{ preview_urls: false, send_metrics: false },
    define: {
      RELEASE_INDEX_ACCESS: 'null',
      RELEASE_INDEX_VERSION: JSON.stringify(manifest.version),
    },
  });
  expect(existsSync(config.main)).toBe(true);
});

test('the rules of access are in the bundle', () => {
  const access = { users: [{ username: 'anna' }] };
  const { define } = createConfig({ out: 'dist', baseUrl: 'https://a.example', access });

  expect(JSON.parse(define.RELEASE_INDEX_ACCESS)).toEqual(access);
});

test('a site below a path is rejected', () => {
  expect(() => createConfig({ out: 'dist', baseUrl: 'https://a.example/releases' })).toThrow(
    'site/site.json: releasesUrl: https://a.example/releases has a path, but Cloudflare serves a site at the root of a host name',
  );
});
