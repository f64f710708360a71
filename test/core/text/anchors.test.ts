import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { releaseAnchor, readAnchor } from '../../../src/site/render/html/markup.ts';

const anyVersion = string({ unit: 'binary', minLength: 1, maxLength: 40 });

describe('the anchor of a release', () => {
  it('is the version after a v', () => {
    expect(releaseAnchor('2025.3.1')).toBe('v2025.3.1');
    expect(releaseAnchor('1.0-rc.1+build_7')).toBe('v1.0-rc.1+build_7');
    expect(releaseAnchor('1.0 <b>')).toBe('v1.0~20~~3c~b~3e~');
  });

  it('is safe in an id and in an address, whatever the version', () => {
    assert(property(anyVersion, (version) => /^v[\w.~+-]*$/.test(releaseAnchor(version))));
  });

  it('belongs to one version alone', () => {
    assert(
      property(
        anyVersion,
        anyVersion,
        (a, b) => (a === b) === (releaseAnchor(a) === releaseAnchor(b)),
      ),
    );
    expect(releaseAnchor('1 ')).not.toBe(releaseAnchor('1~20~'));
  });

  it('tells the version it was made of', () => {
    assert(
      property(
        string({ maxLength: 40 }),
        (version) => readAnchor(releaseAnchor(version)) === version,
      ),
    );
    expect(readAnchor('v1~ffffff~')).toBe('1~ffffff~');
  });
});
