import { afterAll, beforeAll, expect, test } from 'vitest';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, definition, readJsonIn } from '../../harness/root.ts';
import { answer, startUpstream, type Upstream } from '../../harness/upstream.ts';

// The statements of an upstream about its releases change from one day to the next.
const { root, served, commit, run, live, held } = openIndexInGit();
let upstream: Upstream;
let stated: { version: string; worksWith?: object }[];
const withBounds = (bounds: object) =>
  ['4.0', '4.1', '4.2', '4.3', '4.4'].map((version) => ({ version, worksWith: { svc: bounds } }));
const published = () =>
  readJsonIn<{ worksWith: { svc: object[] } }>(served, 'details/agent.json').worksWith.svc;

beforeAll(async () => {
  upstream = await startUpstream(
    () => (_, response) => answer(response, 200, 'application/json', JSON.stringify(stated)),
  );
  addComponent(root, 'svc', [{ version: '2025.1' }, { version: '2026.1' }]);
  const source = { datasource: 'json', url: `${upstream.url}releases`, transform: '$' };
  root.write('components/agent.json', definition({ title: 'The agent', sources: [source] }));
  commit('Define an agent and its server');
  stated = withBounds({ from: '2025.1' });
  expect((await run('daily', '2026-06-01')).status).toBe(0);
});

afterAll(() => upstream.close());

test('an answer that changes most of its statements is held until a person accepts it', async () => {
  stated = [...withBounds({ from: '2025.1', testedTo: '2026.1' }), { version: '4.5' }];

  expect((await run('daily', '2026-06-02')).status).toBe(1);
  expect(held()).toEqual([
    expect.objectContaining({
      cause: expect.stringMatching(/^json:/) as string,
      components: ['agent'],
      reason: '5 of 5 statements on other components would change',
    }),
  ]);
  expect(published()).toEqual([expect.not.objectContaining({ testedTo: '2026.1' })]);
  expect(live('latest/agent.txt')).toBe('4.5\n');

  await run(`accept ${held()[0]!.id}`, '2026-06-03');
  commit('Accept it');
  const taken = await run('daily', '2026-06-03');

  expect(taken.status, taken.stderr).toBe(0);
  expect(published()).toEqual([expect.objectContaining({ from: '2025.1', testedTo: '2026.1' })]);
});

test('new statements by which a fifth of the releases no longer works with something are held', async () => {
  const svc = [{ versions: '4.0 || 4.1 || 4.2', from: '2025.4', reason: 'Refused before.' }];
  const agent = readJsonIn<object>(root.dir, 'components/agent.json');
  root.write('components/agent.json', { ...agent, worksWith: { svc } });
  commit('State what the server refuses');

  expect((await run('daily', '2026-06-04')).status).toBe(1);
  expect(held()).toEqual([
    expect.objectContaining({
      cause: 'components/agent.json',
      items: ['4.0', '4.1', '4.2'].map((version) => `${version} no longer works with svc 2025.1`),
      reason: expect.stringContaining('3 of 6 releases in use would change for the worse') as string,
    }),
  ]);
  expect(published()).toEqual([expect.not.objectContaining({ reason: 'Refused before.' })]);
});
