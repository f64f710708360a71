import { expect, test } from 'vitest';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent } from '../../harness/root.ts';

const releases = Array.from({ length: 8 }, (_, place) => ({
  ...{ version: `1.${place}`, releaseTimestamp: '2026-01-01' },
}));
const bad = (since: string) => ({ deprecated: [{ versions: '<9', reason: 'Loses data.', since }] });

async function editAfterADay(edit: object) {
  const index = openIndexInGit();
  addComponent(index.root, 'svc', releases);
  index.commit();
  expect((await index.run('daily', '2026-06-01')).status).toBe(0);
  addComponent(index.root, 'svc', releases, edit);
  index.commit();
  return index;
}

test.each<[string, object]>([
  ['tomorrow', bad('2026-06-03')],
  ['the last day of the notice', bad('2026-08-31')],
  [
    'the next month by its policy',
    { support: { policy: 'ended', until: '2030-12-31', deprecatedFrom: '2026-07-01' } },
  ],
])('an edit that deprecates everything on %s waits at once and on that day', async (_, edit) => {
  const index = await editAfterADay(edit);

  const first = await index.run('daily', '2026-06-02');
  const [held] = index.held();
  const then = await index.run('daily', '2026-09-15');

  expect(first.status).toBe(1);
  expect(first.stderr).toContain('waits since 2026-06-02: the latest release would fall from 1.7');
  expect(then.stderr).toContain('waits since 2026-06-02');
  expect(index.held()).toMatchObject([{ id: held!.id, since: '2026-06-02' }]);
  expect(index.live('latest/svc.txt')).toBe('1.7\n');

  await index.run(`accept ${held!.id}`, '2026-09-16');
  index.commit('Accept');
  const accepted = await index.run('daily', '2026-09-16');

  expect(accepted.status).toBe(0);
  expect(index.live('latest/svc.txt')).toBe('404');
});

test('a deprecation that is announced longer ahead than an end needs does not wait', async () => {
  const index = await editAfterADay(bad('2026-09-01'));

  expect((await index.run('daily', '2026-06-02')).status).toBe(0);
  expect((await index.run('daily', '2026-09-01')).status).toBe(0);
  expect(index.live('latest/svc.txt')).toBe('404');
});
