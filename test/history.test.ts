/** The recorded history of the example goes on where it was: its files are read and written with the same values. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openData } from '../src/record/files.ts';
import { readFiles } from './harness/components.ts';
import { exampleRoot } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';

test('recorded data that is read and written again has the same bytes', () => {
  const copy = createFolder();
  const [from, to] = [openData(exampleRoot), openData(copy)];
  const names = readdirSync(join(exampleRoot, 'components')).map((file) => file.slice(0, -5));

  for (const name of names) {
    to.writeRecorded(name, from.readRecorded(name));
  }
  to.writeFreshness(from.readFreshness());

  const written = Object.fromEntries(readFiles(copy));
  expect(Object.keys(written)).toHaveLength(17);
  expect(Object.fromEntries(readFiles(exampleRoot))).toMatchObject(written);
});

test('an event, run or decision that is read and written again has the same values', () => {
  const copy = createFolder();
  const [from, to] = [openData(exampleRoot), openData(copy)];
  for (const file of readdirSync(join(exampleRoot, 'data/journal'))) {
    const name = file.replace('.ndjson', '');
    to.appendToJournal(name, from.readJournal(name));
  }
  for (const run of from.readRuns()) {
    to.appendRun(run);
  }
  for (const decision of from.readDecisions()) {
    to.appendDecision(decision);
  }

  const recorded = readFiles(exampleRoot);
  const written = Object.fromEntries(readFiles(copy));
  expect(Object.keys(written)).toHaveLength(16);
  for (const [path, text] of Object.entries(written)) {
    expect(readLines(text), path).toEqual(readLines(recorded.get(path)!));
  }
});

function readLines(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
