import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import { Freshness } from '../../../src/core/schemas/freshness.ts';
import type { SourceRelease } from '../../../src/record/sources/source.ts';
import { again, day, gather, ten, versionsOf, type AcceptanceResult } from '../../harness/acceptance.ts';
import { entryOf } from '../../harness/merging.ts';

/** What an upstream that may be hostile lists on some days in a row. */
const days = fc.array(
  fc.uniqueArray(
    fc.record({
      version: fc.constantFrom(...ten, '2.0', '9.9', '9999.0', '2026.1'),
      releaseTimestamp: fc.constantFrom('2019-01-01T00:00:00Z', '2026-05-31T08:00:00Z', 'never'),
      deprecated: fc.constantFrom('', 'old', 'none', 'none'),
      isPrerelease: fc.constantFrom('yes', 'no', 'unstated'),
      digests: fc.constantFrom('1', '2').map((digit) => ({ file: `sha256:${digit.repeat(64)}` })),
    }),
    { selector: ({ version }) => version },
  ),
  { minLength: 1, maxLength: 6 },
);

type Drawn = (typeof days extends fc.Arbitrary<infer Value> ? Value : never)[number][number];

function toReleases(listed: readonly Drawn[]): SourceRelease[] {
  return listed.map(({ version, releaseTimestamp, deprecated, isPrerelease, digests }) => ({
    version,
    ...(digests && { digests }),
    ...(isPrerelease !== 'unstated' && { isPrerelease: isPrerelease === 'yes' }),
    ...(releaseTimestamp !== undefined && releaseTimestamp !== 'never' && { releaseTimestamp }),
    ...(deprecated !== undefined && deprecated !== 'none' && { deprecated }),
  }));
}

/** The runs of these days, each with the one before. */
function* runsOf(
  answers: readonly (readonly Drawn[])[],
  accept: boolean,
): Generator<[AcceptanceResult, AcceptanceResult]> {
  let before = gather(ten);
  for (const [index, listed] of answers.entries()) {
    const after = again(before, toReleases(listed), { day: addDays(day, index + 1), accept });
    yield [before, after];
    before = after;
  }
}

test('whatever an upstream lists, a second run of a day changes nothing and no release is lost', () => {
  fc.assert(
    fc.property(days, fc.boolean(), (answers, accept) => {
      let index = 0;
      for (const [before, after] of runsOf(answers, accept)) {
        const on = addDays(day, (index += 1));
        const more = again(after, toReleases(answers[index - 1]!), { day: on });
        expect([more.releases, more.freshness, more.changes]).toEqual([after.releases, after.freshness, []]);
        for (const version of versionsOf(before)) expect(versionsOf(after)).toContain(version);
        expect(Freshness.parse(JSON.parse(JSON.stringify(after.freshness)))).toEqual(after.freshness);
      }
    }),
    { numRuns: 100, interruptAfterTimeLimit: 20_000 },
  );
});

test('whatever an upstream lists, nothing towers and no day is older than what was observed, unless a person accepts it', () => {
  fc.assert(
    fc.property(days, (answers) => {
      for (const [before, after] of runsOf(answers, false)) {
        expect(versionsOf(after)).not.toContain('9999.0');
        for (const version of versionsOf(after)) {
          if (versionsOf(before).includes(version)) continue;
          const { releaseTimestamp, timestampKind } = entryOf(after, version);
          if (timestampKind === 'published') expect(releaseTimestamp).toBe('2026-05-31T08:00:00Z');
        }
      }
    }),
    { numRuns: 100, interruptAfterTimeLimit: 20_000 },
  );
});

test('whatever an upstream lists, a recorded digest stays unless a person accepts another, which is told', () => {
  fc.assert(
    fc.property(days, fc.boolean(), (answers, accept) => {
      for (const [before, after] of runsOf(answers, accept)) {
        for (const { version, digests } of before.releases) {
          const now = entryOf(after, version);
          if (digests === undefined || JSON.stringify(digests) === JSON.stringify(now.digests)) continue;
          expect(accept).toBe(true);
          expect(now.republished).toBeDefined();
          expect(after.changes).toContainEqual({ kind: 'republished', version, detail: 'file' });
        }
      }
    }),
    { numRuns: 100, interruptAfterTimeLimit: 20_000 },
  );
});
