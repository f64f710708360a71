import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { isLtsOn } from '../../../src/core/model/phases.ts';
import {
  computeFreshness,
  computeSupportOn,
  isInForceOn,
  type FreshnessState,
} from '../../../src/core/model/states.ts';
import { judgeOn, release } from '../../harness/judging.ts';

const withdrawn = release('1.0.0', '2026-01-01', { withdrawnSince: '2026-02-01' });
const deprecated = release('1.0.1', '2026-01-02', { deprecated: 'Loses data.' });
const usable = release('1.0.2', '2026-01-03');

test.each([
  ['withdrawn, where all its releases are', [withdrawn], 'withdrawn'],
  ['deprecated, where one of its releases is not withdrawn', [withdrawn, deprecated], 'deprecated'],
  ['what its policy says, where one is usable', [withdrawn, deprecated, usable], 'supported'],
])('a line is %s', (_when, releases, state) => {
  const policy = { support: { policy: 'latest-lines', count: 1 } };

  expect(judgeOn('2026-06-01', releases, policy).lines).toMatchObject([{ name: '1.0', state }]);
});

test.each<[isLts: true | undefined, from: string | undefined, expected: boolean]>([
  [true, undefined, true],
  [true, '2026-06-01', true],
  [true, '2026-06-02', false],
  [undefined, undefined, false],
])('a line with long-term support %s from %s has it: %s', (isLts, ltsFrom, expected) => {
  expect(isLtsOn({ isLts, ltsFrom }, '2026-06-01')).toBe(expected);
});

test.each<[object, boolean]>([
  [{}, true],
  [{ from: '2026-06-01' }, true],
  [{ from: '2026-06-02' }, false],
  [{ fromAtMost: '2026-06-01' }, true],
  [{ fromAtMost: '2026-06-02' }, false],
  [{ from: '2026-05-01', fromAtMost: '2026-06-02' }, false],
])('a reason with the days %j is in force: %s', (days, expected) => {
  expect(isInForceOn({ rule: 'definition', text: 'Old.', ...days }, '2026-06-01')).toBe(expected);
});

test.each<[end: object, state: string, isSupported: boolean | undefined]>([
  [{ until: '2026-08-31' }, 'supported', true],
  [{ until: '2026-08-30' }, 'ends-soon', true],
  [{ until: '2026-06-01' }, 'ends-soon', true],
  [{ until: '2026-05-31' }, 'ended', false],
  [{ until: '2026-05-31', untilAtMost: '2026-06-30' }, 'may-have-ended', undefined],
  [{ until: '2026-06-01', untilAtMost: '2026-06-30' }, 'ends-soon', true],
  [{}, 'supported', true],
])('a line with the end %j is %s', (end, state, isSupported) => {
  const phase = { name: 'support', ...end };

  expect(computeSupportOn({ phases: [phase] }, '2026-06-01')).toMatchObject({ state, isSupported });
  expect(computeSupportOn({ phases: [] }, '2026-06-01')).toEqual({ state: 'no-promise' });
});

test('a release says how far it is behind the latest, in releases and in stated days', () => {
  const releases = [
    release('1.0', '2026-01-01'),
    release('1.1', '2026-01-11', { timestampKind: 'observed' }),
    release('1.2', '2026-05-01'),
    release('1.3', '2026-01-21'),
    release('1.4', '2026-03-01'),
    release('1.5', '2026-04-01', { deprecated: 'Bad.' }),
    release('1.6-rc1', '2026-05-01'),
  ];
  const { latest, releases: judged } = judgeOn('2026-06-01', releases, { prereleases: true });

  expect(latest?.version).toBe('1.4');
  expect(
    judged.map(({ version, releasesBehind, daysBehind }) => [version, releasesBehind, daysBehind]),
  ).toEqual([
    ['1.0', 4, 59],
    ['1.1', 3, undefined],
    ['1.2', 2, undefined],
    ['1.3', 1, 39],
    ['1.4', undefined, undefined],
    ['1.5', 0, undefined],
    ['1.6-rc1', 0, undefined],
  ]);
  const daysBehind = (...releases: RecordedRelease[]) =>
    judgeOn('2026-06-01', releases).releases[0]?.daysBehind;
  expect(daysBehind(release('1.0', '2026-01-01'), release('1.1'))).toBeUndefined();
  expect(daysBehind(release('1.0', '2026-01-01'), release('1.1', '2026-01-01'))).toBe(0);
});

