import { expect, test } from 'vitest';
import { openConditionalHosts, readKept } from '../harness/conditional-hosts.ts';

test('gather with a cache downloads only changed lists, and records the same data as without a cache', async () => {
  const world = await openConditionalHosts({ npm: 3, maven: 2, github: 4 });
  const first = await world.gather('2026-06-28');
  const second = await world.gather('2026-06-29');
  world.counts.github.set('github-000', 101);
  world.counts.maven.set('maven-001', 60);
  const third = await world.gather('2026-06-30');

  for (const { status, data, bareData } of [first, second, third]) {
    expect(status).toEqual([0, 0]);
    expect(data).toEqual(bareData);
  }
  expect(Object.values(first.tallies).map(({ same }) => same)).toEqual([0, 0, 0]);
  const { github, ...others } = second.tallies;
  for (const { requests, same } of Object.values(others)) {
    expect(same).toBe(requests);
  }
  // The releases of github-000 fill one page exactly. A 304 answer for this page may not say that another page follows. So `gather`
  // requests the page once more, without `If-None-Match`.
  expect(github).toMatchObject({ requests: 9, same: 8 });
  expect(third.data.get('github-000.json')).toContain('1.0.100');
  expect(JSON.parse(third.data.get('maven-001.json')!)).toMatchObject({ releases: { length: 60 } });
  expect(readKept(world.keptIn)).toContain('1.0.100');
});
