import { expect, test } from 'vitest';
import type { Compatibility } from '../../../src/core/schemas/definition/works-with.ts';
import {
  findRecommended,
  judgePair,
  listPartners,
  collectStatedBy,
  parseBounds,
} from '../../../src/core/model/pair-answers.ts';
import { parseVersionRange } from '../../../src/core/model/version-range.ts';
import { parseVersion } from '../../../src/core/model/version.ts';

const url = 'https://example.com/compatibility';

function answers(entries: Compatibility[], pairs: string[]): string[] {
  return pairs.map((pair) => {
    const [own, other] = pair.split(' with ');
    const statements = { component: 'agent', worksWith: { svc: entries } };
    return judgePair(statements, own!, { component: 'svc', version: other! }).answer;
  });
}

test.each<[what: string, entries: Compatibility[], expected: Record<string, string>]>([
  [
    'a least version',
    [{ versions: '4.5', from: '2026.1.0' }],
    { '4.5.2 with 2026.1': 'good', '4.5 with 2025.4.3': 'bad', '4.6 with 2025.1': 'not-stated' },
  ],
  [
    'beyond the greatest tested version nothing is stated',
    [{ versions: '=1.23', from: '2024.3', testedTo: '2026.2' }],
    {
      '1.23.0 with 2026.2.0': 'good',
      '1.23.0 with 2026.3': 'not-stated',
      '1.23.0 with 2024.1': 'bad',
    },
  ],
  [
    'an announced end',
    [{ versions: '*', before: '2027.1' }],
    { '1 with 2026.3': 'good', '1 with 2027.1': 'bad' },
  ],
  [
    'ranges with holes',
    [{ versions: '*', with: '2024.1 || >=2025.2' }],
    { '1 with 2024.1.4': 'good', '1 with 2024.2': 'bad', '1 with 2025.2': 'good' },
  ],
  [
    'a feature alone is never bad',
    [{ versions: '*', from: '2025.1', feature: 'caching' }],
    { '1 with 2024.1': 'limited', '1 with 2025.1': 'not-stated' },
  ],
  [
    'a recommendation says nothing of other versions',
    [{ recommended: '3.11.4', with: '2022.3' }],
    {
      '3.11.4 with 2022.3.5': 'good',
      '3.11.4 with 2023.1': 'not-stated',
      '3.11.3 with 2022.3': 'not-stated',
    },
  ],
  [
    'of two that disagree, the one that excludes the pair prevails',
    [
      { versions: '*', from: '2025.1' },
      { versions: '1', before: '2026.1' },
    ],
    { '1.4 with 2026.2': 'bad', '2.0 with 2026.2': 'good' },
  ],
])('%s', (_, entries, expected) => {
  expect(answers(entries, Object.keys(expected))).toEqual(Object.values(expected));
});

test('either side may state it, and disagreements name both with their addresses', () => {
  const statements = {
    component: 'agent',
    worksWith: { svc: [{ versions: '4.5', from: '2025.1', url }] },
    statedBy: { svc: [{ versions: '2026.1', from: '4.6', reason: 'The protocol changed.' }] },
  };

  const agent = { component: 'agent', version: '4.5.0' };
  const svc = { component: 'svc', version: '2026.1' };

  expect(judgePair(statements, '4.5.0', svc)).toEqual({
    answer: 'bad',
    statements: [
      { answer: 'good', statement: statements.worksWith.svc[0], subject: agent, object: svc },
      { answer: 'bad', statement: statements.statedBy.svc[0], subject: svc, object: agent },
    ],
  });
  expect(judgePair(statements, '4.6.0', { component: 'svc', version: '2026.1' }).answer).toBe(
    'good',
  );
});

test('behind an answer stand the statements that give it, those against it, and the limits', () => {
  const good = { versions: '*', from: '2025.1' };
  const bad = { versions: '*', before: '2026.1' };
  const limited = { versions: '*', from: '2026.3', feature: 'caching' };
  const behindOf = (version: string, worksWith: Compatibility[]) =>
    judgePair({ component: 'agent', worksWith: { svc: worksWith } }, '1.0', {
      ...{ component: 'svc', version },
    }).statements.map(({ answer }) => answer);

  expect(behindOf('2026.2', [good, bad, limited])).toEqual(['good', 'bad']);
  expect(behindOf('2025.2', [good, limited])).toEqual(['good', 'limited']);
  expect(behindOf('2024.1', [good, limited])).toEqual(['bad', 'limited']);
  expect(behindOf('2024.1', [limited])).toEqual(['limited']);
  expect(behindOf('2026.3', [limited])).toEqual([]);
  expect(behindOf('latest', [good])).toEqual([]);
});

test.each<[bounds: Compatibility, range: string]>([
  [{ versions: '*', from: '2.0', testedTo: '2.1' }, '>=2.0 <=2.1'],
  [{ versions: '*', before: '3.0' }, '<3.0'],
  [{ versions: '*', with: '2.0 || 3.0' }, '2.0 || 3.0'],
  [{ versions: '*' } as never, '*'],
])('the bounds %j are the range "%s"', (bounds, range) => {
  expect(parseBounds(bounds)).toEqual(parseVersionRange(range));
});

test.each([
  ['2.0', '1.2'],
  ['2.0.5', '1.2'],
  ['2.1', undefined],
  ['3.0', '1.4'],
  ['1.0', undefined],
])('of svc %s, the recommended version is %s', (version, expected) => {
  const worksWith = {
    svc: [
      { recommended: '1.2', with: '2.0' },
      { recommended: '1.4', with: '3.0 || 2.0' },
      { versions: '*', from: '1.0' },
    ],
  };
  const find = (statements: object, partner = 'svc') =>
    findRecommended({ component: 'agent', ...statements }, partner, parseVersion(version)!);

  expect(find({ worksWith })).toBe(expected);
  expect([find({}), find({ worksWith }, 'x')]).toEqual([undefined, undefined]);
});

test('a component has as partners those that it names and those that name it', () => {
  const about = [{ versions: '*', from: '1.0' }];
  const definitions = new Map([
    ['agent', { value: { worksWith: { svc: about, edge: about } } }],
    ['plug', { value: { worksWith: { svc: about } } }],
    ['unread', {}],
    ['svc', { value: {} }],
  ]);
  const statements = collectStatedBy(definitions);

  expect(Object.fromEntries(statements)).toEqual({
    svc: { agent: about, plug: about },
    edge: { agent: about },
  });
  expect(
    listPartners({
      ...{ component: 'svc', worksWith: { zoo: about, agent: about } },
      statedBy: statements.get('svc'),
    }),
  ).toEqual(['agent', 'plug', 'zoo']);
  expect(listPartners({ component: 'svc' })).toEqual([]);
});

test('states nothing about a component that has the name of what every object has', () => {
  const statements = { component: 'agent', worksWith: { svc: [{ versions: '*', from: '1.0' }] } };
  const partner = { component: 'constructor', version: '1.0' };

  expect(judgePair(statements, '1.0', partner)).toEqual({ answer: 'not-stated', statements: [] });
});
