import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../../src/core/model/dates.ts';
import type { Phase } from '../../../../src/core/schemas/definition/phase.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import type { Step } from '../../../../src/record/gate/rules/reader-state.ts';
import { findLosses, type ChangeStep } from '../../../../src/record/gate/rules/losses.ts';
import { openGatedIndex, type Statement } from '../../../harness/gated-index.ts';
import { day, describe, ends, released, takeStep, type Told } from './told-readers.ts';
import { findGrowth } from '../../../harness/growth.ts';

const start: Day = '2026-03-01';
const releases = ['1.0', '1.1', '1.2', '1.3'].map((version, index) => ({
  version,
  releaseTimestamp: addDays('2025-01-01', index * 40),
}));
const support = { policy: 'stated', source: { datasource: 'endoflife-date', product: 'x' } };

/** What waits on the day after the first, or later. */
function heldAfter(before: Statement, after: Statement, { about = {}, days = 1 } = {}) {
  const index = openGatedIndex(about);
  index.run(start, { releases, ...before });

  return index
    .run(addDays(start, days), { releases, ...before, ...after })
    .held.map(({ reason, items }) => [reason, items]);
}

const editing = (change: (release: RecordedRelease) => RecordedRelease | undefined): Statement => ({
  data: (data) => ({
    ...data,
    releases: data.releases.map(change).filter((release) => release !== undefined),
  }),
});
const first = (more: object) =>
  editing((release) => (release.version === '1.0' ? { ...release, ...more } : release));
const marked = 'a correction is marked with "corrected"';

test.each<[string, Statement, unknown[]]>([
  [
    'another day',
    first({ releaseTimestamp: '2025-01-02' }),
    [
      [
        `1 recorded value would be lost (1.0 dated 2025-01-02, not 2025-01-01T00:00:00Z); ${marked}`,
        ['1.0 dated 2025-01-02, not 2025-01-01T00:00:00Z'],
      ],
    ],
  ],
  [
    'no day',
    first({ releaseTimestamp: undefined }),
    [
      [
        `1 recorded value would be lost (1.0 dated nowhere, not 2025-01-01T00:00:00Z); ${marked}`,
        ['1.0 dated nowhere, not 2025-01-01T00:00:00Z'],
      ],
    ],
  ],
  [
    'a day that is marked',
    first({ releaseTimestamp: '2025-01-02', corrected: { on: start, reason: 'A typo.' } }),
    [],
  ],
  [
    'a release less',
    editing((release) => (release.version === '1.0' ? undefined : release)),
    [
      [
        `1 recorded value would be lost (1.0 no longer recorded); ${marked}`,
        ['1.0 no longer recorded'],
      ],
    ],
  ],
])('edited data with %s waits with its loss in words', (_, edit, held) => {
  expect(heldAfter({}, edit)).toEqual(held);
});

test('a mark of an earlier correction covers no later edit', () => {
  const corrected = { on: '2026-01-01', reason: 'A typo.' };
  const index = openGatedIndex({});
  const { data } = index.run(start, { releases });
  index.restore({ releases: data.releases.map((release) => ({ ...release, corrected })) });

  const day = { releaseTimestamp: '2025-01-02' };
  const without = index.run(addDays(start, 1), first({ ...day, corrected: undefined }));
  const again = { on: '2026-03-02', reason: 'Another one.' };
  const marked = index.run(addDays(start, 2), first({ ...day, corrected: again }));

  expect([without.held.length, marked.held.length]).toEqual([1, 0]);
});

test.each([
  ['a published one takes its place', { timestampKind: 'published' as const }, 0],
  ['a stated one takes its place', { timestampKind: undefined }, 0],
  ['another observed one takes its place', {}, 1],
])('an observed day, where %s', (_, about, waiting) => {
  const undated = { releases: releases.map(({ version }) => ({ version })) };
  const edit = first({ releaseTimestamp: '2026-01-01', ...about });

  expect(heldAfter(undated, edit)).toHaveLength(waiting);
});

test('a day for a release that has none is no loss', () => {
  const index = openGatedIndex({});
  const { data } = index.run(start, { releases });
  index.restore({ releases: data.releases.map(({ releaseTimestamp: _, ...rest }) => rest) });

  const { held } = index.run(addDays(start, 1), first({ releaseTimestamp: '2025-01-02' }));

  expect(held).toEqual([]);
});

const high = { id: 'CVE-2026-1', affected: '<1.1', fixed: ['1.1'], severity: 'high' as const };

