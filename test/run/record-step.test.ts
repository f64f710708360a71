import { expect, test } from 'vitest';
import { lock } from '../../src/io/files/lock.ts';
import { listRuns } from '../../src/io/files/recorded-files.ts';
import { openRoot, type Root } from '../../src/io/files/root.ts';
import { record } from '../../src/run/record-step.ts';
import { checkout } from '../harness/checkout.ts';
import { definition, makeRoot, withGit, writeIn } from '../harness/root.ts';

const listing = (...versions: string[]) => ({
  releases: versions.map((version) => ({ version, releaseTimestamp: '2026-01-01' })),
});

/** An index of one component with one release. */
function openIndex(): Root {
  const files = { 'components/svc.json': definition(), 'data/svc.json': listing('1.0') };
  return openRoot(withGit(makeRoot(files)), checkout);
}

function recordOn(root: Root, day: string, env: NodeJS.ProcessEnv = process.env) {
  return record({
    ...{ root, day, env, startedAt: new Date(), requested: ['record'] },
    report: { finding: () => undefined, print: () => undefined, progress: () => undefined },
  });
}

test('a day before that of a run that recorded while this one waited for the lock is not recorded', async () => {
  const root = openIndex();
  await recordOn(root, '2026-06-01');
  const [run] = listRuns(root).runs;
  const otherRun = await lock(root, 'data');

  const waiting = recordOn(root, '2026-06-02');
  const line = { ...run, id: '0123456789abc', asOf: '2026-06-03', at: '2026-06-03T00:00:00.000Z' };
  writeIn(root.dir, 'data/runs/2026.ndjson', `${JSON.stringify(run)}\n${JSON.stringify(line)}\n`);
  otherRun[Symbol.dispose]();

  await expect(waiting).rejects.toThrow('expected a day from 2026-06-03 on, that of the last run');
  expect(listRuns(root).runs).toHaveLength(2);
});
