import { expect, it } from 'vitest';
import { computeDetailsOn } from '../../../src/ask/answers/component-on.ts';
import { describeAnswerEnd, describeVerdict } from '../../../src/ask/answers/verdict-sentences.ts';
import { judgeVersion } from '../../../src/ask/answers/judge-version.ts';
import { answerVersion, joinAnswerText } from '../../../src/ask/answers/version-answer.ts';
import { describeDetails } from '../../../src/decide/details.ts';
import type { Component } from '../../../src/decide/component.ts';
import { componentOf, today } from '../../site/render/sites.ts';

const recorded = [
  { version: '1.0', releaseTimestamp: '2024-01-01' },
  { version: '1.0.1', releaseTimestamp: '2024-02-01' },
  { version: '1.1', releaseTimestamp: '2026-01-01' },
  { version: '1.1.1', releaseTimestamp: '2026-02-01', deprecated: 'Broken.' },
  { version: '1.1.2-rc-1', releaseTimestamp: '2026-03-01' },
  { version: '1.1.2', releaseTimestamp: '2026-03-02' },
  { version: '1.2', releaseTimestamp: '2026-04-01' },
  { version: '1.3-rc-1', releaseTimestamp: '2026-05-01' },
  { version: '1.4', releaseTimestamp: '2026-06-01', withdrawnSince: '2026-06-02' },
];

const svc = componentOf(recorded, { prereleases: true, support: { policy: 'term', months: 12 } });
const old = { support: { policy: 'ended', reason: 'Nobody maintains it.' } } as const;

function answerOf(component: Component, version: string, day = today) {
  const { replacement: other } = component;
  const replacement = other && computeDetailsOn(describeDetails(other as Component), day);
  return answerVersion(computeDetailsOn(describeDetails(component), day), { version, replacement });
}

it.each([
  ['1.0', 'ended 2025-01-01'],
  ['1.1.1', 'until 2027-01-01'],
  ['1.1.2-rc-1', ''],
  ['1.4', ''],
])('gives %s no end of its line that it does not have', (version, end) => {
  expect(describeAnswerEnd(answerOf(svc, version))).toBe(end);
});

it('gives a deprecated prerelease the end of its line', () => {
  const releases = [
    { version: '1.0', releaseTimestamp: '2026-01-01' },
    { version: '1.0.1-rc-1', releaseTimestamp: '2026-02-01', deprecated: 'Broken.' },
  ];
  const support = { policy: 'term', months: 24 } as const;
  const component = componentOf(releases, { prereleases: true, support });

  expect(describeAnswerEnd(answerOf(component, '1.0.1-rc-1'))).toBe('until 2028-01-01');
});

it.each([
  ['1.0', 'Server 1.0 was supported until 2025-01-01 (inferred).'],
  ['1.1', 'Server 1.1 is supported until 2027-01-01, in phase full (inferred).'],
  ['1.1.1', 'Server 1.1.1 is deprecated, and supported until 2027-01-01 (inferred).'],
  [
    '1.1.2-rc-1',
    'No end is stated for Server 1.1.2-rc-1. It is 2 releases and 31 days behind 1.2.',
  ],
  ['1.4', 'Server 1.4 was withdrawn.'],
  ['1.0.7', 'Server 1.0.7 is not listed.'],
])('marks the inferred end of %s in a verdict without its reasons', (version, sentence) => {
  const phases = [
    { name: 'full', months: 12 },
    { name: 'paid', months: 18, paid: true as const },
  ];
  const support = { policy: 'term', phases, inferred: 'All fit.' } as const;
  const component = componentOf(recorded, { prereleases: true, support });

  const details = computeDetailsOn(describeDetails(component), today);
  const judged = judgeVersion(details, { version });
  const answer = answerVersion(details, { version });
  expect(describeVerdict({ answer, judged, details })).toBe(sentence);
});

