import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { saveFile } from '../../src/core/files.ts';
import type { Run } from '../../src/core/schema/recorded.ts';
import { openData, toReadable } from '../../src/record/data-files.ts';
import { createFolder } from '../harness/index-folder.ts';
import { createCopies, listReleases, openRunning } from '../harness/operated-index.ts';
import { recordedRelease as release } from '../harness/recorded.ts';

const start = '2026-03-01';
const recorded = { releases: [release('1.0'), release('1.1')] };

const runAt = (at: string): Run => ({
  id: 'a'.repeat(13),
  asOf: at.slice(0, 10),
  at,
  startedAt: at,
  finishedAt: at,
  requested: [],
  program: '1',
  node: '26',
  operatingSystem: 'Linux',
  numberOfCpuCores: 1,
  nodeLocale: 'en',
  components: 1,
  asked: 0,
  events: 0,
});

function openFolder() {
  const root = createFolder();
  const data = openData(root);
  data.writeRecorded('svc', recorded);
  return { root, data, path: join(root, 'data/svc.json') };
}

test.for<[title: string, from: string, to: string, RegExp]>([
  ['an extra comma', '"1.1",', '"1.1",,', / is not JSON: .* \(line 10 column \d+\)/],
  [
    'a misspelt key',
    '"version": "1.1"',
    '"verson": "1.1"',
    /: releases\[1\]: unknown key "verson"; did you mean version\? Correct it/,
  ],
  [
    'a "firstSeen" in the future',
    '"firstSeen": "2026',
    '"firstSeen": "2099',
    /: releases\[0\]\.firstSeen: expected a time that has come by the clock of this machine; got "2099-01-01"/,
  ],
])(
  'the error about %s names the file, the place in the file and the remedy',
  ([, from, to, expected]) => {
    const { data, path } = openFolder();
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));

    const read = () => data.readRecorded('svc');
    expect(read).toThrow(expected);
    expect(read).toThrow(/^data\/svc\.json.*: git restore --source=<commit> -- data\/svc\.json$/);
  },
);

test('the error about a damaged journal names the damaged line', () => {
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

  writeFileSync(path, `${whole}{}\n`);
  expect(() => data.readJournal('svc')).toThrow(
    /^data\/journal\/svc\.ndjson, line 3: id is missing; at is missing; .*\. Correct it, or restore it from a commit .*$/,
  );
  writeFileSync(path, whole.replace('"id":2', '"id":x'));
  expect(() => data.readJournal('svc')).toThrow(
    /^data\/journal\/svc\.ndjson, line 2 is not JSON: .*\. Correct it, or restore it from a commit .*$/,
  );
});

test("a data file that lacks a release named in the component's journal is rejected", () => {
  const { data } = openFolder();
  const at = `${start}T00:00:00Z`;
  const released = (id: number, version: string) =>
    ({ id, at, type: 'released', on: start, version, line: '1' }) as const;
  const events = [released(1, '1.0'), released(2, '1.1')];

  expect(data.readRecorded('svc', events)).toEqual(recorded);
  expect(() => data.readRecorded('svc', [...events, released(3, '1.2')])).toThrow(
    /^data\/svc\.json lacks 1 of 3 releases that its journal reports\. Correct it/,
  );
});

test('an error about a file that a later program wrote names the version to install', () => {
  const { root, data } = openFolder();
  const at = `${start}T00:00:00Z`;
  data.appendRun({ ...runAt(at), program: '99.1.0' });
  const path = join(root, 'data/svc.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"version"', '"newKey": 1, "version"'));

  expect(() => data.readRecorded('svc')).toThrow(`unknown key "newKey"; known keys: `);
  expect(() => data.readRecorded('svc')).toThrow(
    /The last run used release-index 99\.1\.0, and this is \d+\.\d+\.\d+\. Install 99\.1\.0 or later$/,
  );
});

const setAhead = (hours: number) => (text: string) =>
  text.replace(/"at":"[^"]+/, `"at":"${new Date(Date.now() + hours * 3_600_000).toISOString()}`);

test.each(['journal/svc.ndjson', 'runs/2026.ndjson'])(
  'a recorded time may be 23 hours in the future, but not 25 hours: the file %s',
  (name) => {
    const { root, data } = openFolder();
    const at = `${start}T00:00:00Z`;
    data.appendToJournal('svc', [{ id: 1, at, type: 'withdrawn', on: start, version: '1' }]);
    data.appendRun(runAt(at));
    const path = join(root, 'data', name);
    const read = () => [data.readJournal('svc'), data.readRuns()].map(({ length }) => length);
    const setAheadBy = (hours: number) =>
      writeFileSync(path, setAhead(hours)(readFileSync(path, 'utf8')));

    setAheadBy(23);
    expect(read()).toEqual([1, 1]);
    setAheadBy(25);
    expect(read).toThrow(
      /, line 1: at: expected a time that has come by the clock of this machine; got "/,
    );
  },
);

