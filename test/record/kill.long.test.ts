import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { runKilled } from '../harness/killed-run.ts';
import { listReleases, openDefined } from '../harness/operated-index.ts';

const start = '2026-03-01';
/** The first step at which a run may have written something. Before it, a run has only pulled and asked its sources. */
const firstWrite = 9;

test('after a killed run, the next run completes the data without losing or repeating an event', async () => {
  const components = ['agent', 'svc'];
  const journals = components.map((component) => `data/journal/${component}.ndjson`);
  const appended = [...journals, 'data/runs/2026.ndjson'];
  // The releases that both components list. A release is added each day.
  const list = listReleases(3);
  const index = await openDefined(list, components);
  await index.commitDay(start, true);

  let isPushed = false;
  for (let step = firstWrite; !isPushed; step += 1) {
    const day = addDays(start, step);
    list.push({ version: `1.2.${step}` });
    const before = appended.map((path) => index.read(path));

    const killed = await runKilled(index, 'daily --push --skip-publish', day, step);

    expect(killed.isKilled, killed.stderr).toBe(true);
    for (const [place, path] of appended.entries()) {
      expect(index.read(path).startsWith(before[place]!), path).toBe(true);
    }

    isPushed = index.git('show', 'origin/main:data/runs/2026.ndjson').includes(`"asOf":"${day}"`);

    // This run must succeed although the last run was killed. Only the program was killed, not a git command. A killed git command would
    // leave a lock file, which a person must remove before git works again.
    const next = await index.commitDay(day, true);
    expect(next, next.stderr).toMatchObject({ status: 0, stderr: '' });
    expect(index.git('status', '--porcelain', '--branch')).toBe('## main...origin/main');
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
