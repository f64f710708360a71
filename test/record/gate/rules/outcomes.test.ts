import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../../src/core/model/dates.ts';
import type { Advisory } from '../../../../src/core/schemas/advisory.ts';
import type { RecordedData, StatedLine } from '../../../../src/core/schemas/recorded/recorded.ts';
import { openGatedIndex, type GatedDay, type Statement } from '../../../harness/gated-index.ts';

/* Each loss that waits, in three variants. */

const start: Day = '2026-03-01';
const versions = ['1.0.0', '2.0.0', '3.0.0', '4.0.0', '5.0.0', '6.0.0', '7.0.0', '8.0.0'];
const releases = versions.map((version, index) => ({
  version,
  releaseTimestamp: addDays('2024-01-01', index * 90),
  changelogUrl: `https://example.com/${version}`,
}));
const support = {
  policy: 'stated',
  source: { datasource: 'endoflife-date', product: 'x' },
};
const majors = versions.map((version) => version[0]!);
const line = (name: string, phase: object = {}): StatedLine => ({
  line: name,
  phases: [{ name: 'support', ...phase }],
});
const over = { isOver: true as const };
const high = { id: 'CVE-2026-1', affected: '<5', fixed: ['5.0.0'], severity: 'high' as const };
const critical = { id: 'CVE-2026-99', severity: 'critical' as const };
const twenty = (advisoryOf: (id: string) => Advisory | undefined) =>
  Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `CVE-2026-${index + 1}`,
      advisoryOf(`CVE-2026-${index + 1}`),
    ]),
  );
const deprecated = (some: readonly string[]) =>
  releases.map((one) => (some.includes(one.version) ? { ...one, deprecated: 'old' } : one));
const handing = (change: (data: RecordedData) => Partial<RecordedData>): Statement => ({
  releases,
  data: (data) => ({ ...data, ...change(data) }),
});
const editing = (more: object): Statement => ({ releases, definition: { support, ...more } });

const linking = (linkTo: (version: string) => string, some = versions): Statement => ({
  releases: releases.map((one) =>
    some.includes(one.version) ? { ...one, changelogUrl: linkTo(one.version) } : one,
  ),
});

/** The first day, and the lie of the second. */
type Case = readonly [before: Statement, lie: Statement];

const cases: Readonly<Record<string, readonly Case[]>> = {
  'lines that are added and over': [
    [
      { releases, lines: majors.map((name) => line(name)) },
      { releases, lines: [...majors.map((name) => line(name)), line('8.0', over)] },
    ],
    [
      { releases, lines: majors.map((name) => line(name)) },
      {
        releases,
        lines: [
          ...majors.map((name) => line(name)),
          ...majors.map((name) => line(`${name}.0`, over)),
        ],
      },
    ],
    [
      { releases, lines: [] },
      { releases, lines: majors.map((name) => line(name, over)) },
    ],
  ],
  'ends that are stated without a notice': [1, 60, 89].map((days): Case => [
    { releases, lines: majors.map((name) => line(name)) },
    { releases, lines: majors.map((name) => line(name, { until: addDays(start, 1 + days) })) },
  ]),
  'edits that end support': [1, 40, 89].map((days): Case => [
    { releases },
    editing({ support: { policy: 'ended', until: addDays(start, 1 + days) } }),
  ]),
  'recorded data that vanishes': [
    [{ releases }, handing(() => ({ releases: [] }))],
    [{ releases }, handing((data) => ({ releases: data.releases.slice(1) }))],
    [
      { releases },
      handing((data) => ({
        releases: data.releases.map((one) => ({ ...one, releaseTimestamp: '2020-01-01' })),
      })),
    ],
  ],
  'advisories that affect less': [
    [
      { releases, advisories: { [high.id]: high } },
      { releases, advisories: { [high.id]: { ...high, affected: '<2', fixed: ['2.0.0'] } } },
    ],
    [
      { releases, advisories: { [high.id]: high } },
      { releases, advisories: { [high.id]: { ...high, affected: '1.0.0' } } },
    ],
    [
      { releases, advisories: { [high.id]: { ...high, affected: '<=8' } } },
      { releases, advisories: { [high.id]: { ...high, affected: '>=4 <=8' } } },
    ],
  ],
  'advisories whose severity falls': ['low' as const, undefined, 'low' as const].map(
    (severity, index): Case => {
      const before = index < 2 ? high : { ...high, severity: 'critical' as const };
      return [
        { releases, advisories: { [high.id]: before } },
        { releases, advisories: { [high.id]: { ...high, severity } } },
      ];
    },
  ),
  'twenty advisories of which one critical advisory takes the place': [
    ['1.0.0'],
    ['1.0.0', '2.0.0', '3.0.0'],
    ['8.0.0'],
  ].map((affected): Case => [
    { releases, advisories: twenty((id) => ({ ...high, id })) },
    {
      releases,
      advisories: {
        ...twenty(() => undefined),
        [critical.id]: { ...critical, affected: affected.join(' || ') },
      },
    },
  ]),
};

