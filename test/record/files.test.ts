import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import type { InputError } from '../../src/core/errors.ts';
import { formatJson } from '../../src/core/files.ts';
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

const remedy = 'Mend it, or restore it: git restore --source=<commit> -- data/svc.json';

test.for<[string, (text: string) => string, RegExp]>([
  [
    'a comma too many',
    (text) => text.replace('"1.1",', '"1.1",,'),
    /^data\/svc\.json: is no JSON: .* \(line 13 column \d+\)/,
  ],
  [
    'a conflict of git',
    (text) => text.replace('  "releases"', '<<<<<<< HEAD\n  "releases"'),
    /^data\/svc\.json: is no JSON: .* \(line 2 column 1\)/,
  ],
  ['a wrong day', (text) => text.replace('2026-01-01', '2026-13-01'), /, line 5: .*"2026-13-01"/],
  [
    'an unknown key',
    (text) => text.replace('"firstSeen"', '"firstseen"'),
    /, line \d+: releases\[0\]: unknown key "firstseen"; did you mean firstSeen\?/,
  ],
  [
    'a first day that lies ahead',
    (text) => text.replace('"firstSeen": "2026', '"firstSeen": "2099'),
    /, line 7: releases\[0\]\.firstSeen: expected a time that has come; got "2099-01-01"/,
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
    expect.stringMatching(
      /^data\/journal\/svc\.ndjson, line 2: .*git restore --source=<commit> -- data\/journal/,
    ),
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

test.for<[name: string, damage: (text: string) => string, isCommitted: boolean, says: string]>([
  ['was removed by a commit', () => '', true, 'lacks 5 of 5 releases that its journal tells.'],
  ['has a mark of a conflict', (text) => `<<<<<<< HEAD\n${text}`, true, 'is no JSON: '],
  [
    'lost two releases by a commit',
    (text) => {
      const { releases } = JSON.parse(text) as { releases: object[] };
      return formatJson({ releases: releases.toSpliced(1, 2) });
    },
    true,
    'lacks 2 of 5 releases that its journal tells.',
  ],
  ['lacks a release', (text) => text.replace('"1.1.0"', '"1.1"'), false, 'lacks 1 of 5 releases'],
])('a file of data that %s stops runs until it is restored', async (row) => {
  const [, damage, isCommitted, says] = row;
  const index = await openOperatedIndex();
  const next = addDays(start, 1);
  index.define('svc', listReleases(1));
  index.commit();
  await index.record(start);
  index.answers.set('svc', listReleases(2).slice(0, 5));
  await index.record(next);
  const read = () => ['svc.json', 'journal/svc.ndjson'].map((name) => index.read(`data/${name}`));
  const before = read();
  const damaged = damage(before[0]!);
  index.write('data/svc.json', damaged);
  if (damaged === '') {
    rmSync(join(index.root, 'data/svc.json'));
  }
  if (isCommitted) {
    index.commit('Merge');
  }
  index.requests.length = 0;

  const form = /data\/svc\.json.* Mend it, or restore it: git (.*)$/m;
  for (const verb of ['check', 'gather', 'daily', 'start', 'build']) {
    const { status, stderr } = await index.run(verb, next);
    expect([status, stderr], verb).toEqual([1, expect.stringMatching(form)]);
    expect(stderr, verb).toContain(says);
  }
  expect(index.requests).toEqual([]);

  const [, restore = ''] = form.exec((await index.record(next)).stderr) ?? [];
  index.git(...restore.split(' '));
  expect(await index.record(next)).toMatchObject({ status: 0, stderr: '' });
  expect(read()).toEqual(before);
});

test('components are renamed and removed as the documents say', async () => {
  const index = await openOperatedIndex();
  ['svc', 'agent'].forEach((name) => index.define(name, listReleases(1)));
  index.commit();
  await index.record(start);
  for (const path of ['components/*.json', 'data/*.json', 'data/journal/*.ndjson']) {
    index.git('mv', path.replace('*', 'svc'), path.replace('*', 'server'));
  }
  index.git('rm', '--quiet', 'components/agent.json', 'data/agent.json');
  index.commit();

  expect(await index.run('check', start)).toMatchObject({ status: 0 });
  expect(await index.record(start)).toMatchObject({ status: 0, stderr: '' });
  expect(index.git('show', '--format=%s', '--no-patch')).toBe('data: nothing new');
});

test.for([
  ['runs/2026', 'asOf', '2099-01-01'],
  ['runs/2026', 'at', '2099-01-01T00:00:00.000Z'],
  ['journal/svc', 'at', '2099-01-01T00:00:00.000Z'],
])('a line of %s of which %s lies ahead stops runs until it is restored', async (row) => {
  const [name, key, value] = row;
  const path = `data/${name}.ndjson`;
  const index = await openOperatedIndex();
  index.define('svc', listReleases(1));
  index.commit();
  await index.record(start);
  const before = index.read(path);
  const [line, ...others] = before.split('\n');
  const ahead = JSON.stringify({ ...JSON.parse(line!), [key!]: value });
  index.write(path, [ahead, ...others].join('\n'));
  index.commit();
  index.requests.length = 0;

  const says = `${path}, line 1: ${key}: expected a time that has come; got "${value}". Mend it, or restore it: git `;
  for (const verb of ['check', 'gather', 'daily']) {
    const { status, stderr } = await index.run(verb, addDays(start, 1));
    expect([status, stderr], verb).toEqual([1, expect.stringContaining(says)]);
  }
  expect(index.requests).toEqual([]);

  const { stderr } = await index.record(addDays(start, 1));
  index.git(.../or restore it: git (.*)$/m.exec(stderr)![1]!.split(' '));
  expect(index.read(path)).toBe(before);
  expect(await index.record(addDays(start, 1))).toMatchObject({ status: 0 });
});
