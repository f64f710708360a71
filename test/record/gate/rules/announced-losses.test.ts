import { expect, test } from 'vitest';
import { openGatedIndex } from '../../../harness/gated-index.ts';

const releases = Array.from({ length: 8 }, (_, minor) => ({
  version: `1.${minor}`,
  releaseTimestamp: '2026-01-01',
}));
const bad = (since: string) => ({ deprecated: [{ versions: '<9', reason: 'Loses data.', since }] });

test.each<[string, Record<string, unknown>]>([
  ['tomorrow', bad('2026-06-03')],
  ['the last day of the notice', bad('2026-08-31')],
  [
    'the next month by its policy',
    { support: { policy: 'ended', until: '2030-12-31', deprecatedFrom: '2026-07-01' } },
  ],
])('an edit that deprecates everything on %s waits at once and on that day', (_, definition) => {
  const index = openGatedIndex();
  index.run('2026-06-01', { releases });

  const first = index.run('2026-06-02', { releases, definition });
  const then = index.run('2026-09-15', { releases, definition });
  const [{ id, reason } = { id: '', reason: '' }] = first.held;

  expect(reason).toContain('the latest release would fall from 1.7');
  expect(then.held).toMatchObject([{ id, since: '2026-06-02' }]);
  expect([first.latest, then.latest]).toEqual(['1.7', '1.7']);

  index.accept(id);
  const accepted = index.run('2026-09-16', { releases, definition });

  expect([accepted.held, accepted.latest]).toEqual([[], undefined]);
});

test('a deprecation that is announced longer ahead than an end needs does not wait', () => {
  const definition = bad('2026-09-01');
  const index = openGatedIndex();
  index.run('2026-06-01', { releases });

  expect(index.run('2026-06-02', { releases, definition }).held).toEqual([]);
  expect(index.run('2026-09-01', { releases, definition })).toMatchObject({
    held: [],
    latest: undefined,
  });
});