const variants = Object.entries(cases).flatMap(([about, of]) =>
  of.map(([before, lie], index) => ({ name: `${about} (${index + 1})`, before, lie })),
);

const offered = ({ latest, deprecated: gone, ends, affected }: GatedDay) => ({
  latest,
  gone,
  ends,
  affected,
});

test.each(variants)('$name wait, and lose nothing for readers', ({ before, lie }) => {
  const index = openGatedIndex({ support });
  const first = index.run(start, before);
  expect(first.held).toEqual([]);

  const days = [1, 2, 3].map((count) => index.run(addDays(start, count), lie));

  for (const today of days) {
    expect(today.held).toMatchObject([{ kind: 'change', since: addDays(start, 1) }]);
    expect(offered(today)).toEqual(offered(first));
    expect(today.data).toEqual(first.data);
  }
  // One cause has one decision until it changes, and that lets it through.
  const [{ id } = { id: '' }] = days[0]!.held;
  expect(days.map(({ held }) => held[0]!.id)).toEqual([id, id, id]);
  index.accept(id);
  const accepted = index.run(addDays(start, 4), lie);
  expect(accepted.held.filter(({ kind }) => kind === 'change')).toEqual([]);
});

test.each(variants.filter(({ lie }) => lie.releases && !lie.data))(
  '$name keep no fix from readers',
  ({ before, lie }) => {
    const index = openGatedIndex({ support });
    index.run(start, before);
    const fix = { version: '8.0.1', releaseTimestamp: addDays(start, 1) };

    const today = index.run(addDays(start, 1), { ...lie, releases: [...lie.releases!, fix] });

    expect(today.held).toHaveLength(1);
    expect(today.latest).toBe('8.0.1');
    expect(today.events.map(({ type, version }) => `${type} ${version}`)).toEqual([
      'released 8.0.1',
    ]);
  },
);

test('a release that upstream pulls leaves readers although the component waits', () => {
  const index = openGatedIndex({ support });
  const lines = majors.map((name) => line(name));
  index.run(start, { releases, lines });
  const lie = { releases: releases.slice(0, -1), lines: majors.map((name) => line(name, over)) };

  const today = index.run(addDays(start, 1), lie);

  expect(today.held).toHaveLength(1);
  const next = index.run(addDays(start, 2), lie);
  expect([next.latest, next.deprecated]).toEqual(['7.0.0', ['8.0.0']]);
  expect(next.held).toMatchObject([{ since: addDays(start, 1) }]);
});

test('two greatest releases that are pulled at once wait for the second, also on the next days', () => {
  const index = openGatedIndex();
  const ten = Array.from({ length: 12 }, (_, minor) => `8.0.${minor + 1}`);
  index.run(start, { releases: [...releases, ...ten] });
  const lie = {
    releases: [...releases, ...ten].map((one) =>
      one === '8.0.12' || one === '8.0.11' ? { version: one, deprecated: 'made up' } : one,
    ),
  };

  const days = [1, 2, 40].map((count) => index.run(addDays(start, count), lie));

  expect(days.map(({ latest }) => latest)).toEqual(['8.0.11', '8.0.11', '8.0.11']);
  expect(new Set(days.map(({ held }) => held[0]?.id)).size).toBe(1);
  index.accept(days[0]!.held[0]!.id);
  expect(index.run(addDays(start, 41), lie)).toMatchObject({ held: [], latest: '8.0.10' });
});

test.each([
  [
    'an end with a notice of more than 90 days',
    { lines: majors.map((name) => line(name, { until: addDays(start, 120) })) },
  ],
  ['a deprecated latest release', { releases: deprecated(['8.0.0']) }],
  ['a pulled latest release', { releases: releases.slice(0, -1) }],
  ['what comes back', { releases }],
  [
    'another name of an advisory',
    {
      advisories: {
        [high.id]: undefined,
        'GHSA-1': { ...high, id: 'GHSA-1', aliases: [high.id] },
      },
    },
  ],
  ['an end that is later', { lines: majors.map((name) => line(name, { until: '2036-12-31' })) }],
  [
    'an end that is later for two lines',
    { lines: majors.map((name) => line(name, name < '3' ? { until: '2036-12-31' } : {})) },
  ],
  ['links to another host', linking(() => 'https://evil.example/x')],
  ['links to another owner', linking((version) => `https://example.com/evil/${version}`)],
  ['one link', linking((version) => `https://evil.example/${version}`, ['1.0.0'])],
])('%s does not wait', (_, statement) => {
  const index = openGatedIndex({ support });
  const honest = {
    releases: deprecated(['1.0.0', '2.0.0']),
    lines: majors.map((name) => line(name)),
    advisories: { [high.id]: high },
  };
  index.run(start, { ...honest, releases });

  expect(index.run(addDays(start, 1), { ...honest, releases, ...statement }).held).toEqual([]);
});

