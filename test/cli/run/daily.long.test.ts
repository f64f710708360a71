import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { addDays, type Day } from '../../../src/core/day.ts';
import { runCli, type Ended } from '../../harness/cli.ts';
import { createFolder } from '../../harness/index-folder.ts';
import {
  listReleases,
  openOperatedIndex,
  type ListedRelease,
  type OperatedIndex,
} from '../../harness/operated-index.ts';

vi.setConfig({ testTimeout: 900_000 });

/** Runs a command line as of a given date. */
function run(index: OperatedIndex, line: string, day: Day): Promise<Ended> {
  const words = line.replace(/^npx release-index /, '').split(' ');
  return runCli([...words, '--root', index.root, '--as-of', day]);
}

function findCommand({ stderr }: Ended): string {
  return /npx release-index accept [\w-]+/.exec(stderr)?.[0] ?? `no command in: ${stderr}`;
}

const begun = listReleases(3);
const add = (count: number, isDeprecated = false) => [
  ...begun,
  ...['2025.1.0', '2025.1.1', '2025.2.0'].slice(0, count).map((version) => {
    return { version, isDeprecated };
  }),
];
const lists: Record<string, ListedRelease[]> = {
  all: begun,
  two: begun.slice(0, 2),
  gone: begun.map((each) => ({ ...each, isDeprecated: true })),
  three: begun.map((each, index) => ({ ...each, isDeprecated: index >= 9 })),
  new1: add(1),
  new2: add(2),
  new3: add(3),
  bad: add(3, true),
  pushed: [...begun, { version: '2.0', releaseTimestamp: '2026-05-02', isDeprecated: true }],
};
const ends = { '1.0': '2026-08-15', '1.1': '2026-08-15', '1.2': '2026-08-15' };

const lines = Object.entries(ends).map(([line, support]) => ({ line, phases: { support } }));

// Each word of the second column is a run or an action:
// - `all`: The source answers with `lists.all`, and the run succeeds.
// - `all!`: The source answers with `lists.all`, and the run fails.
// - A word that is not in `lists`, for example `accept`: The operator does this before the next run.
test.each([
  ['a term ends', 'all all all', 30, { policy: 'term', months: 18 }],
  [
    'a newer line replaces a line',
    'pushed pushed',
    40,
    { policy: 'latest-lines', count: 1, months: 1 },
  ],
  ['dated ends pass', 'all all all', 60, { policy: 'dated', lines: ends }],
  ['ends from a source pass', 'all all all', 60, 'stated'],
  ['a component retires', 'all ended all! accept all all', 1],
  ['a term is shortened', 'all short all! accept all all', 1, { policy: 'term', months: 48 }],
  ['allowedVersions matches no release', 'two none two!', 1],
  ['all releases are deprecated, twice', 'all gone! accept gone all gone!', 1],
  ['an upload fails', 'all three! accept fail three three', 1],
  [
    'a new version scheme appears, and is then deprecated',
    'all new1! new2 accept new3 new3 bad!',
    1,
  ],
  ['a backup of two days ago is restored', 'all all all back all! force all', 1],
  ['a component is removed, twice', 'all less all! accept fail all all more all less all!', 1],
] as [string, string, number, (object | 'stated')?][])(
  'daily fails only on the marked days when %s: %s',
  async (_, days, step, support) => {
    const index = await openOperatedIndex();
    const server = join(createFolder(), 'site');
    index.define('other', begun);
    const other = index.read('components/other.json');
    const [source] = (JSON.parse(other) as { sources: [{ url: string }] }).sources;
    const stated = { ...source, transform: JSON.stringify({ lines }) };
    const own = { ...source, url: source.url.replace('other', 'svc') };
    index.define('svc', begun, {
      support: support === 'stated' ? { policy: support, source: stated } : support,
    });
    const policies: Record<string, object> = {
      ended: { support: { policy: 'ended', until: '2027-01-01' } },
      short: { support: { policy: 'term', months: 12 } },
      none: { sources: [{ ...own, allowedVersions: '/9/' }] },
    };
    index.commit();
    let day = '2026-05-02';
    let last: Ended | undefined;
    let to = ` --to ${server}`;
    for (const word of days.split(' ')) {
      const list = lists[word.replace('!', '')];
      if (list || word === 'silent') {
        index.answers.set('svc', list ?? []);
        last = await run(index, `daily${to}`, day);
        const status = Number(word.endsWith('!'));
        expect({ day, word, ...last }, last.stderr).toMatchObject({ day, word, status });
        day = addDays(day, step);
        to = ` --to ${server}`;
      } else if (word === 'accept') {
        expect((await run(index, findCommand(last!), day)).status).toBe(0);
      } else if (word === 'fail') {
        to = ' --skip-publish';
      } else if (word === 'back') {
        index.git('reset', '--quiet', '--hard', 'HEAD~2');
      } else if (word === 'force') {
        for (const line of ['build', `publish --force${to}`]) {
          expect((await run(index, line, day)).status).toBe(0);
        }
      } else {
        const file = /less|more/.test(word) ? 'other' : 'svc';
        const definition = { ...JSON.parse(index.read('components/svc.json')), ...policies[word] };
        index.write(`components/${file}.json`, word === 'more' ? other : definition);
        if (word === 'less') {
          rmSync(join(index.root, 'components/other.json'));
        }
        index.commit();
      }
    }
  },
);
