import { expect, test } from 'vitest';
import { JournalEvent } from '../../../../src/core/schemas/recorded/journal.ts';
import {
  type ChangeEntry,
  joinEntries,
  listAnnouncements,
} from '../../../../src/record/journal/events/change-entries.ts';

test('components that a run added share an entry, which has the same id in any order', () => {
  const entries = ['edge', 'edge-node', 'svc'].map((component): ChangeEntry => ({
    ...{ id: `${component}/2`, at: '2026-11-20T06:00:00Z', component, type: 'added' },
    ...{ text: `${component} was added.`, headline: 'added.', releaseCount: 1 },
  }));

  const [joined, ...others] = joinEntries(entries);

  expect(joined).toMatchObject({ id: 'svc/2', text: '3 components were added with 3 releases.' });
  expect(others).toEqual([]);
  expect(joinEntries(entries.toReversed())).toEqual([joined]);
});

test('stated release lines of an added component do not count as releases', () => {
  const day = '2026-11-20';
  const shared = { at: `${day}T06:00:00.000Z`, initial: true, on: day };
  const describeComponent = (component: string, details: object) => [
    JournalEvent.parse({ id: 1, component, ...shared, ...details }),
  ];

  const texts = listAnnouncements(
    new Map([
      ['lines', describeComponent('lines', { type: 'support-announced', line: '1', to: day })],
      ['svc', describeComponent('svc', { type: 'released', version: '1.0', line: '1' })],
    ]),
  );

  expect(texts[0]).toBe('2 components were added with 1 release.');
});
