import { expect, test } from 'vitest';
import type { DetailsOn } from '../../../../src/ask/answers/component-on.ts';
import type { Phase } from '../../../../src/core/schemas/definition/phase.ts';
import { computeSupportOn } from '../../../../src/core/model/states.ts';
import { renderCycles } from '../../../../src/site/render/documents/endoflife-json.ts';

type Line = DetailsOn['lines'][number];
type Release = Line['releases'][number];

const day = '2026-06-01';

const release = (version: string, more: Partial<Release> = {}) =>
  ({ version, line: '1.0', isPrerelease: false, ...more }) as Release;

/** A line with one phase, as of the day. */
const line = (name: string, phase?: Omit<Phase, 'name'>, more: Partial<Line> = {}): Line => {
  const phases = phase ? [{ name: 'support', ...phase }] : [];
  const facts = { line: name, latest: name, phases, releases: [release(name)] };
  return { ...facts, ...computeSupportOn({ phases }, day), ...more };
};

const cyclesOf = (...lines: Line[]) => renderCycles({ day, lines });

test('an end is the last day with support, as in the index', () => {
  const cycles = cyclesOf(
    line('1.0', { until: '2026-03-01' }),
    line('1.1', { until: '2028-03-01' }),
  );

  expect(cycles).toMatchObject([
    { cycle: '1.1', eol: '2028-03-01' },
    { cycle: '1.0', eol: '2026-03-01' },
  ]);
});

test('a bound is left out, and a line has ended only if support is certainly over', () => {
  const first = { firstReleaseDate: '2026-01-31', firstReleaseDateAtMost: '2026-02-28' };
  const cycles = cyclesOf(
    line('1.0', { untilAtMost: '2026-05-01' }),
    line('1.1', { until: '2026-03-01', untilAtMost: '2027-01-01' }),
    line('1.2', { until: '2027-01-01', untilAtMost: '2027-02-01' }, first),
    line('1.3'),
  );

  expect(cycles.map(({ cycle, eol }) => [cycle, eol])).toEqual([
    ['1.3', false],
    ['1.2', false],
    ['1.1', false],
    ['1.0', true],
  ]);
  expect(cycles.map(({ releaseDate }) => releaseDate)).toEqual(Array(4).fill(undefined));
});

test('the latest of a line is not a prerelease, and not withdrawn or deprecated itself', () => {
  const withReason = (rule: 'withdrawn' | 'definition') => ({ reasons: [{ rule, text: 'x' }] });
  const releases = [
    release('1.0.1', { releaseTimestamp: '2026-02-03T10:00:00Z', timestampKind: 'published' }),
    release('1.0.2', withReason('definition')),
    release('1.0.3', withReason('withdrawn')),
    release('1.0.4-rc1', { isPrerelease: true }),
  ];

  expect(cyclesOf(line('1.0', undefined, { releases }))).toMatchObject([
    { latest: '1.0.1', latestReleaseDate: '2026-02-03' },
  ]);
});

test('a line without a release to use is discontinued, and names none', () => {
  const reasonFrom = (from?: string) => ({ reasons: [{ rule: 'definition', text: 'x', from }] });
  const cycles = cyclesOf(
    line('1.0', undefined, { releases: [release('1.0', reasonFrom() as never)] }),
    line('1.1', undefined, { releases: [release('1.1-rc1', { isPrerelease: true })] }),
    line('1.2', undefined, { releases: [release('1.2', reasonFrom('2999-01-01') as never)] }),
    line('1.3', undefined, { releases: [] }),
  );

  expect(cycles.map(({ cycle, latest, discontinued }) => [cycle, latest, discontinued])).toEqual([
    ['1.3', undefined, true],
    ['1.2', '1.2', undefined],
    ['1.1', undefined, true],
    ['1.0', undefined, true],
  ]);
  expect(cyclesOf(line('1.3', undefined, { releases: [] }))).toMatchObject([
    { discontinued: undefined },
  ]);
});

test('the day of an observed release is left out', () => {
  const releases = [
    release('1.0', { releaseTimestamp: '2026-02-03T00:00:00Z', timestampKind: 'observed' }),
  ];

  expect(cyclesOf(line('1.0', undefined, { releases }))[0]!.latestReleaseDate).toBeUndefined();
});
