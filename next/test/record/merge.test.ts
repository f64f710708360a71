import { expect, test } from 'vitest';
import type { Recorded, RecordedRelease } from '../../src/core/schema/recorded.ts';
import { merge, mergeExploited, type Advisories } from '../../src/record/merge.ts';
import { answerOf, recordedRelease as release, type AnswerValues } from '../harness/recorded.ts';

const day = '2026-06-10';
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

type Listed = Parameters<typeof answerOf>[1];

interface Case {
  recorded?: RecordedRelease[];
  /** Sources without an answer are silent. */
  a?: Listed;
  b?: Listed;
  values?: AnswerValues;
  on?: string;
  expected: RecordedRelease[];
}

const observed = {
  releaseTimestamp: day,
  timestampKind: 'observed' as const,
  firstSeen: day,
  sources: ['a'],
} satisfies Partial<RecordedRelease>;
const lastAnswer = { answeredOn: '2026-06-09' };

const cases: Record<string, Case> = {
  'a new release has its stated day': {
    a: [{ version: '1.0', releaseTimestamp: '2026-06-10T08:00:00Z' }],
    values: lastAnswer,
    expected: [
      release('1.0', { ...observed, ...stated('2026-06-10T08:00:00Z'), notBefore: undefined }),
    ],
  },
  'a new release without a day came after the last answer without it': {
    a: ['1.0'],
    values: lastAnswer,
    expected: [release('1.0', { ...observed, notBefore: '2026-06-09' })],
  },
  'a day a week before the last answer without the release is believed': {
    a: [{ version: '1.0', releaseTimestamp: '2026-06-02' }],
    values: lastAnswer,
    expected: [release('1.0', { ...observed, ...stated('2026-06-02'), notBefore: '2026-06-09' })],
  },
  'an earlier day is not believed': {
    a: [{ version: '1.0', releaseTimestamp: '2026-06-01' }],
    values: lastAnswer,
    expected: [release('1.0', { ...observed, notBefore: '2026-06-09' })],
  },
  'it is not believed on a later day either': {
    recorded: [release('1.0', { ...observed, notBefore: '2026-06-09' })],
    a: [{ version: '1.0', releaseTimestamp: '2026-06-01' }],
    on: '2026-06-20',
    expected: [release('1.0', { ...observed, notBefore: '2026-06-09' })],
  },
  'a first answer is believed': {
    a: [{ version: '1.0', releaseTimestamp: '2011-01-01' }],
    expected: [release('1.0', { ...observed, ...stated('2011-01-01') })],
  },
  'an observed day gives way to a published one': {
    recorded: [release('1.0', observed)],
    a: [{ version: '1.0', releaseTimestamp: '2026-06-08' }],
    expected: [release('1.0', { ...observed, ...stated('2026-06-08') })],
  },
  'but not to a later one': {
    recorded: [release('1.0', { ...observed, releaseTimestamp: '2026-06-01' })],
    a: [{ version: '1.0', releaseTimestamp: '2026-06-08' }],
    expected: [release('1.0', { ...observed, releaseTimestamp: '2026-06-01' })],
  },
  'a published day stays': {
    recorded: [release('1.0', stated('2026-01-01'))],
    a: [{ version: '1.0', releaseTimestamp: '2026-06-08' }],
    expected: [release('1.0', stated('2026-01-01'))],
  },
  'so does one that a person wrote without its kind': {
    recorded: [{ version: '1.0', releaseTimestamp: '2026-01-01', sources: ['a'] }],
    a: [{ version: '1.0', releaseTimestamp: '2025-06-08' }],
    expected: [{ version: '1.0', releaseTimestamp: '2026-01-01', sources: ['a'] }],
  },
  'a release without any day takes the stated one': {
    recorded: [{ version: '1.0', sources: [] }],
    a: [{ version: '1.0', releaseTimestamp: '2019-06-08' }],
    expected: [{ version: '1.0', sources: ['a'], ...stated('2019-06-08') }],
  },
  'the first source takes precedence': {
    a: [{ version: '1.0', releaseTimestamp: '2026-06-08', changelogUrl: 'https://a.example' }],
    b: [{ version: '1.0', releaseTimestamp: '2026-06-07', changelogUrl: 'https://b.example' }],
    expected: [
      release('1.0', {
        ...observed,
        ...stated('2026-06-08'),
        changelogUrl: 'https://a.example',
        sources: ['a', 'b'],
      }),
    ],
  },
  'a recorded link stays': {
    recorded: [release('1.0', { changelogUrl: 'https://person.example' })],
    a: [{ version: '1.0', changelogUrl: 'https://a.example' }],
    expected: [release('1.0', { changelogUrl: 'https://person.example' })],
  },
  'two spellings of a version are one release': {
    recorded: [release('1.2')],
    a: ['v1.2', '1.02'],
    expected: [release('1.2')],
  },
  'a version that is missing is not withdrawn on the first day': {
    recorded: [release('1.0'), release('1.1')],
    a: ['1.1'],
    expected: [release('1.0', { missingSince: day }), release('1.1')],
  },
  'but on the second': {
    recorded: [release('1.0', { missingSince: '2026-06-09' }), release('1.1')],
    a: ['1.1'],
    expected: [release('1.0', { missingSince: '2026-06-09', withdrawnSince: day }), release('1.1')],
  },
  'it comes back when it is listed again': {
    recorded: [release('1.0', { missingSince: '2026-05-01', withdrawnSince: '2026-05-02' })],
    a: ['1.0'],
    expected: [release('1.0')],
  },
  'nothing is missing while one of its sources is silent': {
    recorded: [release('1.0', { sources: ['a', 'b'] })],
    a: ['1.1'],
    expected: [release('1.0', { sources: ['a', 'b'] }), release('1.1', observed)],
  },
  'nothing is missing in the answer of a page': {
    recorded: [release('1.0')],
    a: ['1.1'],
    values: { isPartial: true },
    expected: [release('1.0'), release('1.1', observed)],
  },
  'a release that a person recorded is never missing': {
    recorded: [release('1.0', { sources: [] })],
    a: ['1.1'],
    expected: [release('1.0', { sources: [] }), release('1.1', observed)],
  },
  'a version that the definition no longer admits is not missing': {
    recorded: [release('1.0')],
    a: ['1.0', '1.1'],
    values: { allowedVersions: '/^1.1/' },
    expected: [release('1.0'), release('1.1', observed)],
  },
  'a deprecation holds at once': {
    recorded: [release('1.0')],
    a: [{ version: '1.0', deprecated: 'leaks' }],
    expected: [release('1.0', { deprecated: 'leaks', deprecatedSince: day })],
  },
  'a source that states deprecations takes one back by stating none': {
    recorded: [release('1.0', { deprecated: 'leaks', deprecatedSince: '2026-02-02' })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    expected: [release('1.0')],
  },
  'one that states none leaves it': {
    recorded: [release('1.0', { deprecated: 'leaks', deprecatedSince: '2026-02-02' })],
    a: ['1.0'],
    values: { datasource: 'maven' },
    expected: [release('1.0', { deprecated: 'leaks', deprecatedSince: '2026-02-02' })],
  },
  'a silent source takes none back': {
    recorded: [
      release('1.0', { sources: ['a', 'b'], deprecated: 'leaks', deprecatedSince: '2026-02-02' }),
    ],
    a: ['1.0'],
    values: { datasource: 'npm' },
    expected: [
      release('1.0', { sources: ['a', 'b'], deprecated: 'leaks', deprecatedSince: '2026-02-02' }),
    ],
  },
  'a source deprecates all its releases, also those that it no longer lists': {
    recorded: [release('1.0'), release('1.1')],
    a: ['1.1'],
    values: { deprecated: 'archived' },
    expected: [
      release('1.0', { deprecated: 'archived', deprecatedSince: day, missingSince: day }),
      release('1.1', { deprecated: 'archived', deprecatedSince: day }),
    ],
  },
  'further files of a release are added': {
    recorded: [release('1.0', { digests: [digest('b')] })],
    a: [{ version: '1.0', digests: [digest('a'), digest('b')] }],
    expected: [release('1.0', { digests: [digest('a'), digest('b')] })],
  },
  'other bytes are not recorded, but that there are some': {
    recorded: [release('1.0', { digests: [digest('b')] })],
    a: [{ version: '1.0', digests: [digest('a')] }],
    expected: [release('1.0', { digests: [digest('b')], republishedOn: day })],
  },
  'another algorithm contradicts nothing': {
    recorded: [release('1.0', { digests: [digest('b')] })],
    a: [{ version: '1.0', digests: [`sha512:${'a'.repeat(128)}`] }],
    expected: [release('1.0', { digests: [digest('b')] })],
  },
  'other bytes are usual where tags are rebuilt': {
    recorded: [release('1.0', { digests: [digest('b')] })],
    a: [{ version: '1.0', digests: [digest('a')] }],
    values: { rebuildsTags: true },
    expected: [release('1.0', { digests: [digest('a'), digest('b')] })],
  },
};

function stated(releaseTimestamp: string) {
  return { releaseTimestamp, timestampKind: 'published' } as const;
}

test.for(Object.entries(cases))('%s', ([, { recorded = [], a, b, values, on = day, expected }]) => {
  const answers = [
    ...(a ? [answerOf('a', a, { ...values, day: on })] : []),
    ...(b ? [answerOf('b', b, { day: on })] : []),
  ];

  const merged = merge({ recorded: { releases: recorded }, answers, sources: ['a', 'b'], day: on });

  expect(merged.releases).toEqual(expected);
});

test('the lines of a source replace the recorded ones, and a silent source costs none', () => {
  const recorded: Recorded = { releases: [], lines: [{ line: '1.0', phases: [{ name: 'all' }] }] };
  const lines = [{ line: '1.1', phases: [{ name: 'all', until: '2027-01-01' }] }];
  const input = { recorded, sources: ['a'], day };

  expect(merge({ ...input, answers: [{ ...answerOf('a', ['1.1']), lines }] }).lines).toEqual(lines);
  expect(merge({ ...input, answers: [] }).lines).toEqual(recorded.lines);
});

const advisory = (id: string, source: string, affected = '<1.1') => ({ id, affected, source });

test('an advisory stays until its own source withdraws it', () => {
  const recorded: Recorded = {
    releases: [],
    advisories: [advisory('CVE-1-1', 'a'), advisory('CVE-1-1', 'b'), advisory('CVE-1-2', 'a')],
  };
  const answer: Advisories = {
    source: 'a',
    advisories: [{ id: 'CVE-1-3', affected: '<2' }],
    withdrawnAdvisories: ['CVE-1-1'],
  };
  const answers = [{ ...answerOf('a', ['1.1']), ...answer }] as ReturnType<typeof answerOf>[];

  const { advisories } = merge({ recorded, answers, sources: ['a', 'b'], day });

  expect(advisories).toEqual([
    advisory('CVE-1-1', 'b'),
    advisory('CVE-1-2', 'a'),
    advisory('CVE-1-3', 'a', '<2'),
  ]);
});

test('a catalogue of exploited vulnerabilities adds to the advisories that it names, by any id', () => {
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
  expect(mergeExploited(once, {} as never, [])).toEqual(once);
  expect(mergeExploited({ releases: [] }, {} as never, [catalogue]).advisories).toBeUndefined();
});
