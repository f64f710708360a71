import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Cloudflare } from '../harness/cloudflare.ts';
import { addComponent, type TestRoot } from './site-root.ts';
import { run } from '../harness/run.ts';
import { openPublication, releases, today, type TestPublication } from './publication.ts';

let publication: TestPublication;
let cloudflare: Cloudflare;
let root: TestRoot;

beforeEach(async () => {
  publication = await openPublication();
  ({ cloudflare, root } = publication);
  await publication.build();
});

afterEach(() => publication.close());

describe('the first publication', () => {
  test('sends every file once, switches to it, reads it back and says how to go back', async () => {
    const result = await publication.publish();

    expect(result.stderr).toContain(
      `nothing is published at ${cloudflare.siteUrl} yet. Nothing to compare with.`,
    );
    expect(result.status).toBe(0);
    expect([...cloudflare.sent.values()].every((times) => times === 1)).toBe(true);
    const served = Object.keys(cloudflare.live!.manifest).sort();
    const built = readdirSync(root.out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '_headers')
      .map((entry) => join(entry.parentPath, entry.name).slice(root.out.length));
    expect(served).toEqual(built.sort());
    expect(result.stdout).toContain(`${served.length} files sent, ${served.length} read back and verified`);
    expect(result.stdout).toContain(`Published version ${cloudflare.live!.id}`);
    expect(result.stdout).toContain('To roll back: npx wrangler rollback --name 127-0-0-1');
  });

  test('tells the host to serve every file under its own name', async () => {
    await publication.publish();

    expect(cloudflare.live!.config).toMatchObject({ html_handling: 'none', not_found_handling: 'none' });
    expect(cloudflare.live!.headers).toContain('Cache-Control: public, max-age=3600');
  });

  test('leaves nothing behind in the root but the cache', async () => {
    await publication.publish();

    expect(readdirSync(root.dir).sort()).toEqual(['.cache', 'components', 'data', 'dist', 'site']);
    expect(readdirSync(join(root.dir, '.cache', 'wrangler'))).toEqual([]);
  });
});

describe('a later publication', () => {
  beforeEach(async () => {
    expect((await publication.publish()).status).toBe(0);
    cloudflare.sent.clear();
    cloudflare.calls.length = 0;
  });

  test('of the same site sends no file', async () => {
    const result = await publication.publish();

    expect(result.status).toBe(0);
    expect(cloudflare.sent.size).toBe(0);
    expect(result.stdout).toContain('0 changed (0 KiB), 0 gone');
    expect(result.stdout).toContain('0 files sent');
  });

  test('sends only what changed', async () => {
    publication.record('svc', '2026.1', '2026.2', '2026.3');
    await publication.build();

    const result = await publication.publish();

    expect(result.status).toBe(0);
    expect(await publication.live('latest/svc.txt')).toBe('2026.3\n');
    expect(result.stdout).toContain(`${cloudflare.sent.size} files sent`);
    expect(cloudflare.sent.size).toBeLessThan(30);
  });

  test('without a release that is live is refused, until a person accepts it', async () => {
    publication.record('svc', '2026.2');
    await publication.build();

    const refused = await publication.publish();

    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('error: svc: 2026.1: live and not in the site');
    expect(refused.stderr).toContain(
      `readers of ${cloudflare.siteUrl} would lose this. If it is right all the same: publish --accept`,
    );
    expect(cloudflare.calls).toEqual([]);

    const accepted = await publication.publish('--accept');
    expect(accepted.stderr).toContain('warning: svc: 2026.1: live and not in the site. Accepted.');
    expect(accepted.status).toBe(0);
  });

  test('without a component that is live is refused', async () => {
    rmSync(join(root.dir, 'components/edge-node.json'));
    rmSync(join(root.dir, 'data/edge-node.json'));
    await publication.build();

    const result = await publication.publish();

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('error: edge-node: is live with 2 releases and not in the site');
    expect(cloudflare.calls).toEqual([]);
  });

  test('whose latest moved backwards is refused, unless the former latest is deprecated', async () => {
    addComponent(root, 'svc', [...releases('2026.1'), { ...releases('2026.2')[0], isPrerelease: true }]);
    await publication.build();

    const refused = await publication.publish();

    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(
      'error: svc: live, its latest is 2026.2; in the site, its latest is 2026.1, although 2026.2 is not deprecated',
    );
    expect(cloudflare.calls).toEqual([]);

    addComponent(root, 'svc', [...releases('2026.1'), { ...releases('2026.2')[0], deprecated: 'broken' }]);
    await publication.build();
    expect((await publication.publish()).status).toBe(0);
    expect(await publication.live('latest/svc.txt')).toBe('2026.1\n');
  });

  test('of an older day is refused', async () => {
    await publication.build('--as-of', '2026-11-19');

    const result = await publication.publish('--as-of', '2026-11-19');

    expect(result.status).toBe(1);
    expect(result.stderr).toContain(`the site is of 2026-11-19, older than what is live, of ${today}`);
    expect(cloudflare.calls).toEqual([]);
  });

  test('is possible without knowing what is live, and says so', async () => {
    cloudflare.disturb.set('/status.json', { 'Content-Type': 'text/html' });

    const result = await publication.publish('--dry-run');

    expect(result.status).toBe(0);
    expect(result.stderr).toContain('notice: live site: ');
    expect(result.stderr).toContain('Nothing to compare with.');
  });
});

