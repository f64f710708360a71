import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../harness/run.ts';
import { openPublication, today, type TestPublication } from './publication.ts';

let publication: TestPublication;

beforeAll(async () => {
  publication = await openPublication();
  await publication.build();
});

afterAll(() => publication.close());

const publish = (...args: string[]) =>
  run(['publish', '--root', publication.root.dir, '--as-of', today, ...args]);

test('publish names each missing credential, and its remedy', async () => {
  const { status, stdout, stderr } = await publish();

  expect(status).toBe(1);
  expect(stderr).toContain(
    'error: CLOUDFLARE_API_TOKEN: is missing. Make a token from the template',
  );
  expect(stderr).toContain('error: CLOUDFLARE_ACCOUNT_ID: is missing.');
  expect(stdout).toContain('Nothing was sent.');
  expect(publication.cloudflare.calls).toEqual([]);
});

test('publish --dry-run needs no credentials, and lists the files to send', async () => {
  const result = await publish('--dry-run', '--json');

  expect(result.status).toBe(0);
  expect(publication.cloudflare.calls).toEqual([]);
  const report = JSON.parse(result.stdout) as {
    outcome: string;
    plan: { files: number; changed: string[] };
  };
  expect(report.outcome).toBe('planned');
  expect(report.plan.changed).toHaveLength(report.plan.files);
  expect(report.plan.changed).toContain('svc.json');
});

test('publish reports a wrong token without showing it', async () => {
  const result = await publication.publishWith({ CLOUDFLARE_API_TOKEN: 'mistyped-token' });

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit"',
  );
  expect(result.stderr + result.stdout).not.toContain('mistyped-token');
});
