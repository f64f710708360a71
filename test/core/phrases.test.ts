import { expect, test } from 'vitest';
import {
  describeDay,
  describeFault,
  describeParts,
  describeSuccessors,
  describeUnproven,
  describeUntil,
  describeWay,
  findLatestEnd,
  findStateTone,
  findTone,
  findWords,
  formatDay,
  formatMonth,
  hasLts,
  isOpen,
  nameState,
  quoteForeign,
} from '../../src/core/phrases.ts';
import type { State } from '../../src/core/schema/published.ts';

test.each<
  [state: string, isSupported: boolean | undefined, name: string, tone: string, isOpen: boolean]
>([
  ['supported', true, 'Supported', 'ok', true],
  ['ends-soon', true, 'Ends soon', 'soon', true],
  ['may-have-ended', undefined, 'May have ended', 'soon', true],
  ['ended', false, 'Ended', 'over', false],
  ['deprecated', true, 'Deprecated', 'over', false],
  ['withdrawn', false, 'Withdrawn', 'over', false],
  ['no-promise', undefined, 'No end stated', 'none', true],
  ['security-only', true, 'Security only', 'ok', true],
  ['security-only', false, 'Security only', 'over', false],
  ['security-only', undefined, 'Security only', 'none', true],
])(
  'the state %s with isSupported %s is called "%s", has the tone %s, and is open: %s',
  (text, isSupported, name, tone, open) => {
    const line = { state: text as State, isSupported };

    expect([nameState(line), findStateTone(line), isOpen(line)]).toEqual([name, tone, open]);
    expect(nameState({ ...line, isUnreleased: true })).toBe('Not released');
  },
);

test.each<
  [
    label: string,
    state: State,
    moveReason: 'deprecated' | 'withdrawn' | 'ended' | undefined,
    fault: string | undefined,
    tone: string,
  ]
>([
  ['Vulnerable', 'supported', undefined, 'Vulnerable', 'gone'],
  ['Supported', 'supported', undefined, undefined, 'ok'],
  ['Supported', 'supported', 'deprecated', 'No usable release', 'gone'],
  ['Ends soon', 'ends-soon', 'withdrawn', 'No usable release', 'gone'],
  ['Ended', 'ended', 'withdrawn', undefined, 'over'],
  ['Ended', 'ended', 'ended', undefined, 'over'],
])(
  'a line with the label %s, state %s and moveReason %s has the fault %s and the tone %s',
  (label, state, moveReason, fault, tone) => {
    const line = { label, state, isSupported: state !== 'ended', moveReason };

    expect([describeFault(line), findTone(line)]).toEqual([fault, tone]);
  },
);

test.each<[line: Parameters<typeof hasLts>[0], day: string, expected: boolean]>([
  [{ isLts: true, ltsFrom: undefined }, '2026-01-01', true],
  [{ isLts: true, ltsFrom: '2026-01-01' }, '2026-01-01', true],
  [{ isLts: true, ltsFrom: '2026-01-02' }, '2026-01-01', false],
  [{ isLts: undefined, ltsFrom: undefined }, '2026-01-01', false],
])('a line with %j has long-term support on %s: %s', (line, day, expected) => {
  expect(hasLts(line, day)).toBe(expected);
});

test('texts about ends name both bounds, and mark estimated dates', () => {
  const [supportedUntil, supportedUntilAtMost] = ['2027-01-01', '2027-02-01'];

  expect(describeUntil({ supportedUntil, supportedUntilAtMost: undefined })).toBe('2027-01-01');
  expect(describeUntil({ supportedUntil, supportedUntilAtMost, isInferred: true })).toBe(
    'between 2027-01-01 and 2027-02-01 (estimated)',
  );
  expect(describeUntil({ supportedUntil: undefined, supportedUntilAtMost })).toBe(
    'on or before 2027-02-01',
  );
  expect(describeUntil({ supportedUntil: undefined, supportedUntilAtMost: undefined })).toBe('');
  expect(findLatestEnd({ supportedUntil, supportedUntilAtMost })).toBe(supportedUntilAtMost);
  expect(findLatestEnd({ supportedUntil, supportedUntilAtMost: undefined })).toBe(supportedUntil);
});