const atNow = { at: `${start}T00:00:00Z`, on: start };
const ofFormer = { component: 'svc', since: start, reason: 'x', command: 'x', versions: ['1.0'] };

test.each<[file: string, value: object, says: string]>([
  ['journal/svc.ndjson', { type: 'support-announced', line: '1' }, '"support-announced"'],
  ['journal/svc.ndjson', { type: 'deprecated', rule: 'definition' }, 'unknown key "rule"'],
  ['journal/svc.ndjson', { type: 'corrected', to: start }, 'field: expected what was corrected'],
  [
    'decisions.ndjson',
    { id: 'svc-1', by: 'x', component: 'svc' },
    'kind: expected the kind of its hold',
  ],
  [
    'held.json',
    { held: [{ ...ofFormer, id: 'svc-1', kind: 'outlier', releases: [] }] },
    'held[0]: unknown key "releases"',
  ],
  [
    'svc.json',
    { source: 'a', releases: [{ version: '1.0', republishedOn: start }] },
    'releases: expected "otherDigests" beside "republishedOn"',
  ],
])('an entry of %s in the old format %j is rejected: %s', (file, value, says) => {
  const { root, data } = openFolder();
  const isEvent = file.startsWith('journal');
  const { at, on } = atNow;
  const line = file.endsWith('.json') ? value : { at, ...(isEvent && { id: 1, on }), ...value };
  saveFile(join(root, 'data', file), `${JSON.stringify(line)}\n`);

  const read = () => [
    data.readRecorded('svc', data.readJournal('svc')),
    data.readDecisions(),
    data.readHeld(),
  ];
  expect(read).toThrow(says);
});

test('the keys of a data file are written in the order of the schema', () => {
  const { data, path } = openFolder();
  const releases = recorded.releases.map(({ version, ...values }) => ({ ...values, version }));
  const before = readFileSync(path, 'utf8');

  data.writeRecorded('svc', toReadable({ releases }));

  expect(readFileSync(path, 'utf8')).toBe(before);
});

const next = addDays(start, 1);
const running = await openRunning(start, listReleases(1), ['svc', 'agent']);
running.answers.set('svc', listReleases(2).slice(0, 5));
await running.commitDay(next);
const open = createCopies(running);

const remedy =
  /^error: (data\/.*) Correct it, or restore it from a commit that "git (log .*)" lists: git (restore .*)$/m;
const isAhead = ', line 1: at: expected a time that has come by the clock of this machine; got "';

test.for<[title: string, file: string, damage: (text: string) => string, says: string]>([
  [
    'is missing',
    'svc.json',
    () => '',
    'lacks 5 of 5 releases that its journal reports. If the component was renamed: mv data/<former name>.json data/svc.json. If an earlier component had this name, give this component another name.',
  ],
  ['has an event in the future', 'journal/svc.ndjson', setAhead(25), isAhead],
])(
  'a data file that %s stops runs until the printed command restores the file',
  async ([, name, damage, says]) => {
    const index = open();
    const path = `data/${name}`;
    const before = index.read(path);
    index.write(path, damage(before));
    if (index.read(path) === '') {
      rmSync(join(index.root, path));
    }
    index.commit('Merge');

    const { status, stderr } = await index.record(next);
    const [, problem, log = '', restore = ''] = remedy.exec(stderr) ?? [];
    expect(problem).toContain(path);
    expect(problem).toContain(says);
    expect(status).toBe(1);

    const [, commit = ''] = index.git('log', '--format=%h', ...log.split(' ').slice(1)).split('\n');
    index.git(...restore.replace('<commit>', commit).split(' '));
    expect(await index.record(next)).toMatchObject({ status: 0, stderr: '' });
    expect(index.read(path).startsWith(before)).toBe(true);
  },
);

test('every command that reads a damaged data file stops before the first request', async () => {
  const index = open();
  index.write('data/svc.json', '{');
  index.requests.length = 0;

  for (const verb of ['check', 'gather', 'daily', 'start', 'build']) {
    const { status, stderr } = await index.run(verb, next);
    expect([status, stderr], verb).toEqual([1, expect.stringMatching(remedy)]);
  }
  expect(index.requests).toEqual([]);
});

test('renaming or removing a component in the documented way does not change any journal', async () => {
  const index = open();
  for (const path of ['components/*.json', 'data/*.json', 'data/journal/*.ndjson']) {
    index.git('mv', path.replace('*', 'svc'), path.replace('*', 'server'));
  }
  index.git('rm', '--quiet', 'components/agent.json', 'data/agent.json');
  index.commit();

  expect(await index.run('check', next)).toMatchObject({ status: 0 });
  expect(await index.commitDay(next)).toMatchObject({ status: 0, stderr: '' });
  expect(index.git('show', '--format=%s', '--no-patch')).toBe('data: nothing new');
});
