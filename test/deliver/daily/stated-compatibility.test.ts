import { expect, onTestFinished, test } from 'vitest';
import { json } from '../../harness/imitated-upstream.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, definition, readJsonIn } from '../../harness/root.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

test('new statements by which a fifth of the releases no longer works with something are held', async () => {
  const { root, served, commit, run, held } = openIndexInGit();
  const releases = ['4.0', '4.1', '4.2', '4.3', '4.4'].map((version) => ({
    ...{ version, worksWith: { svc: { from: '2025.1' } } },
  }));
  const upstream = await startUpstream(() => serve(new Map([['/releases', json(releases)]])));
  onTestFinished(() => upstream.close());
  addComponent(root, 'svc', [{ version: '2025.1' }, { version: '2026.1' }]);
  const source = { datasource: 'json', url: `${upstream.url}releases`, transform: '$' };
  root.write('components/agent.json', definition({ title: 'The agent', sources: [source] }));
  commit('Define an agent and its server');
  expect((await run('daily', '2026-06-01')).status).toBe(0);
  const svc = [{ versions: '4.0 || 4.1 || 4.2', from: '2025.4', reason: 'Refused before.' }];
  const agent = readJsonIn<object>(root.dir, 'components/agent.json');
  root.write('components/agent.json', { ...agent, worksWith: { svc } });
  commit('State what the server refuses');

  expect((await run('daily', '2026-06-02')).status).toBe(1);
  expect(held()).toEqual([
    expect.objectContaining({
      cause: 'components/agent.json',
      items: ['4.0', '4.1', '4.2'].map((version) => `${version} no longer works with svc 2025.1`),
      reason: expect.stringContaining(
        '3 of 5 releases in use would change for the worse',
      ) as string,
    }),
  ]);
  const { worksWith } = readJsonIn<{ worksWith: { svc: object[] } }>(served, 'details/agent.json');
  expect(worksWith.svc).toEqual([expect.not.objectContaining({ reason: 'Refused before.' })]);
});
