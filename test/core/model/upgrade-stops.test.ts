import { expect, test } from 'vitest';
import type { UpgradeStop } from '../../../src/core/schemas/definition/about-component.ts';
import { findNextStop, resolveStops } from '../../../src/core/model/upgrade-stops.ts';
import { parseVersion } from '../../../src/core/model/version.ts';

const versions = '14.0.12 14.10.5 15.0.5 15.4.6 15.11.13 16.3.9 16.7.10 17.1.0 17.3.7 18.0.2'.split(
  ' ',
);
const releases = versions.map((version) => ({
  version,
  line: version.split('.').slice(0, 2).join('.'),
  isPrerelease: false,
  withdrawnSince: undefined as string | undefined,
}));
const day = '2026-07-01';

/** The versions to go through, one step after the other. */
function way(
  upgradeStops: readonly UpgradeStop[],
  from: string,
  to = '18.0.2',
  listed = releases,
): string[] {
  const goal = listed.find(({ version }) => version === to)!;
  const stops = resolveStops({ upgradeStops, releases: listed, day });
  const stop = findNextStop(stops, parseVersion(from)!, goal);

  return stop
    ? [stop.release.version, ...way(upgradeStops, stop.release.version, to, listed)]
    : [to];
}

const upgradeStops: UpgradeStop[] = [
  '16.3',
  { at: '15.0', reason: 'It migrates the database.' },
  '15.4',
  '17.3',
  '14.10',
];

test.each<[from: string, expected: string[]]>([
  ['14.0.12', ['14.10.5', '15.0.5', '15.4.6', '16.3.9', '17.3.7', '18.0.2']],
  ['15.4.1', ['16.3.9', '17.3.7', '18.0.2']],
  ['17.3.0', ['18.0.2']],
  ['18.0.0', ['18.0.2']],
  ['19.0', ['18.0.2']],
])('whoever is at %s goes to every stop above it', (from, expected) => {
  expect(way(upgradeStops, from)).toEqual(expected);
});

test('a stop within the line of the goal is the goal', () => {
  expect(way(upgradeStops, '16.7.10', '17.3.7')).toEqual(['17.3.7']);
});

test('a stop of the line of the goal comes first where lines have one digit group', () => {
  const listed = releases.map((one) => ({ ...one, line: one.version.split('.')[0]! }));

  expect(way(['15.4', '17.1'], '16.3.9', '17.3.7', listed)).toEqual(['17.1.0', '17.3.7']);
});

test('a withdrawn release is no stop: an earlier one of its line is, or none', () => {
  const listed = releases.map((one) => ({
    ...one,
    ...(/^15\.4|^16/.test(one.version) && { withdrawnSince: day }),
  }));

  expect(way(['15.4', '17.3'], '15.0.5', '18.0.2', listed)).toEqual(['17.3.7', '18.0.2']);
});

test.each<[from: string, expected: string[]]>([
  ['16.3.9', ['17.1.0', '18.0.2']],
  ['17.0', ['17.1.0', '18.0.2']],
  ['17.1.0', ['18.0.2']],
])('of a stop and another in its line, the lower release comes first for %s', (from, expected) => {
  expect(way(['17', '17.1'], from)).toEqual(expected);
});

test('an exact version means that one or a later one of its line', () => {
  expect(way(['15.11.10'], '15.11.2')).toEqual(['15.11.13', '18.0.2']);
  expect(way(['15.11.14'], '15.11.2')).toEqual(['18.0.2']);
});

test('a stop has its reason', () => {
  const [, stop] = resolveStops({ upgradeStops, releases, day });

  expect(stop).toMatchObject({
    release: { version: '15.0.5' },
    reason: 'It migrates the database.',
  });
});

test('the version of a release is read once for all stops', () => {
  const read: string[] = [];
  const listed = releases.map(({ version, ...release }) => ({
    ...release,
    get version() {
      read.push(version);
      return version;
    },
  }));

  resolveStops({ upgradeStops: ['14.0', '14.10', '15'], releases: listed, day });

  expect(read).toEqual(versions);
});

test('a prerelease is no stop', () => {
  const listed = [...releases, { version: '17.3.9-rc1', line: '17.3', isPrerelease: true }];

  expect(
    resolveStops({ upgradeStops: ['17.3'], releases: listed, day }).map(
      ({ release }) => release.version,
    ),
  ).toEqual(['17.3.7']);
});

test('a stop above the goal, or the goal itself, is none on the way', () => {
  expect(way(['17.3'], '15.0.5', '16.3.9')).toEqual(['16.3.9']);
  expect(way(['16.3'], '15.0.5', '16.3.9')).toEqual(['16.3.9']);
});
