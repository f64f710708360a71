import { expect, test } from 'vitest';
import { addDays } from '../../src/core/model/dates.ts';
import { findLineMoveOn } from '../../src/decide/moves.ts';
import { componentOf } from '../site/render/sites.ts';

/** Microseconds for the moves of so many lines on the day of their end. Less than 2000 is noise. */
function measure(count: number): number {
  const releases = Array.from({ length: count }, (_, index) =>
    [0, 1, 2, 3].map((patch) => ({
      version: `${index + 1}.0.${patch}`,
      releaseTimestamp: addDays('2016-01-01', index * 4 + patch),
    })),
  );
  const component = componentOf(releases.flat(), {
    support: { policy: 'term', months: 60 },
  });
  const { lines } = component.judgement;
  const ends = lines.map((line) => ({ line, day: line.phases![0]!.until! }));
  expect(new Set(ends.map(({ day }) => day)).size).toBeGreaterThan(count * 0.9);

  const start = process.threadCpuUsage();
  const targets = ends.map(({ line, day }) => findLineMoveOn(component, line, day).moveTo?.version);
  const { user } = process.threadCpuUsage(start);
  expect(targets[0]).toBe(`${count}.0.3`);
  return Math.max(user, 2000);
}

// Work that grows with the square would take 64 times as long.
test('the moves of eight times as many lines take less than 30 times as long', () => {
  measure(100);

  expect(measure(800) / measure(100)).toBeLessThan(30);
});
