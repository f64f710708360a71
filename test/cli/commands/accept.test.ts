import { beforeAll, expect, test } from 'vitest';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, createRoot } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

const index = openIndexInGit();

beforeAll(async () => {
  addComponent(index.root, 'svc', [{ version: '1.0' }]);
  index.commit();
  expect((await index.run('daily', '2026-06-01')).status).toBe(0);
});

test.each([
  ['svc-0123456789', 1, 'svc-0123456789: nothing has this id. Nothing waits. Nothing was written'],
  ['svc', 2, 'svc: expected the id of something that waits, such as svc-0f1e2d3c4b'],
  ['history svc', 2, 'accept history: expected no other id'],
  [
    'history',
    1,
    'history: nothing to accept: the last run is comparable, and the live site has no lost events. Nothing was written',
  ],
])('accept %s is rejected where nothing waits', async (words, status, message) => {
  const run = await index.run(`accept ${words}`, '2026-06-02');

  expect(run.status).toBe(status);
  expect(run.stderr).toContain(message);
  expect(index.git('status', '--porcelain')).toBe('');
});

test('no history is accepted while the live site cannot be read', async () => {
  const { dir } = createRoot();

  const { stderr } = await index.run(`accept history --to ${dir}`, '2026-06-02');

  expect(stderr).toBe(`error: live site: ${dir}: there is no status.json. Nothing was written\n`);
});

test('no history is accepted outside of a repository', async () => {
  const { dir } = createRoot();

  const run = await runHere(['accept', 'history', '--root', dir]);

  expect(run).toMatchObject({
    status: 1,
    stderr: 'error: history: the index is in no git repository, so no commit can be accepted\n',
  });
});
