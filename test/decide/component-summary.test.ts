import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { nameInIds } from '../../src/decide/component.ts';
import { summarise } from '../../src/decide/component-summary.ts';
import { judgeRecorded } from '../../src/decide/judge.ts';
import { describeDetails } from '../../src/decide/details.ts';
import { listEndsAhead } from '../../src/decide/ends-of-support.ts';
import { release } from '../harness/judging.ts';
import { componentOf, definitionOf } from '../site/render/sites.ts';
import { findGrowth } from '../harness/growth.ts';

type About = NonNullable<Parameters<typeof componentOf>[1]>;

const summaryOf = (releases: RecordedRelease[], about: About = {}) =>
  summarise(componentOf(releases, about));

const npm = { datasource: 'npm', packageName: 'svc' } as const;
const docker = { datasource: 'docker', packageName: 'example/svc' } as const;
const osv = { datasource: 'osv' } as const;
const [onNpm, onDocker, onBoth] = [
  ['npm:svc'],
  ['docker:example/svc'],
  ['npm:svc', 'docker:example/svc'],
];

/** Releases in version order, each with the sources that list it. */
const listedBy = (...sources: (readonly string[])[]): RecordedRelease[] =>
  sources.map(([source, ...alsoListedBy], index) =>
    release(`1.${index}`, undefined, {
      source,
      ...(alsoListedBy.length > 0 && { alsoListedBy }),
    }),
  );

test.each<
  [what: string, releases: RecordedRelease[], sources: About['sources'], complete: string[]]
>([
  ['nothing was gathered from a single source', [], [npm], ['npm']],
  ['nothing was gathered from two', [], [npm, docker], []],
  ['nothing was gathered from one beside advisories', [], [npm, osv], ['npm']],
  ['a component has only advisories', [], [osv], []],
  ['all releases are recorded by hand', [release('1.0')], [npm], ['npm']],
  ['a source lists all', listedBy(onNpm!, onNpm!), [npm, docker], ['npm']],
  ['a source began later', listedBy(onNpm!, onBoth!, onBoth!), [npm, docker], ['npm', 'docker']],
  ['a source has a gap', listedBy(onBoth!, onNpm!, onBoth!), [npm, docker], ['npm']],
  ['a source has stopped', listedBy(onBoth!, onBoth!, onDocker!), [npm, docker], ['docker']],
  ['a release is recorded by hand', [release('0.9'), ...listedBy(onNpm!)], [npm], ['npm']],
  ['a later release is recorded by hand', [...listedBy(onNpm!), release('1.5')], [npm], []],
  [
    'a source lacks only what is deprecated',
    [...listedBy(onBoth!), release('1.5', undefined, { source: 'npm:svc', deprecated: 'Bad.' })],
    [npm, docker],
    ['npm', 'docker'],
  ],
])('packages are complete where %s', (_, releases, sources, complete) => {
  const { packageSources } = summaryOf(releases, { sources: sources! });

  expect(packageSources.map(({ datasource }) => datasource)).toEqual(complete);
});

test('a summary has the lines that are supported or have an end, with their days and what to move to', () => {
  const support = {
    policy: 'dated',
    lines: { '1.0': '2026-01-31', '1.1': '2026-07-31', '1.2': '2028-01-31' },
  } as const;
  const releases = [
    release('1.0', '2025-02-01'),
    release('1.0.1', '2025-01-01'),
    release('1.0.2'),
    release('1.1', '2025-06-01'),
    release('1.2', '2026-01-01'),
    release('2.0', '2026-06-01'),
  ];

  expect(summaryOf(releases, { support }).lines).toMatchObject([
    {
      ...{ name: '1.0', state: 'ended', isSupported: false, moveTo: '2.0' },
      releaseDays: ['2025-01-01', '2025-02-01'],
    },
    { name: '1.1', state: 'ends-soon', isSupported: true, moveTo: '2.0' },
    { name: '1.2', state: 'supported', isSupported: true, moveTo: '' },
  ]);
});

