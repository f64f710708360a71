import { expect, test } from 'vitest';
import { openPoliteWorld } from '../harness/polite-world.ts';

test('the second run of 400 components loads at most a twentieth of the bytes', async () => {
  const sizes = { npm: 140, pypi: 80, maven: 60, helm: 40, oci: 30, github: 50 };
  const world = await openPoliteWorld(sizes);
  const first = await world.gather('2026-06-28');
  const second = await world.gather('2026-06-29');
  for (const counts of Object.values(world.counts)) {
    const [name = '', count = 0] = [...counts][1]!;
    counts.set(name, count + 1);
  }
  const third = await world.gather('2026-06-30');

  for (const { status, tallies, bytes, data, bareData } of [first, second, third]) {
    console.log(JSON.stringify({ bytes, ...tallies }));
    expect(status).toEqual([0, 0]);
    expect(data).toEqual(bareData);
  }
  expect(second.bytes).toBeLessThanOrEqual(first.bytes / 20);
  const { npm, pypi, maven, helm } = second.tallies;
  expect([npm, pypi, maven, helm].map(({ same }) => same)).toEqual([140, 80, 60, 40]);
});
