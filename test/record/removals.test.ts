/** Removals of several kinds on the same days: yanks while a loss waits, and junk that its source takes back. */
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import type { SourceRelease } from '../../src/sources/read-releases.ts';
import { all, begin, live, many, start, type World } from '../harness/gated.ts';

const yank = (list: readonly SourceRelease[], ...versions: string[]) =>
  list.map((each) => (versions.includes(each.version) ? { ...each, deprecated: 'Broken.' } : each));
const omit = (list: readonly SourceRelease[], ...versions: string[]) =>
  list.filter(({ version }) => !versions.includes(version));

/** What readers learn of one day after another, on which the source has these lists. */
function liveThrough(first: readonly SourceRelease[], lists: readonly SourceRelease[][]) {
  let world = begin('none', [...first]);
  const days = [];
  for (const list of lists) {
    const before = world.counted;
    world = live(world, list);
    days.push(describeDay(before, world));
  }
  return { world, days };
}

/** The reason of what waits, then what was yanked, and how many were withdrawn. */
function describeDay(before: World['counted'], { counted, held }: World): string {
  const former = new Map(before.releases.map((release) => [release.version, release]));
  const yanked = counted.releases.filter(
    ({ version, deprecated }) => deprecated && !former.get(version)?.deprecated,
  );
  const withdrawn = counted.releases.filter(
    ({ version, withdrawnSince }) => withdrawnSince && !former.get(version)?.withdrawnSince,
  );
  const parts = [
    ...held.map(({ reason }) => reason),
    ...yanked.map(({ version }) => `yanked ${version}`),
    ...(withdrawn.length > 0 ? [`withdrawn ${withdrawn.length}`] : []),
  ];
  return parts.join(', ');
}

const lost = (count: number, inUse = 15) => `${count} of ${inUse} releases in use would be lost`;
const nine = omit(all, ...all.slice(45, 54).map(({ version }) => version));
const three = ['2.9.1', '2.9.2', '2.9.3'];
const tenth = omit(nine, '2.11.0');

// Of 60 releases, 15 are in use.
test.each<[title: string, lists: SourceRelease[][], days: string[]]>([
  [
    'is told on its day, while nine that are missing wait',
    [nine, nine, yank(nine, '2.11.4'), yank(nine, '2.11.4')],
    ['', lost(9), `${lost(9)}, yanked 2.11.4`, lost(9, 14)],
  ],
  [
    'on the day on which the nine begin to wait',
    [nine, yank(nine, '2.11.4')],
    ['', `${lost(9)}, yanked 2.11.4`],
  ],
  [
    'while three other yanks wait',
    [yank(all, ...three), yank(all, ...three, '2.11.4')],
    [lost(3), `${lost(3)}, yanked 2.11.4`],
  ],
  [
    'waits with nine that are missing, if it comes with so many that they would wait alone',
    [nine, nine, yank(nine, '2.11.1', '2.11.2', '2.11.3')],
    ['', lost(9), lost(12)],
  ],
  [
    'leaves the nine, and a tenth that goes missing joins them',
    [nine, tenth, yank(tenth, '2.11.4')],
    ['', lost(9), `${lost(10)}, yanked 2.11.4`],
  ],
  [
    'waits if it is lost only together with two that are withdrawn',
    [omit(all, '2.9.1', '2.9.2'), yank(omit(all, '2.9.1', '2.9.2'), '2.11.1')],
    ['', lost(3)],
  ],
])('a yank %s', (_, lists, expected) => {
  const { world, days } = liveThrough(all, lists);

  expect(days).toEqual(expected);
  const isWaiting = days.map((day) => day !== '');
  expect(world.held.map(({ since }) => since)).toEqual([
    addDays(start, 2 + isWaiting.indexOf(true)),
  ]);
});

test('a yank that leaves a hold is not among its versions, and the hold keeps its id', () => {
  const second = live(live(begin(), nine), nine);
  const third = live(second, yank(nine, '2.11.4'));

  expect(third.held).toEqual(second.held);
});

