import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../../src/core/model/dates.ts';
import type { Advisory } from '../../../../src/core/schemas/recorded/advisory.ts';
import type { RecordedData, StatedLine } from '../../../../src/core/schemas/recorded/recorded.ts';
import { openGatedIndex, type GatedDay, type Statement } from '../../../harness/gated-index.ts';

/* What is added, lies ahead or sounds too good is judged with everything else: each case in three variants. */

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
const linked = (host: string, some: readonly string[] = versions) =>
  releases.map((one) =>
    some.includes(one.version) ? { ...one, changelogUrl: `https://${host}/x` } : one,
  );
const handing = (change: (data: RecordedData) => Partial<RecordedData>): Statement => ({
  releases,
  data: (data) => ({ ...data, ...change(data) }),
});
const editing = (more: object): Statement => ({ releases, definition: { support, ...more } });

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
  'edits whose effect lies ahead': [
    [
      { releases },
      editing({ deprecated: [{ versions: '*', reason: 'Old.', since: addDays(start, 2) }] }),
    ],
    [
      { releases },
      editing({ deprecated: [{ versions: '>=2 <7', reason: 'Old.', since: addDays(start, 60) }] }),
    ],
    [{ releases }, editing({ support: { policy: 'ended', since: addDays(start, 40) } })],
  ],
  'recorded data that vanishes': [
    [{ releases }, handing(() => ({ releases: [] }))],
    [{ releases }, handing((data) => ({ releases: data.releases.slice(1) }))],
    [
      { releases, lines: majors.map((name) => line(name)) },
      handing(({ lines = [] }) => ({ lines: lines.slice(1) })),
    ],
  ],
  'links to another host': [
    [{ releases }, { releases: linked('evil.example') }],
    [{ releases }, { releases: linked('evil.example', versions.slice(0, 3)) }],
    [{ releases }, { releases: linked('example.com.evil.example', versions.slice(5)) }],
  ],
  'ended lines that come back': [
    [
      { releases, lines: majors.map((name, index) => line(name, index < 7 ? over : {})) },
      { releases, lines: majors.map((name) => line(name, { until: '2036-01-01' })) },
    ],
    [
      { releases, lines: majors.map((name, index) => line(name, index < 3 ? over : {})) },
      { releases, lines: majors.map((name) => line(name)) },
    ],
    [
      {
        releases,
        lines: majors.map((name, index) => line(name, index < 5 ? { until: '2026-01-31' } : {})),
      },
      {
        releases,
        lines: majors.map((name, index) => line(name, index < 5 ? { until: '2029-01-31' } : {})),
      },
    ],
  ],
  'deprecations that vanish': [
    [{ releases: deprecated(versions.slice(0, 7)) }, { releases }],
    [{ releases: deprecated(versions.slice(0, 3)) }, { releases }],
    [
      { releases: deprecated(versions.slice(0, 6)) },
      { releases: deprecated(versions.slice(0, 2)) },
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
  'two sources that take a part each': [
    [0, 1, 2],
    [0, 3, 4],
    [2, 5, 6],
  ].map((some): Case => [
    handing((data) => ({ releases: fromTwo(data) })),
    handing((data) => ({
      releases: fromTwo(data).map((one, index) =>
        some.includes(index) ? { ...one, deprecated: 'made up' } : one,
      ),
    })),
  ]),
};

function fromTwo({ releases: all }: RecordedData): RecordedData['releases'] {
  return all.map((one, index) => ({ ...one, source: index % 2 === 0 ? 'npm:x' : 'npm:y' }));
}

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
    expect(today.held).toMatchObject([{ kind: 'component', since: addDays(start, 1) }]);
    expect(offered(today)).toEqual(offered(first));
    expect(today.data).toEqual(first.data);
  }
  // One cause has one decision until it changes, and that lets it through.
  const [{ id } = { id: '' }] = days[0]!.held;
  expect(days.map(({ held }) => held[0]!.id)).toEqual([id, id, id]);
  index.accept(id);
  expect(index.run(addDays(start, 4), lie).held).toEqual([]);
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

  index.run(addDays(start, 1), lie);
  const today = index.run(addDays(start, 2), lie);

  expect(today.held).toHaveLength(1);
  expect([today.latest, today.deprecated]).toEqual(['7.0.0', ['8.0.0']]);
});

test.each([
  [
    'an end with a notice of more than 90 days',
    { lines: majors.map((name) => line(name, { until: addDays(start, 120) })) },
  ],
  ['a deprecated latest release', { releases: deprecated(['8.0.0']) }],
  ['a pulled latest release', { releases: releases.slice(0, -1) }],
  ['one release that comes back', { releases: deprecated(['1.0.0']) }],
])('%s does not wait', (_, statement) => {
  const index = openGatedIndex({ support });
  const honest = {
    releases: deprecated(['1.0.0', '2.0.0']),
    lines: majors.map((name) => line(name)),
  };
  index.run(start, { ...honest, releases });

  expect(index.run(addDays(start, 1), { ...honest, releases, ...statement }).held).toEqual([]);
});

test('of three pulled releases within a month, the second waits', () => {
  for (const days of [3, 15, 29]) {
    const index = openGatedIndex();
    index.run(start, { releases });
    const pull = (day: number, count: number) => {
      const left = { releases: releases.slice(0, -count) };
      index.run(addDays(start, day - 1), left);
      return index.run(addDays(start, day), left);
    };
    const first = pull(2, 1);
    const second = pull(2 + days, 2);

    expect([first.held.length, first.latest]).toEqual([0, '7.0.0']);
    expect(second.held).toMatchObject([{ kind: 'component' }]);
    expect(second.latest).toBe(days < 14 ? '7.0.0' : '6.0.0');
  }
});

test('the causes are what loses less when it is left out', () => {
  const index = openGatedIndex({ support });
  const lines = majors.map((name) => line(name));
  index.run(start, { releases, lines });

  const both = index.run(addDays(start, 1), {
    releases: deprecated(versions.slice(0, 4)),
    lines: majors.map((name, place) => line(name, place < 5 ? {} : over)),
    definition: { support, title: 'Another title' },
  });

  expect(both.held).toMatchObject([{ causes: ['npm:x', 'support endoflife-date:x'] }]);
});

test('a release that appears beside the cause is no cause', () => {
  for (const lie of [
    { definition: { support: { policy: 'ended', since: '2026-01-01' } } },
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