test('a line without a known end is in a summary while it is supported', () => {
  const releases = ['1.0', '1.1', '1.2'].map((version) => release(version));

  expect(
    summaryOf(releases, { support: { policy: 'latest-lines', count: 2 } }).lines.map(
      ({ name }) => name,
    ),
  ).toEqual(['1.1', '1.2']);
});

test.each<[what: string, releases: RecordedRelease[], expected: object]>([
  [
    'its best release, with the link of that',
    [release('2.0', undefined, { changelogUrl: 'https://example.com/2.0' }), release('2.1-rc1')],
    { version: '2.0', changelogUrl: 'https://example.com/2.0' },
  ],
  [
    'its best release, with the link of the component',
    [release('1.0', undefined, { changelogUrl: 'https://example.com/1.0' }), release('2.0')],
    { version: '2.0', changelogUrl: 'https://example.com/edge' },
  ],
  ['no release', [], { version: undefined, changelogUrl: 'https://example.com/edge' }],
])('a component is replaced by another with %s', (_, releases, expected) => {
  const about = { title: 'Edge', changelogUrl: 'https://example.com/edge', prereleases: true };
  const replacement = componentOf(releases, about, { name: 'edge' });

  expect(summarise({ ...componentOf([]), replacement }).replacement).toEqual({
    ...{ name: 'edge', title: 'Edge' },
    ...expected,
  });
});

test('a release that is withdrawn only later is still the stop of an upgrade', () => {
  const later = release('1.5.1', '2025-07-01', { withdrawnSince: '2099-01-01' });
  const { upgradeBounds } = summaryOf([release('1.0'), release('1.5'), later], {
    upgradeStops: ['1.5'],
  });

  expect(upgradeBounds).toMatchObject([{ below: '1.5', to: { version: '1.5.1' } }]);
});

test('a summary names the versions that each advisory affects, and bounds each step of an upgrade', () => {
  const releases = ['1.0', '1.5', '2.0', '2.5', '3.0'].map((version) => release(version));
  const { advisories, upgradeBounds } = summaryOf(releases, {
    upgradeStops: ['2.0', '1.5'],
    advisories: [
      { id: 'CVE-2026-1', affected: '<2' },
      { id: 'CVE-2026-2', affected: '=2.5' },
    ],
  });

  expect(advisories.map(({ advisory, versions }) => [advisory.id, versions])).toEqual([
    ['CVE-2026-1', ['1.0', '1.5']],
    ['CVE-2026-2', ['2.5']],
  ]);
  expect(upgradeBounds).toMatchObject([
    { from: undefined, below: '1.5', to: { version: '1.5' } },
    { from: '1.5', below: '2.0', to: { version: '2.0' } },
  ]);
});

// Work that grows with the square would take 64 times as long.
test('a summary of eight times as many advisories takes less than 30 times as long', async () => {
  const releases = Array.from({ length: 60 }, (_, index) => release(`1.0.${index}`));
  const makeComponent = (count: number) => {
    const advisories = Array.from({ length: count }, (_, index) => ({
      id: `CVE-2026-${index}`,
      affected: '*',
      source: 'osv',
    }));
    const judged = judgeRecorded(
      'svc',
      definitionOf({ sources: [osv] }),
      { releases, advisories },
      '2026-06-30',
    );
    return { ...componentOf([]), ...judged };
  };
  const measure = (count: number) => {
    const component = makeComponent(count);
    const start = process.threadCpuUsage();
    summarise(component);
    return process.threadCpuUsage(start).user;
  };

  expect(await findGrowth(measure, 500)).toBeLessThan(30);
});

test('of a stop and another in its line, the lower release bounds the upgrade', () => {
  const releases = ['16.2.0', '17.3.7', '17.9.1', '18.0'].map((version) => release(version));
  const { upgradeBounds } = summaryOf(releases, { upgradeStops: ['17', '17.3', '18.0'] });

  expect(upgradeBounds).toMatchObject([
    { from: undefined, below: '17.3', to: { version: '17.3.7' } },
    { from: '17.3', below: '18.0', to: { version: '18.0' } },
  ]);
});

