import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/dates.ts';
import type { RecordedRelease } from '../../src/model/recorded.ts';
import { release } from '../harness/judging.ts';
import { answer, changesOf, entryOf, merge } from '../harness/merging.ts';

const day = '2026-06-01';

describe('a new version', () => {
  test('is recorded with what upstream states', () => {
    const merged = merge(
      [],
      [
        answer('npm:x', [
          {
            version: '1.0',
            releaseTimestamp: '2025-03-04T05:06:07.890Z',
            changelogUrl: 'https://example.com/1.0',
            deprecated: 'use 2',
          },
        ]),
      ],
    );

    expect(merged.releases).toEqual([
      {
        version: '1.0',
        releaseTimestamp: '2025-03-04T05:06:07Z',
        timestampKind: 'published',
        changelogUrl: 'https://example.com/1.0',
        source: 'npm:x',
        firstSeen: day,
        deprecated: 'use 2',
      },
    ]);
    expect(changesOf(merged)).toEqual(['1.0 new']);
  });

  test('without a day is recorded as observed on the day it is gathered', () => {
    expect(merge([], [answer('npm:x', ['1.0'])]).releases).toEqual([
      { version: '1.0', releaseTimestamp: day, timestampKind: 'observed', source: 'npm:x', firstSeen: day },
    ]);
  });

  test('of several sources has what the first listed states, and from the others what that one leaves open', () => {
    const merged = merge(
      [],
      [
        answer('page:https://example.com/', [{ version: '1.0', changelogUrl: 'https://example.com/first' }]),
        answer('npm:x', [
          {
            version: '1.0',
            releaseTimestamp: '2025-01-01T10:00:00Z',
            changelogUrl: 'https://example.com/second',
            isPrerelease: true,
          },
          '1.1',
        ]),
        answer('maven:g:a', [{ version: '1.0', releaseTimestamp: '2025-01-02' }, '1.2']),
      ],
    );

    expect(merged.releases.map(({ version }) => version)).toEqual(['1.0', '1.1', '1.2']);
    expect(merged.releases[0]).toEqual({
      version: '1.0',
      releaseTimestamp: '2025-01-01T10:00:00Z',
      timestampKind: 'published',
      changelogUrl: 'https://example.com/first',
      source: 'page:https://example.com/',
      alsoListedBy: ['maven:g:a', 'npm:x'],
      firstSeen: day,
      isPrerelease: true,
    });
    expect(changesOf(merged)).toEqual(['1.0 new', '1.1 new', '1.2 new']);
  });

  test('is written where the order puts it, with its keys in one order', () => {
    const recorded = [release('1.10', '2025-01-01'), release('1.2', '2024-01-01')];

    const merged = merge(recorded, [answer('npm:x', ['1.9'])]);

    expect(merged.releases.map(({ version }) => version)).toEqual(['1.2', '1.9', '1.10']);
    expect(Object.keys(entryOf(merged, '1.9'))).toEqual([
      'version',
      'releaseTimestamp',
      'timestampKind',
      'source',
      'firstSeen',
    ]);
  });
});

