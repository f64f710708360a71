import { expect, test } from 'vitest';
import { listUpcomingChanges } from '../../../src/core/model/upcoming-changes.ts';
import type { Phase } from '../../../src/core/schemas/definition/phase.ts';
import type { Reason } from '../../../src/core/schemas/published/reason.ts';

const day = '2026-06-01';
const old = (more: Partial<Reason>): Reason => ({ rule: 'definition', text: 'Old.', ...more });
const release = (reasons: Reason[], isDeprecated = false) => ({
  version: '1.0',
  isDeprecated,
  reasons,
});

test('the changes of a line that come without a release are listed, the soonest first', () => {
  const phases: Phase[] = [
    { name: 'active', until: '2026-05-31' },
    { name: 'security', until: '2026-12-31' },
    { name: 'extended', paid: true, untilAtMost: '2027-06-30' },
  ];
  const releases = [release([old({ from: '2026-07-01' })])];

  expect(listUpcomingChanges([{ line: '1', phases, releases }], day)).toEqual([
    {
      event: 'deprecation',
      ...{ version: '1.0', reason: 'Old.', from: '2026-07-01' },
    },
    { event: 'end of support', line: '1', from: '2026-12-31' },
    {
      event: 'end of phase',
      ...{ line: '1', phase: 'extended (paid)', atMost: '2027-06-30' },
    },
  ]);
  expect(listUpcomingChanges([{ line: '1', phases, releases: [] }], '2026-05-01')[0]).toEqual({
    event: 'end of phase',
    ...{ line: '1', from: '2026-05-31' },
    phase: 'active',
  });
});

test('an end is a change to its last day, and a deprecation to the day before', () => {
  const phases = [{ name: 'support', until: day }];
  const on = (from: string) =>
    listUpcomingChanges([{ line: '1', phases, releases: [release([old({ from })])] }], day).map(
      ({ event }) => event,
    );

  expect(on(day)).toEqual(['end of support']);
  expect(on('2026-06-02')).toEqual(['end of support', 'deprecation']);
  expect(listUpcomingChanges([{ line: '1', phases, releases: [] }], '2026-06-02')).toEqual([]);
});

test('a reason of a line is a change of its own unless its day is that after the end', () => {
  const phases = [{ name: 'support', until: '2026-12-31' }];
  const events = (from: string | undefined) =>
    listUpcomingChanges([{ line: '1', phases, reason: old({ from }), releases: [] }], day).map(
      ({ event }) => event,
    );

  expect(events('2027-01-01')).toEqual(['end of support']);
  expect(events('2026-09-01')).toEqual(['deprecation', 'end of support']);
  expect(events(undefined)).toEqual(['end of support']);
});

test('what is deprecated already is no change, and one with two bounds is open until the later', () => {
  const bounds = old({ from: '2026-01-01', fromAtMost: '2026-09-01' });

  expect(listUpcomingChanges([{ line: '1', releases: [release([bounds], true)] }], day)).toEqual(
    [],
  );
  expect(listUpcomingChanges([{ line: '1', releases: [release([bounds])] }], day)).toMatchObject([
    { from: '2026-01-01', atMost: '2026-09-01' },
  ]);
});
