import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { definition } from '../../harness/root.ts';

test('the day after a component was renamed commits that its journal was moved', async () => {
  const { root, git, commit, run } = openIndexInGit();
  const sources = [{ datasource: 'static', releases: [{ version: '1.0' }] }];
  root.write('components/svc.json', definition({ sources }));
  commit();
  expect((await run('daily', '2026-06-01')).status).toBe(0);
  rmSync(join(root.dir, 'components/svc.json'));
  root.write('components/server.json', definition({ sources, renamedFrom: ['svc'] }));
  git('mv', 'data/svc.json', 'data/server.json');
  commit();

  const day = await run('daily', '2026-06-02');

  expect(day.status, day.stderr).toBe(0);
  expect(git('ls-tree', '-r', '--name-only', 'HEAD', 'data/journal')).toBe(
    'data/journal/server.ndjson',
  );
  expect(git('status', '--porcelain')).toBe('');
});
