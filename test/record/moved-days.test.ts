/** Checks that no merge or edit of `data/` moves an observed date to a later date. */
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { createCopies, listReleases, openRunning } from '../harness/operated-index.ts';

const start = '2026-03-01';
const first = await openRunning(start, listReleases(1));
first.answers.set('svc', [...listReleases(1), { version: '1.1.0' }]);
const seen = addDays(start, 1);
await first.commitDay(seen, true);
const open = createCopies(first);

/** The wrong first-seen date that a merge or an edit gives to `1.1.0`. */
const later = addDays(start, 5);
const damaged = `data/svc.json has 1 observed day later than readers know: 1.1.0 (${later}, not ${seen}).`;

test('if a merge has changed a first-seen date, a run stops and prints a git restore command', async () => {
  const index = open();
  index.git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
  expect(await index.run('gather', later)).toMatchObject({ status: 0 });
  index.commit('Gather');
  index.git('checkout', '--quiet', 'main');
  const whole = index.git('rev-parse', '--short', 'HEAD');
  index.git('merge', '--quiet', '--squash', '-X', 'theirs', 'side');
  index.commit('Merge');
  const before = index.read('data/journal/svc.ndjson');

  const command = `git restore --source=${whole} -- data/svc.json`;
  for (const run of [index.commitDay(later), index.run('plan', later), index.run('check', later)]) {
    const { status, stderr } = await run;
    expect([status, stderr]).toEqual([1, expect.stringContaining(damaged)]);
    expect(stderr).toContain(`Restore it, then run this again: ${command}\n`);
  }
  index.git(...command.split(' ').slice(1));
  expect(await index.commitDay(later)).toMatchObject({ status: 0, stderr: '' });
  expect(index.read('data/journal/svc.ndjson')).toBe(before);
});

test.each([
  [
    'a person may not move an observed date to a later one',
    (text: string) => text.replace(seen, later),
    1,
  ],
  [
    'a person may write a later release date',
    (text: string) => text.replace('"timestampKind": "observed"', `"releaseTimestamp": "${later}"`),
    0,
  ],
  [
    'a person may move an observed date to an earlier one',
    (text: string) => text.replace(seen, start),
    0,
  ],
])('the rule for an edit of data/ is: %s', async (_, edit, status) => {
  const index = open();
  index.write('data/svc.json', edit(index.read('data/svc.json')));

  const ended = await index.record(later);

  expect(ended).toMatchObject({
    status,
    stderr: status === 0 ? '' : expect.stringContaining(damaged),
  });
  const corrected = index.data.readJournal('svc').filter(({ type }) => type === 'corrected');
  expect(corrected).toHaveLength(1 - status);
});

test('if somebody edited an event, run and check name its journal line and commit once, and putting it back is enough', async () => {
  const index = open();
  const path = 'data/journal/svc.ndjson';
  const published = index.read(path);
  index.write(path, published.replace(`"on":"${seen}"`, `"on":"${start}"`));
  index.commit('Edit');

  for (const run of [index.commitDay(later), index.run('plan', later), index.run('check', later)]) {
    const { status, stderr } = await run;
    expect(status).toBe(1);
    expect(stderr.match(/^error: .*/gm)).toEqual([
      expect.stringMatching(/^error: data\/journal\/svc\.ndjson, line \d+ differs from commit \w+/),
    ]);
  }
  index.write(path, published);
  index.commit('Put it back');
  expect(await index.commitDay(later)).toMatchObject({ status: 0, stderr: '' });
});
