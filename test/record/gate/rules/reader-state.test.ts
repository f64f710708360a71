import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../../src/core/model/dates.ts';
import type { JournalEvent } from '../../../../src/core/schemas/recorded/journal.ts';
import { foldJournal, type DraftEvent } from '../../../../src/decide/fold-journal.ts';
import {
  findEarlierWorse,
  findEnds,
  findWorse,
  listInUse,
  listUsable,
  noStatedEnd,
  type Step,
} from '../../../../src/record/gate/rules/reader-state.ts';
import { day, describe, ended, ends, released, takeStep, type Told } from './told-readers.ts';

const security = { phase: 'security' };
const paid = { phase: 'security', phases: ['support', 'security (paid)'] };

test.each<[string, Told[], Day | undefined, boolean]>([
  ['nothing', [], undefined, false],
  ['the end of another line', [ends('2.0', '2027-01-01')], undefined, false],
  ['its last day', [ends('1.0', day)], day, false],
  ['a day that is over', [ends('1.0', '2026-05-31')], '2026-05-31', true],
  ['an end without a day', [ended('1.0')], undefined, true],
  ['an end before its day', [ends('1.0', '2027-01-01'), ended('1.0')], '2027-01-01', true],
  [
    'a later phase',
    [ends('1.0', '2027-01-01'), ends('1.0', '2028-01-01', security)],
    '2028-01-01',
    false,
  ],
  [
    'an earlier phase after a later one',
    [ends('1.0', '2028-01-01'), ends('1.0', '2027-01-01', security)],
    '2028-01-01',
    false,
  ],
  [
    'a phase without a day after one with a day',
    [ends('1.0', '2027-01-01'), ends('1.0', undefined, security)],
    '2027-01-01',
    false,
  ],
  [
    'two phases of one day, of which the first is over',
    [ends('1.0', '2027-01-01'), ended('1.0'), ends('1.0', '2027-01-01', security)],
    '2027-01-01',
    true,
  ],
  [
    'a phase before a last one without a stated end',
    [ends('1.0', '2026-05-31', { phase: 'active', phases: ['active', 'security'] })],
    undefined,
    false,
  ],
  [
    'a paid phase',
    [ends('1.0', '2027-01-01'), ends('1.0', '2028-01-01', paid)],
    '2027-01-01',
    false,
  ],
  [
    'an earliest and a latest day',
    [ends('1.0', '2026-05-01', { toAtMost: '2026-07-01' })],
    '2026-05-01',
    false,
  ],
  [
    'a latest day that is over',
    [ends('1.0', undefined, { toAtMost: '2026-05-01' })],
    '2026-05-01',
    true,
  ],
])('the end of a line for readers who were told %s', (_, told, until, isEnded) => {
  const end = findEnds(takeStep(told).oldState, day).get('1.0') ?? noStatedEnd;
  expect(end).toEqual({ until, isEnded });
});

const five = ['1.10', '1.2', '1.3', '1.4', '1.1'].map((version) => released(version));
const twoYearsAgo = addDays(day, -730);

test.each<[string, Told[], Step['policy'], string]>([
  ['the newest three lines', five, undefined, '1.10 1.3 1.4'],
  ['all lines of a policy that counts them', five, 'latest-lines', '1.10 1.2 1.3 1.4 1.1'],
  ['an old line with an end', [...five, ends('1.1', '2027-01-01')], undefined, '1.10 1.3 1.4 1.1'],
  [
    'a line in its last phase, whose end depends on lines to come',
    [...five, ends('1.1', '2026-01-01', { phase: 'active', phases: ['active', 'security'] })],
    'latest-lines',
    '1.10 1.2 1.3 1.4 1.1',
  ],
  ['no line that is over', [...five, ends('1.4', '2026-01-01')], undefined, '1.10 1.3'],
  ['no line that is over without a day', [...five, ended('1.10')], undefined, '1.3 1.4'],
  [
    'an old line with a recent release',
    [
      ...five,
      released('1.1.1', { on: twoYearsAgo }),
      released('1.1.0', { on: addDays(day, -731) }),
    ],
    undefined,
    '1.10 1.3 1.4 1.1.1',
  ],
  [
    'what is on offer, in lines with something on offer',
    [
      ...five,
      released('1.3.1'),
      ['deprecated', { version: '1.3', rule: 'definition' }],
      ['withdrawn', { version: '1.4' }],
      ['excluded', { version: '1.10' }],
    ],
    undefined,
    '1.2 1.1 1.3.1',
  ],
  [
    'no version of a line that is no version',
    [...five, released('9.9', { line: 'main' })],
    undefined,
    '1.10 1.3 1.4',
  ],
  [
    'no old version without a line',
    [...five, released('9.9', { line: undefined })],
    undefined,
    '1.10 1.3 1.4',
  ],
])('in use are %s', (_, told, policy, versions) => {
  expect([...listInUse(takeStep(told, [], policy)).keys()].join(' ')).toBe(versions);
});

const three = [released('1.0'), released('1.1'), released('1.2', { isPrerelease: true })];
const byPolicy: Partial<DraftEvent> = { rule: 'support policy' };

