import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../harness/root.ts';
import { run, type Run } from '../../harness/run.ts';
import { openPublication, today, type TestPublication } from './publication.ts';

let publication: TestPublication;
/** A copy of the live site. */
let copy: string;

beforeAll(async () => {
  publication = await openPublication();
  await publication.build();
  expect((await publication.publish()).status).toBe(0);
  copy = join(temporaryFolder(), 'site');
  cpSync(publication.root.out, copy, { recursive: true });
});

afterAll(() => publication.close());

describe.each([
  ['the live site', () => 'live'],
  ['an address', () => publication.cloudflare.siteUrl],
  ['a copy in a folder', () => copy],
])('a check against %s', (_, where) => {
  test('passes what only adds', async () => {
    publication.record('svc', '2026.1', '2026.2', '2026.3');
    await publication.build();

    const result = await check('--against', where());

    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
  });

  test('refuses a site without a release, or of an older day, on whichever host it is', async () => {
    publication.record('svc', '2026.2');
    await publication.build('--as-of', '2026-11-19');

    const result = await check('--against', where());

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('error: svc: 2026.1: live and not in the site');
    expect(result.stderr).toContain('the site is of 2026-11-19, older than the live one');
    expect(result.stderr).toContain(`To publish all the same: check --against ${where()} --accept`);
    expect((await check('--against', where(), '--accept')).status).toBe(0);
  });
});

test('a site that cannot be read is no reason to pass', async () => {
  publication.cloudflare.answers.set('/status.json', { status: 503 });
  const result = await check('--against', 'live');
  expect(result.status).toBe(1);
  expect(result.stderr).toContain('could not be read, so losses of its readers are unknown');

  rmSync(join(copy, 'status.json'));
  const ofFolder = await check('--against', copy);
  expect(ofFolder.status).toBe(1);
  expect(ofFolder.stderr).toContain(`error: live site: ${copy}: there is no status.json`);
});

function check(...args: string[]): Promise<Run> {
  return run(['check', '--root', publication.root.dir, '--as-of', today, ...args]);
}
