import { expect, test } from 'vitest';
import { findLastFreePhase, findPhaseOn, hasEnded } from '../../../src/core/model/phases.ts';
import { describeProblems } from '../../../src/core/schemas/problems.ts';
import { SupportPolicy } from '../../../src/core/schemas/definition/support-policy.ts';
import { describePolicy } from '../../../src/decide/policy-sentences.ts';
import { judgeOn, reasonsOf, release } from '../../harness/judging.ts';

const phases = [
  { name: 'active', months: 12 },
  { name: 'security', months: 18 },
  { name: 'extended', months: 36, paid: true },
];

/** Each line's phase on a day, whether it is supported, and until when. */
function linesOn(day: string, support: object, ...versions: [version: string, day?: string][]) {
  const recorded = versions.map(([version, at]) => release(version, at));
  return judgeOn(day, recorded, { support }).lines.map((line) => [
    line.name,
    line.phase?.name,
    line.isSupported,
    findLastFreePhase(line.phases)?.until,
  ]);
}

const support = { policy: 'term', phases };

test.each([
  ['2025-04-08', 'active', true, '2026-04-09', 'supported'],
  ['2026-04-08', 'active', true, '2026-04-09', 'supported'],
  ['2026-04-09', 'security', true, '2026-10-09', 'supported'],
  ['2026-10-08', 'security', true, '2026-10-09', 'ends-soon'],
  ['2026-10-09', 'extended', false, '2028-04-09', 'ended'],
  ['2028-04-08', 'extended', false, '2028-04-09', 'ended'],
  ['2028-04-09', undefined, false, undefined, 'ended'],
])(
  'a term in phases on %s: %s, supported %s, next change %s, %s',
  (day, phase, isSupported, next, state) => {
    const judgement = judgeOn(day, [release('2025.1', '2025-04-08')], { support });
    const [line] = judgement.lines;

    expect(line!.phase?.name).toBe(phase);
    expect(line).toMatchObject({ isSupported, state });
    expect(judgement.releases[0]!.isDeprecated).toBe(!isSupported);
    expect(judgement.nextChangeOn).toBe(next);
  },
);

test('a term in phases names the last phase of support in the reason of a verdict', () => {
  const judgement = judgeOn('2026-11-21', [release('2025.1', '2025-04-08')], { support });

  expect(reasonsOf(judgement, '2025.1')).toEqual([
    '2026-10-09: 2025-04-08, by the vendor; 18 months of phase security, by the definition',
  ]);
  expect(describePolicy(SupportPolicy.parse(support))).toBe(
    'The phases of a release line, in months from its first release: active until 12, security until 18, extended (paid) until 36.',
  );
});

test('lines with long-term support have their own phases', () => {
  const support = { policy: 'term', months: 6, lts: { lines: String.raw`/\.4$/`, phases } };

  expect(
    linesOn('2026-11-21', support, ['2025.3', '2026-01-08'], ['2025.4', '2026-02-08']),
  ).toEqual([
    ['2025.3', undefined, false, '2026-07-08'],
    ['2025.4', 'active', true, '2027-08-08'],
  ]);
  const { lines } = judgeOn('2026-11-21', [release('2025.3'), release('2025.4')], { support });
  expect(lines.map(({ isLts }) => isLts)).toEqual([undefined, true]);
});

test('the newest lines have phases by count; lines with long-term support are counted separately', () => {
  const counted = [
    { name: 'active', count: 1 },
    { name: 'security', count: 2 },
    { name: 'extended', count: 3, paid: true },
  ];
  const support = {
    policy: 'latest-lines',
    phases: counted,
    lts: { lines: ['1.1', '1.3'], phases: counted },
  };
  const versions = [1, 2, 3, 4, 5].map((minor): [string, string] => [
    `1.${minor}`,
    `2026-0${minor}-01`,
  ]);

  expect(linesOn('2026-11-21', support, ...versions)).toEqual([
    ['1.1', 'security', true, undefined],
    ['1.2', undefined, false, '2026-04-01'],
    ['1.3', 'active', true, undefined],
    ['1.4', 'security', true, undefined],
    ['1.5', 'active', true, undefined],
  ]);
  expect(linesOn('2026-04-30', support, ...versions).at(1)).toEqual([
    '1.2',
    'extended',
    false,
    '2026-04-01',
  ]);
});