describe('a recorded day', () => {
  test('that was published stays, whatever upstream says later', () => {
    const recorded = [release('1.0', '2025-01-01', { timestampKind: 'published', source: 'docker:x/y' })];

    const merged = merge(recorded, [
      answer('docker:x/y', [{ version: '1.0', releaseTimestamp: '2026-05-01T00:00:00Z' }]),
    ]);

    expect(merged.releases).toEqual(recorded);
    expect(merged.changes).toEqual([]);
  });

  test('without a kind was published', () => {
    const recorded = [release('1.0', '2025-01-01', { source: 'npm:x' })];

    expect(
      merge(recorded, [answer('npm:x', [{ version: '1.0', releaseTimestamp: '2024-12-01' }])]).releases,
    ).toEqual(recorded);
  });

  test('that was observed gives way to the day of publication, and the correction is kept', () => {
    const recorded = [release('1.0', '2025-01-09', { timestampKind: 'observed', source: 'npm:x' })];

    const merged = merge(recorded, [
      answer('npm:x', [{ version: '1.0', releaseTimestamp: '2025-01-03T12:00:00Z' }]),
    ]);

    expect(merged.releases).toEqual([
      {
        version: '1.0',
        releaseTimestamp: '2025-01-03T12:00:00Z',
        timestampKind: 'published',
        source: 'npm:x',
        corrections: [
          {
            on: day,
            field: 'releaseTimestamp',
            from: '2025-01-09',
            to: '2025-01-03T12:00:00Z',
            reason: 'npm:x states the day',
          },
        ],
      },
    ]);
    expect(changesOf(merged)).toEqual([
      '1.0 corrected: 2025-01-09 → 2025-01-03T12:00:00Z (published): npm:x states the day',
    ]);
  });

  test('that was observed is an upper bound: a later day of publication is the stamp of a copy', () => {
    const recorded = [release('1.0', '2025-01-09', { timestampKind: 'observed', source: 'npm:x' })];

    const merged = merge(recorded, [
      answer('npm:x', [{ version: '1.0', releaseTimestamp: '2025-02-01T00:00:00Z' }]),
    ]);

    expect(merged.releases).toEqual(recorded);
    expect(merged.findings.map(({ message }) => message)).toEqual([
      'npm:x dates 1.0 2025-02-01T00:00:00Z, but it was seen on 2025-01-09. The recorded day stays.',
    ]);
  });

  test.each([
    ['2025-01-08T08:00:00Z', '2025-01-08T08:00:00Z'],
    ['2025-01-09T08:00:00Z', '2025-01-09T08:00:00Z'],
    ['2025-01-10T08:00:00Z', '2025-01-09'],
  ])('that was observed on 2025-01-09, stated as %s, becomes %s', (releaseTimestamp, expected) => {
    const recorded = [release('1.0', '2025-01-09', { timestampKind: 'observed' })];

    const merged = merge(recorded, [answer('npm:x', [{ version: '1.0', releaseTimestamp }])]);

    expect(merged.releases[0]!.releaseTimestamp).toBe(expected);
  });

  test('that is missing is filled in: with the day of publication, else with the day it was first seen', () => {
    const recorded = [release('1.0'), release('1.1'), release('1.2', undefined, { firstSeen: '2025-05-05' })];

    const merged = merge(recorded, [
      answer('npm:x', [{ version: '1.0', releaseTimestamp: '2024-01-01' }, '1.1', '1.2']),
    ]);

    expect(merged.releases.map((entry) => [entry.releaseTimestamp, entry.timestampKind])).toEqual([
      ['2024-01-01T00:00:00Z', 'published'],
      [day, 'observed'],
      ['2025-05-05', 'observed'],
    ]);
  });
});

const first = (changelogUrl: string) => answer('npm:first', [{ version: '1.0', changelogUrl }]);
const second = (changelogUrl: string) => answer('npm:second', [{ version: '1.0', changelogUrl }]);

