/** Checks that data which an earlier version of this program recorded can be read, and is written back with the same values. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openData } from '../src/record/data-files.ts';
import { readFiles } from './harness/components.ts';
import { exampleRoot } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';

test('a data file of the example has the same values after being read and written again', () => {
  const copy = createFolder();
  const [from, to] = [openData(exampleRoot), openData(copy)];
  for (const file of readdirSync(join(exampleRoot, 'components'))) {
    const name = file.slice(0, -5);
    to.writeRecorded(name, from.readRecorded(name));
    to.appendToJournal(name, from.readJournal(name));
  }
  to.writeFreshness(from.readFreshness(), undefined);
  for (const run of from.readRuns()) {
    to.appendRun(run);
  }
  for (const decision of from.readDecisions()) {
    to.appendDecision(decision);
  }

  const recorded = readFiles(exampleRoot);
  const written = readFiles(copy);
  for (const [path, text] of written) {
    expect(readValues(path, text), path).toEqual(readValues(path, recorded.get(path)));
  }
  expect(written.size).toBeGreaterThan(30);
});

const readValues = (path: string, text = ''): unknown =>
  path.endsWith('.json')
    ? text
    : Array.from(text.matchAll(/.+/g), ([line]) => JSON.parse(line) as unknown);
