import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toDay } from '../../../src/core/model/dates.ts';
import { RecordedData, type RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import type { CheckedAnswer } from '../../../src/record/gather/merge-values.ts';
import { parseVersion, rankKey } from '../../../src/core/model/version.ts';
import { answer, merge } from '../../harness/merging.ts';

const day = '2026-06-01';

const ids = ['npm:a', 'maven:g:b', 'page:https://example.com/', 'static'];
const anyDay = fc
  .date({ min: new Date('2001-01-01'), max: new Date('2026-05-31'), noInvalidDate: true })
  .map(toDay);
const text = fc.constantFrom(
  '0.9',
  '1.0',
  'v1.0',
  '1.00',
  '1.1',
  '1.1-rc1',
  '1.10',
  '2.0',
  '2.0.1',
  '3',
);
const link = fc.constantFrom('https://example.com/1', 'https://example.com/2');

const digest = fc.constantFrom('1', '2').map((digit) => `sha256:${digit.repeat(64)}`);

const stated = fc.record(
  {
    version: text,
    releaseTimestamp: anyDay,
    changelogUrl: link,
    deprecated: fc.constantFrom('old', 'bad'),
    isPrerelease: fc.boolean(),
    digests: fc.dictionary(fc.constantFrom('a', 'b'), digest, { maxKeys: 2 }),
  },
  { requiredKeys: ['version'] },
);
const answers: fc.Arbitrary<CheckedAnswer[]> = fc
  .tuple(
    ...ids.map((id) =>
      fc.option(fc.array(stated, { maxLength: 6 }).map((list) => answer(id, list))),
    ),
  )
  .map((some) => some.filter((one) => one !== null));
const recorded: fc.Arbitrary<RecordedRelease[]> = fc.uniqueArray(
  fc.record(
    {
      version: text,
      releaseTimestamp: anyDay,
      timestampKind: fc.constantFrom('published', 'observed'),
      changelogUrl: link,
      source: fc.constantFrom(...ids, 'npm:gone'),
      firstSeen: anyDay,
      deprecated: fc.constantFrom('old', 'bad'),
      withdrawnSince: anyDay,
      isPrerelease: fc.boolean(),
      digests: fc.record({ 'npm:a': fc.record({ a: digest }) }),
    },
    { requiredKeys: ['version'] },
  ),
  { selector: ({ version }) => version, maxLength: 8 },
);
const options = { sources: ids };

test('whatever the sources answer, the same answers again only withdraw missing versions, on a later day', () => {
  fc.assert(
    fc.property(recorded, answers, (before, said) => {
      let once = merge(before, said, options);
      for (const on of [day, '2027-01-01']) {
        const { releases, missing } = once;
        const twice = merge(releases, said, { ...options, missing, day: on });
        if (on === day) {
          expect(twice.releases).toEqual(releases);
        }
        const changed = twice.changes.map(({ version }) => version).sort();
        expect(changed).toEqual(on === day ? [] : Object.keys(missing).sort());
        once = twice;
      }
      const { releases, missing } = merge(once.releases, said, { ...options, day: '2027-01-02' });
      expect(releases).toEqual(once.releases);
      expect(missing).toEqual({});
    }),
    { numRuns: 400 },
  );
});

test('whatever the sources answer, changes are reported, and the result is valid', () => {
  fc.assert(
    fc.property(recorded, answers, (before, said) => {
      const { releases, missing, changes } = merge(before, said, options);
      const changed = changes.map(({ version }) => version);
      for (const old of before) {
        const entry = releases.find(({ version }) => version === old.version)!;
        for (const field of [
          'releaseTimestamp',
          'changelogUrl',
          'deprecated',
          'isPrerelease',
        ] as const) {
          if (old[field] !== entry[field]) {
            expect(changed).toContain(old.version);
          }
        }
        if (old.withdrawnSince === undefined) {
          expect(entry.withdrawnSince).toBeUndefined();
        }
      }
      const listed = said.flatMap(({ ranks }) => [...ranks]);
      for (const version of Object.keys(missing)) {
        expect(listed).not.toContain(rankKey(parseVersion(version)!));
      }
      for (const { dissent = [], source, alsoListedBy = [] } of releases) {
        for (const conflict of dissent) {
          expect(conflict.source).not.toBe(conflict.over);
          for (const id of [conflict.source, conflict.over]) {
            expect([source, ...alsoListedBy]).toContain(id);
            expect(ids).toContain(id);
          }
        }
      }
      expect(RecordedData.parse(JSON.parse(JSON.stringify({ releases })))).toEqual({ releases });
    }),
    { numRuns: 300 },
  );
});

test('whatever the sources answer, no recorded release is lost, and no published day moves', () => {
  fc.assert(
    fc.property(recorded, fc.array(answers, { maxLength: 4 }), (before, days) => {
      let now = before;
      for (const said of days) {
        now = merge(now, said, options).releases;
      }
      for (const entry of before) {
        const kept = now.find(({ version }) => version === entry.version);
        expect(kept).toBeDefined();
        if (entry.releaseTimestamp === undefined) {
          continue;
        }
        if (entry.timestampKind !== 'observed') {
          expect(kept!.releaseTimestamp).toBe(entry.releaseTimestamp);
        } else {
          expect(kept!.releaseTimestamp!.slice(0, 10) <= entry.releaseTimestamp).toBe(true);
        }
      }
    }),
    { numRuns: 250 },
  );
});
