import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schema/recorded.ts';
import { merge } from '../../src/record/merge.ts';
import { answerOf, recordedRelease as release, type AnswerValues } from '../harness/recorded.ts';

const day = '2026-06-10';
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

type Listed = Parameters<typeof answerOf>[1];

interface Case {
  recorded?: RecordedRelease[];
  /** The lists of the sources `a` and `b`. A source without a list did not answer. */
  a?: Listed;
  b?: Listed;
  values?: AnswerValues;
  /** The expected releases after the merge. If this is missing, `recorded` must stay unchanged. */
  expected?: RecordedRelease[];
}

const published = (releaseTimestamp: string) =>
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
  'a release that no source marks as a required stop any more is none': {
    recorded: [release('1.0', { isStop: true, sources: ['a'] })],
    a: ['1.0'],
    expected: [release('1.0', { sources: ['a'] })],
  },
  'a source that does not answer does not change a required stop': {
    recorded: [release('1.0', { isStop: true })],
  },
  'a required stop stays while one of its sources does not answer': {
    recorded: [release('1.0', { isStop: true, sources })],
    b: ['1.0'],
  },
  'a required stop stays while one of its sources lists only some releases': {
    recorded: [release('1.0', { isStop: true, sources }), release('1.1', { sources: ['a'] })],
    a: ['1.1'],
    values: { isPartial: true },
    b: ['1.0'],
  },
  'a required stop ends if all its sources list the release without the mark': {
    recorded: [release('1.0', { isStop: true, sources })],
    a: ['1.0'],
    b: ['1.0'],
    expected: [release('1.0', { sources })],
  },
  'a new release has the date that its source gives': {
    a: on('2026-06-10T08:00:00Z'),
    values: lastAnswer,
    expected: [since('1.0', published('2026-06-10T08:00:00Z'))],
  },
  'a new release without a date came after the last answer that lacked it': {
    a: ['1.0'],
    values: lastAnswer,
    expected: [since('1.0', { notBefore: former })],
  },
  'a date up to a week before the last answer that lacked the release is believed': {
    a: on('2026-06-02'),
    values: lastAnswer,
    expected: [since('1.0', { ...published('2026-06-02'), notBefore: former })],
  },
  'a date more than a week before the last answer that lacked the release is ignored': {
    recorded: [since('1.0', { notBefore: former })],
    a: on('2026-06-01'),
    expected: [since('1.0', { notBefore: former, ignoredDay: '2026-06-01' })],
  },
  'the first ignored date stays': {
    recorded: [since('1.0', { notBefore: former, ignoredDay: '2026-05-01' })],
    a: on('2026-06-01'),
  },
  'an ignored date is removed if a later answer has a believable date': {
    recorded: [since('1.0', { notBefore: former, ignoredDay: '2026-05-01' })],
    a: on('2026-06-08'),
    expected: [since('1.0', { ...published('2026-06-08'), notBefore: former })],
  },
  'an ignored date is removed if a person writes the date': {
    recorded: [release('1.0', { notBefore: former, ignoredDay: '2026-01-01' })],
    a: on('2026-05-01'),
    expected: [release('1.0', { notBefore: former })],
  },
  'a date of the next day is believed, because the run may have begun before midnight': {
    recorded: [since('1.0', { notBefore: former })],
    a: on('2026-06-11T00:05:00Z'),
    expected: [since('1.0', published('2026-06-11T00:05:00Z'))],
  },
  'a date two days ahead is not believed': {
    recorded: [since('1.0', { notBefore: former })],
    a: on('2026-06-12T00:05:00Z'),
  },
  'the last push of a tag is an upper bound of its release date': {
    a: pushed('2026-06-08T10:00:00Z'),
    expected: [since('1.0', { releaseTimestamp: '2026-06-08T10:00:00Z' })],
  },
  'a later push of a tag changes no date': {
    recorded: [since('1.0', { releaseTimestamp: '2026-06-01T10:00:00Z' })],
    a: pushed('2026-06-01T10:00:01Z'),
  },
  'a push before the last answer that lacked the tag is not believed': {
    a: pushed('2026-06-08T10:00:00Z'),
    values: lastAnswer,
    expected: [since('1.0', { notBefore: former })],
  },
  'a push long before the last answer that lacked the tag is an ignored date': {
    a: pushed('2026-05-08T10:00:00Z'),
    values: lastAnswer,
    expected: [since('1.0', { notBefore: former, ignoredDay: '2026-05-08' })],
  },
  'a date that a person wrote without its kind stays': {
    recorded: [{ version: '1.0', releaseTimestamp: '2026-01-01', sources: ['a'] }],
    a: on('2025-06-08'),
  },
  'a release without a date gets the date of its source': {
    recorded: [{ version: '1.0', sources: [] }],
    a: on('2019-06-08'),
    expected: [{ version: '1.0', sources: ['a'], ...published('2019-06-08') }],
  },
  'the first source takes precedence': {
    a: listed({ releaseTimestamp: '2026-06-08', changelogUrl: 'https://a.example' }),
    b: listed({ releaseTimestamp: '2026-06-07', changelogUrl: 'https://b.example' }),
    expected: [
      since('1.0', { ...published('2026-06-08'), changelogUrl: 'https://a.example', sources }),
    ],
  },
  'two spellings of a version become one release': {
    recorded: [release('1.2')],
    a: ['v1.2', '1.02'],
  },
  'a missing version is not withdrawn on the first day': {
    recorded: both,
    a: ['1.1'],
    expected: [release('1.0', { missingSince: day }), both[1]!],
  },
  'a missing version is withdrawn on the second day': {
    recorded: [release('1.0', { missingSince: former })],
    a: ['1.1'],
    expected: [release('1.0', { missingSince: former, withdrawnSince: day }), since('1.1')],
  },
  'a withdrawn version returns when it is listed again': {
    recorded: [release('1.0', { missingSince: '2026-05-01', withdrawnSince: '2026-05-02' })],
    a: ['1.0'],
    expected: [release('1.0')],
  },
  'no release is missing while one of its sources is silent': {
    recorded: [release('1.0', { sources }), both[1]!],
    a: ['1.1'],
  },
  'no release is missing if the answer is only one page': {
    recorded: both,
    a: ['1.1'],
    values: { isPartial: true },
  },
  'a release that a person recorded is never missing': {
    recorded: [release('1.0', { sources: [] }), both[1]!],
    a: ['1.1'],
  },
  'a version that the definition excludes is not missing': {
    recorded: both,
    a: ['1.0', '1.1'],
    values: { allowedVersions: '/^1.1/' },
  },
  'a source that lists deprecations lifts one by no longer listing it': {
    recorded: [release('1.0', leaks)],
    a: ['1.0'],
    values: { datasource: 'npm' },
    expected: [release('1.0')],
  },
  'a source that never lists deprecations lifts none': {
    recorded: [release('1.0', leaks)],
    a: ['1.0'],
    values: { datasource: 'maven' },
  },
  'a silent source lifts no deprecation': {
    recorded: [release('1.0', { sources, ...leaks })],
    a: ['1.0'],
    values: { datasource: 'npm' },
  },
  'a deprecation by one source is recorded while another source is silent': {
    recorded: [release('1.0', { sources })],
    a: listed({ deprecated: 'leaks' }),
    expected: [release('1.0', { sources, ...leaks, deprecatedSince: day, deprecatedBy: 'a' })],
  },
  'a deprecation by the second source is recorded if the first has none': {
    recorded: [release('1.0', { sources })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    b: listed({ deprecated: 'leaks' }),
    expected: [release('1.0', { sources, ...leaks, deprecatedSince: day, deprecatedBy: 'b' })],
  },
  'a deprecation stays while its source is silent, even if another source gives another reason': {
    recorded: [release('1.0', { sources, ...leaks, deprecatedBy: 'b' })],
    a: listed({ deprecated: 'old' }),
  },
  'another source does not lift a deprecation': {
    recorded: [release('1.0', { sources, ...leaks, deprecatedBy: 'b' })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    b: ['1.0'],
  },
  'its own source lifts a deprecation while another is silent': {
    recorded: [release('1.0', { sources, ...leaks, deprecatedBy: 'a' })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    expected: [release('1.0', { sources })],
  },
  'the only source that listed the release lifts a deprecation on the day another lists it': {
    recorded: [release('1.0', leaks)],
    a: ['1.0'],
    values: { datasource: 'npm' },
    b: ['1.0'],
    expected: [release('1.0', { sources })],
  },
  'any source lifts a deprecation whose source has left the definition': {
    recorded: [release('1.0', { sources: ['gone', 'a'], ...leaks, deprecatedBy: 'gone' })],
    a: ['1.0'],
    values: { datasource: 'npm' },
    expected: [release('1.0', { sources: ['gone', 'a'] })],
  },
  'a deprecation whose reason is an invisible character is ignored': {
    recorded: [release('1.0')],
    a: ['1.0'],
    values: { deprecated: '\u200B' },
  },
  'a source deprecates all its releases, even those that it no longer lists': {
    recorded: both,
    a: ['1.1'],
    values: { deprecated: 'archived' },
    expected: [
      release('1.0', { deprecated: 'archived', deprecatedSince: day, missingSince: day }),
      release('1.1', { deprecated: 'archived', deprecatedSince: day }),
    ],
  },
  'a registry locks all its releases, whether deprecated before or not': {
    recorded: [release('1.0', leaks), release('1.1')],
    a: [],
    values: quarantine,
    expected: [
      release('1.0', { ...leaks, deprecated: 'malware', isQuarantined: true }),
      release('1.1', { deprecated: 'malware', deprecatedSince: day, isQuarantined: true }),
    ],
  },
  'a registry unlocks its releases': {
    recorded: [release('1.0', { ...leaks, isQuarantined: true })],
    a: ['1.0'],
    values: { datasource: 'pypi' },
    expected: [release('1.0')],
  },
  'a registry unlocks releases that only another source still lists': {
    recorded: [
      release('1.0', { sources, ...leaks, deprecatedBy: 'a', isQuarantined: true }),
      release('1.1'),
    ],
    a: ['1.1'],
    values: { datasource: 'pypi' },
    b: ['1.0'],
    expected: [release('1.0', { sources }), release('1.1')],
  },
  'a silent registry unlocks nothing': {
    recorded: [release('1.0', { ...leaks, isQuarantined: true })],
    b: ['1.1'],
    expected: [release('1.0', { ...leaks, isQuarantined: true }), since('1.1', { sources: ['b'] })],
  },
  'a stable release is demoted if its source calls it a prerelease': {
    recorded: [release('1.0')],
    a: listed({ isPrerelease: true }),
    expected: [release('1.0', { isPrerelease: true, demotedOn: day })],
  },
  'a release named like a prerelease is demoted if its source no longer calls it stable': {
    recorded: [release('1.0-rc1', { isPrerelease: false })],
    a: ['1.0-rc1'],
    expected: [release('1.0-rc1', { isPrerelease: true, demotedOn: day })],
  },
  'a release is not demoted if another source lists it as stable': {
    recorded: [release('1.0', { sources })],
    a: listed({ isPrerelease: true }),
    b: ['1.0'],
  },
  'a release is not demoted if another source lists it as stable, even if prereleases are allowed':
    {
      recorded: [release('1.0', { sources })],
      a: listed({ isPrerelease: true }),
      b: ['1.0'],
      values: { prereleases: true },
    },
  'a new release is stable if one source says so and another only has its name': {
    a: [{ version: '1.0-rc1', isPrerelease: false }],
    b: ['1.0-rc1'],
    values: { prereleases: true },
    expected: [since('1.0-rc1', { isPrerelease: false })],
  },
  'a release is not demoted while another of its sources is silent': {
    recorded: [release('1.0', { sources })],
    a: listed({ isPrerelease: true }),
  },
  'a demotion ends if its source calls the release stable again': {
    recorded: [release('1.0', { isPrerelease: true, demotedOn: former })],
    a: ['1.0'],
    expected: [release('1.0')],
  },
  'the digest of a source that lists the release later is added': {
    recorded: bytes,
    a: listed({ digests: [digest('b')] }),
    b: listed({ digests: [digest('c')] }),
    expected: [
      release('1.0', { sources, digests: [digest('b'), digest('c')], digest: digest('b') }),
    ],
  },
  'a digest of another algorithm contradicts nothing': {
    recorded: bytes,
    a: listed({ digests: [`sha512:${'a'.repeat(128)}`] }),
  },
  'replaced bytes are reported': {
    recorded: bytes,
    a: listed({ digests: [digest('c')] }),
    expected: [release('1.0', { ...bytes[0], ...replaced, republishedOn: day })],
  },
  'replaced bytes are reported once, even if more files follow': {
    recorded: [release('1.0', { ...bytes[0], ...replaced })],
    a: listed({ digests: [digest('c'), digest('d')] }),
    expected: [
      release('1.0', { ...bytes[0], ...replaced, otherDigests: [digest('c'), digest('d')] }),
    ],
  },
  'a second replacement is reported like the first': {
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
  'the return of the first bytes ends a replacement': {
    recorded: [release('1.0', { ...bytes[0], ...replaced })],
    a: listed({ digests: [digest('b')] }),
    expected: [release('1.0', { ...bytes[0], otherDigests: [], republishedOn: former })],
  },
  'the first bytes do not end a replacement if other bytes are listed too': {
    recorded: [release('1.0', { ...bytes[0], ...replaced })],
    a: listed({ digests: [digest('b'), digest('c')] }),
    expected: [release('1.0', { ...replaced, digests: [digest('b'), digest('c')] })],
  },
  'other bytes are reported again after the first bytes returned': {
    recorded: [release('1.0', { ...bytes[0], otherDigests: [], republishedOn: former })],
    a: listed({ digests: [digest('c')] }),
    expected: [release('1.0', { ...bytes[0], ...replaced, republishedOn: day })],
  },
  'other bytes are not reported if the source rebuilds its tags': {
    recorded: bytes,
    a: listed({ digests: [digest('a')] }),
    values: { rebuildsTags: true },
    expected: [release('1.0', { digests: [digest('a'), digest('b')] })],
  },
};

test.for(Object.entries(cases))('merging answers: %s', ([, values]) => {
  const { recorded = [], a, b, expected = recorded } = values;
  const answers = [
    ...(a ? [answerOf('a', a, values.values)] : []),
    ...(b ? [answerOf('b', b)] : []),
  ];

  const merged = merge({ recorded: { releases: recorded }, answers, sources, day });

  expect(merged.releases).toEqual(expected);
});
