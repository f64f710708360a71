import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import type { Component } from '../../src/core/schema/published.ts';
import { withhold } from '../../src/judge/withhold.ts';
import { judgeOn, lineOf, release, releaseOf } from '../harness/judging.ts';

const day = '2026-11-22';
/** All lines but the newest have ended, so their releases are deprecated. */
const support = { policy: 'latest-lines', count: 1 };
const usual = '17.1.8 17.3.1 17.3.7 17.4.1 17.5.5 17.8.7 17.11.2 18.2.1';

function judge(required: object | undefined, texts = usual, more: Record<string, object> = {}) {
  const releases = texts.split(' ').map((version, place): ReturnType<typeof release> => {
    return release(version, addDays('2026-01-01', place) as Day, more[version]);
  });
  return judgeOn(day, releases, { support, requiredStops: required });
}

const adviceOf = (component: Component, version: string) => {
  const { advice, line, through } = releaseOf(component, version);
  return [advice ?? lineOf(component, line).advice, through?.join(' ')];
};

test.each<[title: string, lines: string | string[], from: string, through: string | undefined]>([
  ['names the newest release of each stop', ['17.3', '17.5'], '17.1.8', '17.3.7 17.5.5'],
  ['leaves out a stop that the version has reached', ['17.3', '17.5'], '17.3.1', '17.5.5'],
  ['leaves out a stop in the line of the target', ['17.5', '18.2'], '17.1.8', '17.5.5'],
  ['leaves out a stop beyond the target', ['17.5', '18.5'], '17.1.8', '17.5.5'],
  ['takes a longer name as the oldest version of the stop', ['17.3.2'], '17.3.1', '17.3.7'],
  ['names a stop that no release has reached by itself', ['17.3.9'], '17.1.8', '17.3.9'],
  ['names a stop without a release by its line', ['17.2', '17.5'], '17.1.8', '17.2 17.5.5'],
  [
    'selects lines by a pattern',
    String.raw`/^\d+\.(?:5|8|11)$/`,
    '17.1.8',
    '17.5.5 17.8.7 17.11.2',
  ],
  ['selects each line', '*', '17.5.5', '17.8.7 17.11.2'],
  ['selects lines by a range', '>=17.8', '17.1.8', '17.8.7 17.11.2'],
  ['is absent without a stop on the way', ['17.3'], '17.4.1', undefined],
])('the way %s', (_, lines, from, through) => {
  expect(releaseOf(judge({ lines }), from).through?.join(' ')).toBe(through);
});

test('the rule "lts" selects the lines with long-term support', () => {
  const lts = { lines: ['17.3', '17.8'], phases: [{ name: 'support', months: 24 }] };
  const releases = usual.split(' ').map((version) => release(version, '2026-01-01'));
  const component = judgeOn(day, releases, {
    support: { policy: 'term', phases: [{ name: 'support', months: 36 }], lts },
    requiredStops: { lines: 'lts' },
  });

  expect(component.requiredStops?.stops.map(({ stop }) => stop)).toEqual(['17.3', '17.8']);
});

test('advice names the way in words, and its line shares it', () => {
  const component = judge({ lines: ['17.3', '17.5', '17.8'] });

  expect(adviceOf(component, '17.1.8')).toEqual([
    'Move to 18.2.1 through 17.3.7, 17.5.5 and 17.8.7.',
    '17.3.7 17.5.5 17.8.7',
  ]);
  expect(lineOf(component, '17.1')).toMatchObject({ through: ['17.3.7', '17.5.5', '17.8.7'] });
});

test.each<[title: string, more: Record<string, object>, release: string | undefined]>([
  ['a yanked release', { '17.3.7': { deprecated: 'Broken.' } }, '17.3.1'],
  ['a withdrawn release', { '17.3.7': { withdrawnSince: '2026-02-01' } }, '17.3.1'],
  ['a prerelease', { '17.3.7': { isPrerelease: true } }, '17.3.1'],
  [
    'two withdrawn releases',
    { '17.3.1': { withdrawnSince: '2026-02-01' }, '17.3.7': { withdrawnSince: '2026-02-01' } },
    undefined,
  ],
])('no way leads through %s', (_, more, newest) => {
  const component = judge({ lines: ['17.3'] }, usual, more);

  expect(component.requiredStops?.stops).toEqual([{ stop: '17.3', line: '17.3', release: newest }]);
  expect(releaseOf(component, '17.1.8').through).toEqual([newest ?? '17.3']);
});

