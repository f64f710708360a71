/** Checks that RUNBOOK has every message that an operator may see. The comparison ignores values such as dates and ids. */
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { describe, expect, test } from 'vitest';
import { lockCheckout } from '../../src/cli/lock.ts';
import { addDays, msPerDay, today } from '../../src/core/day.ts';
import { joinSubject } from '../../src/core/text.ts';
import { doubtClock } from '../../src/record/clock.ts';
import { listEventLines } from '../../src/record/event-lines.ts';
import { describeHold } from '../../src/record/holds.ts';
import { merge } from '../../src/record/merge.ts';
import * as gateDays from '../harness/gate-days.ts';
import { all, begin, live, many, pass, policies } from '../harness/gated.ts';
import { createFolder } from '../harness/index-folder.ts';
import {
  createCopies,
  listReleases,
  openRunning,
  type OperatedIndex,
} from '../harness/operated-index.ts';
import {
  all as both,
  dataFiles,
  editLines,
  journal,
  move,
  next,
  publishDays,
  type Damage,
} from '../harness/published-days.ts';
import { answerOf } from '../harness/recorded.ts';
import { reply, startUpstream } from '../harness/upstream.ts';
import { oddKeys, signWith } from './odd-keys.ts';
import { breakList, changeDay, listLate, moveDay, respell } from './odd-lists.ts';
import { expectPrinted, made, printed } from './runbook.ts';

const start = '2026-03-01';
const day = addDays(start, 1);
const list = listReleases(3).map((release) => {
  return { ...release, digest: `sha256:${'a'.repeat(64)}` };
});
const open = createCopies(await openRunning(start, list, ['agent', 'svc', 'tool']));

/** A situation, the change that causes it, and the day of the run that reports it. */
type Days = [title: string, change: (index: OperatedIndex) => unknown, on?: string];

const silent = addDays(start, 4);
const isSilent =
  (...names: string[]) =>
  ({ answers }: OperatedIndex) =>
    names.forEach((name) => answers.delete(name));

test.each<Days>([
  ['a source that fails on one day', isSilent('svc')],
  ['a source that no longer answers', isSilent('svc'), silent],
  ['sources of one host that no longer answer', isSilent('agent', 'svc', 'tool'), silent],
  [
    'a source that never answered',
    (index) => {
      index.write('components/agent.json', undefined);
      index.write('data/svc.json', undefined);
      index.write('data/journal/svc.ndjson', undefined);
      index.write('data/freshness.json', undefined);
      index.answers.delete('svc');
    },
  ],
  [
    'replaced files',
    ({ answers }) => {
      const other = { digest: `sha256:${'b'.repeat(64)}` };
      answers.set(
        'svc',
        list.with(6, { ...list[6]!, ...other }).with(7, { ...list[7]!, ...other }),
      );
    },
  ],
  ['late releases', listLate(list)],
])('RUNBOOK has the messages about %s', async (_, change, on = day) => {
  const index = open();
  change(index);
  if (on !== day) {
    // The run on the day before is needed, because the first failure after a pause has a different message.
    await index.record(day);
  }

  expectPrinted((await index.record(on)).stderr);
});

test('RUNBOOK has the messages about a second scheduler and a failing source', async () => {
  const index = open();
  await index.clone().commitDay(day, true);
  await index.commitDay(day);
  expectPrinted((await index.commitDay(day, true)).stderr);

  const later = open();
  later.answers.delete('svc');
  expectPrinted((await later.record(addDays(start, 9))).stderr);
});

test('RUNBOOK has the message about a version that its source now spells differently', async () => {
  const index = open();

  expectPrinted(await respell(index, list, day));
});

test('RUNBOOK has the message about a changed date in a file of the index', async () => {
  expectPrinted(await changeDay(open(), day));
});

test('RUNBOOK has the messages about versions that a source no longer lists', async () => {
  const index = open();
  const releases = listReleases(13);
  index.answers.set('svc', releases);
  await index.record(day);
  index.answers.set('svc', releases.slice(12));

  expectPrinted((await index.record(addDays(day, 1))).stderr);
  expectPrinted((await index.record(addDays(day, 2))).stderr);
});

