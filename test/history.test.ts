/** The recorded history of the example goes on where it was: its files are read and written with the same values. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openData } from '../src/record/files.ts';
import { exampleRoot } from './harness/example.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The texts of all files below folders of a root, by path. */
function readFiles(root: string, folders: readonly string[]): Record<string, string> {
  const files = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [relative(root, file), readFileSync(file, 'utf8')]),
  );
}

test('recorded data that is read and written again has the same bytes', () => {
  const copy = makeFolder();
  const [from, to] = [openData(exampleRoot), openData(copy)];
  const names = readdirSync(join(exampleRoot, 'components')).map((file) => file.slice(0, -5));

  for (const name of names) {
    to.writeRecorded(name, from.readRecorded(name));
  }
  to.writeFreshness(from.readFreshness());

  const written = readFiles(copy, ['data']);
  expect(Object.keys(written)).toHaveLength(17);
  expect(readFiles(exampleRoot, ['data'])).toMatchObject(written);
});

test('an event, run or decision that is read and written again has the same values', () => {
  const copy = makeFolder();
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

  const recorded = readFiles(exampleRoot, ['data']);
  const written = readFiles(copy, ['data']);
  expect(Object.keys(written)).toHaveLength(16);
  for (const [path, text] of Object.entries(written)) {
    expect(readLines(text), path).toEqual(readLines(recorded[path]!));
  }
});

function readLines(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
