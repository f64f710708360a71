import { expect, test } from 'vitest';
import { addDays, msPerDay, today, type Day } from '../../src/core/day.ts';
import { doubtClock, rejectSlowClock } from '../../src/record/clock.ts';
import { createTestHttp } from '../harness/ask-source.ts';
import { createCopies, listReleases, openRunning } from '../harness/operated-index.ts';
import { reply, startUpstream } from '../harness/upstream.ts';

const day = today();
const days = (count: number) => count * msPerDay;
const isOff =
  /^clock: this machine says \S+, but \d (?:host says|hosts say) \S+\. Nothing was changed\./;
const isLong = /^clock: this machine says \S+, \d+ days after the last run, and no host answered/;

test.for<[title: string, offsets: number[], pause: number, says: RegExp | undefined]>([
  ['a host that agrees', [2000], 400, undefined],
  ['a host of half a day ago, another zone', [-days(0.5)], 0, undefined],
  ['a host of a year ago', [-days(365)], 2, isOff],
  ['a host of the day after tomorrow', [days(2)], 2, isOff],
  ['a host of five days ago, and a last run of yesterday', [-days(5)], 1, undefined],
  ['two hosts of five days ago, and a last run of yesterday', [-days(5), -days(5)], 1, isOff],
  ['one of two hosts', [-days(365), 0], 0, undefined],
  ['two of three hosts', [-days(365), 0, -days(364)], 0, isOff],
  ['no answer after 59 days', [], 59, undefined],
  ['no answer after 60 days', [], 60, isLong],
])('%s', ([, offsets, pause, says]) => {
  const doubt = (asOf?: Day) => doubtClock({ day, asOf, offsets, lastDay: addDays(day, -pause) });

  if (says) {
    expect(() => doubt()).toThrow(says);
    expect(() => doubt()).toThrow(`if it is right, pass --as-of ${day}`);
  } else {
    doubt();
  }
  doubt(day);
});

test.for<[title: string, hoursAhead: number[], isRefused: boolean]>([
  ['no run', [], false],
  ['a run 23 hours ahead', [23], false],
  ['a run 25 hours ahead', [25], true],
  ['a later run that is not ahead', [25, -1], false],
  ['an earlier run that is not ahead', [-1, 25], true],
])('refuses a slow clock by the last run: %s', ([, hoursAhead, isRefused]) => {
  const lines = hoursAhead.map((hours) => {
    return `${JSON.stringify({ at: new Date(Date.now() + hours * 3_600_000).toISOString() })}\n`;
  });
  // A crash cut off the last line.
  const read = () => rejectSlowClock(`${lines.join('')}{"at":"2999`);

  if (isRefused) {
    expect(read).toThrow(
      /^clock: this machine says \S+, but the last run was on \S+\. Nothing was/,
    );
  } else {
    read();
  }
});

test('a host is heard by the median of its answers, and a cache by their age', async () => {
  const http = createTestHttp();
  const at = (aheadMs: number) => new Date(Date.now() + aheadMs).toUTCString();
  const sent = [
    { date: at(-days(3)), age: String(3 * 86_400) },
    { date: at(0) },
    { date: at(-days(365)) },
    { date: 'yesterday' },
  ];
  const { url } = await startUpstream(() => (request, response) => {
    reply(200, { 'content-type': 'application/json', ...sent.shift() })(request, response);
  });

  for (const path of ['a', 'b', 'c', 'd']) {
    await http.fetch({ url: `${url}${path}` });
  }

  const [offset = Number.NaN] = http.listOffsets();
  expect(Math.abs(offset)).toBeLessThan(days(0.01));
  await http.close();
});

const open = createCopies(await openRunning(addDays(day, -5), listReleases(1)));

test('a run on a wrong day writes nothing, unless that day is meant', async () => {
  const index = open();
  index.answers.set('svc', listReleases(2));
  index.clock.aheadMs = days(-365);

  const stopped = await index.run('daily --skip-publish');

  expect(stopped.stderr).toMatch(new RegExp(isOff.source.replace('^', '^error: '), 'm'));
  expect(stopped.status).toBe(1);
  expect(index.git('status', '--porcelain')).toBe('');
  expect(await index.run('daily --skip-publish', day)).toMatchObject({ status: 0 });
});

test('with a clock that is 25 hours slow, no verb finds fault with what is recorded', async () => {
  const index = open();
  const later = new Date(Date.now() + 25 * 3_600_000).toISOString();
  for (const path of ['data/runs/2026.ndjson', 'data/journal/svc.ndjson']) {
    index.write(
      path,
      index
        .read(path)
        .replaceAll(/("(?:at|startedAt|finishedAt)":")[^"]+/g, `$1${later}`)
        .replaceAll(/("asOf":")[^"]+/g, `$1${later.slice(0, 10)}`),
    );
  }
  index.commit();

  for (const verb of ['check', 'build', 'gather', 'start', 'plan', 'daily --skip-publish']) {
    const { status, stderr } = await index.run(verb);
    expect(stderr, verb).toBe(
      `error: clock: this machine says ${day}, but the last run was on ${later.slice(0, 10)}. Nothing was changed. Correct the clock or, if it is right, see "The clock" in the runbook\n`,
    );
    expect(status).toBe(1);
  }
  expect(index.git('status', '--porcelain')).toBe('');
});