test.each<[string, Told[], string[]]>([
  ['nothing', [], []],
  ['an exclusion', [['excluded', { version: '1.0' }]], ['1.0 no longer listed']],
  ['a withdrawal', [['withdrawn', { version: '1.0' }]], ['1.0 withdrawn']],
  ['a deprecation', [['deprecated', { version: '1.0', rule: 'definition' }]], ['1.0 deprecated']],
  [
    'a deprecation by the policy',
    [['deprecated', { line: '1.0', ...byPolicy }]],
    ['1.0 deprecated'],
  ],
  [
    'two prereleases, of which one was none',
    ['1.0', '1.2'].map((version) => ['corrected', { version, field: 'isPrerelease', to: 'true' }]),
    ['1.0 a prerelease'],
  ],
  ['a new line', [released('1.3')], []],
  [
    'a prerelease that is none',
    [['corrected', { version: '1.2', field: 'isPrerelease', to: 'false' }]],
    [],
  ],
])('%s makes what is in use worse', (_, events, worse) => {
  const found = findWorse(takeStep(three, events));
  expect(Array.from(found, ([version, words]) => `${version} ${words}`)).toEqual(worse);
});

test('a version that is gone is no longer listed', () => {
  const step = takeStep(three);
  expect(findWorse({ ...step, newState: foldJournal([]) }).get('1.0')).toBe('no longer listed');
});

const oldest: Told = ['deprecated', { line: '1.0', ...byPolicy }];

test.each<[string, Told[], Step['policy'], string]>([
  ['a new line', [released('1.3'), oldest], 'latest-lines', ''],
  ['a new line beside a patch', [released('1.2.1'), released('1.3'), oldest], 'latest-lines', ''],
  ['a new line under another policy', [released('1.3'), oldest], 'term', '1.0'],
  ['a patch', [released('1.1.1'), oldest], 'latest-lines', '1.0'],
  ['the first stable release of a line', [released('1.2.1'), oldest], 'latest-lines', ''],
  [
    'the prerelease of a new line',
    [released('1.3', { isPrerelease: true }), oldest],
    'latest-lines',
    '1.0',
  ],
  ['the end of an unknown line', [ends('1.3', '2027-01-01'), oldest], 'latest-lines', '1.0'],
  [
    'a person',
    [released('1.3'), ['deprecated', { line: '1.0', rule: 'definition' }]],
    'latest-lines',
    '1.0',
  ],
  [
    'a new line, and withdrawn',
    [released('1.3'), oldest, ['withdrawn', { version: '1.0' }]],
    'latest-lines',
    '1.0',
  ],
  [
    'a new line, and excluded',
    [released('1.3'), oldest, ['excluded', { version: '1.0' }]],
    'latest-lines',
    '1.0',
  ],
])('the oldest line is pushed out by %s', (_, events, policy, worse) => {
  expect([...findWorse(takeStep(three, events, policy)).keys()].join(' ')).toBe(worse);
});

test('a new line pushes out two lines at most, the oldest ones', () => {
  const before = ['1.10', '1.9', '1.8', '1.7'].map((version) => released(version));
  const ending = before.map(([, { line }]): Told => ['deprecated', { line, ...byPolicy }]);
  const step = takeStep(before, [released('1.11'), ...ending], 'latest-lines');

  expect([...findWorse(step).keys()]).toEqual(['1.10', '1.9']);
});

test('usable are the stable versions on offer, the least first', () => {
  const told = [
    released('1.10'),
    released('1.9'),
    released('2.0', { isPrerelease: true }),
    released('nightly'),
    released('1.11'),
    released('1.12'),
    ['withdrawn', { version: '1.11' }] as const,
    ['deprecated', { version: '1.12', rule: 'definition' }] as const,
  ];

  expect(listUsable(takeStep(told).oldState).map(({ text }) => text)).toEqual(['1.9', '1.10']);
});

/** A day of the journal, and what readers were told on it. */
type ToldOn = readonly [Day, ...Told[]];

const gone = (version: string): Told => ['withdrawn', { version }];
const first: ToldOn = ['2026-05-01', ...three, released('1.3'), gone('1.3')];

test.each<[string, ToldOn[], Day, string]>([
  ['nothing', [first], '2026-01-01', ''],
  ['the day itself', [first, ['2026-05-10', gone('1.0')]], '2026-05-10', ''],
  ['the next day', [first, ['2026-05-11', gone('1.0')]], '2026-05-10', '1.0'],
  [
    'two days',
    [first, ['2026-05-11', gone('1.0')], ['2026-05-12', gone('1.1')]],
    '2026-05-10',
    '1.0 1.1',
  ],
  [
    'the day before, too',
    [first, ['2026-05-09', gone('1.0')], ['2026-05-11', gone('1.1')]],
    '2026-05-10',
    '1.1',
  ],
  ['a second run of the first day', [first, ['2026-05-01', gone('1.0')]], '2026-01-01', ''],
  [
    'what is back',
    [
      first,
      ['2026-05-11', gone('1.0'), gone('1.1')],
      ['2026-05-12', ['relisted', { version: '1.0' }]],
    ],
    '2026-05-10',
    '1.1',
  ],
])('the losses after a day are those of %s', (_, days, after, worse) => {
  const journal = days.flatMap(([at, ...told], run) =>
    describe(told).map((event): JournalEvent => ({
      ...event,
      id: 1,
      at: `${at}T0${run}:00:00.000Z`,
    })),
  );
  const step = { ...takeStep([]), oldState: foldJournal(journal) };

  expect([...findEarlierWorse(journal, after, step)].join(' ')).toBe(worse);
});
