import { expect, test } from 'vitest';
import type { Phase } from '../../../src/core/schemas/definition/phase.ts';
import type { Reason } from '../../../src/core/schemas/published/reason.ts';
import {
  describeLag,
  describeMove,
  describePresentPhase,
  describeUnknownAdvisories,
  findTone,
  describeDuration,
  describeEnd,
  describeExploitation,
  describeLineReason,
  describePhases,
  describeDayRange,
  describeReason,
  stateLabels,
  describeSupport,
  splitTerms,
} from '../../../src/core/model/words.ts';

const until = '2027-12-30';
const untilAtMost = '2028-03-31';
const support = (days: Partial<Phase>): Phase[] => [{ name: 'support', ...days }];
const range = support({ until, untilAtMost });
const line = { state: 'supported', phase: undefined } as const;

test('each state has one name', () => {
  expect(stateLabels).toEqual({
    supported: 'Supported',
    'ends-soon': 'Ends soon',
    'may-have-ended': 'May have ended',
    ended: 'Ended',
    deprecated: 'Deprecated',
    withdrawn: 'Withdrawn',
    'no-promise': 'No end stated',
    'not-listed': 'Not listed',
    'not-released': 'Not released',
    'unknown-line': 'Unknown line',
  });
});

test.each<[string, string, { isSupported?: boolean; phases?: Phase[]; undatedEnd?: string }]>([
  ['has no stated end of support', '', { phases: [] }],
  [
    `is supported until ${until}`,
    `until ${until}`,
    { isSupported: true, phases: support({ until }) },
  ],
  [
    `is supported at least until ${until}`,
    `at least until ${until}`,
    { isSupported: true, phases: range },
  ],
  [
    `is supported until ${untilAtMost} at the latest`,
    `until ${untilAtMost} at the latest`,
    { isSupported: true, phases: support({ untilAtMost }) },
  ],
  ['is supported', '', { isSupported: true, phases: support({}) }],
  [
    'is supported until the next line',
    'until the next line',
    { isSupported: true, phases: support({}), undatedEnd: 'ends with the next line' },
  ],
  [
    `may be out of support: it ends between ${until} and ${untilAtMost}`,
    `may have ended, by ${untilAtMost} at the latest`,
    { phases: range },
  ],
  [
    `was supported until ${untilAtMost} at the latest`,
    `ended by ${untilAtMost}`,
    { isSupported: false, phases: range },
  ],
  [
    `was supported until ${until}`,
    `ended ${until}`,
    { isSupported: false, phases: support({ until }) },
  ],
  ['is no longer supported', 'ended', { isSupported: false, phases: support({}) }],
])('a line %s', (predicate, end, { isSupported, ...more }) => {
  expect(describeSupport({ ...line, isSupported, ...more })).toBe(predicate);
  expect(describeEnd({ ...line, isSupported, ...more })).toBe(end);
});

const phases: Phase[] = [
  { name: 'active', until: '2026-06-30' },
  { name: 'security', until },
  { name: 'extended', paid: true, untilAtMost },
];

test.each<[number, string]>([
  [0, `is supported until ${until}, in phase active until 2026-06-30`],
  [1, `is supported until ${until}, in phase security`],
  [
    2,
    `is supported until ${until}, except in phase extended (paid) until ${untilAtMost} at the latest`,
  ],
])('a line in its phase %i says so', (index, words) => {
  expect(describeSupport({ ...line, phase: phases[index], isSupported: true, phases })).toBe(words);
  expect(describePhases(phases)).toBe(
    `active until 2026-06-30, security until ${until}, extended (paid) until ${untilAtMost} at the latest`,
  );
});

test.each<[string, string, boolean, Phase[]]>([
  ['Old.', 'Old.', true, support({ until })],
  [
    '2026-06-30, by the vendor; 18 months, inferred',
    `2026-06-30, by the vendor; 18 months, inferred; supported until ${until}.`,
    true,
    support({ until }),
  ],
  [
    '18 months, inferred',
    `18 months, inferred; support ended ${until}.`,
    false,
    support({ until }),
  ],
  [
    `End of support: ${until}, by the vendor`,
    `End of support: ${until}, by the vendor.`,
    true,
    support({ until }),
  ],
  [`Not ${until}`, `Not ${until}; supported at least until ${until}.`, true, range],
  [`End: ${untilAtMost}`, `End: ${untilAtMost}.`, true, range],
  ['Support has ended', 'Support has ended.', true, support({})],
  ['Support has ended', 'Support has ended.', true, []],
])('the reason "%s" of a line is told as "%s"', (text, words, isSupported, ownPhases) => {
  const reason: Reason = { rule: 'support policy', text };

  expect(describeLineReason({ ...line, isSupported, phases: ownPhases, reason })).toBe(words);
});

