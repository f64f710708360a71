import { expect, test } from 'vitest';
import { readEntriesFrom, readPublications } from '../../../src/ask/history/run-publications.ts';
import type { RecordedYears } from '../../../src/ask/history/recorded-years.ts';
import type { Run } from '../../../src/core/schemas/recorded/runs.ts';

const runAt = (day: string) => {
  const at = `${day}T00:00:00.000Z`;
  return { id: day, at, startedAt: at, finishedAt: at } as Run;
};
const runs: RecordedYears<Run> = {
  years: async () => ['2026', '2024', '2023'],
  read: async (year) => [runAt(`${year}-06-01`)],
};

test.each([
  ['2026-06-02', []],
  // The next run follows two years later, so the run of 2024 was public no earlier than that, as far as is known.
  ['2026-01-01', ['2024-06-01', '2026-06-01']],
  ['2024-01-01', ['2023-06-01', '2024-06-01', '2026-06-01']],
])('no run that was published late is missing since %s', async (since, ids) => {
  const publications = await readPublications(runs, undefined);
  const entries = await readEntriesFrom(runs, publications, Date.parse(since), Infinity);

  expect(entries.map(({ id }) => id)).toEqual(ids);
});