it.each([
  ['1.0', 1, 'By the other reading, the newest 1 lines, it has ended, too.'],
  ['1.1.2', 2, 'By the other reading, the newest 2 lines, it has ended.'],
  ['1.1.2', 3, 'By the other reading, the newest 3 lines, it is supported, too.'],
  ['1.0.1', 4, 'By the other reading, the newest 4 lines, it is supported.'],
])('says of %s whether another rule of %i lines agrees', (version, orNewest, sentence) => {
  const support = { policy: 'term', months: 12, inferred: 'Both fit.', orNewest } as const;
  const component = componentOf(recorded, { prereleases: true, support });

  expect(answerOf(component, version).because).toContain(sentence);
});

it.each([
  ['1.0', 'ended', 'Server 1.0 was supported until 2025-01-01.', 'Move to 1.2.'],
  [
    '1.1',
    'supported',
    'Server 1.1 is supported until 2027-01-01.',
    'Nothing is due; the latest of its line is 1.1.2, the newest version to use is 1.2. 1.4 was withdrawn. Advisories: not known.',
  ],
  [
    '1.1.1',
    'deprecated',
    'Server 1.1.1 is deprecated, and supported until 2027-01-01.',
    'Move to 1.1.2 now.',
  ],
  [
    '1.1.2-rc-1',
    'no-promise',
    'No end is stated for Server 1.1.2-rc-1. It is 2 releases and 31 days behind 1.2.',
    'Nothing is due; the latest of its line is 1.1.2, the newest version to use is 1.2. 1.4 was withdrawn. Advisories: not known.',
  ],
  [
    '1.1.2',
    'supported',
    'Server 1.1.2 is supported until 2027-01-01.',
    'Nothing is due; the newest version to use is 1.2. 1.4 was withdrawn. Advisories: not known.',
  ],
  [
    '1.2',
    'supported',
    'Server 1.2 is supported until 2027-04-01.',
    'Nothing is due; it is the newest version to use. 1.4 was withdrawn. Advisories: not known.',
  ],
  [
    '1.3-rc-1',
    'no-promise',
    'No end is stated for Server 1.3-rc-1.',
    'Nothing is due; the newest version to use is 1.2. 1.4 was withdrawn. Advisories: not known.',
  ],
  ['1.4', 'withdrawn', 'Server 1.4 was withdrawn.', 'Move back to 1.2 now.'],
  ['1.0.7', 'not-listed', 'Server 1.0.7 is not listed.', 'Move to 1.2.'],
  [
    '1.2.9',
    'not-listed',
    'Server 1.2.9 is not listed.',
    'The newest version to use is 1.2. 1.4 was withdrawn.',
  ],
  [
    '1.1.0',
    'supported',
    'Server 1.1 is supported until 2027-01-01.',
    'Nothing is due; the latest of its line is 1.1.2, the newest version to use is 1.2. 1.4 was withdrawn. Advisories: not known.',
  ],
  [
    '1',
    'unknown-line',
    'Server 1 has 5 release lines: 1.4 withdrawn, 1.3 no end stated, 1.2, 1.1 supported, 1.0 ended.',
    'The newest version to use is 1.2. 1.4 was withdrawn.',
  ],
  [
    '1.1.x',
    'supported',
    'Server 1.1 is supported until 2027-01-01.',
    'Its latest version is 1.1.2.',
  ],
  [
    '2.0',
    'not-released',
    'Server 2.0 is not released yet.',
    'The newest version to use is 1.2. 1.4 was withdrawn.',
  ],
  [
    '0.9',
    'unknown-line',
    'Server 0.9 belongs to no known release line.',
    'The newest version to use is 1.2. 1.4 was withdrawn.',
  ],
  [
    'main',
    'unknown-line',
    'Server main belongs to no known release line.',
    'The newest version to use is 1.2. 1.4 was withdrawn.',
  ],
])('the verdict for %s: %s', (version, state, sentence, advice) => {
  expect(answerOf(svc, version)).toMatchObject({ state, sentence, advice });
});

