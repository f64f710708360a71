import { expect, test } from 'vitest';
import { addDays } from '../../src/core/model/dates.ts';
import type { Definition } from '../../src/core/schemas/definition/definition.ts';
import { createLineAdviser } from '../../src/decide/moves.ts';
import { componentOf } from '../site/render/sites.ts';
import { findGrowth } from '../harness/growth.ts';

/** Microseconds for the moves of so many lines on the day of their end. */
function measure(count: number, about: Partial<Definition>, newest: string): number {
  const releases = Array.from({ length: count }, (_, index) =>
    ['0', '1', '2', newest].map((patch, day) => ({
      version: `${index + 1}.0.${patch}`,
      releaseTimestamp: addDays('2016-01-01', index * 4 + day),
    })),
  );
  const component = componentOf(releases.flat(), {
    support: { policy: 'term', months: 60 },
    prereleases: true,
    ...about,
  });
  const { lines } = component.judgement;
  const ends = lines.map((line) => ({ line, day: line.phases![0]!.until! }));
  expect(new Set(ends.map(({ day }) => day)).size).toBeGreaterThan(count * 0.9);

  const start = process.threadCpuUsage();
  const adviseOn = createLineAdviser(component);
  const moves = ends.map(({ line, day }) => adviseOn(line, day));
  const { user } = process.threadCpuUsage(start);
  const [{ goal, moveTo } = {}] = moves;
  expect((goal ?? moveTo)?.version).toBe(`${count}.0.${newest === '3' ? '3' : '2'}`);
  return user;
}

const upgradeStops = Array.from({ length: 50 }, (_, index) => `${index * 2 + 1}.0`);
const advisories = [{ id: 'CVE-2016-1', url: 'https://example.com/1', affected: '>=0' }];

// Work that grows with the square would take 64 times as long.
test.each<[about: string, definition: Partial<Definition>, newest: string]>([
  ['lines', {}, '3'],
  ['lines with stops', { upgradeStops }, '3'],
  ['lines that an advisory affects', { advisories }, '3'],
  ['lines whose newest release is a prerelease', {}, '3-rc.1'],
])(
  'the moves of eight times as many %s take less than 30 times as long',
  async (_, about, newest) => {
    expect(await findGrowth((count) => measure(count, about, newest), 100)).toBeLessThan(30);
  },
);