describe('where sources disagree', () => {
  const sources = ['npm:first', 'npm:second'];

  test('the first listed wins, also when it answers later than the second', () => {
    const alone = merge([], [second('https://example.com/2')], { sources });
    const both = merge(alone.releases, [first('https://example.com/1'), second('https://example.com/2')], {
      sources,
    });

    expect(alone.releases[0]!.changelogUrl).toBe('https://example.com/2');
    expect(both.releases[0]).toMatchObject({
      changelogUrl: 'https://example.com/1',
      corrections: [
        {
          on: day,
          field: 'changelogUrl',
          from: 'https://example.com/2',
          to: 'https://example.com/1',
          reason: 'npm:first names this address',
        },
      ],
    });
  });

  test('its word stays while it does not answer', () => {
    const both = merge([], [first('https://example.com/1'), second('https://example.com/2')], { sources });
    const alone = merge(both.releases, [second('https://example.com/2')], { sources });

    expect(alone.releases).toEqual(both.releases);
    expect(alone.changes).toEqual([]);
  });

  test('a source that the definition no longer names has no say', () => {
    const recorded = [
      release('1.0', '2025-01-01', { source: 'npm:old', changelogUrl: 'https://example.com/0' }),
    ];

    const merged = merge(recorded, [second('https://example.com/2')], { sources });

    expect(merged.releases[0]).toMatchObject({
      source: 'npm:old',
      alsoListedBy: ['npm:second'],
      changelogUrl: 'https://example.com/2',
    });
  });

  test('their words on a deprecation do not take turns', () => {
    const one = answer('npm:first', [{ version: '1.0', deprecated: 'use 2' }]);
    const other = answer('npm:second', [{ version: '1.0', deprecated: 'broken' }]);
    const both = merge([], [one, other], { sources });

    expect(both.releases[0]!.deprecated).toBe('use 2');
    expect(merge(both.releases, [other], { sources }).releases).toEqual(both.releases);
  });

  test('the silence of the first on a deprecation wins, if it could state one', () => {
    const bad = [{ version: '1.0', deprecated: 'broken' }];
    const silent = merge([], [answer('npm:first', ['1.0']), answer('npm:second', bad)], { sources });
    const mute = merge([], [answer('maven:g:a', ['1.0']), answer('npm:second', bad)]);

    expect(silent.releases[0]).not.toHaveProperty('deprecated');
    expect(mute.releases[0]!.deprecated).toBe('broken');
  });

  test('a word that changes from day to day fills no corrections', () => {
    let { releases } = merge([], [answer('npm:first', ['1.0'])]);
    for (let index = 0; index < 40; index += 1) {
      const said = index % 2 === 0 ? { version: '1.0', deprecated: 'no' } : { version: '1.0' };
      const day = addDays('2026-06-01', index);
      releases = merge(releases, [answer('npm:first', [said])], { day }).releases;
    }

    expect(releases[0]!.corrections!.length).toBeLessThan(8);
  });
});

describe("upstream's deprecation", () => {
  const good = [release('1.0', '2025-01-01', { source: 'npm:x' })];
  const bad = [release('1.0', '2025-01-01', { source: 'npm:x', deprecated: 'use 2' })];

  test('is recorded with the day it was first read', () => {
    const merged = merge(good, [answer('npm:x', [{ version: '1.0', deprecated: ' use\n2 ' }])]);

    expect(merged.releases[0]).toMatchObject({
      deprecated: 'use 2',
      corrections: [{ on: day, field: 'deprecated', to: 'use 2', reason: 'npm:x says so' }],
    });
    expect(changesOf(merged)).toEqual(['1.0 deprecated: use 2']);
  });

  test('without a reason says so', () => {
    expect(merge([], [answer('npm:x', [{ version: '1.0', deprecated: '' }])]).releases[0]!.deprecated).toBe(
      'no reason given',
    );
  });

  test('that is taken back leaves a correction', () => {
    const merged = merge(bad, [answer('npm:x', ['1.0'])]);

    expect(merged.releases[0]).toEqual({
      version: '1.0',
      releaseTimestamp: '2025-01-01',
      source: 'npm:x',
      corrections: [{ on: day, field: 'deprecated', from: 'use 2', reason: 'npm:x no longer says so' }],
    });
    expect(changesOf(merged)).toEqual(['1.0 corrected: no longer deprecated upstream']);
  });

  test('is not taken back by a source that cannot state one', () => {
    const byHand = [release('1.0', '2025-01-01', { deprecated: 'use 2' })];

    const merged = merge(byHand, [answer('maven:g:a', ['1.0'])]);

    expect(merged.releases[0]).toMatchObject({ deprecated: 'use 2', source: 'maven:g:a' });
  });

  test('is not taken back while an earlier source that lists the version does not answer', () => {
    const two = [{ ...bad[0]!, alsoListedBy: ['npm:y'] }];

    const merged = merge(two, [answer('npm:x', ['1.0'])], { sources: ['npm:y', 'npm:x'] });

    expect(merged.releases[0]!.deprecated).toBe('use 2');
  });

  test('is not taken back by a source that lists the version but of which it is not taken', () => {
    const merged = merge(bad, [{ ...answer('npm:x', ['1.0']), releases: [] }]);

    expect(merged.releases).toEqual(bad);
  });
});