test('a yank is told on the day on which so many are listed again that the rest no longer waits', () => {
  const rest = omit(all, '2.9.1', '2.9.2');

  expect(liveThrough(all, [nine, nine, yank(rest, '2.11.4')]).days).toEqual([
    '',
    lost(9),
    'yanked 2.11.4, withdrawn 2',
  ]);
});

const junk = (count: number, line = '1.0.0') => many(count, (index) => `${line}.${index}`);
const high = (count: number) => many(count, (index) => `2.12.${index}`);
const cut = (count: number, recorded: number) =>
  `a no longer lists ${count} of ${recorded} recorded releases`;
const next = many(3, (index) => `2.1.${index}`);
const small = all.slice(0, 35);
const one: SourceRelease = { version: '2.0.5' };

test.each<[title: string, first: SourceRelease[], lists: SourceRelease[][], days: string[]]>([
  [
    '60 low versions for a day need nobody',
    small,
    [[...small, ...junk(60)], small, small, small],
    ['', '', 'withdrawn 60', ''],
  ],
  [
    'the list of another product for three days: its own releases wait, the others need nobody',
    small,
    [junk(20), junk(20), junk(20), small, small, small],
    ['', lost(15), lost(15), '', 'withdrawn 20', ''],
  ],
  [
    'junk leaves while nine others wait, which stay as they are',
    all,
    [[...all, ...junk(60)], [...nine, ...junk(60)], nine, nine, nine],
    ['', '', lost(9), `${lost(9)}, withdrawn 60`, lost(9)],
  ],
  [
    'a yank on the day on which junk leaves',
    small,
    [[...small, ...junk(60)], small, yank(small, '2.6.4')],
    ['', '', 'yanked 2.6.4, withdrawn 60'],
  ],
  [
    'two batches that leave on one day are no junk: a mirror may be behind',
    small,
    [[...small, ...junk(30)], [...small, ...junk(30), ...junk(30, '1.0.1')], small, small],
    ['', '', '', cut(60, 95)],
  ],
  [
    'a part of a batch is no junk: a broken page may cut it off',
    junk(5, '2.0'),
    [
      [...junk(5, '2.0'), ...junk(80)],
      [...junk(5, '2.0'), ...junk(10)],
      [...junk(5, '2.0'), ...junk(10)],
    ],
    ['', '', lost(70, 85)],
  ],
  [
    'nine versions are no batch',
    junk(5, '2.0'),
    [[...junk(5, '2.0'), ...junk(9)], junk(5, '2.0'), junk(5, '2.0')],
    ['', '', lost(9, 14)],
  ],
  [
    'what the component began with is no junk',
    junk(12, '2.0'),
    [[...junk(12, '2.0'), ...next], next, next],
    ['', '', lost(12)],
  ],
  [
    'junk that became the latest waits',
    small,
    [[...small, ...high(12)], small, small],
    ['', '', lost(12, 22)],
  ],
  [
    'a batch of which one became the latest waits',
    junk(5, '2.0'),
    [[...junk(5, '2.0'), ...junk(12), one], junk(5, '2.0'), junk(5, '2.0')],
    ['', '', lost(13, 18)],
  ],
  [
    'eight patches of a week, and a mirror with the list of last week for two days',
    small,
    [
      ...[2, 4, 6, 8].map((count) => [...small, ...high(count)]),
      small,
      small,
      [...small, ...high(8)],
    ],
    ['', '', '', '', '', lost(8, 18), ''],
  ],
  [
    '40 of 60 releases fall away as 30 others come',
    all,
    [
      [...all.slice(40), ...junk(30)],
      [...all.slice(40), ...junk(30)],
    ],
    ['', cut(40, 60)],
  ],
])('%s', (_, first, lists, expected) => {
  expect(liveThrough(first, lists).days).toEqual(expected);
});