test('ids contain the first name of a component', () => {
  const definition = definitionOf({ renamedFrom: ['first', 'second'] });

  expect(nameInIds({ name: 'third', definition })).toBe('first');
  expect(nameInIds({ name: 'third', definition: definitionOf({}) })).toBe('third');
});

test('an advisory of a source that is gone, and an entry of a catalogue, affect nothing by themselves', () => {
  const advisory = { id: 'CVE-2026-1', affected: '*' };
  const advisoriesFrom = (source: string, more = {}) =>
    judgeRecorded(
      'svc',
      definitionOf({ sources: [npm, osv] }),
      { releases: [release('1.0')], advisories: [{ ...advisory, source, ...more }] as never },
      '2026-06-30',
    ).judgement.releases[0]!.advisories;

  expect(advisoriesFrom('osv')).toHaveLength(1);
  expect(advisoriesFrom('osv:gone')).toEqual([]);
  expect(advisoriesFrom('exploited:x', { affected: undefined })).toEqual([]);
});

const seen = (version: string, day: string, firstSeen?: string) =>
  release(version, day, { firstSeen, source: 'npm:svc' });

test.each<
  [
    what: string,
    releases: RecordedRelease[],
    seenWhenReleased: true | undefined,
    firstSeen: (string | undefined)[],
  ]
>([
  ['all on their days', [seen('1.0', '2026-01-01', '2026-01-01')], true, [undefined]],
  [
    'one on its day and one later',
    [seen('1.0', '2026-01-01', '2026-01-01'), seen('1.1', '2026-02-01', '2026-02-02')],
    true,
    [undefined, '2026-02-02'],
  ],
  ['none on its day', [seen('1.0', '2026-01-01', '2026-01-02')], undefined, ['2026-01-02']],
  [
    'one on its day and one on a day that is not known',
    [seen('1.0', '2026-01-01', '2026-01-01'), seen('1.1', '2026-02-01')],
    undefined,
    ['2026-01-01', undefined],
  ],
  [
    'one on its day, beside one of which no day is known',
    [seen('1.0', '2026-01-01', '2026-01-01'), release('1.1', undefined, { source: 'npm:svc' })],
    true,
    [undefined, undefined],
  ],
  [
    'one without a day',
    [release('1.0', undefined, { firstSeen: '2026-01-01' })],
    undefined,
    ['2026-01-01'],
  ],
])(
  'details state once that releases were first seen %s',
  (_, releases, isSeenWhenReleased, firstSeen) => {
    const details = describeDetails(componentOf(releases, { sources: [npm] }));

    expect(details.isSeenWhenReleased).toBe(isSeenWhenReleased);
    expect(details.releases.map((each) => each.firstSeen)).toEqual(firstSeen);
  },
);

test('details name each source of releases and each package once, and of a release the sources that differ', () => {
  const releases = listedBy(onBoth!, onNpm!);
  const details = describeDetails(componentOf(releases, { sources: [osv, npm, docker] }));

  expect(details).toMatchObject({
    datasource: ['osv', 'npm', 'docker'],
    package: ['svc', 'example/svc'],
    sources: ['npm:svc', 'docker:example/svc'],
  });
  expect(details.releases.map(({ sources }) => sources)).toEqual([undefined, onNpm]);
  expect(describeDetails(componentOf([]))).not.toHaveProperty('package');
});