const saying = (version: string, isPrerelease?: boolean) =>
  answer('npm:x', [{ version, ...(isPrerelease !== undefined && { isPrerelease }) }]);

describe("upstream's own word on prereleases", () => {
  test('is recorded only where it differs from the form of the version', () => {
    expect(merge([], [saying('1.0', true)]).releases[0]!.isPrerelease).toBe(true);
    expect(merge([], [saying('1.0-rc1', false)]).releases[0]!.isPrerelease).toBe(false);
    expect(merge([], [saying('1.0', false)]).releases[0]).not.toHaveProperty('isPrerelease');
  });

  test('may change, and leaves a correction', () => {
    const recorded = [release('1.0', '2025-01-01', { source: 'npm:x', isPrerelease: true })];

    const merged = merge(recorded, [saying('1.0', false)]);

    expect(merged.releases[0]).not.toHaveProperty('isPrerelease');
    expect(merged.releases[0]!.corrections).toEqual([
      { on: day, field: 'isPrerelease', from: 'true', reason: 'npm:x says so' },
    ]);
    expect(changesOf(merged)).toEqual(['1.0 corrected: not a prerelease']);
  });

  test('is not undone by a source that has none', () => {
    const byHand = [release('1.0', '2025-01-01', { isPrerelease: true })];
    const once = merge(byHand, [saying('1.0')]);

    expect(merge(once.releases, [saying('1.0')]).releases[0]!.isPrerelease).toBe(true);
  });
});

describe('a version that the definition no longer admits', () => {
  const recorded = [
    release('1.0', '2025-01-01', { source: 'npm:x' }),
    release('2.0', '2025-02-01', { source: 'npm:x' }),
  ];
  const isAdmitted = ({ version }: RecordedRelease) => version !== '2.0';

  test('stays recorded, with the day of the first run that found it so, whether or not a source answers', () => {
    const once = merge(recorded, [], { isAdmitted });
    const again = merge(once.releases, [], { isAdmitted, day: '2026-07-01' });

    expect(once.releases).toEqual([recorded[0], { ...recorded[1], leftOutSince: day }]);
    expect(changesOf(once)).toEqual(['2.0 left out: components/svc.json no longer admits it']);
    expect(again.releases).toEqual(once.releases);
    expect(again.changes).toEqual([]);
  });

  test('returns when the definition admits it again, and may go another time', () => {
    const once = merge(recorded, [], { isAdmitted });
    const back = merge(once.releases, [], { day: '2026-07-01' });
    const gone = merge(back.releases, [], { isAdmitted, day: '2026-08-01' });

    const reason = 'components/svc.json admits it again';
    const corrections = [{ on: '2026-07-01', field: 'leftOutSince', from: day, reason }];
    expect(entryOf(back, '2.0')).toEqual({ ...recorded[1], corrections });
    expect(changesOf(back)).toEqual([`2.0 returned: ${reason}`]);
    expect(entryOf(gone, '2.0')).toEqual({ ...recorded[1], leftOutSince: '2026-08-01', corrections });
  });
});