it('the verdict recommends another line in the last 90 days of support', () => {
  expect(answerOf(svc, '1.1.2', '2026-10-02')).toMatchObject({ state: 'supported' });
  expect(answerOf(svc, '1.1.2', '2026-10-02')).not.toHaveProperty('moveTo');
  expect(answerOf(svc, '1.1.2', '2026-10-03')).toMatchObject({
    state: 'ends-soon',
    advice: 'Move to 1.2 by 2027-01-01.',
    moveTo: { component: 'svc', version: '1.2' },
    moveBy: '2027-01-01',
  });
  expect(answerOf(svc, '1.1.2', '2027-01-01')).not.toHaveProperty('moveBy');
  // The newest line ends, too, and there is no successor.
  expect(answerOf(svc, '1.2', '2027-03-01')).toMatchObject({
    state: 'ends-soon',
    advice: 'There is nothing to move to yet.',
  });
  expect(answerOf(svc, '1.2', '2027-03-01')).not.toHaveProperty('moveReason');
});

it('the verdict names the replacement of a component, or says that there is none', () => {
  const alone = componentOf([{ version: '1.0' }], old);
  const named = componentOf([{ version: '1.0' }], { ...old, replacedBy: 'edge' });
  const edge = componentOf(
    [{ version: '3.0' }, { version: '3.1' }],
    { title: 'Edge' },
    { name: 'edge' },
  );

  expect(answerOf(alone, '1.0').advice).toBe('There is nothing to move to yet.');
  expect(answerOf(named, '1.0').advice).toBe('There is nothing to move to yet.');
  expect(answerOf({ ...named, replacement: edge }, '1.0')).toMatchObject({
    sentence: 'Server 1.0 is no longer supported.',
    advice: 'Move to Edge 3.1.',
    moveTo: { component: 'edge', version: '3.1' },
    reasons: ['Nobody maintains it.'],
  });
  const alive = componentOf([{ version: '1.0', releaseTimestamp: '2026-01-01' }], {
    replacedBy: 'edge',
  });
  expect(answerOf(alive, '1.0').because).toContain('Server is replaced by edge.');
});

const observed = { timestampKind: 'observed' } as const;
const bounded = componentOf(
  [
    { version: '1.0', releaseTimestamp: '2025-01-01', ...observed, notListedOn: '2024-11-01' },
    { version: '1.1', releaseTimestamp: '2025-08-01', ...observed },
  ],
  { support: { policy: 'term', months: 18 } },
);

it.each([
  ['1.0', '2026-01-30', 'supported', 'is supported at least until 2026-05-01.'],
  ['1.0', '2026-01-31', 'ends-soon', 'is supported at least until 2026-05-01.'],
  [
    '1.0',
    '2026-07-01',
    'may-have-ended',
    'may be out of support: it ends between 2026-05-01 and 2026-07-01.',
  ],
  ['1.0', '2026-05-01', 'ends-soon', 'is supported at least until 2026-05-01.'],
  ['1.0', '2026-07-02', 'ended', 'was supported until 2026-07-01 at the latest.'],
  [
    '1.1',
    '2026-01-30',
    'may-have-ended',
    'may be out of support: it ends on or before 2027-02-01.',
  ],
  [
    '1.1',
    '2027-02-01',
    'may-have-ended',
    'may be out of support: it ends on or before 2027-02-01.',
  ],
  ['1.1', '2027-02-02', 'ended', 'was supported until 2027-02-01 at the latest.'],
])('the verdict on %s, whose end has bounds, on %s: %s', (version, day, state, said) => {
  expect(answerOf(bounded, version, day)).toMatchObject({
    state,
    sentence: `Server ${version} ${said}`,
  });
});

it('the advice names no version whose support may be over, too', () => {
  const { moveReason, advice, moveTo, isSupported, moveBy } = answerOf(
    bounded,
    '1.0',
    '2026-05-02',
  );

  expect({ isSupported, moveReason, moveBy, moveTo, advice }).toEqual({
    advice: 'There is nothing to move to yet.',
  });
});

it('an answer says how far behind a version without a stated end is', () => {
  const promised = componentOf(recorded, { prereleases: true });

  expect(answerOf(promised, '1.0')).toMatchObject({
    state: 'no-promise',
    sentence: 'No end is stated for Server 1.0. It is 4 releases and 2 years behind 1.2.',
    releasesBehind: 4,
    behind: 'P821D',
  });
  expect(answerOf(promised, '1.2')).toMatchObject({
    state: 'no-promise',
    advice:
      'Nothing is due; it is the newest version to use. 1.4 was withdrawn. Advisories: not known.',
  });
});

