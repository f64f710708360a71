import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostingFor, wranglerConfig } from '../../../src/deliver/host/hosting.ts';
import { checkHostLimits } from '../../../src/deliver/host/host-limits.ts';
import { renderHeadersFile } from '../../../src/site/render/headers.ts';
import { makeRoot } from '../../harness/root.ts';

describe('the limits of the host', () => {
  const out = makeRoot({ 'svc.json': {}, 'all.json': '', 'movie.mp4': '' });
  truncateSync(join(out, 'all.json'), 26 * 1024 * 1024);
  const many = (path: string) => Array.from({ length: 20_001 }, () => path);
  const check = (paths: string[], plan: 'free' | 'paid' = 'free') =>
    checkHostLimits(out, paths, plan).map(({ subject, message }) => `${subject}: ${message}`);

  test.each([
    ['a small site', ['svc.json', '_headers']],
    ['files that signing adds later', ['statements/svc.ndjson', 'SHA256SUMS.minisig']],
  ])('accept %s', (_what, paths) => {
    expect(check(paths)).toEqual([]);
  });

  test.each([
    ['all.json', 'has 26 MiB; the host accepts 25 MiB per file. Split the index into two sites'],
    ['movie.mp4', 'has an extension without a type. Add it to src/site/render/headers.ts'],
  ])('reject the file %s', (path, message) => {
    expect(check([path])).toEqual([`${path}: ${message}`]);
  });

  test('reject too many files, also files that signing adds later, and name the plan for more', () => {
    expect(check(many('statements/svc.ndjson'))).toEqual([
      `${out}: has 20,001 files; the host accepts 20,000 on the free plan. The paid plan accepts 100,000: ` +
        'set "hosting": {"plan": "paid"} in site/site.json once you have it',
    ]);
    expect(check(many('svc.json'), 'paid')).toEqual([]);
  });

  test.each([undefined, 'mcp', 'everything'] as const)(
    'accept the file of headers where %s is protected: 100 rules of 2,000 characters at most',
    (protect) => {
      const lines = renderHeadersFile(protect).split('\n');

      expect(lines.filter((line) => /^\S/.test(line)).length).toBeLessThan(100);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2000);
    },
  );
});

const configFor = (address: string, more = {}) =>
  wranglerConfig({ hosting: hostingFor(address), out: '/out', ...more });

test('an own domain names the Worker and is its custom domain', () => {
  expect(configFor('https://releases.example.com')).toMatchObject({
    name: 'releases-example-com',
    workers_dev: false,
    routes: [{ pattern: 'releases.example.com', custom_domain: true }],
  });
});

test('an address at workers.dev has the name of the Worker, and no route', () => {
  expect(configFor('https://index.acme.workers.dev')).toMatchObject({
    name: 'index',
    workers_dev: true,
    routes: undefined,
  });
});

test('the Worker of a preview is asked before each file, as it may refuse it', () => {
  expect(configFor('https://releases.example.com', { localSecrets: {} })).toMatchObject({
    main: expect.stringContaining('preview-worker'),
    assets: { run_worker_first: true },
  });
});

test('no two addresses share a Worker', () => {
  const long = `${'a'.repeat(40)}.${'b'.repeat(40)}.example.com`;
  const addresses = [
    'https://releases.staging.example.com',
    'https://releases-staging.example.com',
    'https://releases-staging.example.com:8443',
    'https://releases.staging-example.com',
    `https://one.${long}`,
    `https://one.${long}.au`,
  ];

  const workers = addresses.map((address) => hostingFor(address).worker);

  expect(new Set(workers).size).toBe(addresses.length);
  for (const name of workers) {
    expect(name).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
  }
});