test('RUNBOOK has the message about required stops that a source no longer marks', async () => {
  const index = open();
  const stops = list.map((each) => ({ ...each, isStop: /^1\.[01]\.0$/.test(each.version) }));
  index.answers.set('svc', stops);
  await index.record(day);
  index.answers.set('svc', list);

  const on = addDays(day, 1);
  expectPrinted((await index.record(on)).stderr);
  const details = () => JSON.parse(index.read('dist/details/svc.json')).requiredStops;
  await index.run('build', on);
  expect(details().stops).toHaveLength(2);
  const [hold] = index.data.readHeld();
  expect(await index.run(`accept ${hold!.id}`, on)).toMatchObject({ status: 0 });
  await index.record(addDays(on, 1));
  await index.run('build', addDays(on, 1));
  expect(details()).toBeUndefined();
});

test('RUNBOOK has the message about sources that a run postponed to the next run', async () => {
  const { url } = await startUpstream(() => reply(403, { 'retry-after': '3600' }));
  const index = open();
  for (const name of ['agent', 'svc']) {
    index.define(name, [], { sources: [{ datasource: 'json', url: `${url}${name}.json` }] });
  }

  expectPrinted((await index.record(day)).stderr);
});

const malware = { id: 'MAL-2026-1', affected: '*' };

describe('held changes', () => {
  const omit = (from: number, to: number) => all.filter((_, index) => index < from || index >= to);
  const begun = begin();
  const third = addDays(begun.day, 1);
  const named = { ...answerOf('a', all, { answeredOn: begun.day }), advisories: [malware] };
  const after = merge({ recorded: begun.recorded, answers: [named], sources: ['a'], day: third });

  test.each([
    ['of lost releases in use', live(live(begun, omit(48, 57)), omit(48, 57))],
    ['of a lost latest release', live(live(begun, omit(58, 60)), omit(58, 60))],
    ['of a cut list', live(live(begun, omit(0, 36)), omit(0, 36))],
    ['of an unusually high version', live(begun, [...all, { version: '20.0' }])],
    ['of many new versions', live(begun, [...all, ...many(1500, (index) => `2.1.5.${index}`)])],
    ['of malware', pass(policies.none, begun.effective, after, { day: third })],
  ])('RUNBOOK has the message about a hold %s', (_, { held }) => {
    expect(held).toHaveLength(1);
    expectPrinted(held.map((hold) => `error: svc: ${describeHold(hold)}`).join('\n'));
  });
});

test('RUNBOOK has the messages about earlier ends, and about ends that readers had before', () => {
  const list = (until: string) => ({ list: all, ends: { '2.9': '2026-04-01', '2.10': until } });
  const [right, typed] = [list('2026-05-01'), list('2072-05-01')];
  const begin = gateDays.live('stated', gateDays.nothing, right);
  const wrong = gateDays.live('stated', begin, typed);
  const [returning] = gateDays.live('stated', wrong, right).held;
  const [earlier] = gateDays.live('stated', wrong, list('2026-04-15')).held;

  expectPrinted(`error: svc: ${describeHold(earlier!)}`);
  expectPrinted(`warning: svc: ${describeHold(returning!)}`);
});

test('RUNBOOK has the message about an unusually high version that upstream withdraws', () => {
  const outlier = live(begin(), [...all, { version: '20.0' }]);
  const { held, recorded } = live(outlier, all);

  expectPrinted(held.map((hold) => `warning: svc: ${describeHold(hold, recorded)}`).join('\n'));
});

test('RUNBOOK has the message about a release without provenance', () => {
  const event = { id: 1, at: `${start}T00:00:00.000Z`, on: start, version: '1.2.0' } as const;
  const events = new Map([['svc', [{ ...event, type: 'unproven', from: '1.1.0' } as const]]]);

  expectPrinted(listEventLines(events).join('\n'));
});

test.each<Days>([
  [
    'a definition with a mistake',
    (index) => index.edit('components/svc.json', { titel: 'Server' }),
  ],
  ['a new definition with a mistake', (index) => index.define('fresh', [], { titel: 'Fresh' })],
  [
    'a definition whose allowedVersions matches nothing',
    (index) => {
      const sources = [
        { datasource: 'json', url: `${index.url}/svc.json`, allowedVersions: '/^9/' },
      ];
      index.edit('components/svc.json', { sources });
    },
  ],
  ['settings with a mistake', (index) => index.edit('site/site.json', { staleAfterDay: 1 })],
])('RUNBOOK has the message about %s', async (_, change) => {
  const index = open();
  change(index);
  index.commit();

  expectPrinted((await index.commitDay(day)).stderr);
});

