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
  ['one host that agrees', [2000], 400, undefined],
  ['one host half a day behind, as in another time zone', [-days(0.5)], 0, undefined],
  ['one host a year behind', [-days(365)], 2, isOff],
  ['one host two days ahead', [days(2)], 2, isOff],
  ['one host five days behind, with a run yesterday', [-days(5)], 1, undefined],
  ['two hosts five days behind, with a run yesterday', [-days(5), -days(5)], 1, isOff],
  ['one of two hosts disagrees', [-days(365), 0], 0, undefined],
  ['two of three hosts disagree', [-days(365), 0, -days(364)], 0, isOff],
  ['no answer 59 days after the last run', [], 59, undefined],
  ['no answer 60 days after the last run', [], 60, isLong],
])(
  'a run doubts the clock if enough hosts disagree with it, or if no host answered and the last run was 60 days ago: %s',
  ([, offsets, pause, says]) => {
    const doubt = (asOf?: Day) => doubtClock({ day, asOf, offsets, lastDay: addDays(day, -pause) });

    if (says) {
      expect(() => doubt()).toThrow(says);
      expect(() => doubt()).toThrow(`if it is right, pass --as-of ${day}`);
    } else {
      doubt();
    }
    doubt(day);
  },
);

test.for<[title: string, hoursAhead: number[], isRejected: boolean]>([
  ['no run', [], false],
  ['the last run is 23 hours ahead', [23], false],
  ['the last run is 25 hours ahead', [25], true],
  ['an earlier run is ahead, the last one is not', [25, -1], false],
  ['the last run is ahead, an earlier one is not', [-1, 25], true],
])(
  'a run rejects a clock that shows a time more than 24 hours before the last run: %s',
  ([, hoursAhead, isRejected]) => {
    const lines = hoursAhead.map((hours) => {
      return `${JSON.stringify({ at: new Date(Date.now() + hours * 3_600_000).toISOString() })}\n`;
    });
    // The last line is incomplete, as after a crash.
    const read = () => rejectSlowClock(`${lines.join('')}{"at":"2999`);

    if (isRejected) {
      expect(read).toThrow(
        /^clock: this machine says \S+, but the last run was on \S+\. Nothing was/,
      );
    } else {
      read();
    }
  },
);

test('the clock of a host is the median of its Date headers, even if one header is wrong by a year', async () => {
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

test('daily writes nothing if the clock seems wrong, unless --as-of confirms the date', async () => {
  const index = open();
  index.answers.set('svc', listReleases(2));
  index.clock.aheadMs = days(-365);

  const stopped = await index.run('daily --skip-publish');

  expect(stopped.stderr).toMatch(new RegExp(isOff.source.replace('^', '^error: '), 'm'));
  expect(stopped.status).toBe(1);
  expect(index.git('status', '--porcelain')).toBe('');
  expect(await index.run('daily --skip-publish', day)).toMatchObject({ status: 0 });
});

test('if the clock is 25 hours slow, every command reports the wrong clock', async () => {
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
