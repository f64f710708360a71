import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lock } from '../../src/io/files/lock.ts';
import { listRuns, readJournal } from '../../src/io/files/recorded-files.ts';
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

const versionsIn = (root: Root) =>
  readJournal(root, 'svc').value?.values.map(({ type, version }) => `${type} ${version}`);

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

test('a run that was suspended while it judged leaves the journal to the run that took over its lock', async () => {
  const root = openIndex();
  await recordOn(root, '2026-06-01');
  const { runs } = listRuns(root);
  const [event] = readJournal(root, 'svc').value!.values;
  const at = '2026-06-02T00:00:00.000Z';
  const newEvent = { id: 2, at, type: 'released', on: '2026-01-01', version: '1.1', line: '1.1' };
  const lockFile = join(root.dir, '.cache/data.lock');
  const env = {
    ...process.env,
    /** With the lock, it is read once the components are judged. */
    get npm_package_name() {
      if (existsSync(lockFile)) {
        writeIn(root.dir, '.cache/data.lock', 'of the other run');
        writeIn(root.dir, 'data/svc.json', listing('1.0', '1.1'));
        const lines = [event, newEvent].map((each) => `${JSON.stringify(each)}\n`);
        writeIn(root.dir, 'data/journal/svc.ndjson', lines.join(''));
      }
      return 'index';
    },
  };

  await expect(recordOn(root, '2026-06-02', env)).rejects.toThrow('taken over its lock');
  expect(versionsIn(root)).toEqual(['released 1.0', 'released 1.1']);
  expect(listRuns(root).runs).toEqual(runs);
});
