import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { createCopies, listReleases, openRunning } from '../harness/operated-index.ts';

const start = '2026-03-01';
const releases = listReleases(3);
const openCopy = createCopies(await openRunning(start, releases));

const typingError = '1.2.5000';
const taken = {
  'an outlier': [typingError],
  'one of another scheme': ['20260301.0'],
  'a flood': Array.from({ length: 1001 }, (_, index) => `1.0.0.${index}`),
};

test.for(Object.entries(taken))('%s that its makers take back is forgotten', async ([, junk]) => {
  const index = openCopy();
  let day = start;
  const live = (...more: string[]) => {
    index.answers.set('svc', [...releases, ...more.map((version) => ({ version }))]);
    day = addDays(day, 1);
    return index.record(day);
  };
  const events = index.data.readJournal('svc').length;
  expect(await live(...junk)).toMatchObject({ status: 1 });
  const [hold] = index.data.readHeld();

  // On the second day without it, it would count as withdrawn.
  expect(await live()).toMatchObject({ status: 0 });
  expect(index.data.readHeld()).toEqual([hold]);
  expect(await live()).toMatchObject({ status: 0, stderr: '' });
  expect(index.data.readHeld()).toEqual([]);
  expect(index.data.readRecorded('svc').releases).toHaveLength(releases.length);
  expect(index.data.readJournal('svc')).toHaveLength(events);
  const { status, stderr } = await index.run(`accept ${hold!.id}`, day);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`${hold!.id} waits no more: its sources took it back`),
  ]);

  // Should it come again, it is new.
  expect(await live(...junk)).toMatchObject({ status: 1 });
  expect(index.data.readHeld()).toMatchObject([{ since: day }]);
  const again = index.data
    .readRecorded('svc')
    .releases.filter(({ version }) => version === junk[0]);
  expect(again).toMatchObject([{ firstSeen: day }]);
});

test('what the definition does not admit waits no longer', async () => {
  const index = openCopy();
  const list = [...releases, { version: typingError }];
  index.answers.set('svc', list);
  await index.record(addDays(start, 1));
  expect(index.data.readHeld()).toMatchObject([{ versions: [typingError] }]);

  const source = { datasource: 'json', url: `${index.url}/svc.json` };
  const allowedVersions = '!/^1\\.2\\.5000$/';
  index.define('svc', list, { sources: [{ ...source, allowedVersions }] });

  expect(await index.record(addDays(start, 2))).toMatchObject({ status: 0, stderr: '' });
  expect(index.data.readHeld()).toEqual([]);
});

test('a part of a list that is missing is told when it begins, changes and counts', async () => {
  const many = listReleases(13);
  const index = openCopy();
  index.answers.set('svc', many);
  await index.record(start);
  const tell = async (day: number, from: number) => {
    index.answers.set('svc', many.slice(from));
    const { status, stderr } = await index.record(addDays(start, day));
    expect(status).toBe(0);
    return /(\d+ of \d+) recorded releases are missing/.exec(stderr)?.[1];
  };

  const told = [];
  for (const [day, from] of [12, 12, 12, 11, 11, 13, 13, 13].entries()) {
    told.push(await tell(day + 1, from));
  }

  expect(told).toEqual([
    ...['12 of 52', '12 of 52', undefined],
    ...['11 of 52', undefined],
    ...['13 of 52', '13 of 52', undefined],
  ]);
});

test('a rename changes names alone: what waits goes on waiting, and what was answered counts', async () => {
  const far = { version: '20260302.0', releaseTimestamp: '2026-03-02' };
  const lives = [false, true].map((isRenamed) => async () => {
    const index = openCopy();
    index.answers.set('svc', [...releases, far]);
    await index.record(addDays(start, 1));
    const name = isRenamed ? 'runner' : 'svc';
    if (isRenamed) {
      for (const path of ['components/%.json', 'data/%.json', 'data/journal/%.ndjson']) {
        const [from, to] = ['svc', name].map((each) => join(index.root, path.replace('%', each)));
        renameSync(from!, to!);
      }
      const sources = [{ datasource: 'json', url: `${index.url}/svc.json` }];
      index.define('runner', [], { title: 'svc', sources, renamedFrom: ['svc'] });
    }
    expect(await index.run('build', addDays(start, 1))).toMatchObject({ status: 0 });
    const built = index.read(`dist/${name}.json`);

    // One of which the stated day is too early to be believed.
    const early = { version: '1.3.0', releaseTimestamp: '2025-06-01' };
    index.answers.set('svc', [...releases, far, early]);
    const { status } = await index.record(addDays(start, 2));
    const held = index.data.readHeld().map(({ component, ...hold }) => ({
      ...hold,
      isOwn: component === name,
    }));
    const journal = index.data.readJournal(name).map(({ at: _, ...event }) => event);
    return { built, status, held, journal, recorded: index.data.readRecorded(name) };
  });
  const [former, renamed] = [await lives[0]!(), await lives[1]!()];

  expect(renamed).toEqual(former);
  expect(former.held).toMatchObject([{ versions: [far.version], isOwn: true }]);
  expect(JSON.parse(former.built)).toMatchObject({ tags: { latest: '1.2.3' } });
});

test('an edit of "prereleases" lets no end of support through', async () => {
  const index = openCopy();
  const ends = (eolFrom: string) => {
    const result = {
      releases: ['1.0', '1.1', '1.2'].map((name) => ({ name, isEol: false, eolFrom })),
    };
    const body = JSON.stringify({ result });
    index.answers.set('v1/products/ends', { type: 'application/json', body });
  };
  const source = { datasource: 'endoflife-date', product: 'ends', registryUrl: index.url };
  const definition = { support: { policy: 'stated', source } };
  index.define('svc', releases, definition);
  ends('2029-01-01');
  await index.record(addDays(start, 1));

  index.define('svc', releases, { ...definition, prereleases: true });
  ends('2026-01-01');

  expect(await index.record(addDays(start, 2))).toMatchObject({ status: 1 });
  expect(index.data.readHeld()).toMatchObject([{ kind: 'loss' }]);
});