it('the answer names the reasons, the end of support of the target, and the releases between', () => {
  const reason = '2024-01-01, by the vendor; 12 months, by the definition';
  expect(answerOf(svc, '1.0')).toMatchObject({
    because: [
      `${reason}; support ended 2025-01-01.`,
      '1.2 is supported until 2027-04-01.',
      '4 releases between, 2 of them deprecated.',
      'Advisories: not known.',
    ],
    reasons: [reason],
    releasesBetween: [
      { version: '1.0.1', isDeprecated: true },
      { version: '1.1', isDeprecated: false },
      { version: '1.1.1', isDeprecated: true },
      { version: '1.1.2', isDeprecated: false },
    ],
  });
  expect(answerOf(svc, '1.2.9').because).toContain('Its line 1.2 is supported until 2027-04-01.');
});

it('the answer names the end of support of the version that is asked for as the target', () => {
  const { because } = answerVersion(computeDetailsOn(describeDetails(svc), today), {
    version: '1.0',
    wanted: '1.1',
  });

  expect(because).toContain('1.1 is supported until 2027-01-01.');
});

it('a wildcard within a line asks for the release without it', () => {
  const support = { policy: 'term', months: 36, line: 1 } as const;
  const component = componentOf(recorded, { prereleases: true, support });

  expect(answerOf(component, '1.2.x').sentence).toBe('Server 1.2 is supported until 2027-01-01.');
});

it('the answer states the bounds of an end without an exact day', () => {
  const support = { policy: 'latest-lines', count: 2 } as const;
  const lines = componentOf([{ version: '1.0' }, { version: '1.1' }], { support });

  expect(answerOf(lines, '1.0')).toMatchObject({
    sentence: 'Server 1.0 is supported until the next line.',
    advice: 'Nothing is due; the newest version is 1.1. Advisories: not known.',
    because: [],
  });
  expect(answerOf(lines, '1.1').because).toEqual([]);
});

it('the whole answer can be quoted', () => {
  expect(joinAnswerText(answerOf(svc, 'v1.02'))).toBe(
    'Supported. Server 1.2 is supported until 2027-04-01. Nothing is due; it is the newest version to use. 1.4 was withdrawn. Advisories: not known. 2026-04-01, by the vendor; 12 months, by the definition; supported until 2027-04-01.',
  );
});

it('the answer says that a release is a prerelease, and where nothing is left to use', () => {
  const early = componentOf([{ version: '1.0-rc-1', releaseTimestamp: '2026-05-01' }], {
    prereleases: true,
    advisories: [{ id: 'CVE-2026-1', affected: '>=2' }],
  });

  expect(answerOf(early, '1.0-rc-1')).toMatchObject({
    advice: 'Nothing is due.',
    because: expect.arrayContaining(['It is a prerelease.']) as string[],
  });
  expect(answerOf(early, '0.9')).toMatchObject({
    advice: 'The index names no version of Server to use.',
  });
});

it('the stops of a component are resolved once for all its versions', () => {
  let count = 0;
  const published = describeDetails(componentOf(recorded, { upgradeStops: ['1.1'] }));
  const details = {
    ...computeDetailsOn(published, today),
    get upgradeStops() {
      count += 1;
      return published.upgradeStops;
    },
  };

  const answers = ['1.0', '1.0.1'].map((version) =>
    answerVersion(details, { version, wanted: '1.2' }),
  );

  expect(answers.map(({ moveTo }) => moveTo)).toEqual([undefined, undefined]);
  expect(count).toBe(1);
});

it.each([
  [['2.0.0'], { version: '2.0', from: '2.0.0', isWholeLine: false }],
  [['2.0.0', '2.0.1'], { version: '2.0', from: '2.0.1', isWholeLine: true }],
])('takes a line for its newest release only if both have one name: %j', (versions, expected) => {
  const releases = versions.map((version) => ({ version, releaseTimestamp: '2026-01-01' }));
  const details = computeDetailsOn(describeDetails(componentOf(releases, old)), today);

  const { version, from, isWholeLine, release } = judgeVersion(details, { line: '2.0' });
  expect({ version, from, isWholeLine }).toEqual(expected);
  expect(release === undefined).toBe(isWholeLine);
});
