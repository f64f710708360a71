import { expect, test } from 'vitest';
import { addDays } from '../../../../src/core/model/dates.ts';
import type { Wait } from '../../../../src/core/schemas/recorded/waits.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import { findSuspicions, type DataChange } from '../../../../src/record/gate/rules/suspicions.ts';
import { findGrowth } from '../../../harness/growth.ts';

const day = '2026-06-01';
const daysAgo = (days: number) => addDays(day, -days);
const x = 'npm:x';
const y = 'npm:y';

type Releases = readonly (Partial<RecordedRelease> & { version: string })[];

/** Releases of a source, first seen on a day. */
const list = (versions: string, firstSeen?: string, source = x): Releases =>
  versions.split(' ').map((version) => ({ version, source, ...(firstSeen && { firstSeen }) }));

interface Case extends Partial<Omit<DataChange, 'before' | 'after' | 'waits'>> {
  readonly waits?: readonly Partial<Wait>[];
  readonly before?: Releases;
  readonly after?: Releases;
}

/** What waits alone after a run that adds these releases. */
function judge(added: Releases, { before = list('1.0 1.1', daysAgo(800)), after, ...about }: Case) {
  const freshness = {
    before: { sources: { [x]: { answeredOn: daysAgo(1), definition: 'a' } } },
    after: { sources: { [x]: { answeredOn: day, definition: 'a' } } },
  };
  const sources = [
    { datasource: 'npm', packageName: 'x' },
    { datasource: 'npm', packageName: 'y', rebuildsTags: true },
  ];
  return findSuspicions({
    name: 'svc',
    day,
    definition: { sources },
    before: { releases: [...before] },
    after: { releases: [...(after ?? before), ...added] },
    freshness,
    waits: [],
    acceptedOn: '',
    ...about,
  } as DataChange);
}

const place = (group: number, measure: number) =>
  `${group} is far above the highest number at its place in earlier versions (${measure})`;
const answers = (before: object, after: object = { answeredOn: day, definition: 'a' }) => ({
  freshness: { before: { sources: { [x]: before } }, after: { sources: { [x]: after } } },
});
const aPatch = { ...list('1.1.7')[0]!, releaseTimestamp: '2025-06-01' };
const dated = list('1.1.0').map((one) => ({ ...one, releaseTimestamp: '2026-01-10' }));
const old = daysAgo(800);

test.each<[string, Releases, Case, string[]]>([
  ['a usual version', list('1.2'), {}, []],
  ['an outlier', list('1.900'), {}, [`1.900: ${place(900, 1)}`]],
  ['two outliers', list('1.900 1.901'), {}, [`1.900: ${place(900, 1)}; so 1 more version`]],
  [
    'outliers of two sources',
    [...list('9026.1'), ...list('9026.2', undefined, y)],
    {},
    ['9026.1', '9026.2'].map(
      (version) => `${version}: at least 10 times the highest recorded version (1.1)`,
    ),
  ],
  [
    'an outlier among versions that grew for a month',
    list('1.700'),
    { before: [...list('1.0', old), ...list('1.90', daysAgo(10))] },
    [`1.700: ${place(700, 0)}`],
  ],
  [
    'no outlier where a person has accepted since',
    list('1.700'),
    { before: [...list('1.0', old), ...list('1.90', daysAgo(10))], acceptedOn: daysAgo(10) },
    [],
  ],
  [
    'an outlier where a person has accepted before',
    list('1.700'),
    { before: [...list('1.0', old), ...list('1.90', daysAgo(10))], acceptedOn: daysAgo(11) },
    [`1.700: ${place(700, 0)}`],
  ],
  [
    'no outlier among versions of unknown days',
    list('1.700'),
    { before: [...list('1.0', old), ...list('1.90')] },
    [],
  ],
  [
    'no outlier after a first list of some days ago',
    list('1.700'),
    { before: list('1.0 1.90', daysAgo(3)) },
    [],
  ],
  [
    'an outlier after a first list and one more',
    list('1.700'),
    { before: [...list('1.90', daysAgo(3)), ...list('1.0', daysAgo(4))] },
    [`1.700: ${place(700, 0)}`],
  ],
  [
    'an outlier among versions that grew for a year',
    list('1.1200'),
    { before: [...list('1.0', old), ...list('1.500', daysAgo(60))] },
    [`1.1200: ${place(1200, 0)}`],
  ],
  [
    'a later group in a first answer',
    list('1.900'),
    { ...answers({}), before: list('1.0', old, y) },
    [],
  ],
  [
    'a first group in a first answer',
    list('90.0'),
    { ...answers({}), before: list('1.0', old, y) },
    ['90.0: at least 10 times the highest recorded version (1.0)'],
  ],
  [
    'an outlier of a source that has answered',
    list('1.900'),
    { before: list('1.0', old, y) },
    [`1.900: ${place(900, 0)}`],
  ],
  [
    'an outlier of a source that is recorded',
    list('1.900'),
    { ...answers({}), before: [...list('1.0', old), ...list('1.1', old, y)] },
    [`1.900: ${place(900, 1)}`],
  ],
  [
    'an outlier after another definition',
    list('1.900'),
    answers({ answeredOn: daysAgo(1), definition: 'b' }),
    [],
  ],
  [
    'an outlier after an unknown definition',
    list('1.900'),
    answers({ answeredOn: daysAgo(1) }),
    [`1.900: ${place(900, 1)}`],
  ],
  [
    'a patch of an early day',
    [aPatch],
    { before: dated },
    ['1.1.7: dated 2025-06-01, before its line began with 1.1.0 of 2026-01-10'],
  ],
  [
    'a patch of an early day in a first answer',
    [aPatch],
    { ...answers({}), before: dated.map((one) => ({ ...one, source: y })) },
    [],
  ],
  [
    'a patch of a rejected day',
    list('1.1.7'),
    { before: dated, rejectedDays: new Map([['1.1.7', '2025-06-01']]) },
    ['1.1.7: dated 2025-06-01, before its line began with 1.1.0 of 2026-01-10'],
  ],
  [
    'an outlier of an early day',
    [{ ...aPatch, version: '1.1.900' }],
    { before: dated },
    [`1.1.900: ${place(900, 0)}`],
  ],
])('%s waits for its reason', (_, added, about, reasons) => {
  expect(judge(added, about).map(({ reason }) => reason)).toEqual(reasons);
});

