import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addDays } from '../../../src/core/model/dates.ts';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import { copyIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { filesIn } from '../../harness/root.ts';
import {
  attacks,
  day,
  describePrinted,
  lies,
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
    expect(compare.text).toMatch(/npx release-index accept (?:edge|svc)-[0-9a-f]{10}$/m);
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

/** The grave advisories on each version, as readers get them. */
function findGrave({ live }: IndexInGit) {
  const { advisories = [], releases } = JSON.parse(live('details/svc.json')) as DetailsFile;
  const grave = advisories
    .filter(({ severity }) => severity === 'critical' || severity === 'high')
    .map(({ id }) => id);
  return releases
    .filter(({ version }) => version !== '8.4')
    .map(({ version, advisories: ids = [] }) => [version, ids.filter((id) => grave.includes(id))]);
}

test.each(lies)('%s, in what a source states', async (_, days, outcome, text) => {
  const index = copyIndexInGit(world.index);
  onTestFinished(world.rest);
  let run = { status: 0, stdout: '', stderr: '' };
  let before = findGrave(index);
  for (const [count, lie] of days.entries()) {
    world.state(lie);
    before = findGrave(index);
    run = await index.run('daily', addDays(day, count));
  }
  const { live } = index;

  expect(run.status, run.stderr).toBe(outcome === 'waits' ? 1 : 0);
  expect(outcome === 'told' ? live('feed.atom') : run.stderr).toContain(text);

  if (outcome === 'waits') {
    expect(run.stderr).toMatch(/npx release-index accept svc-[0-9a-f]{10}/);
  }
  if (outcome !== 'told') {
    expect(findGrave(index)).toEqual(before);
  }
  // No lie keeps a fix from readers, and none makes another latest release.
  expect(live('latest/svc.txt')).toBe(days.at(-1)!.versions ? '8.3\n' : '8.4\n');
});
