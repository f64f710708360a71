import { expect, test } from 'vitest';
import type { Definition } from '../../src/core/schema/definition.ts';
import type { Draft, Event } from '../../src/core/schema/events.ts';
import type { Recorded, RecordedRelease } from '../../src/core/schema/recorded.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { describeChanges, fold, numberEvents } from '../../src/record/journal.ts';
import { recordedRelease as release } from '../harness/recorded.ts';

const day = '2026-06-10';
const before = '2026-06-09';

interface State {
  releases?: RecordedRelease[];
  advisories?: Recorded['advisories'];
  definition?: Partial<Definition>;
}

/** The events of a state after the events so far. */
function tell(events: readonly Draft[], state: State, on = day): Draft[] {
  const { releases = [release('1.0')], advisories, definition } = state;
  const recorded: Recorded = { releases, advisories };
  const subject = { name: 'svc', definition: { sources: [], ...definition } as never, recorded };
  const [component] = judgeAll([subject], on);
  return describeChanges(fold(events), component!, recorded, on);
}

interface Case {
  from?: State;
  to: State;
  expected: Draft[];
}

const term = (months: number): Partial<Definition> => ({ support: { policy: 'term', months } });
const patched = [release('1.0'), release('1.1', { releaseTimestamp: '2026-06-10T08:00:00Z' })];
const advisory = { id: 'CVE-1-1', affected: '<1.1', source: 'osv' };
const osv = { sources: [{ datasource: 'osv' as const }] };

const cases: Record<string, Case> = {
  'nothing moved': { to: {}, expected: [] },
  'a release comes': {
    to: { releases: patched },
    expected: [{ type: 'released', on: day, version: '1.1', line: '1.1' }],
  },
  'a prerelease comes that was only observed': {
    to: {
      releases: [
        release('1.0'),
        release('1.1-rc1', { releaseTimestamp: day, timestampKind: 'observed' }),
      ],
    },
    expected: [
      {
        type: 'released',
        on: day,
        version: '1.1-rc1',
        line: '1.1',
        isObserved: true,
        isPrerelease: true,
      },
    ],
  },
  'a release is withdrawn': {
    to: { releases: [release('1.0', { withdrawnSince: day })] },
    expected: [{ type: 'withdrawn', on: day, version: '1.0' }],
  },
  'it is listed again': {
    from: { releases: [release('1.0', { withdrawnSince: before })] },
    to: {},
    expected: [{ type: 'relisted', on: day, version: '1.0' }],
  },
  'the definition no longer admits it': {
    from: { releases: [release('1.0'), release('1.1')] },
    to: { releases: [release('1.1')] },
    expected: [{ type: 'excluded', on: day, version: '1.0' }],
  },
  'upstream deprecates it': {
    to: { releases: [release('1.0', { deprecated: 'leaks', deprecatedSince: day })] },
    expected: [
      { type: 'deprecated', on: day, version: '1.0', reason: 'Deprecated upstream: leaks' },
    ],
  },
  'upstream takes that back': {
    from: { releases: [release('1.0', { deprecated: 'leaks', deprecatedSince: before })] },
    to: {},
    expected: [{ type: 'restored', on: day, version: '1.0' }],
  },
  'a person corrects a day': {
    to: { releases: [release('1.0', { releaseTimestamp: '2026-01-02' })] },
    expected: [
      {
        type: 'corrected',
        on: day,
        version: '1.0',
        field: 'day',
        from: '2026-01-01',
        to: '2026-01-02',
      },
    ],
  },
  'a person corrects a link': {
    from: { releases: [release('1.0', { changelogUrl: 'https://a.example' })] },
    to: { releases: [release('1.0', { changelogUrl: 'https://b.example' })] },
    expected: [
      {
        type: 'corrected',
        on: day,
        version: '1.0',
        field: 'link',
        from: 'https://a.example',
        to: 'https://b.example',
      },
    ],
  },
  'a template of links tells nothing': {
    to: { definition: { releaseChangelogUrl: { template: 'https://a.example/{version}' } } },
    expected: [],
  },
  'its bytes are others': {
    to: { releases: [release('1.0', { republishedOn: day })] },
    expected: [{ type: 'republished', on: day, version: '1.0' }],
  },
  'an end is stated': {
    to: { definition: term(12) },
    expected: [
      {
        type: 'support-changed',
        on: day,
        line: '1.0',
        to: '2027-01-01',
        reason: expect.any(String) as never,
      },
    ],
  },
  'an end comes close': {
    from: { definition: term(6) },
    to: { definition: term(8) },
    expected: [
      {
        type: 'support-changed',
        on: day,
        line: '1.0',
        from: '2026-07-01',
        to: '2026-09-01',
        reason: expect.any(String) as never,
      },
      {
        type: 'support-ending',
        on: '2026-09-01',
        line: '1.0',
        reason: expect.any(String) as never,
      },
    ],
  },
  'an advisory is published, and another one withdrawn': {
    from: { advisories: [advisory], definition: osv },
    to: { advisories: [{ ...advisory, id: 'CVE-1-2', published: before }], definition: osv },
    expected: [
      { type: 'advisory-published', on: before, advisory: 'CVE-1-2', to: '<1.1' },
      { type: 'advisory-withdrawn', on: day, advisory: 'CVE-1-1' },
    ],
  },
  'an advisory affects other versions': {
    from: { advisories: [advisory], definition: osv },
    to: { advisories: [{ ...advisory, affected: '<1.2' }], definition: osv },
    expected: [{ type: 'advisory-changed', on: day, advisory: 'CVE-1-1', to: '<1.2' }],
  },
  'the component is replaced': {
    to: { definition: { replacedBy: 'other' } },
    expected: [{ type: 'replaced', on: day, to: 'other' }],
  },
};

