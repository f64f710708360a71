import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseVersion, compareVersions } from '../../src/core/model/version.ts';
import { judgePair } from '../../src/core/model/pair-answers.ts';
import type { Compatibility } from '../../src/core/schemas/definition/works-with.ts';
import {
  createComparedComponent,
  divideReleases,
  findCompanion,
  listConflicts,
  listPairs,
  type ComparedComponent,
} from '../../src/decide/partners.ts';
import { componentOf } from '../site/render/sites.ts';

const versions = Array.from({ length: 40 }, (_, index) =>
  [index % 8, index % 5, index % 3].slice(0, 2 + (index % 2)).join('.'),
);

const releases = [...new Set(versions)]
  .map((version) => parseVersion(version)!)
  .sort(compareVersions);

function partnerWith(component: string, facts: Partial<ComparedComponent>): ComparedComponent {
  const lines = Map.groupBy(releases, ({ groups }) => groups.slice(0, 2).join('.'));
  return {
    component,
    title: component,
    worksWith: undefined,
    statedBy: undefined,
    lines: Array.from(lines, ([name, ofLine]) => ({ name, releases: ofLine })),
    ...facts,
  };
}

function pairOf(partner: ComparedComponent, other: ComparedComponent) {
  return listPairs(partner, new Map([[other.component, other]]))[0]!;
}

const bound = fc.constantFrom(...releases.map(({ text }) => text));
const range = fc.oneof(
  bound,
  bound.map((text) => `=${text}`),
  bound.map((text) => `>=${text}`),
  fc.tuple(bound, bound).map(([from, to]) => `>${from} <${to} || =${from}`),
  fc.constant('*'),
);
const entry: fc.Arbitrary<Compatibility> = fc.oneof(
  fc.record({ versions: range, from: bound }),
  fc.record({ versions: range, from: bound, testedTo: bound }),
  fc.record({ versions: range, before: bound }),
  fc.record({ versions: range, with: range }),
  fc.record({ versions: range, from: bound, feature: fc.constant('caching') }),
  fc.record({ recommended: bound, from: bound }),
);
const entries = fc.array(entry, { maxLength: 4 });

test('a component is judged with each partner that the index has', () => {
  const one = partnerWith('one', { worksWith: { other: [], elsewhere: [] } });
  const other = partnerWith('other', {});
  const third = partnerWith('third', {});

  const pairs = listPairs(one, new Map([one, other, third].map((each) => [each.component, each])));

  expect(pairs.map(({ partner }) => partner.component)).toEqual(['other']);
});

test('judging each part of the releases once gives the answer of every pair', () => {
  fc.assert(
    fc.property(entries, entries, (ofOne, ofOther) => {
      const one = partnerWith('one', { worksWith: { other: ofOne }, statedBy: { other: ofOther } });
      const other = partnerWith('other', { worksWith: { one: ofOther }, statedBy: { one: ofOne } });
      const pair = pairOf(one, other);

      for (const version of releases) {
        const answers = releases.map(
          ({ text }) => judgePair(one, version.text, { component: 'other', version: text }).answer,
        );
        const conflicts = releases.filter((_, index) => answers[index] === 'bad');

        expect(listConflicts(pair, version).flatMap((conflict) => conflict.releases)).toEqual(
          conflicts,
        );
        expect(findCompanion(pair, version)?.greatest).toBe(
          releases[answers.lastIndexOf('good')]?.text,
        );
      }
    }),
  );
});

test('the statements that cover a release are looked up once for it, not for each pair', () => {
  const countLookups = (count: number) => {
    const texts = Array.from({ length: count }, (_, index) => `1.${index}`);
    const list = texts.map((text) => ({ versions: `=${text}`, from: text }));
    const lines = [{ name: '1', releases: versionsOf(...texts) }];
    let lookups = 0;
    const one = Object.defineProperty(partnerWith('one', { lines }), 'statedBy', {
      get() {
        lookups += 1;
        return { other: list };
      },
    });
    const pair = pairOf(one, partnerWith('other', { worksWith: { one: list }, lines }));
    for (const version of lines[0]!.releases) {
      findCompanion(pair, version);
    }
    return lookups;
  };

  expect(countLookups(40)).toBeLessThan(3 * countLookups(20));
});

