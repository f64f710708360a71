import { expect, test } from 'vitest';
import { createIndex } from '../../harness/index-folder.ts';
import { serveAnswers } from '../../harness/upstream.ts';

/** Creates an index whose component `svc` reads this registry. The source of `edge-node` is a list. */
async function createAsking(answers: Readonly<Record<string, unknown>>) {
  const registryUrl = await serveAnswers(answers);
  const index = createIndex({ plainHttpHosts: [new URL(registryUrl).host] });
  index.edit('components/svc.json', {
    sources: [{ datasource: 'npm', packageName: 'svc', registryUrl }],
  });
  index.edit('components/edge-node.json', {
    sources: [{ datasource: 'static', releases: [{ version: '1.0' }] }],
  });
  return index;
}

test('plan only warns of a source that fails, and writes nothing', async () => {
  const index = await createAsking({});
  const before = index.read('data/svc.json');

  const { status, stdout, stderr } = await index.run('plan');

  expect(status).toBe(0);
  expect(stderr).toMatch(/^warning: svc .*answered 404/m);
  expect(stderr).not.toMatch(/^error: /m);
  expect(stdout).toMatch(/^Nothing was changed\.$/m);
  expect(index.read('data/svc.json')).toBe(before);
});

test('plan lists the events of the next run', async () => {
  const versions = ['2025.1', '2026.1'].flatMap((line) =>
    [0, 1, 2, 3, 4].map((patch) => `${line}.${patch}`),
  );
  const all = Object.fromEntries([...versions, '2026.1.5'].map((version) => [version, {}]));
  const index = await createAsking({ '/svc': { versions: all } });

  const { status, stdout } = await index.run('plan', '--json');

  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    asOf: '2026-11-20',
    events: ['edge-node: added with 1 event', 'svc: added with 14 events'],
    ...{ held: [], ended: [] },
  });
});
