import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostingFor, wranglerConfig } from '../../../src/deliver/host/hosting.ts';
import { checkHostLimits } from '../../../src/deliver/host/host-limits.ts';
import { renderHeadersFile } from '../../../src/site/render/headers.ts';

describe('the limits of the host', () => {
  let out: string;
  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), 'limits-'));
    writeFileSync(join(out, 'svc.json'), '{}');
    writeFileSync(join(out, 'all.json'), '');
    truncateSync(join(out, 'all.json'), 26 * 1024 * 1024);
    writeFileSync(join(out, 'movie.mp4'), '');
  });
  afterAll(() => rmSync(out, { recursive: true }));

  const check = (paths: string[], plan: 'free' | 'paid' = 'free') =>
    checkHostLimits(out, paths, plan).map(({ subject, message }) => `${subject}: ${message}`);

  test('are kept by a small site', () => {
    expect(check(['svc.json', '_headers'])).toEqual([]);
  });

  test('are broken by a big file', () => {
    expect(check(['all.json'])).toEqual([
      'all.json: has 26 MiB; the host accepts 25 MiB per file. Split the index into two sites',
    ]);
  });

  test('are broken by too many files, and the plan says how many those are', () => {
    const paths = Array.from({ length: 20_001 }, () => 'svc.json');

    expect(check(paths)).toEqual([
      `${out}: has 20,001 files; the host accepts 20,000 on the free plan. The paid plan accepts 100,000: ` +
        'set "hosting": {"plan": "paid"} in site/site.json once you have it',
    ]);
    expect(check(paths, 'paid')).toEqual([]);
  });

  test('count what signing is to add, before it is there', () => {
    expect(check(['attestations/svc.json', 'SHA256SUMS.minisig'])).toEqual([]);
    expect(check(Array.from({ length: 20_001 }, () => 'attestations/svc.json'))).toHaveLength(1);
  });

  test('are broken by a file of an unknown kind, which would be served without a type', () => {
    expect(check(['movie.mp4'])).toEqual([
      'movie.mp4: has an extension without a type. Add it to src/site/render/headers.ts',
    ]);
  });

  test.each([undefined, 'mcp', 'everything'] as const)(
    'are kept by the file of headers where %s is protected: the host drops rules from 100 and lines from 2,000 on',
    (protect) => {
      const lines = renderHeadersFile(protect).split('\n');

      expect(lines.filter((line) => /^\S/.test(line)).length).toBeLessThan(100);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2000);
    },
  );
});

describe('an address', () => {
  test('of one’s own names the Worker and its custom domain', () => {
    const hosting = hostingFor('https://releases.example.com');

    expect(hosting).toMatchObject({ worker: 'releases-example-com', kind: 'domain' });
    expect(wranglerConfig({ hosting, out: '/out' })).toMatchObject({
      name: 'releases-example-com',
      workers_dev: false,
      routes: [{ pattern: 'releases.example.com', custom_domain: true }],
    });
  });

  test('of a preview has a Worker that is asked before each file, as it may refuse it', () => {
    const hosting = hostingFor('https://releases.example.com');

    expect(wranglerConfig({ hosting, out: '/out', localSecrets: {} })).toMatchObject({
      main: expect.stringContaining('preview-worker'),
      assets: { run_worker_first: true },
    });
  });

  test('never shares its Worker with another one', () => {
    const worker = (address: string) => hostingFor(address).worker;
    const long = `${'a'.repeat(40)}.${'b'.repeat(40)}.example.com`;
    const addresses = [
      'https://releases.staging.example.com',
      'https://releases-staging.example.com',
      'https://releases-staging.example.com:8443',
      'https://releases.staging-example.com',
      `https://one.${long}`,
      `https://one.${long}.au`,
    ];

    const workers = addresses.map(worker);

    expect(new Set(workers).size).toBe(addresses.length);
    for (const name of workers) expect(name).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
  });

  test('under workers.dev is the name of the Worker', () => {
    const hosting = hostingFor('https://index.acme.workers.dev');

    expect(hosting).toMatchObject({ worker: 'index', kind: 'workers.dev' });
    expect(wranglerConfig({ hosting, out: '/out' })).not.toHaveProperty('routes');
  });
});
