import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schema/recorded.ts';
import { merge } from '../../src/record/merge.ts';
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
  /** What is recorded, where it is absent. */
  expected?: RecordedRelease[];
}

const stated = (releaseTimestamp: string) =>
  ({ releaseTimestamp, timestampKind: 'published' }) as const;
const since = (version: string, values: Partial<RecordedRelease> = {}) =>
  release(version, {
    releaseTimestamp: day,
    timestampKind: 'observed',
    firstSeen: day,
    ...values,
  });
const listed = (values: object) => [{ version: '1.0', ...values }];
const on = (releaseTimestamp: string) => listed({ releaseTimestamp });
const former = '2026-06-09';
const lastAnswer = { answeredOn: former };
const leaks = { deprecated: 'leaks', deprecatedSince: '2026-02-02' };
const sources = ['a', 'b'];
const quarantine = { isPartial: true, deprecated: 'malware', isQuarantined: true };
const pushed = (releaseTimestamp: string) => listed({ releaseTimestamp, isUpperBound: true });
const replaced = { otherDigests: [digest('c')], republishedOn: former };
const both = [release('1.0'), release('1.1')];
const bytes = [release('1.0', { digests: [digest('b')] })];

const cases: Record<string, Case> = {
  'a new release has its stated day': {
    a: on('2026-06-10T08:00:00Z'),
    values: lastAnswer,
    expected: [since('1.0', stated('2026-06-10T08:00:00Z'))],
  },
  'a new release without a day came after the last answer without it': {
    a: ['1.0'],
    values: lastAnswer,
    expected: [since('1.0', { notBefore: former })],
  },
  'a day a week before the last answer without the release is believed': {
    a: on('2026-06-02'),
    values: lastAnswer,
    expected: [since('1.0', { ...stated('2026-06-02'), notBefore: former })],
  },
  'an earlier day is not believed, but kept': {
    recorded: [since('1.0', { notBefore: former })],
    a: on('2026-06-01'),
    expected: [since('1.0', { notBefore: former, ignoredDay: '2026-06-01' })],
  },
  'the first ignored day is kept': {
    recorded: [since('1.0', { notBefore: former, ignoredDay: '2026-05-01' })],
    a: on('2026-06-01'),
  },
  'an ignored day goes if another one is believed': {
    recorded: [since('1.0', { notBefore: former, ignoredDay: '2026-05-01' })],
    a: on('2026-06-08'),
    expected: [since('1.0', { ...stated('2026-06-08'), notBefore: former })],
  },
  'an ignored day goes if a person states the day': {
    recorded: [release('1.0', { notBefore: former, ignoredDay: '2026-01-01' })],
    a: on('2026-05-01'),
    expected: [release('1.0', { notBefore: former })],
  },
  'a run that began before midnight takes the day of a release after it': {
    recorded: [since('1.0', { notBefore: former })],
    a: on('2026-06-11T00:05:00Z'),
    expected: [since('1.0', stated('2026-06-11T00:05:00Z'))],
  },
  'but no later day': {
    recorded: [since('1.0', { notBefore: former })],
    a: on('2026-06-12T00:05:00Z'),
  },
  'the last push of a tag is an upper bound': {
    a: pushed('2026-06-08T10:00:00Z'),
    expected: [since('1.0', { releaseTimestamp: '2026-06-08T10:00:00Z' })],
  },
  'a later push moves no day': {
    recorded: [since('1.0', { releaseTimestamp: '2026-06-01T10:00:00Z' })],
    a: pushed('2026-06-01T10:00:01Z'),
  },
  'a push before the last answer without its tag is not believed': {
    a: pushed('2026-06-08T10:00:00Z'),
    values: lastAnswer,
    expected: [since('1.0', { notBefore: former })],
  },
  'a push long before the last answer without its tag is kept as an ignored day': {
    a: pushed('2026-05-08T10:00:00Z'),
    values: lastAnswer,
    expected: [since('1.0', { notBefore: former, ignoredDay: '2026-05-08' })],
  },
  'a day that a person wrote without its kind stays': {
    recorded: [{ version: '1.0', releaseTimestamp: '2026-01-01', sources: ['a'] }],
    a: on('2025-06-08'),
  },
  'a release without any day takes the stated one': {
    recorded: [{ version: '1.0', sources: [] }],
    a: on('2019-06-08'),
    expected: [{ version: '1.0', sources: ['a'], ...stated('2019-06-08') }],
  },
  'the first source takes precedence': {
    a: listed({ releaseTimestamp: '2026-06-08', changelogUrl: 'https://a.example' }),
    b: listed({ releaseTimestamp: '2026-06-07', changelogUrl: 'https://b.example' }),
    expected: [
      since('1.0', { ...stated('2026-06-08'), changelogUrl: 'https://a.example', sources }),
    ],
  },
  'two spellings of a version are one release': {
    recorded: [release('1.2')],
    a: ['v1.2', '1.02'],
  },
  'a version that is missing is not withdrawn on the first day': {
    recorded: both,
    a: ['1.1'],
    expected: [release('1.0', { missingSince: day }), both[1]!],
  },
  'but on the second': {
    recorded: [release('1.0', { missingSince: former })],
    a: ['1.1'],
    expected: [release('1.0', { missingSince: former, withdrawnSince: day }), since('1.1')],
  },
  'it comes back when it is listed again': {
    recorded: [release('1.0', { missingSince: '2026-05-01', withdrawnSince: '2026-05-02' })],
    a: ['1.0'],
    expected: [release('1.0')],
  },
  'nothing is missing while one of its sources is silent': {
    recorded: [release('1.0', { sources }), both[1]!],
    a: ['1.1'],
  },
  'nothing is missing in the answer of a page': {
    recorded: both,
    a: ['1.1'],
    values: { isPartial: true },
  },
  'a release that a person recorded is never missing': {
    recorded: [release('1.0', { sources: [] }), both[1]!],
    a: ['1.1'],
  },
  'a version that the definition no longer admits is not missing': {
    recorded: both,
    a: ['1.0', '1.1'],
    values: { allowedVersions: '/^1.1/' },
  },
  'a source that states deprecations takes one back by stating none': {
    recorded: [release('1.0', leaks)],
    a: ['1.0'],
    values: { datasource: 'npm' },
    expected: [release('1.0')],
  },
  'one that states none leaves it': {
    recorded: [release('1.0', leaks)],
    a: ['1.0'],
    values: { datasource: 'maven' },
  },
  'a silent source takes none back': {
    recorded: [release('1.0', { sources, ...leaks })],
    a: ['1.0'],
    values: { datasource: 'npm' },
  },
  'what a source states counts while another is silent': {
    recorded: [release('1.0', { sources })],
    a: listed({ deprecated: 'leaks' }),
    expected: [release('1.0', { sources, ...leaks, deprecatedSince: day, deprecatedBy: 'a' })],
  },
  'also of a source that comes after one which states nothing': {
    recorded: [release('1.0', { sources })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    b: listed({ deprecated: 'leaks' }),
    expected: [release('1.0', { sources, ...leaks, deprecatedSince: day, deprecatedBy: 'b' })],
  },
  'and stays while its source is silent': {
    recorded: [release('1.0', { sources, ...leaks, deprecatedBy: 'b' })],
    a: listed({ deprecated: 'old' }),
  },
  'it is not taken back by another source': {
    recorded: [release('1.0', { sources, ...leaks, deprecatedBy: 'b' })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    b: ['1.0'],
  },
  'it is taken back by its source, whoever is silent': {
    recorded: [release('1.0', { sources, ...leaks, deprecatedBy: 'a' })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    expected: [release('1.0', { sources })],
  },
  'by the only source that had listed it, on the day on which another does': {
    recorded: [release('1.0', leaks)],
    a: ['1.0'],
    values: { datasource: 'npm' },
    b: ['1.0'],
    expected: [release('1.0', { sources })],
  },
  'by whoever is there, where its source has left the definition': {
    recorded: [release('1.0', { sources: ['gone', 'a'], ...leaks, deprecatedBy: 'gone' })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    expected: [release('1.0', { sources: ['gone', 'a'] })],
  },
  'a reason that nobody sees is none': {
    recorded: [release('1.0')],
    a: ['1.0'],
    values: { deprecated: '\u200B' },
  },
  'a source deprecates all its releases, also those that it no longer lists': {
    recorded: both,
    a: ['1.1'],
    values: { deprecated: 'archived' },
    expected: [
      release('1.0', { deprecated: 'archived', deprecatedSince: day, missingSince: day }),
      release('1.1', { deprecated: 'archived', deprecatedSince: day }),
    ],
  },
  'a registry locks all its releases, whatever else it said of them': {
    recorded: [release('1.0', leaks), release('1.1')],
    a: [],
    values: quarantine,
    expected: [
      release('1.0', { ...leaks, deprecated: 'malware', isQuarantined: true }),
      release('1.1', { deprecated: 'malware', deprecatedSince: day, isQuarantined: true }),
    ],
  },
  'and opens them again': {
    recorded: [release('1.0', { ...leaks, isQuarantined: true })],
    a: ['1.0'],
    values: { datasource: 'pypi' },
    expected: [release('1.0')],
  },
  'also those that it no longer lists, where another source does': {
    recorded: [
      release('1.0', { sources, ...leaks, deprecatedBy: 'a', isQuarantined: true }),
      release('1.1'),
    ],
    a: ['1.1'],
    values: { datasource: 'pypi' },
    b: ['1.0'],
    expected: [release('1.0', { sources }), release('1.1')],
  },
  'but not by silence': {
    recorded: [release('1.0', { ...leaks, isQuarantined: true })],
    b: ['1.1'],
    expected: [release('1.0', { ...leaks, isQuarantined: true }), since('1.1', { sources: ['b'] })],
  },
  'a stable release that its source calls a prerelease is demoted': {
    recorded: [release('1.0')],
    a: listed({ isPrerelease: true }),
    expected: [release('1.0', { isPrerelease: true, demotedOn: day })],
  },
  'as one whose form says so, and that its source called stable': {
    recorded: [release('1.0-rc1', { isPrerelease: false })],
    a: ['1.0-rc1'],
    expected: [release('1.0-rc1', { isPrerelease: true, demotedOn: day })],
  },
  'not where another source lists it as stable': {
    recorded: [release('1.0', { sources })],
    a: listed({ isPrerelease: true }),
    b: ['1.0'],
  },
  'nor where prereleases are asked for, whichever source is first': {
    recorded: [release('1.0', { sources })],
    a: listed({ isPrerelease: true }),
    b: ['1.0'],
    values: { prereleases: true },
  },
  'nor a new one that another source lists by its form': {
    a: [{ version: '1.0-rc1', isPrerelease: false }],
    b: ['1.0-rc1'],
    values: { prereleases: true },
    expected: [since('1.0-rc1', { isPrerelease: false })],
  },
  'not while another of its sources is silent': {
    recorded: [release('1.0', { sources })],
    a: listed({ isPrerelease: true }),
  },
  'until its source calls it stable again': {
    recorded: [release('1.0', { isPrerelease: true, demotedOn: former })],
    a: ['1.0'],
    expected: [release('1.0')],
  },
  'bytes of a source that lists the release later are added': {
    recorded: bytes,
    a: listed({ digests: [digest('b')] }),
    b: listed({ digests: [digest('c')] }),
    expected: [
      release('1.0', { sources, digests: [digest('b'), digest('c')], digest: digest('b') }),
    ],
  },
  'another algorithm contradicts nothing': {
    recorded: bytes,
    a: listed({ digests: [`sha512:${'a'.repeat(128)}`] }),
  },
  'other bytes are told': {
    recorded: bytes,
    a: listed({ digests: [digest('c')] }),
    expected: [release('1.0', { ...bytes[0], ...replaced, republishedOn: day })],
  },
  'and told once, with the files that follow them': {
    recorded: [release('1.0', { ...bytes[0], ...replaced })],
    a: listed({ digests: [digest('c'), digest('d')] }),
    expected: [
      release('1.0', { ...bytes[0], ...replaced, otherDigests: [digest('c'), digest('d')] }),
    ],
  },
  'a second replacement is told as the first': {
    recorded: [release('1.0', { ...bytes[0], ...replaced })],
    a: listed({ digests: [digest('d')] }),
    expected: [
      release('1.0', {
        ...bytes[0],
        otherDigests: [digest('c'), digest('d')],
        republishedOn: day,
      }),
    ],
  },
  'the first bytes again end it': {
    recorded: [release('1.0', { ...bytes[0], ...replaced })],
    a: listed({ digests: [digest('b')] }),
    expected: [release('1.0', { ...bytes[0], otherDigests: [], republishedOn: former })],
  },
  'not where other bytes stand beside them': {
    recorded: [release('1.0', { ...bytes[0], ...replaced })],
    a: listed({ digests: [digest('b'), digest('c')] }),
    expected: [release('1.0', { ...replaced, digests: [digest('b'), digest('c')] })],
  },
  'after which other bytes are told once more': {
    recorded: [release('1.0', { ...bytes[0], otherDigests: [], republishedOn: former })],
    a: listed({ digests: [digest('c')] }),
    expected: [release('1.0', { ...bytes[0], ...replaced, republishedOn: day })],
  },
  'other bytes are usual where tags are rebuilt': {
    recorded: bytes,
    a: listed({ digests: [digest('a')] }),
    values: { rebuildsTags: true },
    expected: [release('1.0', { digests: [digest('a'), digest('b')] })],
  },
};

test.for(Object.entries(cases))('%s', ([, values]) => {
  const { recorded = [], a, b, expected = recorded } = values;
  const answers = [
    ...(a ? [answerOf('a', a, values.values)] : []),
    ...(b ? [answerOf('b', b)] : []),
  ];

  const merged = merge({ recorded: { releases: recorded }, answers, sources, day });

  expect(merged.releases).toEqual(expected);
});
