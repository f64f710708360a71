/** Checks what readers see of recorded data while changes wait for a person's decision. */
import { expect, test } from 'vitest';
import type { Hold, Recorded, RecordedRelease } from '../../src/core/schema/recorded.ts';
import { findDeciding, findEnd, listShortened, withhold } from '../../src/judge/withhold.ts';
import { release } from '../harness/judging.ts';

type Held = Pick<Hold, 'kind' | 'versions' | 'taken' | 'lines' | 'stops'>;
const loss = (more: Partial<Held>): Held => ({ kind: 'loss', versions: ['1.0'], ...more });
const until = (line: string, day?: string) => ({ line, phases: [{ name: 'support', until: day }] });

test.each<[what: string, recorded: Partial<RecordedRelease>, hold: Held, seen: object | undefined]>(
  [
    ['a held arrival', {}, { kind: 'outlier', versions: ['1.0'] }, undefined],
    ['an arrival of a flood', {}, { kind: 'flood', versions: ['1.0'] }, undefined],
    [
      'a held withdrawal',
      { withdrawnSince: '2026-01-02' },
      loss({ taken: { withdrawnSince: ['1.0'] } }),
      { withdrawnSince: undefined },
    ],
    [
      'a held deprecation',
      { deprecated: 'Broken.' },
      loss({ taken: { deprecated: ['1.0'] } }),
      { deprecated: undefined },
    ],
    [
      'a held demotion to a prerelease',
      { isPrerelease: true },
      loss({ taken: { isPrerelease: ['1.0'] } }),
      { isPrerelease: false },
    ],
    ['the held loss of a stop', {}, loss({ stops: ['1.0'] }), { isStop: true }],
    [
      'another mark of a release in a hold',
      { deprecated: 'Broken.', withdrawnSince: '2026-01-02' },
      loss({ taken: { withdrawnSince: ['1.0'] } }),
      { deprecated: 'Broken.', withdrawnSince: undefined },
    ],
    [
      'a mark of a release in no hold',
      { deprecated: 'Broken.' },
      loss({ taken: { deprecated: ['2.0'] } }),
      { deprecated: 'Broken.' },
    ],
  ],
)('readers see %s as before', (_, more, hold, seen) => {
  const former = release('1.0', '2026-01-01');
  const recorded: Recorded = { releases: [{ ...former, ...more }, release('0.9')] };

  const { releases } = withhold(recorded, [hold]);
  expect(releases).toEqual([...(seen ? [{ ...former, ...more, ...seen }] : []), release('0.9')]);
});

test('without holds, readers see the recorded data itself', () => {
  const recorded = { releases: [release('1.0')] };

  expect(withhold(recorded, [])).toBe(recorded);
});

test('lines in a hold keep their later ends, and all other lines have the ends of the source', () => {
  const recorded = {
    releases: [],
    lines: [until('1.0', '2026-06-30'), until('2.0', '2027-06-30'), until('3.0', '2028-06-30')],
  };
  const held = [until('1.0', '2026-12-31'), until('2.0', '2027-01-31'), until('4.0', '2029-01-31')];

  expect(withhold(recorded, [loss({ lines: held })]).lines).toEqual([
    until('1.0', '2026-12-31'),
    until('2.0', '2027-06-30'),
    until('3.0', '2028-06-30'),
    until('4.0', '2029-01-31'),
  ]);
});

test.each([
  ['an earlier end', '2026-12-31', '2026-12-30', true],
  ['the same end', '2026-12-31', '2026-12-31', false],
  ['a later end', '2026-12-31', '2027-01-01', false],
  ['an end instead of none', undefined, '2099-01-01', true],
  ['no end', '2026-12-31', undefined, false],
  ['no line', '2026-12-31', null, true],
])('a line whose source gives %s is shortened or not', (_, former, now, isShortened) => {
  const after = now === null ? [] : [until('1.0', now)];

  expect(listShortened([until('1.0', former)], after)).toEqual(
    isShortened ? [until('1.0', former)] : [],
  );
});

test('a line that ended on an unknown day ends before all others, and a line without an end after all', () => {
  const over = { line: '1.0', phases: [{ name: 'support', isOver: true as const }] };
  const uncertain = { line: '1.0', phases: [{ name: 'support', untilAtMost: '2026-01-31' }] };

  expect([over, uncertain, until('1.0', '2026-01-01'), until('1.0')].map(findEnd)).toEqual([
    '',
    '2026-01-31',
    '2026-01-01',
    '9999',
  ]);
});

test.each([
  ['1.0', '1.0'],
  ['1.5', '2.0'],
  ['0.9', '1.0'],
  ['2.1', undefined],
])('the end of the line %s follows from the listed line %s', (name, line) => {
  const stated = [until('2.0'), until('1.0')];

  expect(findDeciding(stated, name)?.line).toBe(line);
});
