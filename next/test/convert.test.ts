import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { convert } from '../.ci/convert.ts';
import { parseJson } from '../src/core/files.ts';
import { openData } from '../src/record/files.ts';
import { exampleRoot, program } from './harness/example.ts';

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

const former = resolve(program, '..');
const hasFormer = existsSync(join(former, 'data/freshness'));
if (!hasFormer) {
  console.log('No index in the former form lies beside this one: there is nothing to convert.');
}

test.skipIf(!hasFormer)('the definitions and data are those of the former index, converted', () => {
  const converted = makeFolder();
  const folders = ['components', 'data', 'site/statements'];

  convert(former, converted);

  const ours = readFiles(program, folders);
  expect(ours, 'node .ci/convert.ts ..').toEqual(readFiles(converted, folders));
  const verbatim = readFiles(former, ['data/journal', 'data/runs', 'site/statements']);
  expect(ours).toMatchObject(verbatim);
  expect(ours['data/decisions.ndjson']).toBe(
    readFileSync(join(former, 'data/decisions.ndjson'), 'utf8'),
  );
});

interface FormerRelease {
  version: string;
  releaseTimestamp?: string;
  timestampKind?: string;
  changelogUrl?: string;
  source?: string;
  digests?: Record<string, Record<string, string>>;
}

test.skipIf(!hasFormer)('no release, day, kind, link or digest is lost in the conversion', () => {
  const data = openData(program);
  const names = readdirSync(join(former, 'components')).map((file) => file.replace('.json', ''));
  const listed = names.flatMap((name) => {
    const text = readFileSync(join(former, `data/${name}.json`), 'utf8');
    return (parseJson(text, name) as { releases: FormerRelease[] }).releases.map(
      ({ digests = {}, source, ...kept }) => ({
        name,
        ...kept,
        sources: source === undefined ? [] : [source],
        ...(source !== undefined && {
          digests: Object.values(digests).flatMap((files) => Object.values(files)),
        }),
      }),
    );
  });
  const converted = names.flatMap((name) =>
    data.readRecorded(name).releases.map((release) => ({ name, ...release })),
  );

  expect(listed.length).toBeGreaterThan(300);
  expect(converted).toEqual(listed);
});

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
