import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupByLine } from '../../src/decide/lines.ts';
import { supportOf } from '../../src/decide/support.ts';
import { normaliseReleases } from '../../src/decide/releases.ts';
import type { Definition } from '../../src/core/schemas/definition.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded.ts';

const definition: Definition = {
  title: 'Service',
  homepage: 'https://example.com/',
  changelogUrl: 'https://example.com/changelog',
  sources: [],
};

const line = fc.record({
  day: fc.option(fc.integer({ min: 1, max: 28 }).map((day) => `2026-01-${String(day).padStart(2, '0')}`)),
  isPrerelease: fc.boolean(),
});

describe('support of the newest lines', () => {
  it('ends for a line on the day when as many newer lines as are supported had begun', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (drawn, count) => {
        const recorded = drawn.map(({ day, isPrerelease }, index): RecordedRelease => ({
          version: `1.${index}`,
          ...(day !== null && { releaseTimestamp: day }),
          isPrerelease,
        }));
        const { releases } = normaliseReleases('svc', definition, recorded, '2026-12-31');
        const lines = groupByLine(releases, '2026-12-31');

        const support = supportOf({ policy: 'latest-lines', count }, lines);
        const reasons = support.map(({ phases }) => phases[0]!.reason);

        for (const [index, reason] of reasons.entries()) {
          const newer = lines
            .slice(index + 1)
            .filter(({ releases }) => releases.some((release) => !release.isPrerelease));
          expect(reason !== undefined).toBe(newer.length >= count);
          if (!reason) continue;
          const earliest = newer.map(({ began }) => began.from ?? '0').sort()[count - 1]!;
          const latest = newer.map(({ began }) => began.atMost ?? began.from ?? '9').sort()[count - 1]!;
          expect(reason.from).toBe(earliest === '0' || latest === '9' ? undefined : earliest);
          expect(reason.fromAtMost).toBe(latest === '9' || latest === earliest ? undefined : latest);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