test('RUNBOOK has the message about a definition that is not committed', async () => {
  const index = open();
  index.edit('components/svc.json', { title: 'Server' });

  expectPrinted((await index.commitDay(day)).stderr);
});

test('RUNBOOK has the message about files that somebody else pushed during the run', async () => {
  const index = open();
  const other = index.clone();
  await index.commitDay(day);
  other.edit('components/svc.json', { title: 'Server' });
  other.commit();
  other.git('push', '--quiet');
  index.edit('components/svc.json', { title: 'Service' });
  index.commit();

  expectPrinted((await index.commitDay(addDays(day, 1), true)).stderr);
});

test('RUNBOOK has the message about a leftover git lock', async () => {
  const index = open();
  writeFileSync(join(index.root, '.git/index.lock'), '');

  expectPrinted((await index.commitDay(day)).stderr);
});

const { open: openPublished } = await publishDays();
const cutJournal = editLines(journal, (lines) => lines.slice(0, -2));

/** Removes all commits that no branch contains. */
const forget = ({ git }: OperatedIndex) => {
  git('reflog', 'expire', '--expire=now', '--all');
  git('gc', '--quiet', '--prune=now');
};

/** Damage to the index or its published site, and the command that reports it. */
type Reported = [title: string, verb: string, change: Damage];

test.each<Reported>([
  [
    'a component that readers would lose',
    'publish',
    (index) => index.write('components/svc.json', undefined),
  ],
  ['a renamed definition without "renamedFrom"', 'daily', both(move('svc', 'server'), commit)],
  ['renamed data without "renamedFrom"', 'daily', both(move('svc', 'server', dataFiles), commit)],
  [
    'a wrong order of former names',
    'daily',
    both(
      move('svc', 'server', dataFiles),
      (index) => index.edit('components/server.json', { renamedFrom: ['old', 'svc'] }),
      commit,
    ),
  ],
  [
    'a remote that lost the last day',
    'daily --push',
    ({ git, clone }) => {
      git('reset', '--quiet', '--hard', 'HEAD~1');
      git('push', '--quiet', '--force');
      return clone();
    },
  ],
  [
    'releases that readers would lose',
    'publish',
    (index) =>
      index.edit('components/svc.json', { deprecated: [{ versions: '*', reason: 'Broken.' }] }),
  ],
  [
    'support that readers would lose',
    'publish',
    async (index, site) => {
      index.edit('components/svc.json', {
        support: { policy: 'term', months: 120, url: 'https://example.com' },
      });
      index.commit();
      await index.run(`daily --push --to ${site}`, next);
      index.edit('components/svc.json', { support: { policy: 'none' } });
    },
  ],
  [
    'a shallow clone that publishes',
    'publish',
    (index) => {
      const shallow = index.clone();
      shallow.git('fetch', '--quiet', '--depth=1');
      forget(shallow);
      return shallow;
    },
  ],
  [
    'a replaced history',
    'publish',
    (index) => {
      index.git('checkout', '--quiet', '--orphan', 'fresh');
      index.commit();
      index.git('branch', '--quiet', '--delete', '--force', 'main');
      index.git('update-ref', '-d', 'refs/remotes/origin/main');
      forget(index);
    },
  ],
  [
    'a live site of a later date',
    'publish',
    (_, site) => writeFileSync(join(site, 'status.json'), '{"asOf": "2026-11-21"}'),
  ],
  ['an unreadable list of digests on the live site when publishing', 'publish', breakList],
  ['an unreadable list of digests on the live site during a daily run', 'daily', breakList],
  ['a checkout that is behind', 'daily', ({ git }) => git('reset', '--quiet', '--hard', 'HEAD~1')],
  ['a cut journal', 'daily', both(cutJournal, commit)],
  [
    'files under a former name',
    'daily',
    both(
      move('svc', 'server'),
      (index) => index.edit('components/server.json', { renamedFrom: ['svc'] }),
      commit,
    ),
  ],
  [
    'a shallow clone',
    'daily',
    ({ git, clone }) => {
      git('reset', '--quiet', '--hard', 'HEAD~1');
      git('push', '--quiet', '--force');
      const shallow = clone();
      shallow.git('fetch', '--quiet', '--depth=1');
      return shallow;
    },
  ],
  [
    'a clone without the last run',
    'daily',
    async (index, site) => {
      const behind = index.clone();
      index.answers.set('svc', [...listReleases(3), { version: '1.3.0' }, { version: '1.3.2' }]);
      await index.run(`daily --push --to ${site}`, next);
      return behind;
    },
  ],
])('RUNBOOK has the messages about %s', async (_, verb, change) => {
  const opened = openPublished();
  const changed = await change(opened.index, opened.site);
  const index = isIndex(changed) ? changed : opened.index;
  if (verb === 'publish') {
    await index.run('build', next);
  }

  expectPrinted((await index.run(`${verb} --to ${opened.site}`, next)).stderr);
});