test('a release has the words of its line, unless it has words of its own', () => {
  const lines = [
    {
      line: '1.0',
      label: 'Ended',
      sentence: 'svc 1.0 was supported.',
      because: ['a'],
      advice: 'Move.',
    },
    {
      line: '1.1',
      label: 'Supported',
      sentence: 'svc 1.1 is supported.',
      because: [],
      advice: 'Stay.',
    },
  ];

  expect(
    findWords(
      {
        version: '1.1.2',
        line: '1.1',
        label: undefined,
        sentence: undefined,
        because: undefined,
        advice: undefined,
      },
      lines,
    ),
  ).toEqual({
    ...lines[1],
    line: undefined,
    sentence: 'svc 1.1.2 is supported.',
  });
  expect(
    findWords(
      { version: '1.1.2', line: '1.1', label: 'L', sentence: 'S', because: ['B'], advice: 'A' },
      lines,
    ),
  ).toEqual({
    label: 'L',
    sentence: 'S',
    because: ['B'],
    advice: 'A',
  });
});

test('a way names at most ten releases', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `1.${index}`);

  expect(describeWay()).toBe('');
  expect(describeWay(names(2))).toBe(' through 1.0 and 1.1');
  expect(describeWay(names(10))).toMatch(/1\.8 and 1\.9$/);
  expect(describeWay(names(11))).toMatch(/1\.9 and 1 more$/);
});

test('a replaced or split component names its successors', () => {
  expect(describeSuccessors({ replacedBy: 'next', splitInto: undefined })).toBe(
    'It is replaced by next.',
  );
  expect(describeSuccessors({ replacedBy: undefined, splitInto: ['a', 'b'] })).toBe(
    'It was split into a and b.',
  );
  expect(describeSuccessors({ replacedBy: undefined, splitInto: undefined })).toBeUndefined();
  const parts = [{ component: 'a', version: '1.2' }, { component: 'b' }];
  expect(describeParts(parts, (name) => name.toUpperCase())).toBe('what you need of A 1.2 and B');
});

test('a release without provenance is compared with the release before it, or with another line', () => {
  expect(describeUnproven({ lastProven: '1.0', unprovenSibling: '2.0' })).toBe(
    'Published without provenance, unlike 1.0.',
  );
  expect(describeUnproven({ unprovenSibling: '2.0' })).toBe(
    'Published without provenance, at the time of 2.0, which lost its provenance.',
  );
  expect(describeUnproven({})).toBeUndefined();
});

test('dates are written for readers', () => {
  expect([
    formatDay('2026-10-08'),
    formatDay('2026-01-31T10:00:00Z'),
    formatMonth('2026-12-01'),
  ]).toEqual(['8 Oct 2026', '31 Jan 2026', 'Dec 2026']);
  const releaseTimestamp = '2026-03-01T00:00:00Z';
  expect(describeDay({ releaseTimestamp, timestampKind: 'published' })).toBe('2026-03-01');
  expect(describeDay({ releaseTimestamp, timestampKind: 'observed' })).toBe('by 2026-03-01');
  expect(describeDay({ releaseTimestamp, timestampKind: 'observed' }, 'on or before')).toBe(
    'on or before 2026-03-01',
  );
  expect(describeDay()).toBe('');
});

test('a reason from upstream stands in quotation marks', () => {
  expect(quoteForeign('Deprecated upstream: say "no"')).toBe(`Deprecated upstream: "say 'no'"`);
  expect(quoteForeign('It ended. Deprecated upstream: x')).toBe(
    'It ended. Deprecated upstream: "x"',
  );
  expect(quoteForeign('It "ended".')).toBe('It "ended".');
});
