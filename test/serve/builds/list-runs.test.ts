import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/published-index.ts';
import type { Run } from '../../../src/core/schema/recorded.ts';
import { listRuns } from '../../../src/serve/builds/list-runs.ts';
import { openRuns } from '../../harness/api.ts';

const trouble = (component: string) => ({ component, kind: 'failed', reason: 'answered 500' });

/** Runs the tool on an index with these runs. */
const list = (runs: readonly object[], input: object = {}) =>
  listRuns.answer(openIndex(openRuns(runs as Partial<Run>[])), { query: '', max: 5, ...input });

const run = (day: number, more: object = {}) => ({
  ...{ id: `aaaaaaaaaaaa${day}`, at: `2026-01-0${day}T00:00:00.000Z`, asOf: `2026-01-0${day}` },
  ...{ finishedAt: `2026-01-0${day}T00:01:00.000Z`, components: 2, asked: 3, events: 1 },
  ...more,
});

test('runs are listed with their counts and causes, the newest first', async () => {
  const waits = [{ component: 'svc', reason: 'two releases would be missing' }];
  const troubles = ['a', 'b', 'c'].map(trouble);
  const { lines, content } = await list([run(1), run(2, { troubles, waits })]);

  expect(lines).toEqual([
    '2 runs, newest first.',
    '2026-01-02T00:00:00.000Z: 3 sources of 2 components asked, 1 events recorded. a failed: answered 500, b failed: answered 500, c failed: answered 500 and 1 more',
    '2026-01-01T00:00:00.000Z: 3 sources of 2 components asked, 1 events recorded.',
  ]);
  expect(content).toEqual({
    runs: [
      {
        ...{ id: 'aaaaaaaaaaaa2', at: '2026-01-02T00:00:00.000Z' },
        asked: 3,
        events: 1,
        troubles: 3,
        waits: 1,
      },
      {
        ...{ id: 'aaaaaaaaaaaa1', at: '2026-01-01T00:00:00.000Z' },
        asked: 3,
        events: 1,
        troubles: 0,
        waits: 0,
      },
    ],
  });
});

test.each([
  [1, 'The newest 1 run, newest first.'],
  [2, 'The newest 2 runs, newest first.'],
  [3, '2 runs, newest first.'],
])('of two runs, at most %i are listed: %s', async (max, words) => {
  const { lines } = await list([run(1), run(2)], { max });

  expect(lines[0]).toBe(words);
  expect(lines).toHaveLength(Math.min(max, 2) + 1);
});