const earlier = (about: object) => [
  { kind: 'outlier' as const, causes: [x], versions: ['1.900'], ...about },
];

test.each([
  ['it waited', {}, true],
  ['it waited because of another source', { causes: [y] }, true],
  ['it waited for other bytes', { kind: 'bytes' }, false],
  ['another version waited', { versions: ['1.901'] }, false],
])('an outlier has another decision than a later one where %s', (_, about, isApart) => {
  const suspicions = judge(list('1.900 1.950'), { waits: earlier(about) });

  expect(suspicions.map(({ versions }) => versions)).toEqual(
    isApart ? [['1.900'], ['1.950']] : [['1.900', '1.950']],
  );
});

test('an outlier that comes later has a decision of its own', () => {
  const suspicions = judge(list('1.900 1.950'), { waits: earlier({}) });

  expect(suspicions).toMatchObject([
    {
      id: judge(list('1.900'), {})[0]!.id,
      kind: 'outlier',
      causes: [x],
      versions: ['1.900'],
      items: ['new 1.900'],
    },
    { id: judge(list('1.950'), {})[0]!.id, versions: ['1.950'] },
  ]);
});

const invented = (count: number, firstSeen?: string, source = x) =>
  list(
    Array.from(
      { length: count },
      (_, number) => `1.1.${number % 9}-${source.at(-1)}${count}.${number}`,
    ).join(' '),
    firstSeen,
    source,
  );
const start = list('1.0 1.1', old);

test.each<[string, number, Case, number]>([
  ['a thousand at once', 1000, {}, 0],
  ['one more', 1001, {}, 1001],
  ['one more within 30 days', 401, { before: [...start, ...invented(600, daysAgo(29))] }, 401],
  [
    'one more within more than 30 days',
    401,
    { before: [...start, ...invented(600, daysAgo(30))] },
    0,
  ],
  [
    'one more beside those of another source',
    401,
    { before: [...start, ...invented(600, daysAgo(29), y)] },
    0,
  ],
  ['one more after a first list', 401, { before: invented(600, daysAgo(29)) }, 0],
  [
    'one more since a person has accepted',
    401,
    { before: [...start, ...invented(600, daysAgo(29))], acceptedOn: daysAgo(29) },
    0,
  ],
  ['one more beside releases of unknown days', 401, { before: [...start, ...invented(600)] }, 0],
  ['a first answer', 1500, { ...answers({}), before: list('1.0', old, y) }, 0],
])('of a flood wait all new versions: %s', (_, count, about, waiting) => {
  const suspicions = judge(invented(count), about);
  const reason = `: one of more than 1,000 new versions within 30 days; so ${new Intl.NumberFormat('en').format(waiting - 1)} more versions`;

  expect(suspicions.map(({ kind, versions = [] }) => `${kind} ${versions.length}`)).toEqual(
    waiting === 0 ? [] : [`flood ${waiting}`],
  );
  expect(suspicions.every((suspicion) => suspicion.reason.endsWith(reason))).toBe(true);
});

