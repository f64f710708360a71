import { expect, test } from 'vitest';
import type { UpgradeRules } from '../../src/core/schemas/upgrades.ts';
import { pathInWords, stepSentences, upgradePath } from '../../src/core/upgrade-path.ts';

const versions = '14.0.12 14.10.5 15.0.5 15.4.6 15.11.13 16.3.9 16.7.10 17.1.0 17.3.7 18.0.2'.split(
  ' ',
);
const releases = versions.map((version) => ({
  version,
  line: version.split('.').slice(0, 2).join('.'),
  isPrerelease: false,
}));

function path(rules: UpgradeRules, from: string, to = '18.0.2', listed = releases) {
  return upgradePath(
    rules,
    listed,
    from,
    listed.find(({ version }) => version === to)!,
  );
}

const upgradeStops = [
  { at: '16.3' },
  { at: '15.0' },
  { at: '15.4' },
  { at: '17.3' },
  { at: '14.10' },
];

test.each<[from: string, expected: string]>([
  ['14.0.12', '14.10.5, then 15.0.5, then 15.4.6, then 16.3.9, then 17.3.7, then 18.0.2'],
  ['15.4.1', '16.3.9, then 17.3.7, then 18.0.2'],
  ['17.3.0', '18.0.2'],
  ['18.0.0', '18.0.2'],
  ['19.0', '18.0.2'],
])('the way from %s goes through every stop above it', (from, expected) => {
  expect(pathInWords(path({ upgradeStops }, from))).toBe(expected);
});

test('a stop within the line of the goal is the goal', () => {
  expect(pathInWords(path({ upgradeStops }, '16.7.10', '17.3.7'))).toBe('17.3.7');
});

test('a withdrawn release is no stop: an earlier one of its line is, or none', () => {
  const listed = releases.map((one) => ({
    ...one,
    ...(/^15\.4|^16/.test(one.version) && { withdrawnSince: '2026-01-01' }),
  }));

  expect(
    pathInWords(
      path({ upgradeStops: [{ at: '15.4' }, { at: '17.3' }] }, '15.0.5', '18.0.2', listed),
    ),
  ).toBe('17.3.7, then 18.0.2');
});

test('an exact version means that one or a later one of its line', () => {
  expect(pathInWords(path({ upgradeStops: [{ at: '15.11.10' }] }, '15.11.2'))).toBe(
    '15.11.13, then 18.0.2',
  );
});

test('at most so many lines at once, without an edit for a new line', () => {
  expect(pathInWords(path({ upgradeSteps: { atMost: 4 } }, '14.0.12'))).toBe(
    '15.11.13, then 17.3.7, then 18.0.2',
  );
  expect(pathInWords(path({ upgradeSteps: { atMost: 1 } }, '16.7.10', '17.3.7'))).toBe(
    '17.1.0, then 17.3.7',
  );
});

test('a later release of the line in use is not a step of its own', () => {
  const listed = releases.flatMap((one) =>
    one.version === '16.7.10' ? [{ ...one, version: '16.7.9' }, one] : [one],
  );

  expect(pathInWords(path({ upgradeSteps: { atMost: 1 } }, '16.7.9', '17.3.7', listed))).toBe(
    '17.1.0, then 17.3.7',
  );
});

test('conditions, what to wait for and what to do are sentences', () => {
  const steps = path(
    {
      upgradeStops: [
        { at: '15.11', when: 'only where the registry is used' },
        {
          at: '17.3',
          reason: 'It migrates the database.',
          finish: 'background migrations have ended',
        },
      ],
      upgradeNotes: [
        { at: '16.0', text: 'Remove the setting "legacy"', url: 'https://example.com/16' },
        { at: '14.0', text: 'Long done' },
      ],
    },
    '15.0.5',
  );

  expect(pathInWords(steps)).toBe(
    '15.11.13 (only where the registry is used), then 17.3.7, then 18.0.2',
  );
  expect(stepSentences(steps)).toEqual([
    { text: 'For 16.0: Remove the setting "legacy".', url: 'https://example.com/16' },
    { text: 'Stop at 17.3.7: It migrates the database.' },
    { text: 'Go on from 17.3.7 once background migrations have ended.' },
  ]);
});