test('a prerelease has no support of its own, and a withdrawn release has none', () => {
  const support = { policy: 'dated', lines: { '1.0': '2026-12-31', '1.1': '2026-01-31' } };
  const releases = [
    release('1.0-rc1'),
    release('1.0'),
    release('1.0.1', undefined, { withdrawnSince: '2026-06-01' }),
    release('1.0.2', undefined, { withdrawnSince: '2026-06-02' }),
    release('1.1-rc1'),
  ];
  const { releases: judged } = judgeOn('2026-06-01', releases, { support, prereleases: true });

  expect(judged.map(({ version, state, isSupported }) => [version, state, isSupported])).toEqual([
    ['1.0-rc1', 'no-promise', undefined],
    ['1.0', 'supported', true],
    ['1.0.1', 'withdrawn', false],
    ['1.0.2', 'supported', true],
    ['1.1-rc1', 'ended', false],
  ]);
});

test.each<[what: string, about: object, next: string | undefined]>([
  [
    'an end of support',
    { support: { policy: 'dated', lines: { '1.0': '2026-06-01' } } },
    '2026-06-02',
  ],
  [
    'an end that is over',
    { support: { policy: 'dated', lines: { '1.0': '2026-05-31' } } },
    undefined,
  ],
  [
    'the earliest of two',
    {
      deprecated: [
        { versions: ['1.0'], reason: 'Old.', since: '2026-08-01' },
        { versions: ['1.0'], reason: 'Old.', since: '2026-07-01' },
        { versions: ['1.0'], reason: 'Old.', since: '2026-09-01' },
      ],
    },
    '2026-07-01',
  ],
  [
    'no later reason of what is deprecated',
    {
      deprecated: [
        { versions: '*', reason: 'Old.', since: '2026-05-01' },
        { versions: '*', reason: 'Old.', since: '2026-07-01' },
      ],
    },
    undefined,
  ],
  [
    'a deprecation of the line, where another release of it is deprecated',
    {
      deprecated: [{ versions: ['1.0.1'], reason: 'Old.', since: '2026-05-01' }],
      support: { policy: 'ended', until: '2026-12-31', deprecatedFrom: '2026-07-01' },
    },
    '2026-07-01',
  ],
  [
    'a deprecation before the end',
    { support: { policy: 'ended', until: '2026-12-31', deprecatedFrom: '2026-07-01' } },
    '2026-07-01',
  ],
])('the next change is that of %s', (_, about, next) => {
  const releases = [release('1.0'), release('1.0.1')];

  expect(judgeOn('2026-06-01', releases, { ...about }).nextChangeOn).toBe(next);
});

test('the latest version is the greatest one, also where a line is inside another', () => {
  const versions = ['2.1.0', '2.2.0', '2.2.1', '2.3.0'];
  const policy = { policy: 'dated', lines: { 2: '2030-01-01', 2.2: '2030-01-01' } };

  const { releases, latest } = judgeOn(
    '2026-06-01',
    versions.map((version) => release(version, '2026-01-01')),
    { support: policy },
  );

  expect(releases.map(({ version }) => version)).toEqual(versions);
  expect(releases.map(({ line }) => line)).toEqual(['2', '2.2', '2.2', '2']);
  expect(releases.map(({ releasesBehind }) => releasesBehind)).toEqual([3, 2, 1, undefined]);
  expect(latest?.version).toBe('2.3.0');
});

test.each<[FreshnessState, string | undefined, string, FreshnessState]>([
  ['live', '2026-11-17', '2026-11-20', 'live'],
  ['live', '2026-11-16', '2026-11-20', 'stale'],
  ['live', undefined, '2026-11-20', 'live'],
  ['held', '2026-01-01', '2026-11-20', 'held'],
  ['static', '2026-01-01', '2026-11-20', 'static'],
])('data that is %s and was checked on %s is on %s: %s', (state, lastCheck, day, expected) => {
  expect(computeFreshness(state, lastCheck, day, 3)).toBe(expected);
});
