import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  hasPrereleaseWord,
  isPrereleaseForm,
  isReleaseForm,
} from '../../../src/core/model/prerelease.ts';

test.each(
  (
    '1.0-alpha.1 1.0-beta2 1.0b1 1.0a2 2025.1-rc-1 1.0rc1 1.0-CR1 1.0-M3 1.0-SNAPSHOT 1.0.dev4 1.0-pre 1.0-preview ' +
    '1.0-eap 2025.1-eap2 1.0-canary 1.0-nightly 1.0-next 1.0.0-rc.1+build.5 v1.0-RC1 1.0.0-next.3 1.0-beta 1.0.Beta1 1.0-SNAPSHOT-20250101 1.0c1'
  ).split(' '),
)('%s is a prerelease by its form', (version) => {
  expect(isPrereleaseForm(version)).toBe(true);
});

test.each(
  (
    '1.0 2025.3.1 v1.0 33.0-jre 5.6.Final 3.2.RELEASE 1.0-alpine 1.0-android 1.0.2b 8.5p1 1.0+build.1 1.0.0+rc.1 ' +
    '1.0-1 1.0.GA 1.0-SP1 1.0-arm64 1.0-bookworm 1.0-windows 1.0-slim 1.0-jdk11 1.0-preciousmetal latest'
  ).split(' '),
)('%s is not', (version) => {
  expect(isPrereleaseForm(version)).toBe(false);
});

test('letters are read in either case', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('-Rc-1', '-sNaPsHoT', '.DEV4', '-PREVIEW', 'B1', '-m3', '-Eap'),
      (suffix) => {
        expect(isPrereleaseForm(`1.0${suffix}`)).toBe(true);
        expect(isPrereleaseForm(`1.0${suffix.toLowerCase()}`)).toBe(true);
      },
    ),
  );
});

test('digit groups alone are never a prerelease', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), (groups) => {
      expect(isPrereleaseForm(groups.join('.'))).toBe(false);
    }),
  );
});

test.each([
  ['1.0-rc1', true, false],
  ['8u472-b08', false, false],
  ['1.0b1', false, false],
  ['1.0+rc.1', false, false],
  ['33.0-jre', false, true],
  ['5.6.Final', false, true],
  ['1.0-alpine3.20', false, true],
  ['1.0-jre-slim', false, false],
  ['1.0', false, false],
  ['latest', false, false],
])('%s has a word of a prerelease: %s, of a release: %s', (version, isPrerelease, isRelease) => {
  expect(hasPrereleaseWord(version)).toBe(isPrerelease);
  expect(isReleaseForm(version)).toBe(isRelease);
});
