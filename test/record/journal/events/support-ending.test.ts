import { expect, test } from 'vitest';
import type { Day } from '../../../../src/core/model/dates.ts';
import type { JournalEvent } from '../../../../src/core/schemas/recorded/journal.ts';
import { listChangeEntries } from '../../../../src/record/journal/events/change-entries.ts';
import { toPublishedEvents, describeEvent } from '../../../../src/decide/event-words.ts';
import { componentOf, recordedBy } from '../../../site/render/sites.ts';

const releases = [{ version: '1.0', releaseTimestamp: '2026-01-01' }];
const entry = '2026-01-02';

/** The journal of runs on these days, for support of some months. */
function journalOf(runs: Readonly<Record<Day, number>>): JournalEvent[] {
  return Object.entries({ [entry]: 6, ...runs }).reduce<JournalEvent[]>((known, [day, months]) => {
    const phases = [
      { name: 'active', months },
      { name: 'extended', months: 2 * months, paid: true as const },
    ];
    return recordedBy(
      componentOf(releases, { support: { policy: 'term', phases } }, { day }),
      known,
    );
  }, []);
}

const runsOn = (...days: Day[]) => Object.fromEntries(days.map((day) => [day, 6]));

test.each<[string, Record<Day, number>, string[]]>([
  [
    '90, 30 and 7 days ahead, each once',
    runsOn(
      '2026-04-01',
      '2026-04-02',
      '2026-04-03',
      '2026-05-31',
      '2026-06-01',
      '2026-06-24',
      '2026-06-25',
    ),
    ['2026-04-02: active in 90', '2026-06-01: active in 30', '2026-06-24: active in 7'],
  ],
  [
    'the nearest first after missed runs',
    runsOn('2026-06-10', '2026-06-27', '2026-06-30'),
    ['2026-06-10: active in 30', '2026-06-27: active in 7'],
  ],
  ['on it', runsOn('2026-07-01'), ['2026-07-01: active in 7']],
  ['never after it', runsOn('2026-07-02', '2026-07-03'), []],
  ['for a paid phase, too', runsOn('2026-12-26'), ['2026-12-26: extended in 7']],
  [
    'again after the end has moved',
    { '2026-06-30': 6, '2026-07-02': 7, '2026-07-03': 6, '2026-07-31': 7 },
    ['2026-06-30: active in 7', '2026-07-02: active in 30', '2026-07-31: active in 7'],
  ],
])('the end of a phase is announced %s', (_, runs, expected) => {
  const told = journalOf(runs).filter(({ type }) => type === 'support-ending');

  expect(told.map(({ at, phase, days }) => `${at.slice(0, 10)}: ${phase} in ${days}`)).toEqual(
    expected,
  );
});

test('announced ends are in lists, except those of the run with which a component enters', () => {
  const listed = listChangeEntries(
    toPublishedEvents(journalOf(runsOn('2026-06-10', '2026-12-26'))),
  );
  const told = listed.filter(({ type }) => type === 'support-ending' || type === 'added');

  expect(told.map(({ at, text }) => [at.slice(0, 10), text])).toEqual([
    [
      '2026-12-26',
      'Phase extended (paid) of release line 1.0 ends on 2027-01-01, in 7 days or less.',
    ],
    ['2026-06-10', 'Phase active of release line 1.0 ends on 2026-07-01, in 30 days or less.'],
    [entry, expect.any(String)],
  ]);
});

test('an end on an unknown day is no later than the day of the run that finds it', () => {
  const judge = (day: Day, policy: 'none' | 'ended') =>
    componentOf(releases, { support: { policy } }, { day });
  const former = recordedBy(judge(entry, 'none'), []);
  const events = recordedBy(judge('2026-02-01', 'ended'), former);
  const ended = events.filter(({ type }) => type === 'support-ended');

  expect(ended.map(describeEvent)).toEqual([
    'Support of release line 1.0 ended no later than 2026-02-01: Support has ended.',
  ]);
});

test.each<[string, object, object[]]>([
  [
    'whose latest possible end is known',
    { type: 'support-announced', toAtMost: '2026-09-30' },
    [
      {
        from: '2026-09-30',
        text: 'Phase security of release line 1.0 no longer has a stated end; it was 2026-09-30.',
      },
    ],
  ],
  [
    'that is over on an unknown day',
    { type: 'support-ended', on: '2026-01-01' },
    [{ text: 'Phase security of release line 1.0 was dropped: It has no such phase now.' }],
  ],
])('a phase %s is not said to go on where a new policy lacks it', (_, end, expected) => {
  const phases = [{ name: 'active', months: 6 }];
  const component = componentOf(
    releases,
    { support: { policy: 'term', phases } },
    { day: '2026-01-02' },
  );
  const former = recordedBy(component, []);
  const last = former.at(-1)!;
  const event = { line: '1.0', phase: 'security', id: last.id + 1, at: last.at, ...end };
  const events = recordedBy(component, [...former, event as JournalEvent]);
  const dropped = events.filter(({ type }) => type === 'support-dropped');

  expect(dropped.map((each) => ({ from: each.from, text: describeEvent(each) }))).toEqual(expected);
  expect(dropped.map(({ reason }) => reason)).toEqual(['It has no such phase now.']);
});
