import { expect, test } from 'vitest';
import { cyclesOfVersion0, lastChangeOf, releaseCycles } from '../../src/core/endoflife.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';

type Line = DetailsFile['lines'][number];
type Release = DetailsFile['releases'][number];

const line = (name: string, more: Partial<Line> = {}): Line => ({
  line: name,
  latest: name,
  releases: 1,
  firstReleaseDate: '2026-01-31',
  ...more,
});

const release = (version: string, of: string, more: Partial<Release> = {}): Release => ({
  version,
  line: of,
  status: 'supported',
  isDeprecated: false,
  isPrerelease: false,
  ...more,
});

const details = (lines: Line[], releases: Release[]) => ({
  component: 'tool',
  title: 'Tool',
  lines,
  releases,
});

test('an end is the last day with support, where ours is the first without', () => {
  const lines = [
    line('1.0', { isSupported: false, supportedUntil: '2026-03-01' }),
    line('1.1', { isSupported: true, supportedUntil: '2028-03-01' }),
  ];
  const found = details(lines, [release('1.0', '1.0'), release('1.1', '1.1')]);

  expect(releaseCycles(found).map(({ name, isEol, eolFrom }) => [name, isEol, eolFrom])).toEqual([
    ['1.1', false, '2028-02-29'],
    ['1.0', true, '2026-02-28'],
  ]);
  expect(cyclesOfVersion0(releaseCycles(found))).toMatchObject([
    { eol: '2028-02-29' },
    { eol: '2026-02-28' },
  ]);
});

test('without a day of the end, version 0 says whether support is over', () => {
  const lines = [line('1.0', { isSupported: false }), line('1.1', { isSupported: true }), line('1.2')];
  const releases = lines.map(({ line: name }) => release(name, name));

  expect(cyclesOfVersion0(releaseCycles(details(lines, releases)))).toMatchObject([
    { cycle: '1.2', eol: false },
    { cycle: '1.1', eol: false },
    { cycle: '1.0', eol: true },
  ]);
});

test('a line without any day is left out', () => {
  const undated = line('1.0');
  delete undated.firstReleaseDate;

  expect(
    releaseCycles(details([undated, line('1.1')], [release('1.0', '1.0'), release('1.1', '1.1')])),
  ).toHaveLength(1);
});

test('the latest of a line is no prerelease, and none that was withdrawn or is deprecated by itself', () => {
  const withReason = (rule: 'support policy' | 'withdrawn' | 'definition') => ({
    reasons: [{ rule, text: 'x' }],
  });
  const releases = [
    release('1.0.1', '1.0', { ...withReason('support policy'), releaseTimestamp: '2026-02-03T10:00:00Z' }),
    release('1.0.2', '1.0', withReason('definition')),
    release('1.0.3', '1.0', withReason('withdrawn')),
    release('1.0.4-rc1', '1.0', { isPrerelease: true }),
  ];

  expect(releaseCycles(details([line('1.0')], releases))[0]!.latest).toEqual({
    name: '1.0.1',
    date: '2026-02-03',
    link: null,
  });
});

test('the instant of a document is that of its newest release or end', () => {
  const releases = [
    release('1.0', '1.0', { firstSeen: '2026-02-03', releaseTimestamp: '2026-02-01T08:00:00Z' }),
  ];

  expect(lastChangeOf(details([line('1.0')], releases))).toBe('2026-02-03T00:00:00Z');
  expect(
    lastChangeOf(details([line('1.0', { isSupported: false, supportedUntil: '2026-04-01' })], releases)),
  ).toBe('2026-04-01T00:00:00Z');
});
