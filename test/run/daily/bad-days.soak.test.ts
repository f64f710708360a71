import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { openIndex, type TestIndex } from './index-of-three.ts';

let index: TestIndex;

beforeAll(async () => {
  index = await openIndex();
  await index.runDay('2026-10-20');
});

afterAll(() => index.close());

test('a day whose commit cannot be pushed publishes nothing, and neither does the next run', async () => {
  index.packages.svc.push('2026.7');
  const hook = '#!/bin/sh\necho "the branch is protected" >&2\nexit 1\n';
  writeFileSync(join(index.remote, 'hooks/pre-receive'), hook, { mode: 0o755 });

  const [broken, again] = [await index.runDay('2026-10-21'), await index.runDay('2026-10-21')];

  for (const { status, stderr } of [broken, again]) {
    expect(status).toBe(1);
    expect(stderr).toContain('the branch is protected');
  }
  expect(broken.stderr).toContain('Nothing was published.');
  expect(again.stdout).toContain('daily: nothing to commit.');
  expect(index.versions('svc')).not.toContain('2026.7');
});

test('the next run pushes and publishes what was committed, once it can be pushed', async () => {
  rmSync(join(index.remote, 'hooks/pre-receive'));

  const good = await index.runDay('2026-10-21');

  expect(good.status).toBe(0);
  expect(good.stdout).toMatch(/daily: pushed [0-9a-f]{10}\./);
  expect(index.git('rev-parse', 'HEAD')).toBe(index.git('rev-parse', 'origin/main'));
  expect(index.versions('svc')).toContain('2026.7');
});

test('a day goes on top of the commits that others have pushed', async () => {
  index.packages.svc.push('2026.8');
  index.elsewhere('Say what this is', (folder) =>
    writeFileSync(join(folder, 'README.md'), 'theirs\n'),
  );

  const good = await index.runDay('2026-10-22');

  expect(good.status).toBe(0);
  expect(index.versions('svc')).toContain('2026.8');
  expect(index.git('rev-parse', 'HEAD')).toBe(index.git('rev-parse', 'origin/main'));
  expect(index.git('log', '--format=%s', '-3').split('\n')).toContain('Say what this is');
});

test.each([
  {
    name: 'no branch is checked out',
    day: '2026-10-23',
    spoil: () => index.git('checkout', '--quiet', '--detach'),
    says: 'git push: fatal: You are not currently on a branch.',
  },
  {
    name: 'no author is configured',
    day: '2026-10-24',
    spoil: () => index.git('config', '--unset', 'user.email'),
    says: 'Set one: git config user.name and git config user.email. Nothing was published.',
  },
])('daily reports that $name', async ({ day, spoil, says }) => {
  spoil();

  const result = await index.runDay(day, { HOME: index.remote });

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(says);
});

test('a day that is stopped leaves no report, also not that of an earlier day', async () => {
  expect(existsSync(join(index.root.dir, '.cache/daily.json'))).toBe(true);
  index.upstream.isHanging = true;

  const stopped = await runCli(['daily', '--root', index.root.dir, '--as-of', '2026-10-25'], {
    onStart: (child) => void index.upstream.asked.then(() => child.kill('SIGTERM')),
  });

  expect(stopped.status).toBe(143);
  expect(existsSync(join(index.root.dir, '.cache/daily.json'))).toBe(false);
});
