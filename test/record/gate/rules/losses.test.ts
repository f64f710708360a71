import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../../src/core/model/dates.ts';
import type { Phase } from '../../../../src/core/schemas/definition/phase.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import { openGatedIndex, type Statement } from '../../../harness/gated-index.ts';

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

test.each([
  ['a published one takes its place', { timestampKind: 'published' as const }, 0],
  ['another observed one takes its place', {}, 1],
])('an observed day, where %s', (_, about, waiting) => {
  const undated = { releases: releases.map(({ version }) => ({ version })) };
  const edit = first({ releaseTimestamp: '2026-01-01', ...about });

  expect(heldAfter(undated, edit)).toHaveLength(waiting);
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
    'is a little less severe',
    {},
    { severity: 'medium' },
    ['CVE-2026-1 of 1.0 is medium, not high'],
  ],
  ['was never severe', { severity: 'medium' }, { severity: 'low' }, []],
  ['has another name', {}, { id: 'GHSA-1', aliases: ['CVE-2026-1'] }, []],
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
