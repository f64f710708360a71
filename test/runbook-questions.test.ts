import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';
import { siteOfFixtureIndex } from './harness/site.ts';
import { serveSite, type ServedSite } from './harness/worker.ts';

const home = 'https://releases.example.com/';
const commands = readFileSync(join(checkout, '.github/SETUP.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('curl ') && line.includes(home));

let site: ServedSite;

beforeAll(async () => {
  site = await serveSite(siteOfFixtureIndex());
});

afterAll(() => site.close());

/** What comes of a command of the page, where the host answers it. */
async function asked(part: string): Promise<string> {
  const command = commands.find((line) => line.includes(part))!;
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(home, site.url)]);
  return stdout;
}

test('the page about setup asks for releases', async () => {
  const found = JSON.parse(await asked('/api/releases')) as Record<string, unknown>[];

  expect(found.length).toBeGreaterThan(0);
  for (const release of found) {
    expect(release).toMatchObject({
      isLatestOfLine: true,
      supportLeft: expect.any(String) as string,
    });
  }
});

test('the page about setup asks what a policy says', async () => {
  expect(JSON.parse(await asked('/policy-scans/'))).toMatchObject([
    { status: 'unsatisfied', details: { component: 'svc', version: '2025.1' } },
  ]);
});

test('the page about setup asks for what is new since a day', async () => {
  const found = JSON.parse(await asked('?since=')) as { availableAt: string }[];

  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ availableAt }) => availableAt >= '2026-01-31')).toBe(true);
});

test('the page about setup asks nothing else', () => {
  expect(commands).toHaveLength(3);
});
