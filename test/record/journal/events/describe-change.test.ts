import { expect, test } from 'vitest';
import { openGatedIndex } from '../../../harness/gated-index.ts';

const releases = ['1.0.0', '1.0.1', '1.0.2'].map((version) => ({
  version,
  releaseTimestamp: '2026-01-01T00:00:00Z',
}));
const deprecate = (...versions: string[]) => ({
  definition: { deprecated: [{ versions, reason: 'Loses data.' }] },
});

test('restores each release of a line, of which another is deprecated on the same day', () => {
  const index = openGatedIndex();
  index.run('2026-03-01', { releases, ...deprecate('1.0.0', '1.0.1') });

  const { events } = index.run('2026-03-02', { releases, ...deprecate('1.0.2') });
  const next = index.run('2026-03-03', { releases, ...deprecate('1.0.2') });

  expect(events.map(({ type, version, line }) => [type, version ?? line])).toEqual([
    ['deprecated', '1.0.2'],
    ['restored', '1.0.0'],
    ['restored', '1.0.1'],
  ]);
  expect(next.events).toEqual([]);
});

test('gives no reason for a version that is back, which the data may have lost', () => {
  const index = openGatedIndex();
  const { data } = index.run('2026-03-01', { releases });
  index.restore({ ...data, releases: data.releases.slice(1) });

  const lost = index.run('2026-03-02', {});
  index.restore(data);
  const restored = index.run('2026-03-03', {});

  expect([lost, restored].map(({ events }) => events)).toMatchObject([
    [{ type: 'excluded', version: '1.0.0', reason: 'data/svc.json no longer holds it.' }],
    [{ type: 'included', version: '1.0.0' }],
  ]);
  expect(restored.events[0]).not.toHaveProperty('reason');
});

test('restores a line whose releases were all deprecated for one reason', () => {
  const index = openGatedIndex();
  index.run('2026-03-01', { releases, ...deprecate('1.0.0', '1.0.1', '1.0.2') });

  const { events } = index.run('2026-03-02', { releases });

  expect(events.map(({ type, version, line }) => [type, version, line])).toEqual([
    ['restored', undefined, '1.0'],
  ]);
});
