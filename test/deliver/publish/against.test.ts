import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathsIn } from '../../harness/root.ts';
import { run, type Run } from '../../harness/run.ts';
import { openPublication, today, type TestPublication } from './publication.ts';

let publication: TestPublication;

beforeAll(async () => {
  publication = await openPublication();
  await publication.build();
  const { root, cloudflare } = publication;
  for (const path of pathsIn(root.out)) {
    const body = readFileSync(join(root.out, path), 'utf8');
    const type = path.endsWith('.json') ? 'application/json' : 'text/plain';
    cloudflare.answers.set(`/${path}`, { status: 200, type, body });
  }
});

afterAll(() => publication.close());

describe('a check against the live site', () => {
  test('passes additions', async () => {
    publication.record('svc', '2026.1', '2026.2', '2026.3');
    await publication.build();

    const result = await check('--against-live');

    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
  });

  test('rejects a site without a live release, or of an older day', async () => {
    publication.record('svc', '2026.2');
    await publication.build('--as-of', '2026-11-19');

    const result = await check('--against-live');

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('error: svc: 2026.1: live and not in the site');
    expect(result.stderr).toContain('the site is of 2026-11-19, older than the live one');
    const [, id = ''] = /To publish all the same: accept ([0-9a-f]{10})$/m.exec(result.stderr) ?? [];
    await run(['accept', id, '--root', publication.root.dir]);
    expect((await check('--against-live')).status).toBe(0);
  });
});

test('check --against-live rejects every site while the live one cannot be read', async () => {
  publication.cloudflare.answers.set('/status.json', { status: 503 });
  const result = await check('--against-live');
  expect(result.status).toBe(1);
  expect(result.stderr).toContain('could not be read, so losses of its readers are unknown');
});

function check(...args: string[]): Promise<Run> {
  return run(['check', '--root', publication.root.dir, '--as-of', today, ...args]);
}
