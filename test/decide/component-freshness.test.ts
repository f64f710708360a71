import { expect, test } from 'vitest';
import type { Freshness } from '../../src/core/schemas/recorded/freshness.ts';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { describeFreshness } from '../../src/decide/component-freshness.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import { definition } from '../harness/root.ts';

const describe = (
  about: object,
  sources: Freshness['sources'],
  releases: RecordedRelease[] = [],
  day = '2026-11-20',
  events: Partial<JournalEvent>[] = [],
) =>
  describeFreshness(
    FullDefinition.parse(definition({ ...about })),
    { sources, checkedOn: '2026-11-20' },
    { releases, journal: events as JournalEvent[] },
    day,
  );

test('the last change of a component is the last one of its releases, up to the day of the site', () => {
  const releases: RecordedRelease[] = [
    { version: '1.0', firstSeen: '2026-01-01' },
    { version: '1.1', firstSeen: '2026-02-01', withdrawnSince: '2026-03-01' },
    { version: '1.2', firstSeen: '2026-02-01', deprecated: 'bad', deprecatedSince: '2026-04-01' },
  ];
  const changedOn = (day: string) => describe({}, {}, releases, day).changedOn;

  expect(['2026-05-01', '2026-03-15', '2026-03-01', '2025-12-31'].map(changedOn)).toEqual([
    '2026-04-01',
    '2026-03-01',
    '2026-03-01',
    undefined,
  ]);
});

test.each<[JournalEvent['type'], string]>([
  ['corrected', '2026-06-01'],
  ['relisted', '2026-06-01'],
  ['deprecated', '2026-01-01'],
])('a release that was %s last changed on %s', (type, changedOn) => {
  const releases = [{ version: '1.0', firstSeen: '2026-01-01' }];
  const events = [{ type, version: '1.0', on: '2026-06-01' }];

  expect(describe({}, {}, releases, '2026-11-20', events).changedOn).toBe(changedOn);
});

const npm = { datasource: 'npm', packageName: 'svc' };
const stated = {
  policy: 'stated',
  source: { datasource: 'endoflife-date', product: 'svc' },
};
const answered = { answeredOn: '2026-11-20' };
const silent = { answeredOn: '2026-11-18', failedDays: 2, reason: 'status 503', cause: 'x: 503' };
const asFailed = {
  ...{ kind: 'failed', failures: 2, reason: 'status 503', cause: 'x: 503' },
  lastAnswered: '2026-11-18',
};

test.each<[what: string, about: object, sources: Freshness['sources'], expected: object]>([
  ['nothing to ask', {}, {}, { state: 'static', failures: 0, troubles: [] }],
  [
    'only releases of its own',
    { sources: [{ datasource: 'static', releases: [{ version: '1.0' }] }] },
    {},
    { state: 'static' },
  ],
  [
    'a source that answered, and the failure of one that it no longer names',
    { sources: [npm] },
    { 'npm:svc': answered, 'npm:old': silent },
    { state: 'live', failures: 0, troubles: [], checkedOn: '2026-11-20' },
  ],
  [
    'a source that is silent',
    { sources: [npm] },
    { 'npm:svc': silent },
    { state: 'stale', failures: 2, troubles: [{ source: 'npm:svc', ...asFailed }] },
  ],
  [
    'a source that was never asked',
    { sources: [npm] },
    {},
    {
      state: 'stale',
      failures: 0,
      troubles: [{ source: 'npm:svc', kind: 'failed', reason: 'not asked yet', failures: 0 }],
    },
  ],
  [
    'a source of ends that is silent, and a catalogue that is silent for longer',
    { support: stated },
    { 'support endoflife-date:svc': silent, 'exploited:x': { ...silent, failedDays: 5 } },
    {
      state: 'stale',
      failures: 5,
      troubles: [{ source: 'support endoflife-date:svc' }, { source: 'exploited:x' }],
    },
  ],
])('the data of a component with %s', (_, about, sources, expected) => {
  expect(describe(about, sources)).toMatchObject(expected);
});
