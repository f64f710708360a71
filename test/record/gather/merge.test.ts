import { describe, expect, test } from 'vitest';
import { release } from '../../harness/judging.ts';
import { answer, changesOf, entryOf, merge } from '../../harness/merging.ts';

const day = '2026-06-01';

describe('a new version', () => {
  test("is recorded with upstream's values", () => {
    const merged = merge(
      [],
      [
        answer('npm:x', [
          {
            version: '1.0',
            releaseTimestamp: '2025-03-04T05:06:07.890Z',
            changelogUrl: 'https://example.com/1.0',
            deprecated: 'use 2',
            isImmutable: true,
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
        immutable: true,
      },
    ]);
    expect(changesOf(merged)).toEqual(['1.0 new']);
  });

  test('without a day is recorded as observed on the day it is gathered', () => {
    expect(merge([], [answer('npm:x', ['1.0'])]).releases).toEqual([
      { version: '1.0', releaseTimestamp: day, timestampKind: 'observed', source: 'npm:x', firstSeen: day },
    ]);
  });

  test("of several sources has the first source's values, and missing ones from the others", () => {
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
      dissent: [
        {
          source: 'npm:x',
          field: 'changelogUrl',
          value: 'https://example.com/second',
          over: 'page:https://example.com/',
        },
      ],
    });
    expect(changesOf(merged)).toEqual(['1.0 new', '1.1 new', '1.2 new']);
  });

  test('is written at its place in the order, with its keys in a fixed order', () => {
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
  test('that was published stays, whatever upstream states later', () => {
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

  test('that was observed is replaced by the day of publication', () => {
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

  test('that is missing becomes the day of publication, else the day it was first seen', () => {
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

describe('conflicting sources', () => {
  const sources = ['npm:first', 'npm:second'];

  test('the first in the definition takes precedence, even if it answers later than the second', () => {
    const alone = merge([], [second('https://example.com/2')], { sources });
    const both = merge(alone.releases, [first('https://example.com/1'), second('https://example.com/2')], {
      sources,
    });

    expect(alone.releases[0]!.changelogUrl).toBe('https://example.com/2');
    expect(both.releases[0]!.changelogUrl).toBe('https://example.com/1');
  });

  test("the first source's value stays while it does not answer", () => {
    const both = merge([], [first('https://example.com/1'), second('https://example.com/2')], { sources });
    const alone = merge(both.releases, [second('https://example.com/2')], { sources });

    expect(alone.releases).toEqual(both.releases);
    expect(alone.changes).toEqual([]);
  });

  test('a source that the definition no longer names is ignored', () => {
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

  test('their statements on a deprecation do not alternate', () => {
    const one = answer('npm:first', [{ version: '1.0', deprecated: 'use 2' }]);
    const other = answer('npm:second', [{ version: '1.0', deprecated: 'broken' }]);
    const both = merge([], [one, other], { sources });

    expect(both.releases[0]!.deprecated).toBe('use 2');
    expect(merge(both.releases, [other], { sources }).releases).toEqual(both.releases);
  });

  test('a missing deprecation of the first source takes precedence, if the source could state one', () => {
    const bad = [{ version: '1.0', deprecated: 'broken' }];
    const silent = merge([], [answer('npm:first', ['1.0']), answer('npm:second', bad)], { sources });
    const mute = merge([], [answer('maven:g:a', ['1.0']), answer('npm:second', bad)]);

    expect(silent.releases[0]).not.toHaveProperty('deprecated');
    expect(mute.releases[0]!.deprecated).toBe('broken');
  });
});

describe("upstream's deprecation", () => {
  const good = [release('1.0', '2025-01-01', { source: 'npm:x' })];
  const bad = [release('1.0', '2025-01-01', { source: 'npm:x', deprecated: 'use 2' })];

  test('is recorded with the day it was first read', () => {
    const merged = merge(good, [answer('npm:x', [{ version: '1.0', deprecated: ' use\n2 ' }])]);

    expect(merged.releases[0]).toMatchObject({
      deprecated: 'use 2',
      deprecatedSince: day,
    });
    expect(changesOf(merged)).toEqual(['1.0 deprecated: use 2']);
  });

  test('without a reason is recorded as such', () => {
    expect(merge([], [answer('npm:x', [{ version: '1.0', deprecated: '' }])]).releases[0]!.deprecated).toBe(
      'no reason given',
    );
  });

  test('that is undone leaves nothing behind', () => {
    const merged = merge(bad, [answer('npm:x', ['1.0'])]);

    expect(merged.releases[0]).toEqual({
      version: '1.0',
      releaseTimestamp: '2025-01-01',
      source: 'npm:x',
    });
    expect(changesOf(merged)).toEqual(['1.0 corrected: no longer deprecated upstream']);
  });

  test('is not undone by a source that cannot state deprecations', () => {
    const byHand = [release('1.0', '2025-01-01', { deprecated: 'use 2' })];

    const merged = merge(byHand, [answer('maven:g:a', ['1.0'])]);

    expect(merged.releases[0]).toMatchObject({ deprecated: 'use 2', source: 'maven:g:a' });
  });

  test('is not undone while an earlier source that lists the version does not answer', () => {
    const two = [{ ...bad[0]!, alsoListedBy: ['npm:y'] }];

    const merged = merge(two, [answer('npm:x', ['1.0'])], { sources: ['npm:y', 'npm:x'] });

    expect(merged.releases[0]!.deprecated).toBe('use 2');
  });

  test('is not undone by a source that lists the version if the definition does not admit it', () => {
    const merged = merge(bad, [{ ...answer('npm:x', ['1.0']), releases: [] }]);

    expect(merged.releases).toEqual(bad);
  });
});

const saying = (version: string, isPrerelease?: boolean) =>
  answer('npm:x', [{ version, ...(isPrerelease !== undefined && { isPrerelease }) }]);

describe("upstream's prerelease flag", () => {
  test('is recorded only if it differs from the form of the version', () => {
    expect(merge([], [saying('1.0', true)]).releases[0]!.isPrerelease).toBe(true);
    expect(merge([], [saying('1.0-rc1', false)]).releases[0]!.isPrerelease).toBe(false);
    expect(merge([], [saying('1.0', false)]).releases[0]).not.toHaveProperty('isPrerelease');
  });

  test('may change', () => {
    const recorded = [release('1.0', '2025-01-01', { source: 'npm:x', isPrerelease: true })];

    const merged = merge(recorded, [saying('1.0', false)]);

    expect(merged.releases[0]).not.toHaveProperty('isPrerelease');
    expect(changesOf(merged)).toEqual(['1.0 corrected: not a prerelease']);
  });

  test('is not undone by a source without one', () => {
    const byHand = [release('1.0', '2025-01-01', { isPrerelease: true })];
    const once = merge(byHand, [saying('1.0')]);

    expect(merge(once.releases, [saying('1.0')]).releases[0]!.isPrerelease).toBe(true);
  });
});

test('keeps the first recorded of two spellings of a version, and reports the other', () => {
  const recorded = [release('v2025.2', '2025-07-15', { source: 'npm:x' })];

  const merged = merge(recorded, [answer('npm:x', ['2025.02'])]);

  expect(merged.releases).toEqual(recorded);
  expect(merged.findings).toEqual([
    {
      level: 'notice',
      subject: 'svc',
      message: 'npm:x spells v2025.2 as "2025.02". The first recorded spelling stays.',
      kind: 'npm:x spelling',
    },
  ]);
});

describe('the build of a release', () => {
  const repository = 'https://github.com/example/agent';
  const builtIn = (source: string, repository: string) => ({
    source,
    repository,
    builder: `${repository}/.github/workflows/release.yml@refs/heads/main`,
    predicateType: 'https://slsa.dev/provenance/v1',
  });
  const attested = (source: string, repository: string) => {
    const listing = answer(source, ['1.0']);
    const provenance = builtIn(source, repository);
    return { ...listing, releases: listing.releases.map((release) => ({ ...release, provenance })) };
  };

  test('is recorded once, and no later attestation replaces it', () => {
    const { releases } = merge([release('1.0')], [attested('npm:x', repository)]);
    const again = merge(releases, [attested('npm:x', 'https://github.com/fork/agent')]);

    expect(entryOf({ releases }, '1.0').provenance).toEqual(builtIn('npm:x', repository));
    expect(again.releases).toEqual(releases);
    expect(again.findings.map(({ message }) => message)).toEqual([
      `npm:x attests that 1.0 was built from https://github.com/fork/agent, and npm:x from ${repository}. That stays recorded.`,
    ]);
  });

  test('comes from the first source that attests it, and stays without a statement', () => {
    const { releases } = merge(
      [],
      [answer('pypi:x', ['1.0']), attested('npm:x', repository), attested('pypi:y', repository)],
    );

    expect(entryOf({ releases }, '1.0').provenance).toEqual(builtIn('npm:x', repository));
    expect(merge(releases, [answer('npm:x', ['1.0'])]).releases).toEqual(releases);
  });
});
