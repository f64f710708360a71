import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { runKilled } from '../harness/killed-run.ts';
import { listReleases, openOperatedIndex } from '../harness/operated-index.ts';

const start = '2026-03-01';
const kills = 20;

test(`of a run that is killed at ${kills} points, nothing is lost or told twice, and the next one goes on`, async () => {
  const index = await openOperatedIndex();
  const components = ['agent', 'cache', 'svc'];
  const journals = components.map((component) => `data/journal/${component}.ndjson`);
  const appended = [...journals, 'data/runs/2026.ndjson'];
  // The answer of each of them, which grows from day to day.
  const list = listReleases(3);
  components.forEach((component) => index.define(component, list));
  index.commit('Define');
  await index.commitDay(start);
  let day = addDays(start, 1);
  list.push({ version: '1.2.9' });
  const line = 'daily --skip-publish';
  const { steps } = await runKilled(index, line, day);
  expect(steps).toBeGreaterThan(kills);

  for (let kill = 1; kill <= kills; kill += 1) {
    day = addDays(day, 1);
    list.push({ version: `1.2.${kill + 9}` });
    const before = appended.map((path) => index.read(path));

    const killed = await runKilled(index, line, day, Math.ceil((kill * steps) / (kills + 1)));

    expect(killed.isKilled, killed.stderr).toBe(true);
    for (const [place, path] of appended.entries()) {
      expect(index.read(path).startsWith(before[place]!), path).toBe(true);
    }

    // A person finds the lock of a git that was killed with the run; git names the file.
    const next = await index.commitDay(day);
    expect(next, next.stderr).toMatchObject({ status: 0, stderr: '' });
    expect(index.git('status', '--porcelain', '--', 'data')).toBe('');
    const versions = list.map(({ version }) => version);
    for (const component of components) {
      const recorded = index.data.readRecorded(component).releases.map(({ version }) => version);
      expect(recorded).toEqual(versions);
      const journal = index.data.readJournal(component);
      expect(journal.map(({ id }) => id)).toEqual(journal.map((_, position) => position + 1));
      expect(journal.map(({ version }) => version)).toEqual(versions);
    }
  }
});
