/** Checks how release lines, advisories, and catalogues of exploited vulnerabilities are merged into the recorded data. */
import { expect, test } from 'vitest';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import { merge, mergeExploited } from '../../src/record/merge.ts';
import { answerOf } from '../harness/recorded.ts';

const day = '2026-06-10';
const sources = ['a', 'b'];
const lastAnswer = { answeredOn: '2026-06-09' };

const ends = (days: object) =>
  Object.entries(days).map(([line, until]) => ({ line, phases: [{ name: 'all', until }] }));
const formerEnds = ends({ '20': '2026-04-30', '22': '2027-04-30' });

test.for<[name: string, answer: object | undefined, expected: object]>([
  [
    'an answer replaces the recorded lines',
    { lines: ends({ '22': '2027-05-31' }) },
    { '22': '2027-05-31' },
  ],
  ['a silent source removes no line', undefined, { '20': '2026-04-30', '22': '2027-04-30' }],
  [
    'a partial answer keeps the lines that it lacks',
    { lines: ends({ '22': '2027-05-31', '24': '2028-04-30' }), isPartial: true },
    { '20': '2026-04-30', '22': '2027-05-31', '24': '2028-04-30' },
  ],
  [
    'the first answer for another product removes all former lines',
    { lines: ends({ '24': '2028-04-30' }), isPartial: true, answeredOn: undefined },
    { '24': '2028-04-30' },
  ],
  [
    'an unreadable line keeps its recorded end',
    { lines: [...ends({ '22': '2027-05-31' }), { line: '20', phases: [] }], isPartial: true },
    { '20': '2026-04-30', '22': '2027-05-31' },
  ],
])('in merging the release lines of a source, %s', ([, answer, expected]) => {
  const answers = answer ? [{ ...answerOf('a', ['1.1'], lastAnswer), ...answer }] : [];

  const recorded = { releases: [], lines: formerEnds };
  const { lines } = merge({ recorded, answers, sources, day });

  expect(lines).toEqual(ends(expected));
});

const advisory = (id: string, source: string, affected = '<1.1') => ({ id, affected, source });

test('an advisory stays until the source that listed the advisory withdraws it', () => {
  const recorded: Recorded = {
    releases: [],
    advisories: [advisory('CVE-1-1', 'a'), advisory('CVE-1-1', 'b'), advisory('CVE-1-2', 'a')],
  };
  const advisories = [{ id: 'CVE-1-3', affected: '<2' }];
  const answer = { ...answerOf('a', ['1.1']), advisories, withdrawnAdvisories: ['CVE-1-1'] };

  const merged = merge({ recorded, answers: [answer], sources, day });

  expect(merged.advisories).toEqual([
    advisory('CVE-1-1', 'b'),
    advisory('CVE-1-2', 'a'),
    advisory('CVE-1-3', 'a', '<2'),
  ]);
});

test('a catalogue of exploited vulnerabilities adds only entries that share an id with an advisory', () => {
  const recorded: Recorded = {
    releases: [],
    advisories: [{ ...advisory('GHSA-1', 'a'), aliases: ['CVE-1-1'] }],
  };
  const entry = (id: string) => ({ id, exploitedSince: '2026-06-01' });
  const catalogue = {
    source: 'https://kev.example',
    advisories: ['CVE-1-1', 'CVE-1-2'].map(entry),
  };

  const once = mergeExploited(recorded, {} as never, [catalogue]);

  expect(once.advisories).toEqual([
    { ...entry('CVE-1-1'), source: 'https://kev.example' },
    ...recorded.advisories!,
  ]);
  expect(mergeExploited({ releases: [] }, {} as never, [catalogue]).advisories).toBeUndefined();
});