test('stated days may end phases, and some phases may be paid', () => {
  const days = { active: '2026-04-08', security: '2026-10-08', extended: '2028-04-08' };
  const support = {
    policy: 'dated',
    lines: { '2025.1': days, '2025.3': '2027-01-01' },
    paid: ['extended'],
  };

  expect(linesOn('2026-11-21', support, ['2024.4'], ['2025.1'], ['2025.2'], ['2025.4'])).toEqual([
    ['2024.4', undefined, false, undefined],
    ['2025.1', 'extended', false, '2026-10-08'],
    ['2025.2', 'support', true, '2027-01-01'],
    ['2025.3', 'support', true, '2027-01-01'],
    ['2025.4', undefined, undefined, undefined],
  ]);
});

test.each<[object, string[]]>([
  [
    {
      policy: 'term',
      months: 3,
      phases: [
        { name: 'extended', months: 12, paid: true },
        { name: 'Active', months: 12 },
        { name: 'extended', months: '18' },
      ],
      lts: { lines: String.raw`/(a)\1/`, phases: [{ name: 'only', months: 1, paid: true }] },
    },
    [
      'phases[1].name: expected up to 40 lower-case letters, digits and hyphens, beginning with a letter and not ending with a hyphen; got "Active"',
      'phases[2].months: expected number; got "18"',
      'phases[0].paid: expected paid phases after all others; got one before a phase that is not paid',
      'phases[1].months: expected more than the 12 of the phase before; got 12',
      'phases[2].name: expected each name once; got "extended"',
      String.raw`lts.lines: expected a regular expression as RE2 and Renovate read it, without lookaround, backreferences and repeats over 1,000, so that no text can keep it busy (invalid escape sequence: "\1"); got "/(a)\\1/"`,
      'lts.phases[0].paid: expected a first phase that is not paid; got only paid phases',
      'phases: expected either months or phases; got both',
    ],
  ],
  [
    { policy: 'latest-lines', lts: { lines: '.4', phases: [] } },
    [
      String.raw`lts.lines: expected a pattern between slashes, such as /\.4$/; got ".4"`,
      'lts.phases: expected at least 1 element; got []',
      'count: expected a number, or phases; got nothing',
    ],
  ],
  [
    {
      policy: 'dated',
      lines: {
        '2025.1': { active: '2026-10-08', security: '2026-10-08' },
        '2025.2': {},
        '2025.3': { extended: '2026-01-01', security: '2026-01-02' },
        '2025.4': '2025-02-30',
      },
      paid: ['extended', 'extra'],
    },
    [
      'lines["2025.1"].security: expected a day after 2026-10-08, the end of active; got "2026-10-08"',
      'lines["2025.2"]: expected at least one phase; got none',
      'lines["2025.4"]: expected a day that exists, YYYY-MM-DD; got "2025-02-30"',
      'lines["2025.3"].extended: expected paid phases after all others; got one before a phase that is not paid',
      'paid[1]: expected a phase of lines; got "extra"',
    ],
  ],
])('a definition with faults is refused with all of them at once: %#', (policy, problems) => {
  expect(describeProblems(policy, SupportPolicy)).toEqual(problems);
});

test.each<[object, string, boolean | undefined]>([
  [{ until: '2026-06-30' }, '2026-06-30', false],
  [{ until: '2026-06-30' }, '2026-07-01', true],
  [{ until: '2026-06-30', untilAtMost: '2026-07-31' }, '2026-06-30', false],
  [{ until: '2026-06-30', untilAtMost: '2026-07-31' }, '2026-07-01', undefined],
  [{ until: '2026-06-30', untilAtMost: '2026-07-31' }, '2026-07-31', undefined],
  [{ until: '2026-06-30', untilAtMost: '2026-07-31' }, '2026-08-01', true],
  [{ untilAtMost: '2026-07-31' }, '2026-01-01', undefined],
  [{ untilAtMost: '2026-07-31' }, '2026-08-01', true],
  [{}, '2026-01-01', false],
  [{ isOver: true }, '2026-01-01', true],
])('support with the end %j has ended on %s: %s', (end, day, expected) => {
  expect(hasEnded(end, day)).toBe(expected);
});

test('the phase of a day is the first that is not over, unless that is not known', () => {
  const active = { name: 'active', until: '2026-06-30', untilAtMost: '2026-07-31' };
  const security = { name: 'security', until: '2026-12-31' };
  const phaseOn = (day: string) => findPhaseOn([active, security], day)?.name;

  expect(['2026-06-30', '2026-07-01', '2026-08-01', '2027-01-01'].map(phaseOn)).toEqual([
    ...['active', undefined, 'security', undefined],
  ]);
  expect(findPhaseOn(undefined, '2026-01-01')).toBeUndefined();
});
