import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { apiOf } from '../../harness/api.ts';
import { covers } from '../../harness/covers.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { openTools } from '../../harness/mcp-clients.ts';
import { addComponent, readJsonIn } from '../../harness/root.ts';

test('a client misses nothing that was recorded on two days whose publication failed', async () => {
  covers(
    'since/:date: epoch milliseconds of when processing completed; a millisecond after the last timestamp goes on behind it, loses nothing and gives nothing twice',
  );
  const { root, served, commit, run } = openIndexInGit();
  const versions = ['1.0'];
  const day = async (date: string, version: string) => {
    versions.push(version);
    addComponent(
      root,
      'svc',
      versions.map((each) => ({ version: each })),
    );
    commit(date);
    return (await run('daily', date)).status;
  };
  const newest = () => readJsonIn<StatusFile>(served, 'status.json').runs![0]!;
  const visits: number[] = [];

  expect(await day('2026-11-10', '1.1')).toBe(0);
  const first = newest();
  const document = join(served, 'changes/2026.json');
  const whole = readFileSync(document);
  for (const [date, version] of [
    ['2026-11-11', '1.2'],
    ['2026-11-12', '1.3'],
  ] as const) {
    rmSync(document, { force: true });
    expect(await day(date, version)).toBe(1);
    expect(newest()).toEqual(first);
    visits.push(Date.now());
  }
  writeFileSync(document, whole);
  expect(await day('2026-11-13', '1.4')).toBe(0);
  expect(newest().published).toBe(first.at);
  expect(await day('2026-11-14', '1.5')).toBe(0);
  expect(newest()).toMatchObject({ asOf: '2026-11-14' });

  const ask = apiOf(served);
  const text = async (path: string) => (await ask(path)).text();
  const listed = (lines: string) =>
    Array.from(lines.matchAll(/"version":\s*"(1\.\d)"/g), ([, version]) => version);
  const late = ['1.2', '1.3', '1.4', '1.5'];
  for (const visit of visits) {
    expect(listed(await text(`/api/releases?since=${visit}`))).toEqual(late);
    const builds = await text(`/build-export/v2/builds/since/${visit}`);
    expect(builds.match(/^event: Build$/gm)).toHaveLength(late.length);
  }
  const builds = JSON.parse(await text('/api/builds')) as { availableAt: number }[];
  const [, second, third, fourth] = builds.map(({ availableAt }) => availableAt);
  // The runs of the failed days became public with the next one.
  expect(builds).toHaveLength(5);
  expect([second, third]).toEqual([fourth! - 2, fourth! - 1]);
  const client = await openTools(served, '2026-11-14');
  const date = new Date(visits[0]!).toISOString();
  const { content } = await client.callTool('changes_since', { date });
  expect(listed(JSON.stringify(content))).toEqual(late.toReversed());
  await client.close();
}, 120_000);