describe('a refusal before anything is asked', () => {
  const cases: { name: string; spoil(): void | Promise<unknown>; says: string }[] = [
    {
      name: 'no site',
      spoil: () => rmSync(root.out, { recursive: true }),
      says: 'there is no built site; "build" makes it',
    },
    {
      name: 'a file that is missing',
      spoil: () => rmSync(join(root.out, 'svc.json')),
      says: 'error: svc.json: is listed in SHA256SUMS and is not there',
    },
    {
      name: 'a file that was changed',
      spoil: () => writeFileSync(join(root.out, 'svc.json'), '{}'),
      says: 'error: svc.json: changed since the build: expected the digest ',
    },
    {
      name: 'a file that the build did not make',
      spoil: () => writeFileSync(join(root.out, 'notes.txt'), 'mine'),
      says: 'error: notes.txt: is not listed in SHA256SUMS; no build made it',
    },
    {
      name: 'data that changed after the build',
      spoil: () => publication.record('svc', '2026.1', '2026.2', '2026.3'),
      says: 'the site was built from other definitions or data than those that are here; build it anew',
    },
    {
      name: 'another address',
      spoil: () => publication.build('--base-url', 'https://elsewhere.example'),
      says: 'the site was built to be published at https://elsewhere.example, not at http://127.0.0.1',
    },
  ];
  test.each(cases)('$name', async ({ spoil, says }) => {
    await spoil();

    const result = await publication.publish();

    expect(result.status).toBe(1);
    expect(result.stderr).toContain(says);
    expect(result.stdout).toContain('Nothing was sent.');
    expect(cloudflare.calls).toEqual([]);
  });

  test('names each credential that is missing, and what to do', async () => {
    const result = await run(['publish', '--root', root.dir, '--as-of', today]);

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('error: CLOUDFLARE_API_TOKEN: is missing. Make a token');
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

test('a dry run needs no credentials, asks the host nothing and says what would be sent', async () => {
  const result = await run(['publish', '--dry-run', '--json', '--root', root.dir, '--as-of', today]);

  expect(result.status).toBe(0);
  expect(cloudflare.calls).toEqual([]);
  const report = JSON.parse(result.stdout) as { outcome: string; plan: { files: number; changed: string[] } };
  expect(report.outcome).toBe('planned');
  expect(report.plan.changed).toHaveLength(report.plan.files);
  expect(report.plan.changed).toContain('svc.json');
});
