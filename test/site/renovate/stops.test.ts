import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readVersion } from '../../../src/core/version.ts';
import { listWay } from '../../../src/judge/stops.ts';
import type { Component } from '../../../src/core/schema/published.ts';
import { listNotes } from '../../../src/site/renovate/notes.ts';
import { createPreset, createStopsPreset } from '../../../src/site/renovate/preset.ts';
import { matchBelow, matchUpTo } from '../../../src/site/renovate/version-bounds.ts';
import { judgeComponents } from '../../harness/components.ts';

const isMatch = (pattern: string, version: string) =>
  new RegExp(`^v?(?:${pattern})$`).test(version);

const group = fc.oneof(fc.nat(12), fc.nat(120), fc.nat(2030));
const versions = fc.array(group, { minLength: 1, maxLength: 4 }).map((groups) => groups.join('.'));

const suffixes = fc.constantFrom('', '-rc1', '.rc.2', '-alpine', '.post1', '-SNAPSHOT');

test('the pattern below a stop matches exactly the versions that must still pass through the stop', () => {
  fc.assert(
    fc.property(versions, suffixes, versions, (version, suffix, bound) => {
      const parsed = readVersion(bound);
      const stops = [{ name: bound, parsed, line: parsed, releases: [] }];
      const way = listWay(stops, readVersion(version + suffix), readVersion('9999999'));

      expect(isMatch(matchBelow(bound), version + suffix)).toBe(way !== undefined);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  [
    '17.3',
    '17.2.9 v17.2 17 17-alpine 17.GA 17.02.1 9.99.99 17.2.9-ce.0',
    '17.3 17.3.0 17.30 170 18 17.3-rc1',
  ],
  ['21.6.3', '21.6.2 21.6 21.6-slim 21.5.9 20', '21.6.3 21.6.30 21.7 22'],
  ['18.0', '17.99 1', '18 18.0 18.0.0'],
])('the pattern below %s matches "%s", and not "%s"', (bound, below, others) => {
  const matched = `${below} ${others}`
    .split(' ')
    .filter((text) => isMatch(matchBelow(bound), text));

  expect(matched.join(' ')).toBe(below);
});

test.each([
  ['17.3', '17.3 17.3.99 17.2 17', '17.4 18'],
  ['9', '9 9.9.9 8', '10 10.1'],
  ['1.99', '1.99.1', '1.100 2'],
])('the pattern up to the line %s matches "%s", and not "%s"', (line, upTo, others) => {
  const matched = `${upTo} ${others}`.split(' ').filter((text) => isMatch(matchUpTo(line), text));

  expect(matched.join(' ')).toBe(upTo);
});

test('only a component with stops has a rule and a note, even if it has many stops', () => {
  const sources = [{ datasource: 'docker', packageName: 'acme/svc' }];
  const definition = { sources, requiredStops: { lines: '*' } };
  const releases = { '1.0': '2026-01-01', '1.1': '2026-02-01', '1.2': '2026-03-01' };
  const index = judgeComponents({ svc: { definition, releases }, other: { releases } });
  const listNames = ({ packageRules }: any) =>
    packageRules.flatMap((rule: any) => (rule.allowedVersions ? rule.matchPackageNames : []));
  const listStopNotes = (component: Component) =>
    listNotes(component, index, '2024-01-01').filter(({ words }) => /skip/.test(words));

  expect(listNames(createPreset(index).preset)).toEqual(['svc']);
  expect(listNames(createStopsPreset(index))).toEqual(['acme/svc', 'docker.io/acme/svc']);
  expect(index.components.map(listStopNotes)).toMatchObject([
    [],
    [
      {
        occasion: 'component',
        words: 'Upgrades must not skip a release line, according to the definition.',
      },
    ],
  ]);
});
