import { expect, test } from 'vitest';
import type { StatedFacts } from '../../../src/record/sources/datasource.ts';
import { release } from '../../harness/judging.ts';
import { answer, changesOf, entryOf, merge } from '../../harness/merging.ts';

const day = '2026-06-01';

test("a new version is recorded with upstream's values", () => {
  const stated = {
    version: '1.0',
    releaseTimestamp: '2025-03-04T05:06:07.890Z',
    changelogUrl: 'https://example.com/1.0',
    deprecated: 'use 2',
  };
  const merged = merge([], [answer('npm:x', [stated])]);

  expect(merged.releases).toEqual([
    {
      ...stated,
      releaseTimestamp: '2025-03-04T05:06:07Z',
      timestampKind: 'published',
      source: 'npm:x',
      firstSeen: day,
    },
  ]);
  expect(changesOf(merged)).toEqual(['1.0 new']);
});

test('each fact that a source states of a release is recorded', () => {
  const facts: Required<StatedFacts> = {
    releaseTimestamp: '2025-03-04T05:06:07Z',
    changelogUrl: 'https://example.com/1.0',
    notes: 'Faster builds.',
    deprecated: 'use 2',
    isPrerelease: true,
    digests: { 'agent.jar': `sha256:${'1'.repeat(64)}` },
  };

  const [recorded] = merge([], [answer('npm:x', [{ version: '1.0', ...facts }])]).releases;

  expect(recorded).toMatchObject({ ...facts, digests: { 'npm:x': facts.digests } });
});

test("a new version of several sources has the first source's values, and missing ones from the others", () => {
  const [page, first, second] = [
    'page:https://example.com/',
    'https://example.com/first',
    'https://example.com/second',
  ];
  const ofNpm = {
    releaseTimestamp: '2025-01-01T10:00:00Z',
    changelogUrl: second,
    isPrerelease: true,
  };
  const merged = merge(
    [],
    [
      answer(page, [{ version: '1.0', changelogUrl: first }]),
      answer('npm:x', [{ version: '1.0', ...ofNpm }, '1.1']),
      answer('maven:g:a', [{ version: '1.0', releaseTimestamp: '2025-01-02' }, '1.2']),
    ],
  );

  expect(merged.releases[0]).toEqual({
    ...{ version: '1.0', firstSeen: day, timestampKind: 'published', ...ofNpm },
    ...{ changelogUrl: first, source: page, alsoListedBy: ['maven:g:a', 'npm:x'] },
    dissent: [{ source: 'npm:x', field: 'changelogUrl', value: second, over: page }],
  });
  expect(changesOf(merged)).toEqual(['1.0 new', '1.1 new', '1.2 new']);
});

test('a new version is written at its place in the order, with its keys in a fixed order', () => {
  const recorded = [release('1.10', '2025-01-01'), release('1.2', '2024-01-01')];

  const merged = merge(recorded, [answer('npm:x', ['1.9'])]);

  expect(merged.releases.map(({ version }) => version)).toEqual(['1.2', '1.9', '1.10']);
  const keys = ['version', 'releaseTimestamp', 'timestampKind', 'source', 'firstSeen'];
  expect(Object.keys(entryOf(merged, '1.9'))).toEqual(keys);
});

const stating = (releaseTimestamp: string) => [
  answer('npm:x', [{ version: '1.0', releaseTimestamp }]),
];
const observed = [release('1.0', '2025-01-09', { timestampKind: 'observed', source: 'npm:x' })];

test('a recorded day that was observed is replaced by the day of publication', () => {
  const merged = merge(observed, stating('2025-01-03T12:00:00Z'));

  expect(merged.releases).toEqual([
    { ...observed[0], releaseTimestamp: '2025-01-03T12:00:00Z', timestampKind: 'published' },
  ]);
  expect(changesOf(merged)).toEqual([
    '1.0 corrected: 2025-01-09 → 2025-01-03T12:00:00Z (published): npm:x states the day',
  ]);
  const sameDay = '2025-01-09T08:00:00Z';
  expect(merge(observed, stating(sameDay)).releases[0]!.releaseTimestamp).toBe(sameDay);
});

test('a recorded day that was observed is an upper bound: a later one is the stamp of a copy', () => {
  const merged = merge(observed, stating('2025-01-10T08:00:00Z'));

  expect(merged.releases).toEqual(observed);
  expect(merged.findings.map(({ message }) => message)).toEqual([
    'npm:x dates 1.0 2025-01-10T08:00:00Z, but it was seen on 2025-01-09. The recorded day stays.',
  ]);
});

test('a recorded day that is missing becomes the day of publication, else the day it was first seen', () => {
  const recorded = [
    release('1.0'),
    release('1.1'),
    release('1.2', undefined, { firstSeen: '2025-05-05' }),
  ];

  const merged = merge(recorded, [
    answer('npm:x', [{ version: '1.0', releaseTimestamp: '2024-01-01' }, '1.1', '1.2']),
  ]);

  expect(merged.releases.map((entry) => [entry.releaseTimestamp, entry.timestampKind])).toEqual([
    ['2024-01-01T00:00:00Z', 'published'],
    [day, 'observed'],
    ['2025-05-05', 'observed'],
  ]);
});

const sources = ['npm:first', 'npm:second'];
const [one, two] = ['https://example.com/1', 'https://example.com/2'];
const first = answer('npm:first', [{ version: '1.0', changelogUrl: one, deprecated: 'use 2' }]);
const second = answer('npm:second', [{ version: '1.0', changelogUrl: two, deprecated: 'broken' }]);

