import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Cloudflare } from '../../harness/cloudflare.ts';
import { run, type Run } from '../../harness/run.ts';
import { openPublication, releases, today, type TestPublication } from './publication.ts';
import { addComponent, pathsIn, withGit, type TestRoot } from '../../harness/root.ts';

// One site after another, as people and the days change it.
let publication: TestPublication;
let cloudflare: Cloudflare;
let root: TestRoot;
let result: Run;

beforeAll(async () => {
  publication = await openPublication();
  ({ cloudflare, root } = publication);
  withGit(root.dir);
  commitAll(root.dir);
  expect((await run(['record', '--root', root.dir, '--as-of', today])).status).toBe(0);
  commitAll(root.dir);
  await publication.build();
  result = await publication.publish();
});

afterAll(() => publication.close());

test('the first publication sends every file once, switches to it and reads it back', async () => {
  expect(result.stderr).toContain(`nothing is published at ${cloudflare.siteUrl} yet`);
  expect(result.status).toBe(0);
  expect([...cloudflare.sent.values()].every((times) => times === 1)).toBe(true);
  const served = Object.keys(cloudflare.live!.manifest).sort();
  expect(served).toEqual(
    pathsIn(root.out).flatMap((path) => (path === '_headers' ? [] : `/${path}`)),
  );
  expect(result.stdout).toContain(`${served.length} files read back and verified`);
  expect(result.stdout).toContain(`Published version ${cloudflare.live!.id}`);
  expect(cloudflare.live!.config).toMatchObject({
    html_handling: 'none',
    not_found_handling: 'none',
  });
  expect(cloudflare.live!.headers).toContain('Cache-Control: public, max-age=3600');
  expect(readdirSync(root.dir).sort()).toEqual([
    '.cache',
    '.git',
    'components',
    'data',
    'dist',
    'site',
  ]);
  expect(readdirSync(join(root.dir, '.cache', 'wrangler'))).toEqual([]);
});

describe('a later publication', () => {
  beforeEach(() => cloudflare.sent.clear());

  test('of the same run sends only what changed, and keeps the instant at which the run became public', async () => {
    const availableAt = Date.parse('2026-11-20T04:31:00Z');
    const first = cloudflare.live!;
    cloudflare.answers.set('/api/builds', {
      status: 200,
      type: 'application/json',
      body: JSON.stringify([{ availableAt }]),
    });
    addComponent(root, 'svc', releases('2026.1', '2026.2'), { title: 'Another title' });
    commitAll(root.dir);
    await publication.build();

    const result = await publication.publish();

    expect(result.status).toBe(0);
    expect(await publication.live('svc.html')).toContain('Another title');
    expect(cloudflare.sent.size).toBeLessThan(30);
    expect([first.vars['PUBLISHED_AT'], cloudflare.live!.vars['PUBLISHED_AT']]).toEqual([
      undefined,
      new Date(availableAt).toISOString(),
    ]);
    cloudflare.answers.clear();
  });

  test('does not replace one that went live while it was sent', async () => {
    publication.record('svc', '2026.1', '2026.2', '2026.3');
    commitAll(root.dir);
    await publication.build();
    const before = cloudflare.live;
    cloudflare.during = {
      call: 'POST /workers/scripts/127-0-0-1/versions',
      happens: () =>
        cloudflare.answers.set('/SHA256SUMS', {
          status: 200,
          type: 'text/plain',
          body: `${'0'.repeat(64)}  status.json\n`,
        }),
    };

    const result = await publication.publish();

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('another publication to ');
    expect(cloudflare.live).toBe(before);
    cloudflare.during = undefined;
    cloudflare.answers.clear();
  });

  test('with a wrong token is reported without showing it', async () => {
    const refused = await publication.publishWith({ CLOUDFLARE_API_TOKEN: 'mistyped-token' });

    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(
      'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit"',
    );
    expect(refused.stderr + refused.stdout).not.toContain('mistyped-token');
  });
});

function commitAll(dir: string): void {
  const author = ['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com'];

  for (const args of [
    ['add', '.'],
    ['commit', '--quiet', '--message', 'Record a day'],
  ]) {
    execFileSync('git', ['-C', dir, ...author, ...args]);
  }
}
