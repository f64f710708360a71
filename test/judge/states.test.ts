import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import { Verdict } from '../../src/core/schema/documents.ts';
import { states } from '../../src/core/schema/published.ts';
import { contract } from '../harness/contract.ts';
import { judgeOn, lineOf, release, statedPolicy } from '../harness/judging.ts';

test.each<[day: Day, state: string, isSupported: boolean | undefined]>([
  ['2026-10-01', 'supported', true],
  ['2026-10-02', 'ends-soon', true],
  ['2026-12-31', 'ends-soon', true],
  ['2027-01-01', 'may-have-ended', undefined],
  ['2027-01-31', 'may-have-ended', undefined],
  ['2027-02-01', 'ended', false],
])('on %s, a line that ends between 2026-12-31 and 2027-01-31 is %s', (day, state, isSupported) => {
  const phases = [{ name: 'support', until: '2026-12-31', untilAtMost: '2027-01-31' }];
  const component = judgeOn(
    day,
    [release('1.0')],
    { support: statedPolicy },
    { lines: [{ line: '1.0', phases }] },
  );

  expect({ isSupported: undefined, ...lineOf(component, '1.0') }).toMatchObject({
    state,
    isSupported,
  });
  expect(component.releases).toMatchObject([
    { state, isSupported, isDeprecated: state === 'ended' },
  ]);
});

test.each([
  ['2026-05-31', { deprecatedFrom: '2026-06-01', until: '2026-12-31' }, false, true],
  ['2026-06-01', { deprecatedFrom: '2026-06-01', until: '2026-12-31' }, true, true],
  ['2027-01-01', { deprecatedFrom: '2026-06-01', until: '2026-12-31' }, true, false],
  ['2026-05-31', { until: '2026-12-31' }, true, true],
  ['2026-05-31', {}, true, false],
])(
  'the policy "ended" deprecates releases from the date "deprecatedFrom": date %s, keys %j, isDeprecated %s, isSupported %s',
  (day, days, isDeprecated, isSupported) => {
    const component = judgeOn(day, [release('1.0')], { support: { policy: 'ended', ...days } });

    expect(component.releases).toMatchObject([{ isDeprecated, isSupported }]);
    expect(component.latest).toBe(isDeprecated ? undefined : '1.0');
  },
);

test('a newer line ends the support of an older line, even if the release dates are unknown', () => {
  const support = { policy: 'latest-lines', count: 1 };
  const { lines } = judgeOn('2026-06-01', [release('1.0'), release('1.1')], { support });

  expect(lines.map(({ state }) => state)).toEqual(['ended', 'supported']);
});

test.each([
  ['deprecated', { deprecated: 'Bad.' }, { withdrawnSince: '2026-06-01' }],
  ['withdrawn', { withdrawnSince: '2026-06-01' }, { withdrawnSince: '2026-06-01' }],
])(
  'if all releases of a line are deprecated or withdrawn, the reason to move to another line is "%s"',
  (moveReason, first, second) => {
    const releases = [release('1.0', undefined, first), release('1.0.1', undefined, second)];

    expect(judgeOn('2026-06-01', releases).lines).toMatchObject([{ moveReason }]);
  },
);

const announced = (day: Day, releases = [release('9.0', '2024-01-10')], since = '2027-01-10') =>
  judgeOn(
    day,
    releases,
    { support: { ...statedPolicy, line: 1 } },
    {
      lines: [
        { line: '9', phases: [{ name: 'support', until: '2028-01-31' }] },
        { line: '10', since, phases: [{ name: 'support', until: '2030-01-31' }] },
      ],
    },
  );

test('a line is not supported before its first day', () => {
  expect(lineOf(announced('2027-01-09'), '10')).toMatchObject({
    since: '2027-01-10',
    supportedUntil: '2030-01-31',
    state: 'no-promise',
    isUnreleased: true,
    isSupported: undefined,
    phase: undefined,
    label: 'Not released',
    sentence: 'Server 10 is not released yet: its first day is 2027-01-10.',
    end: 'from 2027-01-10 until 2030-01-31',
  });
  expect(lineOf(announced('2027-01-10'), '10')).toMatchObject({
    state: 'supported',
    isSupported: true,
    sentence: 'Server 10 is supported until 2030-01-31.',
  });
});