test('what waits for a flood goes on waiting after the month, and is no outlier', () => {
  const waits = [{ kind: 'flood' as const, causes: [x], versions: ['1.900', '1.3'] }];

  expect(judge(list('1.2 1.3 1.900 1.901'), { waits })).toMatchObject([
    { kind: 'flood', versions: ['1.3', '1.900'] },
    { kind: 'outlier', versions: ['1.901'] },
  ]);
});

const bytes = (digit: string) => `sha256:${digit.repeat(64)}`;
const withBytes = (digests: Record<string, string>, about: Partial<RecordedRelease> = {}) => [
  { version: '1.0', source: x, firstSeen: old, digests: { [x]: digests }, ...about },
];

test.each<[string, Releases, Releases, object[]]>([
  [
    'other bytes',
    withBytes({ file: bytes('1') }),
    withBytes({ file: bytes('2') }),
    [
      {
        causes: [x],
        reason: `1.0 was republished with other bytes: file was ${bytes('1')} and is ${bytes('2')}`,
        items: [`1.0 file ${bytes('2')}`],
      },
    ],
  ],
  [
    'two artifacts with other bytes',
    withBytes({ file: bytes('1'), other: bytes('3') }),
    withBytes({ file: bytes('2'), other: bytes('4') }),
    [
      {
        causes: [x],
        reason: `1.0 was republished with other bytes: file was ${bytes('1')} and is ${bytes('2')} and 1 more artifact`,
        items: [`1.0 file ${bytes('2')}`, `1.0 other ${bytes('4')}`],
      },
    ],
  ],
  [
    'bytes that were added late',
    withBytes({ file: bytes('1') }),
    withBytes({ file: bytes('1'), other: bytes('2') }),
    [
      {
        causes: [x],
        reason: `1.0 has bytes that were added after more than 30 days: other is ${bytes('2')}`,
        items: [`1.0 other ${bytes('2')}`],
      },
    ],
  ],
  [
    'other bytes of a release without a source',
    withBytes({ file: bytes('1') }, { source: undefined }),
    withBytes({ file: bytes('2') }, { source: undefined }),
    [{ causes: [x] }],
  ],
  [
    'other bytes of a source that did not list the release first',
    withBytes({}, { digests: { 'npm:z': { file: bytes('1') } } }),
    withBytes({}, { digests: { 'npm:z': { file: bytes('2') } } }),
    [{ causes: ['npm:z'] }],
  ],
  ['bytes that are gone', withBytes({ file: bytes('1') }), withBytes({}), []],
  [
    'other bytes of a source that rebuilds its tags',
    withBytes({}, { digests: { [y]: { file: bytes('1') } } }),
    withBytes({}, { digests: { [y]: { file: bytes('2') } } }),
    [],
  ],
])('%s wait under their version', (_, before, after, expected) => {
  expect(judge([], { before, after })).toMatchObject(
    expected.map((suspicion) => ({ kind: 'bytes', versions: ['1.0'], ...suspicion })),
  );
});

test('other bytes have other decisions, however their artifacts are ordered', () => {
  const before = withBytes({ file: bytes('1'), other: bytes('2') });
  const [first, reversed, others] = [
    { file: bytes('3'), other: bytes('4') },
    { other: bytes('4'), file: bytes('3') },
    { file: bytes('5'), other: bytes('4') },
  ].map((digests) => judge([], { before, after: withBytes(digests) })[0]!.id);

  expect([reversed === first, others === first]).toEqual([true, false]);
});

// Work that grows with the square would take 64 times as long.
test('eight times as many versions that wait take less than 30 times as long', async () => {
  const measure = (count: number) => {
    const versions = Array.from({ length: count }, (_, minor) => `1.${minor + 2}`);
    const added = list(versions.join(' '), day);
    const waits = [{ kind: 'flood' as const, versions: [...versions] }];
    const begin = process.threadCpuUsage();
    judge(added, { waits });
    return process.threadCpuUsage(begin).user;
  };

  expect(await findGrowth(measure, 4000)).toBeLessThan(30);
});