test.each<[string, object, object | undefined, string[]]>([
  ['is gone', {}, undefined, ['1.0 no longer affected by CVE-2026-1']],
  ['is less severe', {}, { severity: 'low' }, ['CVE-2026-1 of 1.0 is low, not high']],
  [
    'has no severity',
    {},
    { severity: undefined },
    ['CVE-2026-1 of 1.0 is of no severity, not high'],
  ],
  [
    'is no longer critical',
    { severity: 'critical' },
    { severity: 'low' },
    ['CVE-2026-1 of 1.0 is low, not critical'],
  ],
  ['is a little less severe', { severity: 'critical' }, { severity: 'medium' }, []],
  ['was never severe', { severity: 'medium' }, { severity: 'low' }, []],
  ['has another name', {}, { id: 'GHSA-1', aliases: ['CVE-2026-1'] }, []],
  ['has two others', {}, { id: 'GHSA-1', aliases: ['CVE-2026-1', 'OSV-1'] }, []],
  [
    'is exploited no longer',
    { exploitedSince: '2026-01-01' },
    { exploitedSince: undefined },
    ['CVE-2026-1 of 1.0 no longer exploited'],
  ],
  ['is exploited later', { exploitedSince: '2026-01-01' }, { exploitedSince: '2026-02-01' }, []],
])('an advisory that %s waits with its loss in words', (_, before, after, items) => {
  const advisories = { 'CVE-2026-1': { ...high, ...before } };
  const later = after && { ...high, ...before, ...after };
  const held = heldAfter({ advisories }, { advisories: { 'CVE-2026-1': later } });

  expect(held).toEqual(
    items.length === 0
      ? []
      : [[`1 finding of advisories would vanish (${items.join(', ')})`, items]],
  );
});

const lines = (last: Partial<Phase>) => ({
  lines: ['1.0', '1.1', '1.2', '1.3'].map((line) => ({
    line,
    phases: [{ name: 'support', ...(line === '1.0' ? last : { until: '2028-12-31' }) }],
  })),
});
const early = (end: string) => [
  [`1 line would end too early (line 1.0 ends ${end})`, [`line 1.0 ends ${end}`]],
];

// The day of the change is 2026-03-02: 90 days later is 2026-05-31.
test.each<[Partial<Phase>, Partial<Phase>, unknown[]]>([
  [{ until: '2027-06-01' }, { until: '2027-03-03' }, []],
  [{ until: '2027-06-01' }, { until: '2027-03-02' }, early('2027-03-02 instead of 2027-06-01')],
  [{ until: '2026-06-02' }, { until: '2026-06-01' }, []],
  [{ until: '2026-06-01' }, { until: '2026-05-31' }, early('2026-05-31 instead of 2026-06-01')],
  [{ until: '2026-05-30' }, { until: '2026-05-31' }, []],
  [{}, { until: '2026-06-01' }, []],
  [{}, { until: '2026-05-31' }, early('2026-05-31 instead of on no stated day')],
  [{ until: '2027-06-01' }, { isOver: true }, early('at once instead of 2027-06-01')],
  [{ until: '2027-06-01' }, {}, []],
])('an end of support that moves from %j to %j waits if it is too early', (before, after, held) => {
  expect(heldAfter(lines(before), lines(after), { about: { support } })).toEqual(held);
});

/* One step, from events to losses. */

const list = (count: number) => Array.from({ length: count }, (_, minor) => released(`1.${minor}`));
const gone = (version: string): Told => ['withdrawn', { version }];
const restored = (version: string): Told => ['relisted', { version }];
const byPolicy = (line: string): Told => ['deprecated', { line, rule: 'support policy' }];

/** What readers lose by a step of a policy that counts lines, so that all releases are in use. */
function lose(step: Step, about: Partial<ChangeStep> = {}) {
  const change = { before: undefined, after: undefined, journal: [], acceptedOn: '', ...about };
  return findLosses({ ...step, ...change, expectedLosses: new Set(about.expectedLosses) });
}

const unstable = { isPrerelease: true };
const reasonsOf = (
  before: readonly Told[],
  after: readonly Told[],
  policy: Step['policy'] = 'latest-lines',
) => lose(takeStep(before, after, policy)).map(({ reason }) => reason);
const fall = (from: string, to: string) => `the latest release would fall from ${from} to ${to}`;

test.each<[string, Told[], Told[], string[]]>([
  ['one greatest version', list(20), [gone('1.19')], []],
  ['two greatest versions', list(20), [gone('1.18'), gone('1.19')], [fall('1.19', '1.17')]],
  ['the only version', list(1), [gone('1.0')], [fall('1.0', 'none')]],
  ['two below the greatest', list(20), [gone('1.1'), gone('1.0')], []],
  [
    'two greatest versions below three lines of prereleases',
    [...list(20), ...['2.0', '2.1', '2.2'].map((version) => released(version, unstable))],
    [gone('1.18'), gone('1.19')],
    [fall('1.19', '1.17')],
  ],
  [
    'two greatest versions below a new one',
    list(20),
    [gone('1.18'), gone('1.19'), released('1.20')],
    [],
  ],
  [
    'two spellings of a version that stays',
    [...list(20), released('v1.19'), released('1.019')],
    [gone('v1.19'), gone('1.019')],
    [],
  ],
  [
    'the greatest version above one that time ends',
    [ends('1.0', '2026-01-01'), ...list(2)],
    [byPolicy('1.0'), gone('1.1')],
    [],
  ],
  [
    'two greatest versions above one that time ends',
    [ends('1.17', '2026-01-01'), ...list(20)],
    [byPolicy('1.17'), gone('1.18'), gone('1.19')],
    [fall('1.19', '1.17')],
  ],
])('the latest release falls by the withdrawal of %s', (_, before, after, reasons) => {
  expect(reasonsOf(before, after)).toEqual(reasons);
});

