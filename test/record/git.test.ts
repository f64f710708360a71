import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { createCopies, listReleases, openRunning } from '../harness/operated-index.ts';

const start = '2026-03-01';
const next = addDays(start, 1);
const open = createCopies(await openRunning(start, listReleases(2)));

/** Opens an index. Right after the next run commits, another clone pushes a commit that changes the file `path`. */
function openWithOtherPush(path: string) {
  const index = open();
  const other = index.clone();
  other.write(path, `${other.read(path)}\n`);
  other.commit('Describe');
  const hook = `#!/bin/sh\nrm "$0"\ngit -C ${other.root} push --quiet\n`;
  mkdirSync(join(index.root, '.git/hooks'));
  writeFileSync(join(index.root, '.git/hooks/post-commit'), hook, { mode: 0o755 });
  return index;
}

test('daily rebases its commit if somebody else pushed other files', async () => {
  const index = openWithOtherPush('README.md');

  expect(await index.commitDay(next, true)).toMatchObject({ status: 0, stderr: '' });

  expect(index.git('log', '-2', '--format=%s', 'origin/main')).toBe('data: nothing new\nDescribe');
});

test('daily does not push if somebody else pushed a definition that the run used', async () => {
  const index = openWithOtherPush('components/svc.json');

  const { status, stderr } = await index.commitDay(next, true);

  expect(stderr).toContain('git push: others have pushed components/svc.json meanwhile');
  expect(status).toBe(1);
  expect(index.git('log', '-1', '--format=%s', 'origin/main')).toBe('Describe');
});

test('daily stops if definitions or settings are not committed', async () => {
  const index = open();
  const paths = ['components/svc.json', 'components/new.json', 'site/site.json'];
  paths.forEach((path) => index.write(path, `${index.read(path)}\n`));
  index.requests.length = 0;

  const { status, stderr } = await index.commitDay(next);

  expect(status).toBe(1);
  expect(stderr.trimEnd().split('\n').sort()).toEqual(
    paths.sort().map((path) => `error: ${path} is not committed. Commit it, then run this again`),
  );
  expect(index.data.readRuns()).toHaveLength(1);
  expect(index.requests).toEqual([]);
});

test('daily reports in one line that another Git process holds the lock', async () => {
  const index = open();
  writeFileSync(join(index.root, '.git/index.lock'), '');

  const { status, stderr } = await index.commitDay(next);

  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: git add: .*index\.lock.*\n$/);
});

test('Git keeps the decisions of two people who accept at the same time', () => {
  const index = open();
  const path = 'data/decisions.ndjson';
  index.write('.gitattributes', readFileSync('site/starter/dot-gitattributes', 'utf8'));
  index.write(path, '{"id":"a"}\n');
  index.commit();
  index.git('push', '--quiet');
  const other = index.clone();
  for (const [clone, id] of [
    [other, 'b'],
    [index, 'c'],
  ] as const) {
    clone.write(path, `${clone.read(path)}{"id":"${id}"}\n`);
    clone.commit('Accept');
    clone.git('pull', '--quiet', '--rebase');
    clone.git('push', '--quiet');
  }

  expect(index.read(path)).toBe('{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n');
});
