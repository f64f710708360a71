import { describe, expect, test } from 'vitest';
import { findLatestVersion, leaveOutMovingTags } from '../../src/sources/versions.ts';

describe('tags of a container', () => {
  const tag = (version: string, digest?: string, day?: string) => ({
    version,
    ...(digest && { digests: [digest] }),
    ...(day && { releaseTimestamp: `2026-03-${day}T00:00:00Z` }),
  });
  type Tags = ReturnType<typeof tag>[];

  test.each<[string, Tags, Tags, string[]]>([
    [
      'one with bytes of its own is a release, as the first of a line',
      [tag('2025.1', 'a', '01'), tag('2025.1.1', 'b', '09')],
      [],
      ['2025.1', '2025.1.1'],
    ],
    [
      'a new one of a later day than a recorded longer one has moved to a version that is not listed yet',
      [tag('1.25', 'c', '09')],
      [tag('1.25.4', 'a', '01')],
      [],
    ],
    [
      'a new one of an earlier day is a release that the definition left out before',
      [tag('2025.1', 'c', '01')],
      [tag('2025.1.1', 'a', '09')],
      ['2025.1'],
    ],
    [
      'one that could not be read is asked for again by the next run',
      [tag('1.25'), tag('1.25.4', 'a'), tag('2.0')],
      [],
      ['1.25.4', '2.0'],
    ],
    [
      'suffixes name images of their own',
      [tag('1.25-alpine', 'a'), tag('1.25.4', 'a'), tag('1-jdk', 'b'), tag('1.2-jdk', 'b')],
      [],
      ['1.25-alpine', '1.25.4', '1.2-jdk'],
    ],
  ])('%s', (_, tags, recorded, expected) => {
    const versions = leaveOutMovingTags(tags, recorded).map(({ version }) => version);

    expect(versions).toEqual(expected);
  });

  test('of thousands with the same bytes, all but shorter forms are releases', () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => tag(`1.${index}.0`, 'a'));

    expect(leaveOutMovingTags([tag('1', 'a'), tag('1.7', 'a'), ...tags], tags)).toEqual(tags);
  });

  test('a recorded one stays, without the digest that moves', () => {
    const recorded = [tag('1.25', 'b', '01')];
    const [kept] = leaveOutMovingTags([tag('1.25', 'a'), tag('1.25.4', 'a')], recorded);

    expect(kept).toEqual({ version: '1.25', digests: undefined });
  });
});

test.each<[unknown[], string | undefined]>([
  [['1.9', '1.10', '2.0-rc1', 7], '1.10'],
  [['2.0-rc1', '2.0-rc2'], '2.0-rc2'],
  [['latest'], undefined],
])('the latest of %j is %s', (names, expected) => {
  expect(findLatestVersion(names)).toBe(expected);
});