test.for(Object.entries(cases))('%s', ([, { from = {}, to, expected }]) => {
  const first = tell([], from, before);

  const events = tell(first, to);

  expect(events).toEqual(expected);
  expect(tell([...first, ...events], to), 'told twice').toEqual([]);
});

test('a reminder and an end are told once, also if no run was on their days', () => {
  const state = { definition: term(6) };
  const told: Draft[] = tell([], state, '2026-02-01');
  const days = ['2026-03-01', '2026-04-20', '2026-06-20', '2026-07-09', '2026-07-10'];

  const types = days.map((on) => {
    const events = tell(told, state, on);
    told.push(...events);
    return events.map(({ type, on: since }) => `${type} ${since}`);
  });

  expect(types).toEqual([[], ['support-ending 2026-07-01'], [], ['support-ended 2026-07-01'], []]);
});

test('events are numbered after the recorded ones, and the first of a component say so', () => {
  const drafts: Draft[] = [{ type: 'withdrawn', on: day, version: '1.0' }];
  const at = '2026-06-10T01:00:00.000Z';
  const first = numberEvents([], drafts, at);

  expect(first).toEqual([{ id: 1, at, ...drafts[0], initial: true }]);
  expect(numberEvents(first, drafts, at)).toEqual([{ id: 2, at, ...drafts[0] }]);
});

const formerEvents: Draft[] = [
  { type: 'released', on: '2020-01-01', version: '1.0', line: '1.0', timestampKind: 'published' },
  { type: 'released', on: '2020-02-01', version: '1.1', line: '1.1' },
  { type: 'support-announced', on: before, line: '1.0', to: '2021-01-01' },
  { type: 'deprecated', on: before, version: '1.0', rule: 'support policy', reason: 'ended' },
  { type: 'deprecated', on: before, line: '1.1', rule: 'definition', reason: 'leaks' },
];

test('journals in the former form are read, too', () => {
  const { releases, lines } = fold(formerEvents as Event[]);

  expect(releases.get('1.0')).toMatchObject({ day: '2020-01-01', isPrerelease: false });
  expect([...releases.values()].map(({ deprecated }) => deprecated)).toEqual([undefined, 'leaks']);
  expect(lines.get('1.0')).toEqual({ until: '2021-01-01', progress: 'open' });
});