test('a line is parted only where an entry parts it', () => {
  const other = partnerWith('other', {});
  const partsWith = (worksWith: Compatibility[]) => {
    const one = partnerWith('one', { worksWith: { other: worksWith } });
    const line = { name: '1', releases: versionsOf('1.0', '1.0.1', '1.0.2', '1.1') };
    return divideReleases(line.releases, one, [other]).map((part) => part.map(({ text }) => text));
  };

  expect(partsWith([{ versions: '*', from: '1.0.1' }])).toEqual([['1.0', '1.0.1', '1.0.2', '1.1']]);
  expect(partsWith([{ versions: '>=1.0.2', from: '1.0' }])).toEqual([
    ['1.0', '1.0.1'],
    ['1.0.2', '1.1'],
  ]);
});

function versionsOf(...texts: string[]) {
  return texts.map((text) => parseVersion(text)!);
}

test('a newer release of which nothing is stated is named, unless one before it is refused, or it works in part', () => {
  const newerWith = (worksWith: Compatibility[]) => {
    const other = partnerWith('other', {
      worksWith: { one: worksWith },
      lines: [{ name: '1', releases: versionsOf('1.0', '1.1', '1.2', '1.3') }],
    });
    const one = partnerWith('one', { statedBy: { other: worksWith } });
    return findCompanion(pairOf(one, other), parseVersion('3.0')!);
  };

  expect(newerWith([{ versions: '1.0', from: '2.0' }])).toMatchObject({
    greatest: '1.0',
    newer: '1.3',
  });
  expect(
    newerWith([
      { versions: '1.0', from: '2.0' },
      { versions: '1.2', from: '4.0' },
    ]),
  ).toMatchObject({ greatest: '1.0', newer: '1.1' });
  expect(
    newerWith([
      { versions: '1.0', from: '2.0' },
      { versions: '1.3', from: '4.0', feature: 'caching' },
    ]),
  ).toMatchObject({ greatest: '1.0', newer: '1.2' });
});

test('a partner has the lines with stable releases that are not withdrawn', () => {
  const withdrawnSince = '2026-01-01';
  const component = componentOf(
    [
      { version: '1.0-rc1' },
      { version: '1.0' },
      { version: '1.0.1', withdrawnSince },
      { version: '1.1-rc1' },
      { version: '1.2', withdrawnSince },
    ],
    { title: 'Agent', prereleases: true },
    { name: 'agent' },
  );

  expect(createComparedComponent(component)).toEqual({
    ...{ component: 'agent', title: 'Agent', worksWith: undefined, statedBy: undefined },
    lines: [{ name: '1.0', releases: versionsOf('1.0') }],
  });
});

test('a line is parted where a release of it is beyond what another component tested', () => {
  const other = partnerWith('other', {});
  const line = { name: '1', releases: versionsOf('1.0', '1.1', '1.2', '1.3') };
  const one = partnerWith('one', {
    statedBy: { other: [{ versions: '*', from: '1.1', testedTo: '1.2' }] },
  });

  expect(
    divideReleases(line.releases, one, [other]).map((part) => part.map(({ text }) => text)),
  ).toEqual([['1.0'], ['1.1', '1.2'], ['1.3']]);
});

test.each<[what: string, worksWith: Compatibility[], expected: object | undefined]>([
  ['nothing', [], undefined],
  ['none that works', [{ versions: '*', from: '4.0' }], undefined],
  ['the greatest that works', [{ versions: '*', from: '2.0' }], { greatest: '1.3' }],
  [
    'the recommended one',
    [
      { versions: '*', from: '2.0' },
      { recommended: '1.1', with: '2' },
      { recommended: '1.2', with: '3' },
    ],
    { greatest: '1.3', recommended: '1.2' },
  ],
  [
    'no older one of which nothing is stated',
    [{ versions: '>=1.2', from: '2.0' }],
    { greatest: '1.3' },
  ],
])('a companion of a release is %s', (_, worksWith, expected) => {
  const other = partnerWith('other', {
    worksWith: { one: worksWith },
    lines: [{ name: '1', releases: versionsOf('1.0', '1.1', '1.2', '1.3') }],
  });
  const one = partnerWith('one', { statedBy: { other: worksWith } });

  expect(findCompanion(pairOf(one, other), parseVersion('3.0')!)).toEqual(expected);
});

test('a component that has the name of what every object has is judged like any other', () => {
  const one = partnerWith('one', { worksWith: { other: [] }, statedBy: { constructor: [] } });
  const named = partnerWith('constructor', {
    worksWith: { one: [{ versions: '*', from: '1.0' }] },
  });

  expect(findCompanion(pairOf(one, named), releases[0]!)).toBeUndefined();
  expect(divideReleases(one.lines[0]!.releases, one, [named])).toHaveLength(1);
});