test('of three releases that are pulled within a month, each the greatest, the third waits', () => {
  const index = openGatedIndex();
  index.run(start, { releases });
  const pulled = [1, 15, 29].map((days, count) =>
    index.run(addDays(start, days), { releases: deprecated(versions.slice(-1 - count)) }),
  );

  expect(pulled.map(({ latest }) => latest)).toEqual(['7.0.0', '6.0.0', '6.0.0']);
  expect(pulled.map(({ held }) => held.length)).toEqual([0, 0, 1]);

  // What waits does not pass by time alone: the month of the others ends on day 31.
  const later = index.run(addDays(start, 60), { releases: deprecated(versions.slice(-3)) });
  expect(later.held).toMatchObject([{ id: pulled[2]!.held[0]!.id, since: addDays(start, 29) }]);
});

test('edits and sources wait by themselves, each with its own causes', () => {
  const index = openGatedIndex({ support });
  const lines = majors.map((name) => line(name));
  index.run(start, { releases, lines });

  const both = index.run(addDays(start, 1), {
    releases: deprecated(versions.slice(0, 4)),
    lines: majors.map((name, place) => line(name, place < 5 ? {} : over)),
    definition: { support, deprecated: [{ versions: '>=4', reason: 'Old.' }] },
  });

  expect(both.held).toMatchObject([
    { causes: ['components/svc.json'] },
    { causes: ['npm:x', 'support endoflife-date:x'] },
  ]);
});

test('a release that appears beside the cause is no cause', () => {
  for (const lie of [
    { definition: { support: { policy: 'ended', until: '2026-01-01' } } },
    { definition: { support: { policy: 'term', months: 1 } } },
    { definition: { support: { policy: 'latest-lines', count: 2 } } },
    { definition: { deprecated: [{ versions: '>=4', reason: 'Old.' }] } },
  ]) {
    const index = openGatedIndex({ support: { policy: 'term', months: 60 } });
    index.run(start, { releases });
    const added = { version: '9.0.0', releaseTimestamp: addDays(start, 1) };

    const today = index.run(addDays(start, 1), { ...lie, releases: [...releases, added] });

    expect(today.held).toMatchObject([{ causes: ['components/svc.json'] }]);
  }
});

test.each([0, 1, 1001])('after %i made-up versions, the honest list is sound', (count) => {
  const index = openGatedIndex();
  index.run(start, { releases });
  const flood = Array.from({ length: count }, (_, patch) => `8.0.${patch + 1}`);

  const flooded = index.run(addDays(start, 1), { releases: [...releases, ...flood] });
  const honest = index.run(addDays(start, 2), { releases });

  expect(flooded.held).toHaveLength(count > 1000 ? 1 : 0);
  expect([honest.failed, honest.held]).toEqual([[], []]);
});

test('an edit waits for losses only, not for what comes back', () => {
  const old = [{ versions: '<8', reason: 'Old.' }];
  const index = openGatedIndex({ deprecated: old });
  index.run(start, { releases });

  const today = index.run(addDays(start, 1), { releases, definition: { deprecated: undefined } });

  expect([today.held, today.deprecated]).toEqual([[], []]);
});

test('the decision about a loss answers less of it, and another loss has another decision', () => {
  const editing = (below: string) => ({
    releases,
    definition: { deprecated: [{ versions: `<${below}`, reason: 'A slip.' }] },
  });
  const index = openGatedIndex();
  index.run(start, { releases });

  const ids = ['7', '5', '6', '8'].map(
    (below, place) => index.run(addDays(start, place + 1), editing(below)).held[0]!.id,
  );
  index.accept(ids[3]!);
  const taken = index.run(addDays(start, 5), editing('5'));

  expect(ids).toEqual([ids[0], ids[0], ids[0], expect.not.stringMatching(ids[0]!)]);
  expect([taken.held, taken.deprecated]).toEqual([[], versions.slice(0, 4)]);
});

test('nothing waits before the first run, when a component has no readers', () => {
  const index = openGatedIndex();
  index.restore({ releases });

  const first = index.run(start, { releases, data: () => ({ releases: [] }) });

  expect(first.held).toEqual([]);
});
