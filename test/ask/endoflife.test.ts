import { expect, test } from 'vitest';
import {
  cyclesOfVersion0,
  lastChangeOf,
  type productOf,
  releaseCycles,
} from '../../src/ask/endoflife.ts';
import type { Phase } from '../../src/core/schemas/phase.ts';
import { supportOn } from '../../src/core/states.ts';

type Details = Parameters<typeof productOf>[0];
type Line = Details['lines'][number];
type Release = Line['releases'][number];

const day = '2026-06-01';

const release = (version: string, more: Partial<Release> = {}) =>
  ({ version, line: '1.0', isPrerelease: false, ...more }) as Release;

/** A line with one phase, as of the day. */
const line = (name: string, phase?: Omit<Phase, 'name'>, more: Partial<Line> = {}): Line => {
  const phases = phase ? [{ name: 'support', ...phase }] : [];
  const facts = { line: name, latest: name, phases, releases: [release(name)] };
  return { ...facts, ...supportOn({ phases }, day), ...more };
};

const tool = (...lines: Line[]): Details => ({ component: 'tool', title: 'Tool', day, lines });

test('an end is the last day with support, one day before the end in the index', () => {
  const found = tool(line('1.0', { until: '2026-03-01' }), line('1.1', { until: '2028-03-01' }));

  expect(releaseCycles(found).map(({ name, isEol, eolFrom }) => [name, isEol, eolFrom])).toEqual([
    ['1.1', false, '2028-02-29'],
    ['1.0', true, '2026-02-28'],
  ]);
  expect(cyclesOfVersion0(releaseCycles(found))).toMatchObject([
    { eol: '2028-02-29' },
    { eol: '2026-02-28' },
  ]);
});

test('a bound is left out, and a line is maintained only if support certainly runs', () => {
  const first = { firstReleaseDate: '2026-01-31', firstReleaseDateAtMost: '2026-02-28' };
  const found = tool(
    line('1.0', { untilAtMost: '2026-05-01' }),
    line('1.1', { until: '2026-03-01', untilAtMost: '2027-01-01' }),
    line('1.2', { until: '2027-01-01', untilAtMost: '2027-02-01' }, first),
    line('1.3'),
  );

  const cycles = releaseCycles(found);

  const versions0 = cyclesOfVersion0(cycles) as { eol: boolean }[];
  expect(
    cycles.map(({ name, isEol, isMaintained }, place) => [
      name,
      isEol,
      isMaintained,
      versions0[place]!.eol,
    ]),
  ).toEqual([
    ['1.3', false, false, false],
    ['1.2', false, true, false],
    ['1.1', false, false, false],
    ['1.0', true, false, true],
  ]);
  for (const cycle of cycles) {
    expect(cycle).toMatchObject({ eolFrom: null });
    expect(cycle.releaseDate).toBeUndefined();
  }
});

test('the latest of a line is not a prerelease, and not withdrawn or deprecated itself', () => {
  const withReason = (rule: 'withdrawn' | 'definition') => ({ reasons: [{ rule, text: 'x' }] });
  const releases = [
    release('1.0.1', { releaseTimestamp: '2026-02-03T10:00:00Z', timestampKind: 'published' }),
    release('1.0.2', withReason('definition')),
    release('1.0.3', withReason('withdrawn')),
    release('1.0.4-rc1', { isPrerelease: true }),
  ];

  expect(releaseCycles(tool(line('1.0', undefined, { releases })))[0]!.latest).toEqual({
    name: '1.0.1',
    date: '2026-02-03',
    link: null,
  });
});

test('the instant of a document is the day of its newest release or end', () => {
  const releases = [
    release('1.0', { firstSeen: '2026-02-03', releaseTimestamp: '2026-02-01T08:00:00Z' }),
  ];

  expect(lastChangeOf(tool(line('1.0', { until: '2026-07-01' }, { releases })))).toBe(
    '2026-02-03T00:00:00Z',
  );
  expect(lastChangeOf(tool(line('1.0', { until: '2026-04-01' }, { releases })))).toBe(
    '2026-04-01T00:00:00Z',
  );
});
