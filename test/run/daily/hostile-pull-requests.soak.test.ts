import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesIn } from '../../harness/root.ts';
import {
  attacks,
  describePrinted,
  meet,
  openAttackedIndex,
  secretOfRunner,
} from './hostile-pull-requests.ts';

let world: Awaited<ReturnType<typeof openAttackedIndex>>;
let harmless: Awaited<ReturnType<typeof meet>>;

beforeAll(async () => {
  world = await openAttackedIndex();
  harmless = await meet(world.index, () => undefined);
});

afterAll(() => world?.close());

test('a pull request that changes nothing passes every door', () => {
  const { build, check, compare, daily } = harmless.runs;

  expect([build.status, check.status, compare.status, daily.status]).toEqual([0, 0, 0, 0]);
  expect(compare.text).toBe('The index says the same as before.\n');
});

test('every attack of the review is in the table', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(69);
  expect(new Set(attacks.map(([name]) => name)).size).toBe(attacks.length);
});

test.each(attacks)('%s', async (_, edit, door, text) => {
  const met = await meet(world.index, edit);
  const { runs, index } = met;
  const { build, check, compare, daily } = runs;
  const printed = Object.values(runs).map((run) => run.text);
  const { live } = index;

  expect(compare.text).toContain(text);
  expect(compare.text).not.toContain('says the same');
  expect(describePrinted(met, world.index)).toMatchSnapshot();

  if (door === 'refused') {
    expect([build.status, check.status, compare.status, daily.status]).toEqual([1, 1, 1, 1]);
    expect(printed.filter((all) => !all.includes(text))).toEqual([]);
    expect(live('SHA256SUMS')).toBe(world.index.live('SHA256SUMS'));
  } else if (door === 'waits') {
    expect([compare.status, daily.status]).toEqual([0, 1]);
    expect(compare.text).toMatch(/npx release-index accept svc-[0-9a-f]{10}$/m);
    expect(daily.text).toContain(text);
    // Readers keep what they had.
    for (const path of ['svc.json', 'latest/svc.txt', 'renovate.json', 'endoflife/api/svc.json']) {
      expect(live(path), path).toBe(harmless.index.live(path));
    }
  } else {
    expect(compare.status).toBe(door === 'compare' ? 1 : 0);
  }

  const published = Object.values(filesIn(index.served));
  expect([...printed, ...published].filter((all) => all.includes(secretOfRunner))).toEqual([]);
});
