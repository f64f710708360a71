import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import type { InputError } from '../../src/core/errors.ts';
import { openData } from '../../src/record/files.ts';
import { createFolder, listReleases, openOperatedIndex } from '../harness/operated-index.ts';
import { recordedRelease as release } from '../harness/recorded.ts';

const start = '2026-03-01';
const recorded = { releases: [release('1.0'), release('1.1')] };

function openFolder() {
  const root = createFolder();
  const data = openData(root);
  data.writeRecorded('svc', recorded);
  return { root, data, path: join(root, 'data/svc.json') };
}

function findProblems(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return (error as InputError).problems.map(({ subject, message }) => `${subject}: ${message}`);
  }
}

const remedy = 'Mend it, or take the committed file: git checkout -- data/svc.json';

test.for<[string, (text: string) => string, RegExp]>([
  ['a comma too many', (text) => text.replace('"1.1",', '"1.1",,'), /^data\/svc\.json, line 13: /],
  [
    'a conflict of git',
    (text) => text.replace('  "releases"', '<<<<<<< HEAD\n  "releases"'),
    /, line 2: /,
  ],
  ['a wrong day', (text) => text.replace('2026-01-01', '2026-13-01'), /, line 5: .*"2026-13-01"/],
  [
    'an unknown key',
    (text) => text.replace('"firstSeen"', '"firstseen"'),
    /, line \d+: releases\[0\]\.firstseen: unknown key; did you mean firstSeen\?/,
  ],
])('%s is told with its file, line and remedy', ([, spoil, expected]) => {
  const { data, path } = openFolder();
  writeFileSync(path, spoil(readFileSync(path, 'utf8')));

  const [problem, ...others] = findProblems(() => data.readRecorded('svc'));

  expect(problem).toMatch(expected);
  expect(problem).toContain(remedy);
  expect(others).toEqual([]);
});

test('a journal names the line, and a last one that a crash cut off is written anew', () => {
  const { root, data } = openFolder();
  const path = join(root, 'data/journal/svc.ndjson');
  const at = `${start}T00:00:00Z`;
  const event = { id: 1, at, type: 'withdrawn', on: start, version: '1' } as const;
  data.appendToJournal('svc', [event, { ...event, id: 2 }]);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, `${whole}{"id":3,"at"`);

  expect(data.readJournal('svc')).toHaveLength(2);
  data.appendToJournal('svc', [{ ...event, id: 3 }]);
  expect(readFileSync(path, 'utf8')).toBe(`${whole}${JSON.stringify({ ...event, id: 3 })}\n`);

  writeFileSync(path, whole.replace('"id":2', '"id":x'));
  expect(findProblems(() => data.readJournal('svc'))).toEqual([
    expect.stringMatching(/^data\/journal\/svc\.ndjson, line 2: .*git checkout -- data\/journal/),
  ]);
});

test('what a killed run left half written is removed', () => {
  const { root, data, path } = openFolder();
  mkdirSync(join(root, 'data/journal'));
  const parts = [`${path}.1.part`, join(root, 'data/journal/svc.ndjson.1.part')];
  parts.forEach((part) => writeFileSync(part, '{'));

  data.removeParts();

  expect(parts.filter((part) => existsSync(part))).toEqual([]);
  expect(data.readRecorded('svc')).toEqual(recorded);
});

test('keys are written in the order of the schema, and an empty list of what waits is no file', () => {
  const { root, data, path } = openFolder();
  const releases = recorded.releases.map(({ version, ...values }) => ({ ...values, version }));
  data.writeHeld([]);
  const before = readFileSync(path, 'utf8');

  data.writeRecorded('svc', { releases });

  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(existsSync(join(root, 'data/held.json'))).toBe(false);
});

test('a typo in a file of data stops a run before it asks or writes', async () => {
  const index = await openOperatedIndex();
  index.define('svc', listReleases(1));
  index.commit('Define');
  await index.record(start);
  const text = index.read('data/svc.json');
  index.write('data/svc.json', text.replace('"1.0.2",', '"1.0.2"'));
  index.requests.length = 0;

  const { status, stderr } = await index.record(addDays(start, 1));

  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: data\/svc\.json, line \d+: .*git checkout -- data\/svc\.json\n$/);
  expect(index.requests).toEqual([]);
  expect(index.git('status', '--porcelain')).toBe('M data/svc.json');
  index.git('checkout', '--', 'data/svc.json');
  expect((await index.record(addDays(start, 1))).status).toBe(0);
});
