import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { definition } from '../../harness/root.ts';

test('the day after a component was renamed commits that its journal was moved', async () => {
  const { git, run } = await openRenamedIndex();

  const day = await run('daily', '2026-06-02');

  expect(day.status, day.stderr).toBe(0);
  expect(git('ls-tree', '-r', '--name-only', 'HEAD', 'data/journal')).toBe(
    'data/journal/server.ndjson',
  );
  expect(git('status', '--porcelain')).toBe('');
});

test('the day after the commit of a moved journal failed commits it', async () => {
  const { root, git, run } = await openRenamedIndex();
  const hook = join(root.dir, '.git/hooks/pre-commit');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect((await run('daily', '2026-06-02')).status).toBe(1);
  expect(git('diff', '--cached', '--name-status', '--', 'data/journal')).toMatch(/^R/);
  rmSync(hook);

  const day = await run('daily', '2026-06-03');

  expect(day.status, day.stderr).toBe(0);
  expect(git('ls-tree', '-r', '--name-only', 'HEAD', 'data/journal')).toBe(
    'data/journal/server.ndjson',
  );
  expect(git('status', '--porcelain')).toBe('');
});

/** An index whose component was renamed after its first day, and the rename committed. */
async function openRenamedIndex() {
  const index = openIndexInGit();
  const { root, git, commit, run } = index;
  const sources = [{ datasource: 'static', releases: [{ version: '1.0' }] }];
  root.write('components/svc.json', definition({ sources }));
  commit();
  expect((await run('daily', '2026-06-01')).status).toBe(0);
  rmSync(join(root.dir, 'components/svc.json'));
  root.write('components/server.json', definition({ sources, renamedFrom: ['svc'] }));
  git('mv', 'data/svc.json', 'data/server.json');
  commit();
  return index;
}