test('of conflicting sources, the first in the definition takes precedence, even if it answers later', () => {
  const alone = merge([], [second], { sources });
  const both = merge(alone.releases, [first, second], { sources });

  expect(alone.releases[0]).toMatchObject({ changelogUrl: two, deprecated: 'broken' });
  expect(both.releases[0]).toMatchObject({ changelogUrl: one, deprecated: 'use 2' });
});

test("of conflicting sources, the first source's values stay while it does not answer", () => {
  const both = merge([], [first, second], { sources });
  const alone = merge(both.releases, [second], { sources });

  expect([alone.releases, alone.changes]).toEqual([both.releases, []]);
});

test('a source that the definition no longer names is ignored', () => {
  const recorded = [
    release('1.0', '2025-01-01', { source: 'npm:old', changelogUrl: 'https://example.com/0' }),
  ];

  expect(merge(recorded, [second], { sources }).releases[0]).toMatchObject({
    ...{ source: 'npm:old', alsoListedBy: ['npm:second'], changelogUrl: two },
  });
});

test('a missing deprecation of the first source takes precedence, if the source could state one', () => {
  const silent = merge([], [answer('npm:first', ['1.0']), second], { sources });
  const mute = merge([], [answer('maven:g:a', ['1.0']), second]);

  expect(silent.releases[0]).not.toHaveProperty('deprecated');
  expect(mute.releases[0]!.deprecated).toBe('broken');
});

const good = [release('1.0', '2025-01-01', { source: 'npm:x' })];
const bad = [release('1.0', '2025-01-01', { source: 'npm:x', deprecated: 'use 2' })];

test("upstream's deprecation is recorded with the day it was first read", () => {
  const merged = merge(good, [answer('npm:x', [{ version: '1.0', deprecated: ' use\n2 ' }])]);

  expect(merged.releases[0]).toMatchObject({ deprecated: 'use 2', deprecatedSince: day });
  expect(changesOf(merged)).toEqual(['1.0 deprecated: use 2']);
  const silent = merge([], [answer('npm:x', [{ version: '1.0', deprecated: '' }])]);
  expect(silent.releases[0]!.deprecated).toBe('no reason given');
});

test("upstream's deprecation that is undone leaves nothing behind", () => {
  const merged = merge(bad, [answer('npm:x', ['1.0'])]);

  expect(merged.releases).toEqual(good);
  expect(changesOf(merged)).toEqual(['1.0 corrected: no longer deprecated upstream']);
});

const byHand = [release('1.0', '2025-01-01', { deprecated: 'use 2' })];
const ofTwo = [{ ...bad[0]!, alsoListedBy: ['npm:y'] }];
test.each([
  ['that cannot state deprecations', byHand, answer('maven:g:a', ['1.0']), ['maven:g:a']],
  ['while an earlier one does not answer', ofTwo, answer('npm:x', ['1.0']), ['npm:y', 'npm:x']],
  [
    'of which the definition admits no release',
    bad,
    { ...answer('npm:x', ['1.0']), releases: [] },
    ['npm:x'],
  ],
])("upstream's deprecation is not undone by a source %s", (_, recorded, said, sources) => {
  expect(merge(recorded, [said], { sources }).releases[0]!.deprecated).toBe('use 2');
});

const saying = (version: string, isPrerelease?: boolean) =>
  answer('npm:x', [{ version, ...(isPrerelease !== undefined && { isPrerelease }) }]);
const flagged = (more = {}) => [release('1.0', '2025-01-01', { isPrerelease: true, ...more })];

test("upstream's prerelease flag is recorded only if it differs from the form of the version", () => {
  const flags = [saying('1.0', true), saying('1.0-rc1', false), saying('1.0', false)].map(
    (said) => merge([], [said]).releases[0]!.isPrerelease,
  );

  expect(flags).toEqual([true, false, undefined]);
});

test("upstream's prerelease flag may change, but is not undone by a source without one", () => {
  const merged = merge(flagged({ source: 'npm:x' }), [saying('1.0', false)]);
  const once = merge(flagged(), [saying('1.0')]);

  expect(merged.releases[0]).not.toHaveProperty('isPrerelease');
  expect(changesOf(merged)).toEqual(['1.0 corrected: not a prerelease']);
  expect(merge(once.releases, [saying('1.0')]).releases[0]!.isPrerelease).toBe(true);
});

test('other bytes of two sources are reported together, also where they are the same', () => {
  const [old, now, later] = ['1', '2', '3'].map((digit) => `sha256:${digit.repeat(64)}`);
  const digests = { 'npm:x': { file: old! }, 'npm:y': { file: old!, other: old! } };
  const recorded = [release('1.0', '2025-01-01', { source: 'npm:x', digests })];
  const merged = merge(recorded, [
    answer('npm:x', [{ version: '1.0', digests: { file: now! } }]),
    answer('npm:y', [{ version: '1.0', digests: { file: now!, other: later! } }]),
  ]);

  expect(entryOf(merged, '1.0')).toMatchObject({
    digests: { 'npm:x': { file: now }, 'npm:y': { file: now, other: later } },
    republished: {
      from: `file ${old}, other ${old}`,
      to: `file ${now}, other ${later}`,
    },
  });
});

test('keeps the first recorded of two spellings of a version, and reports the other', () => {
  const recorded = [release('v2025.2', '2025-07-15', { source: 'npm:x' })];

  const merged = merge(recorded, [answer('npm:x', ['2025.02'])]);

  expect(merged.releases).toEqual(recorded);
  expect(merged.findings).toMatchObject([
    {
      level: 'notice',
      message: 'npm:x spells v2025.2 as "2025.02". The first recorded spelling stays.',
    },
  ]);
});
