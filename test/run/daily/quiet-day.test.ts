import { expect, test } from 'vitest';
import type { Run } from '../../../src/core/schemas/recorded/journal.ts';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { npmRegistry, status } from '../../harness/npm-registry.ts';
import { definition } from '../../harness/root.ts';

/** An index of three packages, of which one cannot be read. */
async function openIndex() {
  const registry = await npmRegistry({
    svc: { '1.0.0': { at: '2026-01-01T00:00:00.000Z' } },
    edge: { '2.0.0': {} },
    closed: status(403),
  });
  const index = openIndexInGit();
  for (const packageName of registry.packages.keys()) {
    const sources = [{ datasource: 'npm', packageName, registryUrl: registry.url }];
    index.root.write(`components/${packageName}.json`, definition({ sources }));
  }
  index.commit();
  return {
    ...index,
    registry,
    lastRun: () =>
      JSON.parse(index.root.read('data/runs/2026.ndjson').trimEnd().split('\n').at(-1)!) as Run,
    status: () => JSON.parse(index.live('status.json')) as StatusFile,
    changed: () => index.git('diff', '--name-only', 'HEAD~1', 'HEAD').split('\n'),
  };
}

test('a day without news adds the line of its run, and changes nothing else', async () => {
  const index = await openIndex();
  await index.run('daily', '2026-06-01');

  for (const day of ['2026-06-02', '2026-06-03']) {
    await index.run('daily', day);

    expect(index.changed()).toEqual(['data/runs/2026.ndjson']);
    expect(index.lastRun()).toMatchObject({ asOf: day, asked: 3, answered: 2, events: 0 });
    expect(index.lastRun().troubles).toMatchObject([
      { component: 'closed', source: 'npm:closed', kind: 'failed' },
    ]);
  }

  const { components } = index.status();
  expect(components).toMatchObject({
    svc: { state: 'live', lastChecked: '2026-06-03', consecutiveFailures: 0 },
    closed: { state: 'stale', lastChecked: '2026-06-03', consecutiveFailures: 3 },
  });
});

test('a source that fails and answers again changes its file on these days only', async () => {
  const index = await openIndex();
  const listed = index.registry.packages.get('svc')!;
  await index.run('daily', '2026-06-01');
  await index.run('daily', '2026-06-02');
  index.registry.packages.set('svc', status(403));
  const files = [];
  for (const day of ['2026-06-03', '2026-06-04', '2026-06-05']) {
    await index.run('daily', day);
    files.push(index.changed().filter((file) => file.startsWith('data/freshness/')));
  }

  expect(files).toEqual([['data/freshness/svc.json'], [], []]);
  expect(index.status().components['svc']).toMatchObject({
    state: 'stale',
    consecutiveFailures: 3,
    troubles: [{ source: 'npm:svc', lastAnswered: '2026-06-02', failures: 3 }],
  });

  index.registry.packages.set('svc', listed);
  await index.run('daily', '2026-06-06');
  expect(index.status().components['svc']).toMatchObject({
    state: 'live',
    consecutiveFailures: 0,
  });
});

test('a component that a run did not ask keeps the day on which it was asked last', async () => {
  const index = await openIndex();
  await index.run('daily', '2026-06-01');
  index.root.write('data/edge.json', '{');
  await index.run('daily', '2026-06-02');

  expect(index.lastRun()).toMatchObject({ asked: 2, unasked: ['edge'] });
  expect(index.status().components).toMatchObject({
    svc: { lastChecked: '2026-06-02' },
    edge: { lastChecked: '2026-06-01' },
  });
});
