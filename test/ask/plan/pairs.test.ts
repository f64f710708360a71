import { expect, test } from 'vitest';
import {
  findConflict,
  findGreatestTogether,
  findLastStatedWith,
  isBelow,
  listConflicts,
  listFittingWith,
} from '../../../src/ask/plan/pairs.ts';
import { describeUnstated } from '../../../src/ask/plan/plan-words.ts';
import { definition } from '../../harness/root.ts';
import { detailsIn, files, filesOf, listing } from './planning.ts';

const stated = {
  'components/agent.json': definition({
    worksWith: {
      svc: [
        { versions: '2.0', from: '1.0' },
        { versions: '4.0', before: '1.0' },
        { versions: '6.0', from: '1.0' },
      ],
      agent: [{ versions: '*', from: '9.0' }],
    },
  }),
  'data/agent.json': listing('1.0', '2.0', '3.0', '4.0', '5.0', '6.0', '7.0', '8.0'),
  'components/svc.json': definition(),
  'data/svc.json': listing('1.0'),
  'components/other.json': definition(),
  'data/other.json': listing('1.0'),
};
const agent = detailsIn(stated, 'agent');
const svc = { details: detailsIn(stated, 'svc'), version: '1.0' };
const other = { details: detailsIn(stated, 'other'), version: '1.0' };

test('a release fits that is stated to work, or newer than one that is, unless one is refused', () => {
  expect([...listFittingWith(agent, svc)]).toEqual(['2.0', '3.0', '6.0', '7.0', '8.0']);
  expect([...listFittingWith(agent, other)]).toEqual([]);
});

test('a newer release of which only a feature is refused does not fit without a word', () => {
  const limited = {
    ...stated,
    'components/agent.json': definition({
      worksWith: {
        svc: [
          { versions: '2.0', from: '1.0' },
          { versions: '>=3', from: '9.0', feature: 'caching' },
        ],
      },
    }),
  };

  expect([...listFittingWith(detailsIn(limited, 'agent'), svc)]).toEqual(['2.0']);
});

test.each([
  ['1.0', undefined],
  ['2.0', undefined],
  ['3.0', '2.0'],
  ['4.0', undefined],
  ['5.0', undefined],
  ['6.0', undefined],
  ['7.0', '6.0'],
])('version %s has as its last stated one %s', (version, expected) => {
  expect(findLastStatedWith({ details: agent, version }, svc)).toBe(expected);
  expect(findLastStatedWith({ details: agent, version }, other)).toBeUndefined();
});

test('two versions of one component have no conflict, whatever it states of itself', () => {
  const [one, two] = [
    { details: agent, version: '1.0' },
    { details: agent, version: '2.0' },
  ];

  expect(findConflict(one, two)).toBeUndefined();
  expect(listConflicts([one, two, svc])).toEqual([]);
});

test('a conflict is listed once, by name, in either order', () => {
  const four = { details: agent, version: '4.0' };
  const names = (positions: Parameters<typeof listConflicts>[0]) =>
    listConflicts(positions).map(({ one, other }) => [one.version, other.details.component]);

  expect(names([svc, four, four])).toEqual([['4.0', 'svc']]);
  expect(names([four, svc])).toEqual([['4.0', 'svc']]);
});

test.each([
  ['1.0', '1.1', true],
  ['1.0', '1.0.0', false],
  ['1.1', '1.0', false],
])('%s is below %s: %s', (one, another, expected) => {
  expect(isBelow(one, another)).toBe(expected);
});

const position = (component: string, version: string) => ({
  ...{ details: detailsIn(files, component), version },
});

test.each([
  [
    'agent 4.5',
    'svc 2026.3',
    'agent 4.5 with svc 2026.3: not stated; the vendor last stated 4.3.1.',
  ],
  ['tool 1.1', 'svc 2026.3', 'tool 1.1 with svc 2026.3: not stated.'],
  [
    'tool 1.0',
    'svc 2026.3',
    'svc 2026.3 with tool 1.0: not stated; the vendor last stated 2026.1.',
  ],
  ['agent 4.3', 'svc 2026.3', undefined],
  ['caching 1.0', 'svc 2026.3', undefined],
  ['lib 1.2', 'svc 2026.3', undefined],
])('of %s with %s it is said: %s', (one, another, words) => {
  const [left, right] = [one, another].map((name) => {
    const [component, version] = name.split(' ');
    return position(component!, version!);
  });

  expect(describeUnstated(left!, right!)).toBe(words);
  expect(describeUnstated(right!, left!)).toBe(words);
});

test('the greatest release that goes with all others is refused by none', () => {
  const hub = filesOf({
    hub: [{}, '1.0 2.0 3.0'],
    a: [{ worksWith: { hub: [{ versions: '*', from: '1.0', testedTo: '2.0' }] } }, '1.0'],
    b: [{ worksWith: { hub: [{ versions: '*', before: '2.0' }] } }, '1.0'],
    c: [{}, '1.0'],
  });
  const position = (name: string, version: string) => ({ details: detailsIn(hub, name), version });
  const others = ['a', 'b', 'c'].map((name) => position(name, '1.0'));

  expect(findGreatestTogether(position('hub', '3.0').details, others)).toBe('1.0');
  expect(findGreatestTogether(position('hub', '3.0').details, others.slice(0, 1))).toBe('2.0');
  expect(findGreatestTogether(position('hub', '3.0').details, others.slice(2))).toBeUndefined();
});
