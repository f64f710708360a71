import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
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