test('details state the instant at which a release was recorded, and the names of its advisories', () => {
  const about = {
    advisories: [
      {
        id: 'CVE-2026-1',
        aliases: ['GHSA-1'],
        affected: '=1.0',
        exploitedSince: '2026-05-01',
        dueBy: '2026-06-01',
      },
    ],
    support: {
      policy: 'stated',
      source: { datasource: 'endoflife-date', product: 'svc' },
    } as const,
  };
  const at = '2026-06-01T04:00:00Z';
  const journal = [
    { type: 'released', version: '1.0', at },
    { type: 'corrected', version: '1.0', at: '2026-06-02T04:00:00Z' },
  ] as never;
  const details = describeDetails(componentOf([release('1.0')], about, { journal }));

  expect(details.support).toMatchObject({ source: 'support endoflife-date:svc' });
  expect(details.watchesAdvisories).toBe(true);
  expect(details.releases).toMatchObject([
    {
      recordedAt: at,
      advisoryAliases: ['GHSA-1'],
      exploitedSince: '2026-05-01',
      dueBy: '2026-06-01',
    },
  ]);
  expect(details.releases[0]).not.toHaveProperty('fixes');
});

const phased = {
  policy: 'dated',
  lines: {
    '1.0': '2026-01-31',
    '1.1': '2026-12-31',
    '1.2': '2026-12-31',
    '1.3': { active: '2026-08-31', security: '2026-12-31' },
  },
} as const;
const lines = ['1.0', '1.1', '1.2', '1.3'].map((version) => release(version));

test('lines that end together are one end, and one with a named phase is another', () => {
  const [summary] = [summaryOf(lines, { support: phased })];
  const ends = listEndsAhead([summary!], '2026-01-01');

  expect(
    ends.map((end) => [end.day, end.phase, end.newest.name, end.lines.map(({ name }) => name)]),
  ).toEqual([
    ['2026-01-31', undefined, '1.0', ['1.0']],
    ['2026-12-31', undefined, '1.2', ['1.1', '1.2']],
    ['2026-12-31', 'security', '1.3', ['1.3']],
  ]);
});

test('an end that may have passed is due now and comes first, with its latest possible day', () => {
  const observed = release('1.0', '2026-06-01', {
    ...{ timestampKind: 'observed', notListedOn: '2026-05-01' },
  });
  const bounded = summaryOf([observed], { support: { policy: 'term', months: 12 } });
  const upper = summaryOf([release('1.0', '2025-07-01', { timestampKind: 'observed' })], {
    support: { policy: 'term', months: 12 },
  });

  const ends = listEndsAhead([bounded, upper], '2026-01-01');

  expect(
    ends.map(({ dueOn, tone, until, untilAtMost }) => [dueOn, tone, until, untilAtMost]),
  ).toEqual([
    ['2026-01-01', 'soon', undefined, '2026-07-01'],
    ['2027-05-01', 'ok', '2027-05-01', '2027-06-01'],
  ]);
});

test('support of a whole component is one end', () => {
  const whole = summaryOf(lines, { support: { policy: 'ended', until: '2026-02-01' } });

  const ends = listEndsAhead([whole], '2026-01-01');

  expect(ends.map(({ newest }) => newest.name)).toEqual(['1.3']);
});

test('an end is of the whole component only where no line has an end of its own', () => {
  const listEnds = (own: object) => {
    const support = { policy: 'ended', until: '2026-12-31', ...own } as const;
    return listEndsAhead([summaryOf(lines, { support })], '2026-01-01').map((end) => [
      end.day,
      end.isWholeComponent,
    ]);
  };

  expect(listEnds({})).toEqual([['2026-12-31', true]]);
  expect(listEnds({ lines: { '1.3': '2027-06-30' } })).toEqual([
    ['2026-12-31', false],
    ['2027-06-30', false],
  ]);
});

test('details mark a prerelease and an observed day, and say nothing of the usual', () => {
  const releases = [
    release('1.0-rc1', '2026-01-01', { timestampKind: 'observed' }),
    release('1.0', '2026-02-01'),
  ];
  const details = describeDetails(componentOf(releases, { prereleases: true }));

  expect(
    details.releases.map(({ isPrerelease, timestampKind }) => [isPrerelease, timestampKind]),
  ).toEqual([
    [true, 'observed'],
    [undefined, undefined],
  ]);
});
