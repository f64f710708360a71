import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { covers } from '../../harness/covers.ts';
import { connect } from '../../harness/mcp-clients.ts';
import {
  addComponent,
  createRoot,
  readJsonIn,
  removeTemporaryFolders,
  temporaryFolder,
} from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { serveSite } from '../../harness/worker.ts';

afterAll(removeTemporaryFolders);

test('a client misses nothing that was recorded on three days on which the publication was refused', async () => {
  covers(127);
  const root = createRoot({ releasesUrl: 'https://releases.example.com', hosting: 'files' });
  const to = temporaryFolder();
  const versions = ['1.0'];
  const git = (...args: string[]) => execFileSync('git', ['-C', root.dir, ...args]);
  git('init', '--quiet');
  git('config', 'user.name', 'Jane');
  git('config', 'user.email', 'jane@example.com');
  const day = async (date: string, version: string) => {
    versions.push(version);
    addComponent(
      root,
      'svc',
      versions.map((each) => ({ version: each })),
    );
    git('add', '--all');
    git('commit', '--quiet', '--message', date);
    const env = { PATH: process.env['PATH']!, NO_COLOR: '1', CI: '1' };
    const { status } = await runHere(['daily', '--root', root.dir, '--to', to, '--as-of', date], env);
    return status;
  };
  const newest = () => readJsonIn<StatusFile>(to, 'status.json').runs![0]!;
  const visits: number[] = [];

  expect(await day('2026-11-10', '1.1')).toBe(0);
  const first = newest();
  const whole = execFileSync('tar', ['-C', to, '-c', 'all.json']);
  for (const [date, version] of [
    ['2026-11-11', '1.2'],
    ['2026-11-12', '1.3'],
    ['2026-11-13', '1.4'],
  ] as const) {
    rmSync(join(to, 'all.json'), { force: true });
    expect(await day(date, version)).toBe(1);
    expect(newest()).toEqual(first);
    visits.push(Date.now());
  }
  execFileSync('tar', ['-C', to, '-x'], { input: whole });
  expect(await day('2026-11-14', '1.5')).toBe(0);
  expect(newest().published).toBe(first.at);
  expect(await day('2026-11-15', '1.6')).toBe(0);
  expect(newest()).toMatchObject({ asOf: '2026-11-15' });

  const site = await serveSite(to);
  const text = async (path: string) => (await fetch(new URL(path, site.url))).text();
  const listed = (lines: string) =>
    Array.from(lines.matchAll(/"version":\s*"(1\.\d)"/g), ([, version]) => version);
  for (const visit of visits) {
    const late = ['1.2', '1.3', '1.4', '1.5', '1.6'];
    expect(listed(await text(`/export/v1/changes/since/${visit}`))).toEqual(late);
    expect(listed(await text(`/api/releases?since=${visit}`))).toEqual(late);
    expect(
      (await text(`/build-export/v2/builds/since/${visit}`)).match(/^event: Build$/gm)!.length,
    ).toBeGreaterThan(4);
    expect(JSON.parse(await text(`/api/builds?since=${visit}`))).toHaveLength(6);
  }
  const client = await connect({ url: new URL('/mcp', site.url).href }, 'auto');
  const { content } = await client.callTool('changes_since', { date: '2026-11-14' });
  expect(listed(JSON.stringify(content))).toEqual(['1.6', '1.5']);
  await client.close();
  await site.close();
  root.remove();
}, 120_000);
