import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Cloudflare } from '../../harness/cloudflare.ts';
import { digestsFile, formatDigests, parseDigests } from '../../../src/site/digests.ts';
import { sha256 } from '../../../src/io/files/sha256.ts';
import { run } from '../../harness/run.ts';
import { openPublication, today, type TestPublication } from './publication.ts';
import { temporaryFolder, type TestRoot } from '../../harness/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { runCli } from '../../harness/cli.ts';

let publication: TestPublication;
let cloudflare: Cloudflare;
let root: TestRoot;

beforeEach(async () => {
  publication = await openPublication();
  ({ cloudflare, root } = publication);
  await publication.build();
});

afterEach(() => publication.close());

describe('a refusal before anything is asked', () => {
  const cases: { name: string; spoil(): void | Promise<unknown>; says: string | RegExp }[] = [
    {
      name: 'no site',
      spoil: () => rmSync(root.out, { recursive: true }),
      says: 'there is no built site. Run: ',
    },
    {
      name: 'a file that is missing',
      spoil: () => rmSync(join(root.out, 'svc.json')),
      says: 'error: svc.json: is missing. Run: ',
    },
    {
      name: 'a file that was changed',
      spoil: () => writeFileSync(join(root.out, 'svc.json'), '{}'),
      says: 'error: svc.json: was changed: SHA256SUMS lists the digest ',
    },
    {
      name: 'a file that the build did not make',
      spoil: () => writeFileSync(join(root.out, 'notes.txt'), 'mine'),
      says: 'error: notes.txt: is not listed in SHA256SUMS. Remove it',
    },
    {
      name: 'data that changed after the build',
      spoil: () => publication.record('svc', '2026.1', '2026.2', '2026.3'),
      says: /: differs from a fresh build, as do \d+ other files\. Run: /,
    },
    {
      name: 'a site that says throughout what this checkout does not give',
      spoil: () => forge(root.out, '2026-02-01', '2020-02-01'),
      says: /: differs from a fresh build, as do \d+ other files\. Run: /,
    },
    {
      name: 'headers that no build wrote',
      spoil: () => writeFileSync(join(root.out, '_headers'), '/*\n  X-Other: 1\n'),
      says: 'error: _headers: differs from a fresh build. Run: ',
    },
    {
      name: 'a day that is still to come',
      spoil: () => publication.build('--as-of', '2026-11-21'),
      says: 'is the index as of 2026-11-21; today is 2026-11-20. Run: npx release-index build. To publish it all the same: accept ',
    },
    {
      name: 'another address',
      spoil: () => publication.build('--base-url', 'https://elsewhere.example'),
      says: 'was built for the address https://elsewhere.example, not for http://127.0.0.1',
    },
  ];
  test.each(cases)('$name', async ({ spoil, says }) => {
    await spoil();

    const result = await publication.publish();

    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(says);
    expect(result.stdout).toContain('Nothing was sent.');
    expect(cloudflare.calls).toEqual([]);
  });

  test('names each credential that is missing, and what to do', async () => {
    const result = await run(['publish', '--root', root.dir, '--as-of', today]);

    expect(result.status).toBe(1);
    expect(result.stderr).toContain(
      'error: CLOUDFLARE_API_TOKEN: is missing. Make a token from the template',
    );
    expect(result.stderr).toContain('error: CLOUDFLARE_ACCOUNT_ID: is missing.');
    expect(cloudflare.calls).toEqual([]);
  });
});

test('a wrong token is said to be one, and not shown', async () => {
  const result = await publication.publishWith({ CLOUDFLARE_API_TOKEN: 'mistyped-token' });

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit"',
  );
  expect(result.stderr + result.stdout).not.toContain('mistyped-token');
});

test('an address with a path is refused: the host has no folders', async () => {
  const address = ['--base-url', 'https://example.com/releases'];
  await publication.build(...address);

  const result = await publication.publish(...address);

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    'https://example.com/releases has a path; the host serves a site at the root of a name',
  );
});

test('without wrangler, publish says what is missing in a sentence', async () => {
  const program = temporaryFolder();
  for (const part of ['src', 'package.json', 'site'])
    cpSync(join(checkout, part), join(program, part), { recursive: true });
  mkdirSync(join(program, 'node_modules'));
  for (const name of readdirSync(join(checkout, 'node_modules')).filter((name) => name !== 'wrangler'))
    symlinkSync(join(checkout, 'node_modules', name), join(program, 'node_modules', name));
  const env = {
    CLOUDFLARE_API_TOKEN: cloudflare.token,
    CLOUDFLARE_ACCOUNT_ID: 'account',
    CLOUDFLARE_API_BASE_URL: cloudflare.apiBaseUrl,
  };

  const result = await runCli(['publish', '--root', root.dir, '--as-of', today], {
    program: join(program, 'src/cli.js'),
    env,
  });

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    'error: wrangler: is not installed. Install it: npm install --save-dev wrangler@4.156.0\n',
  );
  expect(result.stderr).not.toContain('    at ');
});

test('a dry run needs no credentials, asks the host nothing and says what would be sent', async () => {
  const result = await run(['publish', '--dry-run', '--json', '--root', root.dir, '--as-of', today]);

  expect(result.status).toBe(0);
  expect(cloudflare.calls).toEqual([]);
  const report = JSON.parse(result.stdout) as { outcome: string; plan: { files: number; changed: string[] } };
  expect(report.outcome).toBe('planned');
  expect(report.plan.changed).toHaveLength(report.plan.files);
  expect(report.plan.changed).toContain('svc.json');
});

/** Another text in all files, with digests that are right. */
function forge(out: string, from: string, to: string): void {
  const digests = parseDigests(readFileSync(join(out, digestsFile), 'utf8'));
  for (const path of digests.keys()) {
    const text = readFileSync(join(out, path), 'utf8');
    if (text.includes(from)) writeFileSync(join(out, path), text.replaceAll(from, to));
    digests.set(path, sha256(readFileSync(join(out, path))));
  }
  writeFileSync(join(out, digestsFile), formatDigests(digests));
}
