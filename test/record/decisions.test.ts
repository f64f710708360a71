import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import type { Hold } from '../../src/core/schema/recorded.ts';
import { accept, createPublicationId } from '../../src/record/decisions.ts';
import {
  createCopies,
  listReleases,
  openOperatedIndex,
  type ListedRelease,
} from '../harness/operated-index.ts';

const start = '2026-03-01';
const releases = listReleases(3);
const listed = new Set(releases.map(({ version }) => version));
const yank = (first: number) =>
  releases.map((each, index) => ({ ...each, isDeprecated: index >= first }));
const add = (...versions: string[]) => [
  ...releases,
  ...versions.map((version) => ({ version, releaseTimestamp: '2026-03-02' })),
];

/** The releases that a source lists, by the name that the table below uses. `silent`: The source does not answer. */
const lists: Record<string, ListedRelease[]> = {
  all: releases,
  yank: yank(9),
  more: yank(4),
  cut: releases.slice(0, -3),
  new: add('2025.1'),
  next: add('2025.1', '2025.2', '2025.3'),
  far: add('2025.1', '2025.2', '20250301.0'),
  flood: add(...Array.from({ length: 1001 }, (_, index) => `1.0.0.${index}`)),
  silent: [],
};
const endOn = (eolFrom: string) => ({
  result: { releases: ['1.0', '1.1', '1.2'].map((name) => ({ name, isEol: false, eolFrom })) },
});
const ends: Record<string, object> = {
  far: endOn('2029-01-01'),
  near: endOn('2026-04-01'),
  silent: {},
};

const openCopy = createCopies(await openOperatedIndex());

/**
 * Opens an index with the components `other` and `svc`. `svc` has two sources of releases, and usually a source of end-of-support dates.
 */
function open(support?: object) {
  const index = openCopy();
  const asked = (name: string) => ({ datasource: 'json', url: `${index.url}/${name}.json` });
  const source = { datasource: 'endoflife-date', product: 'ends', registryUrl: index.url };
  index.define('other', releases);
  index.define('svc', releases, {
    sources: [asked('svc'), asked('mirror')],
    support: support ?? { policy: 'stated', source },
  });
  const live = (words: string) => {
    const [first = '', second = first, third = 'far'] = words.replace('!', '').split('/');
    index.answers.set('svc', lists[first]!);
    index.answers.set('mirror', lists[second]!);
    const body = JSON.stringify(ends[third]);
    index.answers.set('v1/products/ends', { type: 'application/json', body });
    return index.record(addDays(start, index.data.readRuns().length));
  };
  return { index, live };
}

const lastThree = '1.2.1 1.2.2 1.2.3';
// Each word of `days` is one day or one decision:
// - `new/all/near`: On this day, the source lists `lists.new`, its mirror lists `lists.all`, and the source of end-of-support dates gives
//   `ends.near`.
// - `new!`: The source and its mirror list `lists.new`, and the run of this day must fail.
// - `accept`: A person accepts all holds.
test.each<[title: string, days: string, changed: string, waits?: number]>([
  [
    'a loss of three returns after the decision took effect and the loss was undone',
    'yank! accept yank all yank! yank',
    '',
    1,
  ],
  [
    'a loss of three is undone before the decision takes effect, and returns',
    'yank! accept all yank!',
    '',
    1,
  ],
  ['a loss of three grows on the next day', 'yank! accept more!', lastThree, 1],
  [
    'a loss of three is accepted, and takes effect while the second source is silent',
    'yank! accept yank/silent yank',
    lastThree,
  ],
  [
    'a loss of three is accepted, and takes effect while the first source is silent',
    'yank! accept silent/yank silent yank',
    lastThree,
  ],
  [
    'three withdrawals are accepted, and take effect while one source is silent',
    'cut cut! accept silent/cut cut/silent cut',
    lastThree,
  ],
  [
    'a new version is accepted, and takes effect while its own source is silent',
    'new/all! accept silent/all new/all',
    '2025.1',
  ],
  [
    'a new version is accepted, and takes effect while the mirror is silent',
    'new/all! accept new/silent next',
    '2025.1 2025.2 2025.3',
  ],
  [
    'a new version is accepted on the day of another outlier, which stays held',
    'new! accept far!',
    '2025.1 2025.2',
    1,
  ],
  [
    '1,001 new versions are accepted, and take effect while a source is silent',
    'flood! accept silent/all all/silent flood',
    '1001 versions',
  ],
  [
    'earlier ends are accepted, and take effect while their source is silent',
    'all/all/near! accept all/all/silent all/all/near',
    '',
  ],
  [
    'earlier ends are accepted, and take effect while all other sources are silent',
    'all/all/near! accept silent/silent/near all/all/near',
    '',
  ],
  [
    'a loss without a decision stays held while one source is silent',
    'yank! yank/silent silent/yank yank',
    '',
    1,
  ],
  [
    'a new version is accepted on a later day, and takes effect then',
    'new/all! silent/all new/all accept new/all',
    '2025.1',
  ],
])(
  'a decision applies only to the versions named in it: %s (%s)',
  async (_, days, changed, waits = 0) => {
    const { index, live } = open();
    expect(await live('all')).toMatchObject({ status: 0, stderr: '' });
    const accepted: string[] = [];
    for (const word of days.split(' ')) {
      if (word === 'accept') {
        const ids = index.data.readHeld().map(({ id }) => id);
        accepted.push(...ids);
        expect((await index.run(`accept ${ids.join(' ')}`, start)).status).toBe(0);
      } else {
        const { status, stderr } = await live(word);
        expect([word, status], stderr).toEqual([word, word.endsWith('!') ? 1 : 0]);
      }
    }

    // Only the versions in `changed` were changed. Each decision was applied once. The last run lists the changes that are still held.
    const { releases: recorded, lines } = index.readEffective('svc');
    const isChanged = ({ version, deprecated, withdrawnSince }: (typeof recorded)[number]) =>
      deprecated !== undefined || withdrawnSince !== undefined || !listed.has(version);
    const versions = recorded.filter(isChanged).map(({ version }) => version);
    expect(versions.length > 1000 ? `${versions.length} versions` : versions.join(' ')).toBe(
      changed,
    );
    expect(lines?.[0]?.phases[0]).toEqual({
      name: 'support',
      until: /near/.test(days) ? '2026-04-01' : '2029-01-01',
    });
    const runs = index.data.readRuns();
    expect(runs.flatMap((run) => run.accepted ?? [])).toEqual(accepted);
    expect(runs.at(-1)!.waits?.length).toBe(waits || undefined);
    const silent = [...days.matchAll(/\S*silent\S*/g)];
    expect(runs.filter(({ troubles }) => troubles)).toHaveLength(silent.length);
    expect(index.data.readHeld()).toHaveLength(waits);
  },
);