test('a way leads through a vulnerable release, because there is no other', () => {
  const releases = usual.split(' ').map((version) => release(version, '2026-01-01'));
  const component = judgeOn(day, releases, {
    support,
    requiredStops: { lines: ['17.3'] },
    advisories: [{ id: 'CVE-2026-1', affected: '17.3' }],
  });

  expect(releaseOf(component, '17.1.8').through).toEqual(['17.3.7']);
});

test('a rule does not select a line that was only announced', () => {
  const releases = ['1.0', '1.2'].map((version, place) =>
    release(version, `2026-0${place + 1}-01`),
  );
  const dated = { '1.0': '2026-02-01', '1.1': '2026-03-01', '1.2': '2027-01-01' };
  const component = judgeOn(day, releases, {
    support: { policy: 'dated', lines: dated },
    requiredStops: { lines: '*' },
  });

  expect(component.requiredStops?.stops.map(({ stop }) => stop)).toEqual(['1.0', '1.2']);
});

test.each([
  ['withdrawn', { withdrawnSince: '2026-02-01' }],
  ['yanked', { deprecated: 'Broken.' }],
])('a rule keeps a line as a stop if all its releases are %s', (_, more) => {
  const component = judge({ lines: '*' }, '1.1 1.2 1.3 1.4', { '1.2': more });

  expect(releaseOf(component, '1.1').through).toEqual(['1.2', '1.3']);
  expect(component.requiredStops?.stops[1]).toEqual({
    stop: '1.2',
    line: '1.2',
    release: undefined,
  });
});

test('a source can mark the releases of a stop', () => {
  const marked = { isStop: true } as const;
  const component = judge(undefined, usual, { '17.3.7': marked, '17.5.5': marked });

  expect(component.requiredStops).toEqual({
    description: 'Upgrades must pass through 17.3.7 and 17.5.',
    stops: [
      { stop: '17.3.7', line: '17.3', release: '17.3.7' },
      { stop: '17.5', line: '17.5', release: '17.5.5' },
    ],
  });
  expect(releaseOf(component, '17.3.1').through).toEqual(['17.3.7', '17.5.5']);
});

test.each<[title: string, hold: Parameters<typeof withhold>[1][number], through: string[]]>([
  [
    'a held withdrawal',
    { kind: 'loss', versions: ['17.3.7'], taken: { withdrawnSince: ['17.3.7'] } },
    ['17.3.7'],
  ],
  ['a held new release', { kind: 'outlier', versions: ['17.3.7'] }, ['17.3.1']],
])('%s does not change the way yet', (_, hold, through) => {
  const releases = usual.split(' ').map((version, place) => {
    const withdrawnSince = version === '17.3.7' ? '2026-02-01' : undefined;
    return release(version, addDays('2026-01-01', place), { withdrawnSince });
  });
  const effective = withhold({ releases }, [hold]);
  const component = judgeOn(day, effective.releases, {
    support,
    requiredStops: { lines: ['17.3'] },
  });

  expect(releaseOf(component, '17.1.8').through).toEqual(through);
});

test('a source can both deprecate a release and mark it as a stop, unless it is malware', () => {
  const marked = { isStop: true, deprecated: 'no reason given' } as const;
  const malware = { advisory: 'MAL-2026-1', since: '2026-02-01' };
  const releases = [
    release('17.1.8', '2026-01-01'),
    release('17.3.7', '2026-01-02', marked),
    release('17.3.8', '2026-01-03', { ...marked, malware }),
    release('18.2.1', '2026-01-04'),
  ];
  const advisories = [{ id: 'MAL-2026-1', source: 'osv', affected: '=17.3.8' }];
  const component = judgeOn(day, releases, { support }, { advisories });

  expect(releaseOf(component, '17.1.8').through).toEqual(['17.3.7']);
});

test('a way back has no stops', () => {
  const component = judgeOn(
    day,
    [release('1.0'), release('1.1'), release('1.2', undefined, { deprecated: 'Broken.' })],
    { requiredStops: { lines: '*' } },
  );

  expect(adviceOf(component, '1.2')).toEqual(['Move back to 1.1 now.', undefined]);
});

test.each([
  [
    { lines: ['1.0'], url: 'https://docs.example.com/a' },
    'Upgrades must pass through 1.0, according to docs.example.com.',
  ],
  [{ lines: '*' }, 'Upgrades must not skip a release line, according to the definition.'],
])('the stops %j are described as "%s"', (required, description) => {
  const component = judgeOn(day, [release('1.0'), release('1.1')], { requiredStops: required });

  expect(component.requiredStops?.description).toBe(description);
});