test.each([
  ['a prerelease does not make a line released', '10.0-rc1', true],
  [
    'a stable release makes a line released, even before the first day in its list',
    '10.0',
    undefined,
  ],
])('%s', (_, version, isUnreleased) => {
  const component = announced('2027-01-09', [release(version, '2027-01-01')]);

  expect(lineOf(component, '10').isUnreleased).toBe(isUnreleased);
});

test('a line that has ended has ended, even if its first day is later', () => {
  const component = announced('2030-02-01', [release('9.0')], '2031-01-01');

  expect(lineOf(component, '10')).toMatchObject({ state: 'ended', isSupported: false });
});

test('a withdrawn release of an ended line has the state "withdrawn"', () => {
  const support = { policy: 'dated', lines: { '1.0': '2026-12-31', '1.1': '2026-01-31' } };
  const releases = [
    ...[release('1.0-rc1'), release('1.0'), release('1.0.1', undefined, { deprecated: 'Bad.' })],
    release('1.0.2', undefined, { withdrawnSince: '2026-06-01' }),
    release('1.0.3', undefined, { withdrawnSince: '2026-06-02' }),
    release('1.1-rc1'),
    release('1.1', undefined, { withdrawnSince: '2026-05-01' }),
  ];
  const component = judgeOn('2026-06-01', releases, { support });

  expect(component.releases.map((each) => [each.version, each.state, each.isSupported])).toEqual([
    ['1.0-rc1', 'no-promise', undefined],
    ['1.0', 'supported', true],
    ['1.0.1', 'deprecated', true],
    ['1.0.2', 'withdrawn', false],
    ['1.0.3', 'supported', true],
    ['1.1-rc1', 'ended', false],
    ['1.1', 'withdrawn', false],
  ]);
});

test('a verdict says how far the release is behind the latest, in releases and in days between published dates', () => {
  const releases = [
    release('1.0', '2026-01-01'),
    release('1.1', '2026-01-11', { timestampKind: 'observed' }),
    release('1.2', '2026-05-01'),
    release('1.3', '2026-01-21'),
    release('1.3.1', '2026-03-01'),
    release('1.4', '2026-03-01'),
    release('1.5', '2026-04-01', { deprecated: 'Bad.' }),
    release('1.6-rc1', '2026-05-01'),
  ];
  const component = judgeOn('2026-06-01', releases);

  expect(component.latest).toBe('1.4');
  expect(component.releases.map(({ releasesBehind, behind }) => [releasesBehind, behind])).toEqual([
    ...[
      [5, 59],
      [4, undefined],
      [3, undefined],
      [2, 39],
      [1, 0],
    ],
    ...[
      [undefined, undefined],
      [0, undefined],
      [0, undefined],
    ],
  ]);
});

const day = fc.integer({ min: 0, max: 7000 }).map((days) => addDays('2015-01-01', days));
const releases = fc.uniqueArray(
  fc
    .record({
      groups: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 }),
      at: fc.option(day, { nil: undefined }),
      isObserved: fc.boolean(),
    })
    .map(({ groups, at, isObserved }) =>
      release(groups.join('.'), at, at && isObserved ? { timestampKind: 'observed' } : {}),
    ),
  { selector: ({ version }) => version, maxLength: 12 },
);
const support = fc.oneof(
  fc.constant({ policy: 'none' }),
  fc.constant({ policy: 'ended' }),
  fc.record({ policy: fc.constant('term'), months: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ policy: fc.constant('latest-lines'), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    policy: fc.constant('dated'),
    lines: fc.dictionary(fc.constantFrom('0.1', '1.0', '2.3', '3.3', '4'), day, { minKeys: 1 }),
  }),
);

test('a deprecated release stays deprecated on each later date', () => {
  fc.assert(
    fc.property(releases, support, day, fc.nat({ max: 4000 }), (recorded, policy, on, days) => {
      const listDeprecated = (then: Day) =>
        judgeOn(then, recorded, { support: policy })
          .releases.filter(({ isDeprecated }) => isDeprecated)
          .map(({ version }) => version);

      expect(listDeprecated(addDays(on, days))).toEqual(expect.arrayContaining(listDeprecated(on)));
    }),
    { numRuns: 200 },
  );
});