test.each<[Partial<Reason>, string]>([
  [{}, 'Loses data.'],
  [{ from: '2026-01-01' }, 'Loses data. Since 2026-01-01.'],
  [{ from: '2026-12-01' }, 'Deprecated from 2026-12-01 on: Loses data.'],
  [{ from: '2026-01-01', rule: 'support policy' }, 'Loses data.'],
  [{ from: '2026-01-01', text: 'Lost on 2026-01-01' }, 'Lost on 2026-01-01.'],
])('the reason %j is told with its day', (more, words) => {
  const reason: Reason = { rule: 'definition', text: 'Loses data', ...more };

  expect(describeReason(reason, '2026-06-01')).toBe(words);
});

test('a sum has terms with their origins, and a sentence has none', () => {
  expect(splitTerms({ text: '2026-06-30, by the vendor; 18 months' })).toEqual([
    { term: '2026-06-30', origin: 'by the vendor' },
    { term: '18 months', origin: '' },
  ]);
  expect(splitTerms({ text: 'Old, by the vendor; bad.' })).toEqual([]);
  expect(splitTerms({ text: 'Replaced by edge-node, see its guide' })).toEqual([]);
});

test.each([
  [{}, ''],
  [{ from: until }, until],
  [{ atMost: until }, `on or before ${until}`],
  [{ from: until, atMost: untilAtMost }, `between ${until} and ${untilAtMost}`],
])('the range %j is "%s"', (days, words) => {
  expect(describeDayRange(days)).toBe(words);
});

test.each([
  [undefined, undefined, ''],
  [0, 10, ''],
  [4, undefined, '4 releases behind'],
  [4, 0, '4 releases behind'],
  [1, 1, '1 release and 1 day behind'],
  [4, 60, '4 releases and 60 days behind'],
  [4, 61, '4 releases and 2 months behind'],
  [8, 364, '8 releases and 11 months behind'],
  [8, 365, '8 releases and 12 months behind'],
  [31, 729, '31 releases and 23 months behind'],
  [31, 730, '31 releases and 2 years behind'],
  [40, 1095, '40 releases and 3 years behind'],
])('%s releases and %s days are "%s"', (releases, days, words) => {
  expect(describeLag(releases, days)).toBe(words);
  expect(words).toContain(days !== undefined && days > 0 && words ? describeDuration(days) : '');
});

test('an exploited release says since when, and by when it needs its fix', () => {
  const days = { exploitedSince: '2026-11-03', dueBy: '2026-11-24' };

  expect(describeExploitation(days)).toBe('exploited since 2026-11-03, fix due by 2026-11-24');
  expect(describeExploitation({})).toBe('');
});

const nameTarget = ({ component, version }: { component: string; version: string }) =>
  component === 'svc' ? version : `${component} ${version}`;
const moveTo = { component: 'svc', version: '2.0' };

test.each<[Parameters<typeof describeMove>[0], string]>([
  [{}, ''],
  [{ isStuck: true, moveReason: 'ended' }, ''],
  [{ moveTo, moveReason: 'ended' }, 'Move to 2.0'],
  [{ moveTo, moveReason: 'affected' }, 'Move to 2.0 now'],
  [{ moveTo, moveReason: 'withdrawn', isBack: true }, 'Move back to 2.0 now'],
  [{ moveTo, moveReason: 'ends-soon', moveBy: until }, `Move to 2.0 by ${until}`],
  [{ moveTo, moveReason: 'affected', moveBy: until }, `Move to 2.0 by ${until}`],
  [
    { moveTo, moveReason: 'ended', goal: { component: 'edge', version: '3.0' } },
    'Move to 2.0, then to edge 3.0',
  ],
])('the advice %j is told as "%s"', (advice, words) => {
  expect(describeMove(advice, nameTarget)).toBe(words);
});

test('advisories that are not known are named with what they are about', () => {
  expect(describeUnknownAdvisories()).toBe('Advisories: not known.');
  expect(describeUnknownAdvisories('4 of 5')).toBe('Advisories: not known for 4 of 5.');
});

test('the end of a version in use is a warning', () => {
  const states = ['supported', 'ends-soon', 'may-have-ended', 'ended', 'deprecated'] as const;

  expect([...states, 'withdrawn' as const, 'no-promise' as const].map(findTone)).toEqual([
    ...['ok', 'soon', 'soon', 'gone', 'gone', 'gone', 'none'],
  ]);
});

test('a phase is present where a line has several, without its end where support ends with it', () => {
  const present = (phase: Phase | undefined, all = phases) =>
    describePresentPhase({ ...line, isSupported: true, phase, phases: all });

  expect(phases.map((phase) => present(phase))).toEqual([
    'active until 2026-06-30',
    'security',
    `extended (paid) until ${untilAtMost} at the latest`,
  ]);
  expect([present(undefined), present(range[0], range)]).toEqual(['', '']);

  const open: Phase[] = [{ name: 'active' }, { name: 'security', until }];
  expect(present(open[0], open)).toBe('active');
  expect(describePhases(open)).toBe(`active, security until ${until}`);

  const bounded = [
    { name: 'active', untilAtMost: until },
    { name: 'security', untilAtMost },
  ];
  expect(bounded.map((phase) => present(phase, bounded))).toEqual([
    `active until ${until} at the latest`,
    'security',
  ]);
});
