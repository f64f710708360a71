import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Cloudflare } from '../../harness/cloudflare.ts';
import { digestsFile, formatDigests, parseDigests } from '../../../src/site/digests.ts';
import { sha256 } from '../../../src/io/files/file-system.ts';
import { run } from '../../harness/run.ts';
import { openPublication, today, type TestPublication } from './publication.ts';
import type { TestRoot } from '../../harness/root.ts';

let publication: TestPublication;
let cloudflare: Cloudflare;
let root: TestRoot;

beforeEach(async () => {
  publication = await openPublication();
  ({ cloudflare, root } = publication);
  await publication.build();
});

afterEach(() => publication.close());

const elsewhere = 'https://elsewhere.example';
const rebuilt = /: differs from a fresh build, as do \d+ other files\. Run: /;

test.each<[string, () => void | Promise<unknown>, string | RegExp]>([
  ['no site', () => rmSync(root.out, { recursive: true }), 'there is no built site. Run: '],
  [
    'a missing file',
    () => rmSync(join(root.out, 'svc.json')),
    'error: svc.json: is missing. Run: ',
  ],
  [
    'a changed file',
    () => root.write('dist/svc.json', '{}'),
    'error: svc.json: was changed: SHA256SUMS lists',
  ],
  [
    'another file',
    () => root.write('dist/notes.txt', 'mine'),
    'error: notes.txt: is not listed in SHA256SUMS',
  ],
  ['older data', () => publication.record('svc', '2026.1', '2026.2', '2026.3'), rebuilt],
  [
    'another text and digests that are right',
    () => forge(root.out, '2026-02-01', '2020-02-01'),
    rebuilt,
  ],
  [
    'other headers',
    () => root.write('dist/_headers', '/*\n  X-Other: 1\n'),
    '_headers: was changed: SHA256SUMS lists the digest',
  ],
  [
    'a day to come',
    () => publication.build('--as-of', '2026-11-21'),
    /is the index as of 2026-11-21; today is 2026-11-20\. Run: /,
  ],
  [
    'another address',
    () => publication.build('--base-url', elsewhere),
    `was built for the address ${elsewhere}`,
  ],
])('publish asks nobody, and rejects a site with %s', async (_what, spoil, message) => {
  await spoil();

  const { status, stdout, stderr } = await publication.publish();

  expect(status).toBe(1);
  expect(stderr).toMatch(message);
  expect(stdout).toContain('Nothing was sent.');
  expect(cloudflare.calls).toEqual([]);
});

test('publish names each missing credential, and its remedy', async () => {
  const { status, stderr } = await run(['publish', '--root', root.dir, '--as-of', today]);

  expect(status).toBe(1);
  expect(stderr).toContain(
    'error: CLOUDFLARE_API_TOKEN: is missing. Make a token from the template',
  );
  expect(stderr).toContain('error: CLOUDFLARE_ACCOUNT_ID: is missing.');
  expect(cloudflare.calls).toEqual([]);
});

test('publish reports a wrong token without showing it', async () => {
  const result = await publication.publishWith({ CLOUDFLARE_API_TOKEN: 'mistyped-token' });

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit"',
  );
  expect(result.stderr + result.stdout).not.toContain('mistyped-token');
});

test('publish rejects an address with a path, as the host has no folders', async () => {
  const address = ['--base-url', 'https://example.com/releases'];
  await publication.build(...address);

  const result = await publication.publish(...address);

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    'https://example.com/releases has a path; the host serves a site at the root of a name',
  );
});

test('publish --dry-run needs no credentials, and lists the files to send', async () => {
  const result = await run([
    'publish',
    '--dry-run',
    '--json',
    '--root',
    root.dir,
    '--as-of',
    today,
  ]);

  expect(result.status).toBe(0);
  expect(cloudflare.calls).toEqual([]);
  const report = JSON.parse(result.stdout) as {
    outcome: string;
    plan: { files: number; changed: string[] };
  };
  expect(report.outcome).toBe('planned');
  expect(report.plan.changed).toHaveLength(report.plan.files);
  expect(report.plan.changed).toContain('svc.json');
});

function forge(out: string, from: string, to: string): void {
  const digests = parseDigests(readFileSync(join(out, digestsFile), 'utf8'));
  for (const path of digests.keys()) {
    const text = readFileSync(join(out, path), 'utf8');
    if (text.includes(from)) {
      writeFileSync(join(out, path), text.replaceAll(from, to));
    }
    digests.set(path, sha256(readFileSync(join(out, path))));
  }
  writeFileSync(join(out, digestsFile), formatDigests(digests));
}