test('RUNBOOK has the message about a site that was built before the last run', async () => {
  const { index, site } = openPublished();
  await index.run('build', next);
  await index.run(`daily --to ${site} --out ${createFolder()}/dist`, next);

  expectPrinted((await index.run(`publish --to ${site}`, next)).stderr);
});

test('RUNBOOK has the messages about an unavailable host and leftover files', async () => {
  const { index, site } = openPublished();
  const { url } = await startUpstream(() => reply(503));
  index.edit('site/site.json', { hosting: 'pages', releasesUrl: url.slice(0, -1) });
  await index.run('build', next);
  expectPrinted((await index.run('publish', next)).stderr);

  breakList(index, site);
  expectPrinted((await index.run(`publish --force --to ${site}`, next)).stderr);
});

test('RUNBOOK has the messages about a wrong clock, and about a date before the last run', async () => {
  const index = open();
  const now = today();
  const catchError = (days: number, offsets: readonly number[]) => {
    try {
      doubtClock({ day: now, asOf: undefined, offsets, lastDay: addDays(now, -days) });
    } catch (error) {
      expectPrinted(`error: ${(error as Error).message}`);
    }
  };
  catchError(
    0,
    [0, 9, 9].map((days) => days * msPerDay),
  );
  catchError(60, []);
  expectPrinted((await index.commitDay(addDays(start, -1))).stderr);

  const path = 'data/runs/2026.ndjson';
  const ahead = new Date(Date.now() + 3 * msPerDay).toISOString();
  index.write(path, index.read(path).replace(/"at":"[^"]+"/, `"at":"${ahead}"`));
  expectPrinted((await index.run('build')).stderr);
});

test.each<Reported>([
  [
    'a cut file',
    'build',
    (index) => index.write('data/svc.json', index.read('data/svc.json').slice(0, 50)),
  ],
  [
    'a file that lacks releases',
    'build',
    (index) => {
      const { releases } = JSON.parse(index.read('data/svc.json')) as { releases: object[] };
      index.edit('data/svc.json', { releases: releases.slice(2) });
    },
  ],
  ['an observed date that somebody moved later', 'check', moveDay(list, day)],
  ['a journal that lacks a line', 'build', editLines(journal, (lines) => lines.toSpliced(4, 1))],
  [
    'an event that somebody edited',
    'check',
    (index) => index.write(journal, index.read(journal).replace('1.1.0', '1.1.9')),
  ],
])('RUNBOOK has the message about %s', async (_, verb, change) => {
  const index = open();
  await change(index, '');

  expectPrinted((await index.run(verb, day)).stderr);
});

test('RUNBOOK has the messages about a full disk, and about a second run at the same time', async () => {
  const index = open();
  const message = getSystemErrorMessage(-constants.errno.ENOSPC);
  expectPrinted(`error: ${joinSubject(join(index.root, 'data/svc.json'), message)}`);

  const lock = lockCheckout(index.root);
  expectPrinted((await index.run('gather')).stderr);
  lock.close();
});

test.each(oddKeys)('RUNBOOK has the message about a signing key that %s', async (_, secret) => {
  expectPrinted(await signWith(secret));
});

test('RUNBOOK has only messages that one of these tests printed', () => {
  expect(printed.filter((line) => !made.has(line))).toEqual([]);
});

function commit(index: OperatedIndex): void {
  index.commit();
}

function isIndex(value: unknown): value is OperatedIndex {
  return typeof value === 'object' && value !== null && 'commitDay' in value;
}