const three = [gone('1.0'), gone('1.1'), gone('1.2')];
const names = '(1.0 withdrawn, 1.1 withdrawn, 1.2 withdrawn)';

test.each<[string, Told[], Told[], string[]]>([
  [
    'three of fifteen',
    list(15),
    three,
    [`3 of 15 releases in use would change for the worse ${names}`],
  ],
  ['three of sixteen', list(16), three, []],
  ['two of three', list(3), three.slice(0, 2), []],
])('%s releases are lost', (_, before, after, reasons) => {
  expect(reasonsOf(before, after)).toEqual(reasons);
});

test('losses by a decision are none', () => {
  const expectedLosses = new Set(['1.0', '1.1', '1.2']);
  expect(lose(takeStep(list(4), three, 'latest-lines'), { expectedLosses })).toEqual([]);
});

const journal = (told: readonly Told[], days: number) =>
  describe(told).map((event) => ({ ...event, id: 1, at: `${addDays(day, -days)}T05:00:00.000Z` }));
const withEarlier = [...journal(list(15), 400), ...journal(three.slice(0, 2), 20)];

test.each<[string, Told[], Partial<ChangeStep>, string[]]>([
  [
    'one more',
    three.slice(2),
    {},
    ['3 of 15 releases in use would have changed for the worse within 30 days (1.2 withdrawn)'],
  ],
  ['one more after a decision', three.slice(2), { acceptedOn: addDays(day, -20) }, []],
  ['one more after a month', three.slice(2), { day: addDays(day, 10) }, []],
  [
    'one more that has waited for ten days',
    three.slice(2),
    { day: addDays(day, 10), waitingSince: day },
    ['3 of 15 releases in use would have changed for the worse within 30 days (1.2 withdrawn)'],
  ],
  ['what comes back', [restored('1.0')], {}, []],
  ['nothing', [], { journal: [...journal(list(15), 400), ...journal(three, 20)] }, []],
])('losses add up with those of twenty days ago: %s', (_, after, about, reasons) => {
  const before = [...list(15), ...(about.journal ? three : three.slice(0, 2))];
  const losses = lose(takeStep(before, after, 'latest-lines'), { journal: withEarlier, ...about });

  expect(losses.map(({ reason }) => reason)).toEqual(reasons);
});

test('the greatest version waits where another has left readers while it waited', () => {
  const before = [...list(20), gone('1.19')];
  const told = [...journal(list(20), 400), ...journal([gone('1.19')], 5)];
  const fallen = (waitingSince: Day | undefined) =>
    lose(takeStep(before, [gone('1.18')], 'latest-lines'), { journal: told, waitingSince }).length;

  expect([undefined, addDays(day, -4), addDays(day, -5)].map(fallen)).toEqual([0, 0, 1]);
});

test('an end that is as near as before is no loss', () => {
  const before = [released('1.0'), ends('1.0', addDays(day, 20))];
  expect(lose(takeStep(before, [released('1.1')], 'stated'))).toEqual([]);
});

const endsSoon: Told = ['support-moved', { line: '1.0', phase: 'support', to: day }];

test.each<[string, Told[], Step['policy'], string[][]]>([
  [
    'an end that makes it worse',
    [endsSoon, byPolicy('1.0')],
    'stated',
    [[], ['line 1.0 ends 2026-06-01 instead of 2028-01-01']],
  ],
  [
    'a person beside an end',
    [endsSoon, ['deprecated', { version: '1.0', rule: 'definition' }]],
    'stated',
    [['1.0 deprecated'], ['line 1.0 ends 2026-06-01 instead of 2028-01-01']],
  ],
  ['a policy without an early end', [byPolicy('1.0')], 'stated', [['1.0 deprecated']]],
  ['a new line that moves ends', [endsSoon, released('1.3')], 'latest-lines', []],
  [
    'another line that ends early',
    [['corrected', { version: '1.0', field: 'line', to: '0.9' }]],
    'stated',
    [['line 0.9 ends 2026-07-01 instead of 2028-01-01']],
  ],
])('a release is told by its end, or by itself: %s', (_, after, policy, items) => {
  const before = [released('1.0'), ends('1.0', '2028-01-01'), ends('0.9', '2026-07-01')];
  expect(lose(takeStep(before, after, policy)).map((loss) => loss.items)).toEqual(items);
});

// Work that grows with the square would take 64 times as long.
test('a step with eight times as many lines takes less than 30 times as long', async () => {
  const measure = (count: number) => {
    const lines = Array.from({ length: count }, (_, minor) => ends(`1.${minor}`, '2030-01-01'));
    const step = takeStep([...list(count), ...lines]);
    const begin = process.threadCpuUsage();
    lose(step);
    return process.threadCpuUsage(begin).user;
  };

  expect(await findGrowth(measure, 500)).toBeLessThan(30);
});
