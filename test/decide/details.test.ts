import { expect, test } from 'vitest';
import type { Definition } from '../../src/core/schemas/definition/definition.ts';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import { describeDetails } from '../../src/decide/details.ts';
import { componentOf, recordedBy } from '../site/render/sites.ts';

const releases = [
  { version: '2025.1', releaseTimestamp: '2025-04-08' },
  { version: '2025.1.3', releaseTimestamp: '2025-09-01' },
  { version: '2025.2', releaseTimestamp: '2025-07-15' },
  { version: '2026.1', releaseTimestamp: '2026-03-01' },
];

/** As of a day, with the data recorded on it. */
function judged(day: string, about: Partial<Definition>, journal: readonly JournalEvent[] = []) {
  const component = componentOf(releases, about, { day });
  return { ...component, journal: recordedBy(component, journal) };
}

const dated = (lines: Record<string, string>): Partial<Definition> => ({
  support: { policy: 'dated', lines },
});

test('an end of support states its line and its announcement', () => {
  const first = judged('2026-04-01', dated({ '2025.1': '2026-10-08', '2025.2': '2027-01-15' }));
  const moved = judged(
    '2026-05-01',
    dated({ '2025.1': '2026-12-01', '2025.2': '2027-01-15' }),
    first.journal,
  );

  expect(describeDetails(moved).ends).toEqual([
    { line: '2025.1', statedSince: '2026-05-01' },
    { line: '2025.2', statedSince: '2026-04-01' },
  ]);
  expect(describeDetails({ ...moved, journal: [] }).ends).toBeUndefined();

  const again = first.journal
    .filter(({ type }) => type === 'support-announced')
    .map((event) => ({ ...event, on: '2026-04-20' }));
  expect(again).toHaveLength(2);
  expect(
    describeDetails({ ...first, journal: [...first.journal, ...again] }).ends,
    'an end that is stated again keeps its day',
  ).toEqual(describeDetails(first).ends);
});

test('an end states the phase of a line with several, and not what the journal states otherwise', () => {
  const days = { active: '2026-06-30', security: '2026-12-31' };
  const first = judged('2026-04-01', {
    support: { policy: 'dated', lines: { '2025.1': days } },
  });
  const dropped = judged('2026-05-01', { support: { policy: 'none' } }, first.journal);
  const edited = judged('2026-05-01', dated({ '2025.1': '2027-12-31' }));
  const announced = judged('2026-04-01', dated({ '2025.1': '2026-12-31' }));

  expect(describeDetails(first).ends).toEqual([
    { line: '2025.1', phase: 'active', statedSince: '2026-04-01' },
    { line: '2025.1', phase: 'security', statedSince: '2026-04-01' },
  ]);
  expect(describeDetails({ ...first, journal: dropped.journal }).ends).toBeUndefined();
  for (const { journal } of [first, announced]) {
    expect(describeDetails({ ...edited, journal }).ends).toBeUndefined();
  }
});
