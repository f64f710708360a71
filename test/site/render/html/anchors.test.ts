import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameReleaseAnchor, readAnchor } from '../../../../src/site/render/html/anchors.ts';

const anyVersion = string({ unit: 'binary', minLength: 1, maxLength: 40 });

describe('the anchor of a release', () => {
  it('is the version after a v', () => {
    expect(nameReleaseAnchor('2025.3.1')).toBe('v2025.3.1');
    expect(nameReleaseAnchor('1.0-rc.1+build_7')).toBe('v1.0-rc.1+build_7');
    expect(nameReleaseAnchor('1.0 <b>')).toBe('v1.0~20~~3c~b~3e~');
  });

  it('is safe in an id and in an address, whatever the version', () => {
    assert(property(anyVersion, (version) => /^v[\w.~+-]*$/.test(nameReleaseAnchor(version))));
  });

  it('belongs to one version alone', () => {
    assert(
      property(
        anyVersion,
        anyVersion,
        (a, b) => (a === b) === (nameReleaseAnchor(a) === nameReleaseAnchor(b)),
      ),
    );
    expect(nameReleaseAnchor('1 ')).not.toBe(nameReleaseAnchor('1~20~'));
  });

  it('tells the version it was made of', () => {
    assert(
      property(
        string({ maxLength: 40 }),
        (version) => readAnchor(nameReleaseAnchor(version)) === version,
      ),
    );
    expect(readAnchor('v1~ffffff~')).toBe('1~ffffff~');
  });
});