test('gather applies a decision only once', async () => {
  const { index, live } = open();
  await live('all');
  const gather = async (word: string, day: number) => {
    index.answers.set('svc', lists[word]!);
    index.answers.set('mirror', lists[word]!);
    await index.run('gather', addDays(start, day));
    return index.data.readHeld();
  };
  const [hold] = await gather('yank', 1);
  await index.run(`accept ${hold!.id}`, start);

  expect(await gather('yank', 2)).toEqual([]);
  expect(await gather('all', 3)).toEqual([]);
  expect(await gather('yank', 4)).toMatchObject([{ id: hold!.id, since: addDays(start, 4) }]);
});

test("nine days on hold do not change the end of a line's support", async () => {
  const { index, live } = open({ policy: 'term', months: 12 });
  await live('all');
  for (let day = 0; day < 9; day += 1) {
    await live('new');
  }
  const [hold] = index.data.readHeld();
  await index.run(`accept ${hold!.id}`, start);
  await live('new');

  expect(index.data.readJournal('svc').filter(({ line }) => line === '2025.1')).toMatchObject([
    { type: 'released', on: '2026-03-02' },
    { type: 'support-changed', to: '2027-03-02' },
  ]);
});

test('a decision about a hold does not end the hold of another component', async () => {
  const { index, live } = open();
  await live('all');
  index.answers.set('other', lists['new']!);
  await live('new');
  const [first, second] = index.data.readHeld();
  index.commit();
  await index.run(`accept ${first!.id}`, start);

  const { stdout } = await index.run('plan --base HEAD', addDays(start, 2));
  expect(stdout).toMatch(
    new RegExp(`^0 events since HEAD\\.\n${first!.id}: accepted by .+: 2025\\.1\n`),
  );

  expect(await live('new')).toMatchObject({ status: 0 });
  expect(index.data.readHeld()).toEqual([second]);
});

test('if a colleague has already accepted a hold, the command accept names the colleague and writes no second decision', async () => {
  const { index, live } = open();
  await live('all');
  await live('yank');
  const [hold] = index.data.readHeld();
  const { id } = hold!;
  accept(index.data, [id], { by: 'Jane' });
  const run = () => index.run(`accept ${id}`, start);
  const jane = new RegExp(`"?${id}"?.*: Jane accepted it on \\d{4}-\\d\\d-\\d\\d\\.`);

  const again = await run();
  expect([again.status, again.stdout]).toEqual([0, expect.stringMatching(jane)]);
  expect(again.stdout).toContain('Nothing was written');
  expect(index.data.readDecisions()).toHaveLength(1);

  await live('yank');
  expect(await run()).toMatchObject({ status: 2, stderr: expect.stringMatching(jane) as string });

  // When the sources restore the releases, the hold ends, and so does its acceptance. If they then yank the releases again, a person must
  // accept the new hold.
  await live('all');
  await live('yank');
  await live('all');
  expect((await run()).stderr).toContain(
    `"${id}" is no longer held: its source took the change back`,
  );
  await live('yank');
  expect((await run()).stdout).toContain('accepted 3 versions');
  expect(index.data.readDecisions()).toHaveLength(2);
});

test('after gather has applied a decision, the command accept names the colleague who made the decision', async () => {
  const { index } = open();
  await index.run('gather', start);
  index.answers.set('svc', lists['yank']!);
  index.answers.set('mirror', lists['yank']!);
  await index.run('gather', addDays(start, 1));
  const [{ id }] = index.data.readHeld() as [Hold];
  accept(index.data, [id], { by: 'Jane' });
  await index.run('gather', addDays(start, 2));

  const { status, stderr } = await index.run(`accept ${id}`, start);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/: Jane accepted it on .+\. Waiting now: none/),
  ]);

  const publication = createPublicationId('1234567');
  accept(index.data, [publication], { by: 'Jane' });
  const again = await index.run(`accept ${publication}`, start);
  expect(again.stdout).toMatch(/Jane accepted it on .+\.\n.+: accepted for the next publication/);
});
