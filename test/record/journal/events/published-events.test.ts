import { expect, test } from 'vitest';
import {
  joinEntries,
  type ListedChange,
} from '../../../../src/record/journal/events/published-events.ts';

test('components that a run added share an entry, which has the same id in any order', () => {
  const entries = ['edge', 'edge-node', 'svc'].map((component): ListedChange => ({
    ...{ id: `${component}/2`, at: '2026-11-20T06:00:00Z', component, type: 'added' },
    ...{ text: `${component} was added.`, headline: 'added.', subjects: ['1.0'] },
  }));

  const [joined, ...others] = joinEntries(entries);

  expect(joined).toMatchObject({ id: 'svc/2', text: '3 components were added with 3 releases.' });
  expect(others).toEqual([]);
  expect(joinEntries(entries.toReversed())).toEqual([joined]);
});
