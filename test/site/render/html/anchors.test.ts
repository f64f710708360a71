import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PublishedChange } from '../../../../src/core/schemas/published/changes-file.ts';
import { listChangeEntries } from '../../../../src/record/journal/events/change-entries.ts';
import {
  nameChangeAnchor,
  nameReleaseAnchor,
  readReleaseAnchor,
} from '../../../../src/site/render/html/anchors.ts';

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
        (version) => readReleaseAnchor(nameReleaseAnchor(version)) === version,
      ),
    );
    expect(readReleaseAnchor('v1~ffffff~')).toBe('1~ffffff~');
  });
});

it.each([
  ['released', { version: '1.9', line: '1' }, '#v1.9'],
  ['support-announced', { line: '2025.1' }, '#line-2025.1'],
  ['advisory-published', { advisory: 'GHSA-1' }, ''],
] as const)(
  'an entry of many events of the type %s leads to the last one',
  (type, last, anchor) => {
    const events = Array.from({ length: 21 }, (_, index): PublishedChange => ({
      ...{ id: `svc/${index + 2}`, at: '2026-11-20T06:00:00Z', on: '2026-11-20' },
      ...{ component: 'svc', type, text: '', ...last },
    }));

    const [entry] = listChangeEntries(events);

    expect(nameChangeAnchor(entry!)).toBe(anchor);
  },
);