test('under every support policy, the latest release is neither deprecated nor a prerelease', () => {
  fc.assert(
    fc.property(releases, support, day, (recorded, policy, on) => {
      const component = judgeOn(on, recorded, { support: policy });
      const usable = component.releases.filter((each) => !each.isDeprecated && !each.isPrerelease);

      expect(component.latest).toBe(usable.at(-1)?.version);
      expect(judgeOn(on, recorded.toReversed(), { support: policy })).toEqual(component);
      for (const { supportedUntil: from, supportedUntilAtMost: atMost } of component.lines) {
        expect(from === undefined || atMost === undefined || from < atMost).toBe(true);
      }
      for (const { state, isSupported, isDeprecated, moveTo, moveReason } of component.releases) {
        expect(states).toContain(state);
        expect(isDeprecated).toBe(isSupported === false || state === 'deprecated');
        expect(moveTo === undefined || moveReason !== undefined).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test('CONTRACT lists exactly the states, in their order', () => {
  const [, section = ''] = contract.split('\n## 4. Verdicts\n');
  const [list = ''] = section.split('\n**Ends.**');
  const listed = Array.from(list.matchAll(/^- `([a-z-]+)`: /gm), ([, state]) => state);

  expect(listed.slice(0, states.length)).toEqual(states);
  expect(listed.sort()).toEqual([...Verdict.shape.state.options].sort());
});

test.each<
  [day: Day, phase: string | undefined, paidSupport: string | undefined, until: Day | undefined]
>([
  ['2026-12-31', 'support', 'Paid support lasts until 2027-12-31.', '2026-12-31'],
  ['2027-01-01', 'extended', 'Paid support lasts until 2027-12-31.', '2026-12-31'],
  ['2027-12-31', 'extended', 'Paid support lasts until 2027-12-31.', '2026-12-31'],
  ['2028-01-01', undefined, 'Paid support ended 2027-12-31.', '2026-12-31'],
])('on %s, a line with paid support is in the phase %s: %s', (day, phase, paidSupport, until) => {
  const phases = [
    { name: 'support', until: '2026-12-31' },
    { name: 'extended', until: '2027-12-31', paid: true },
  ];
  const { line, ...facts } = lineOf(
    judgeOn(day, [release('1.0')], { support: statedPolicy }, { lines: [{ line: '1.0', phases }] }),
    '1.0',
  );

  expect(line).toBe('1.0');
  expect(facts).toMatchObject({
    ...(phase && { phase }),
    paidSupport,
    paidUntil: '2027-12-31',
    supportedUntil: until,
  });
  expect('phase' in facts && facts.phase !== undefined).toBe(phase !== undefined);
});

test.each<[facts: object[], isEnded: boolean, moveReason: string | undefined]>([
  [[{}, { deprecated: 'Bad.' }], false, undefined],
  [[{ deprecated: 'Bad.' }, { deprecated: 'Bad.' }], false, 'deprecated'],
  [[{ deprecated: 'Bad.' }, { withdrawnSince: '2026-06-01' }], false, 'deprecated'],
  [[{ withdrawnSince: '2026-06-01' }, { withdrawnSince: '2026-06-01' }], false, 'withdrawn'],
  [[{ deprecated: 'Bad.' }, { deprecated: 'Bad.' }], true, 'ended'],
])(
  'a line with the releases %j, ended: %s, has the moveReason %s',
  (facts, isEnded, moveReason) => {
    const releases = facts.map((each, index) => ({ ...release(`1.0.${index}`), ...each }));
    const phases = [{ name: 'support', until: isEnded ? '2026-06-30' : '2027-06-30' }];
    const component = judgeOn(
      '2026-07-01',
      releases,
      { support: statedPolicy },
      { lines: [{ line: '1.0', phases }] },
    );

    expect(lineOf(component, '1.0').moveReason).toBe(moveReason);
  },
);
