import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { createCopies, listReleases, openRunning } from '../harness/operated-index.ts';

const start = '2026-03-01';
const open = createCopies(await openRunning(start, listReleases(1)));
const { releasesUrl } = JSON.parse(open().read('site/site.json')) as { releasesUrl: string };

test.each<[edit: object, warned: boolean]>([
  [{ releasesUrl: 'https://other.example.com' }, true],
  [{ datasource: 'other' }, true],
  [{ releasesUrl: `${releasesUrl}/other`, title: 'Other' }, false],
])('check and plan warn of settings that change the ids in feeds: %j', async (edit, warned) => {
  const index = open();
  const prefix = /ids of all feed entries begin with tag:\S+ now, and began with tag:\S+ before/;
  index.edit('site/site.json', edit);

  for (const isCommitted of [false, true]) {
    if (isCommitted) {
      index.commit('Edit');
    }
    const check = await index.run('check', addDays(start, 1));
    const plan = await index.run('plan', addDays(start, 1));
    const edits = await index.run(`plan --base HEAD${isCommitted ? '~1' : ''}`, addDays(start, 1));
    const results = [check, plan, edits];
    expect(results.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(results.map(({ stderr }) => prefix.test(stderr))).toEqual([warned, warned, warned]);
  }
  await index.commitDay(addDays(start, 1));
  expect((await index.run('check', addDays(start, 1))).stderr).not.toMatch(prefix);
});