describe('a version that upstream no longer lists', () => {
  const recorded = ['1.0', '1.1', '1.2'].map((version) =>
    release(version, '2025-01-01', { source: 'npm:x' }),
  );
  const missing = { '1.0': '2026-05-31', '1.1': '2026-05-31' };

  test('is missing on the first day, and withdrawn on the second', () => {
    const first = merge(recorded, [answer('npm:x', ['1.0', '1.2'])], { day: '2026-05-31' });

    expect(first.releases).toEqual(recorded);
    expect(first.missing).toEqual({ '1.1': '2026-05-31' });
    expect(first.findings.map(({ message }) => message)).toEqual([
      'no source lists 1.1 any more. What is still missing on a later day is withdrawn.',
    ]);

    const merged = merge(first.releases, [answer('npm:x', ['1.0', '1.2'])], { missing: first.missing });

    expect(entryOf(merged, '1.1')).toEqual({ ...recorded[1], withdrawnSince: day });
    expect(changesOf(merged)).toEqual(['1.1 withdrawn: npm:x no longer lists it']);
  });

  test('stays withdrawn since its first day', () => {
    const once = merge(recorded, [answer('npm:x', ['1.0', '1.2'])], { missing });
    const again = merge(once.releases, [answer('npm:x', ['1.0', '1.2'])], { day: '2026-07-01' });

    expect(again.releases).toEqual(once.releases);
    expect(again.changes).toEqual([]);
  });

  test('returns when a source lists it again', () => {
    const once = merge(recorded, [answer('npm:x', ['1.0', '1.2'])], { missing });

    const back = merge(once.releases, [answer('npm:x', ['1.0', '1.1', '1.2'])], { day: '2026-07-01' });

    expect(entryOf(back, '1.1')).toEqual({
      ...recorded[1],
      corrections: [{ on: '2026-07-01', field: 'withdrawnSince', from: day, reason: 'npm:x lists it again' }],
    });
    expect(changesOf(back)).toEqual(['1.1 returned: npm:x lists it again']);
  });

  test('returns also where the definition would not take it any more', () => {
    const once = merge(recorded, [answer('npm:x', ['1.0', '1.2'])], { missing });
    const all = answer('npm:x', ['1.0', '1.1', '1.2']);

    const back = merge(once.releases, [{ ...all, releases: [] }]);

    expect(entryOf(back, '1.1')).not.toHaveProperty('withdrawnSince');
  });

  test('is not withdrawn while it is listed, although the definition does not take it any more', () => {
    const all = answer('npm:x', ['1.0', '1.1', '1.2']);

    expect(merge(recorded, [{ ...all, releases: [] }]).releases).toEqual(recorded);
  });

  test('is not withdrawn while one of its sources lists it, or does not answer', () => {
    const two = [{ ...recorded[0]!, alsoListedBy: ['maven:g:a'] }];
    const sources = ['npm:x', 'maven:g:a'];
    const gone = answer('npm:x', ['2.0']);

    const listed = merge(two, [gone, answer('maven:g:a', ['1.0'])], { sources, missing });
    const failed = merge(two, [gone], { sources, missing: { '1.0': '2026-05-31' } });
    const neither = merge(two, [gone, answer('maven:g:a', ['2.0'])], { sources, missing });

    expect(entryOf(listed, '1.0')).not.toHaveProperty('withdrawnSince');
    expect(entryOf(failed, '1.0')).not.toHaveProperty('withdrawnSince');
    expect([listed.missing, failed.missing]).toEqual([{}, { '1.0': '2026-05-31' }]);
    expect(entryOf(neither, '1.0')).toHaveProperty('withdrawnSince', day);
  });

  test('is never withdrawn by a page', () => {
    const ofPage = [release('1.0', '2025-01-01', { source: 'page:https://example.com/' })];

    const merged = merge(ofPage, [answer('page:https://example.com/', ['2.0'])], { missing });

    expect(entryOf(merged, '1.0')).toEqual(ofPage[0]);
  });

  test('is never withdrawn where it was recorded by hand', () => {
    const byHand = [release('1.0', '2025-01-01')];

    expect(entryOf(merge(byHand, [answer('npm:x', ['2.0'])], { missing }), '1.0')).toEqual(byHand[0]);
  });
});

test('of two spellings of one version the first recorded stays, and the other is told', () => {
  const recorded = [release('v2025.2', '2025-07-15', { source: 'npm:x' })];

  const merged = merge(recorded, [answer('npm:x', ['2025.02'])]);

  expect(merged.releases).toEqual(recorded);
  expect(merged.findings).toEqual([
    {
      level: 'notice',
      subject: 'svc',
      message: 'npm:x spells v2025.2 as "2025.02". The first recorded spelling stays.',
    },
  ]);
});
