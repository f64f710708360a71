import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
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

/** What readers have: the day of the site, and the latest version of each component. */
function readSite(folder: string): Record<string, string> {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { asOf } = JSON.parse(read('status.json')) as { asOf: string };
  const { components } = JSON.parse(read('all.json')) as {
    components: Record<string, { tags: { latest: string } }>;
  };
  const latest = Object.entries(components).map(([name, { tags }]) => [name, tags.latest]);
  return { asOf, ...Object.fromEntries(latest) };
}

/** Runs a line that was printed, or that a workflow runs. */
function run(index: OperatedIndex, line: string, day: Day): Promise<Ended> {
  const words = line.replace(/^npx release-index /, '').split(' ');
  return runCli([...words, '--root', index.root, '--as-of', day]);
}

function findCommand({ stderr }: Ended): string {
  return /npx release-index accept [\w-]+/.exec(stderr)?.[0] ?? `no command in: ${stderr}`;
}

test('days with incidents: what readers get, what the operator reads, what printed commands do', async () => {
  const index = await openOperatedIndex();
  const colleague = index.clone();
  const server = join(createFolder(), 'site');
  const daily = async (day: Day, expected: number, stderr?: RegExp) => {
    const ended = await run(index, `daily --push --to ${server}`, day);
    expect(ended.status, ended.stderr).toBe(expected);
    expect(ended.stderr).toMatch(stderr ?? '');
    return ended;
  };
  const readers = () => readSite(server);
  const releases = listReleases(5);
  const news = (component: string, ...versions: string[]) =>
    index.answers.set(component, [...releases, ...versions.map((version) => ({ version }))]);
  ['agent', 'other', 'tool'].forEach((component) => index.define(component, releases));
  index.commit();
  index.git('push', '--quiet');
  await daily('2026-11-01', 0);

  // A registry is silent, and a version far above all others waits. The others go on, and the run fails once.
  index.answers.delete('other');
  news('agent', '1.5.0', '9999.0');
  news('tool', '1.5.0');
  const held = await daily('2026-11-03', 1, /^error: agent: held/m);
  expect(readers()).toEqual({ asOf: '2026-11-03', agent: '1.5.0', other: '1.4.3', tool: '1.5.0' });
  const waiting = await daily('2026-11-04', 0, /^warning: agent: held/m);
  expect(findCommand(waiting)).toBe(findCommand(held));

  // A colleague accepts it in another clone; the silent registry now fails the run.
  colleague.git('pull', '--quiet');
  expect((await run(colleague, findCommand(held), '2026-11-05')).stdout).toMatch(
    /: accepted 1 version\. Commit data\/decisions\.ndjson\.\n$/,
  );
  colleague.commit();
  colleague.git('push', '--quiet');
  await daily(
    '2026-11-05',
    1,
    /^error: other \(json:\S+\) has not answered since 2026-11-01: GET /m,
  );
  const accepted = { agent: '9999.0', other: '1.4.3', tool: '1.5.0' };
  expect(readers()).toEqual({ asOf: '2026-11-05', ...accepted });

  // A colleague pushes while sources are asked. The run steps back, and the printed command makes way for the next one.
  index.answers.set('other', releases);
  colleague.git('pull', '--quiet');
  index.answers.set('tool', {
    type: 'application/json',
    get body() {
      if (!colleague.read('components/tool.json').includes('A tool')) {
        colleague.edit('components/tool.json', { title: 'A tool' });
        colleague.commit('Name it');
        colleague.git('push', '--quiet');
      }
      return JSON.stringify({ releases: [...releases, { version: '1.5.0' }] });
    },
  });
  const rival = await daily('2026-11-08', 1, /others have pushed components\/tool\.json meanwhile/);
  expect(readers()).toEqual({ asOf: '2026-11-05', ...accepted });
  const [, command = `no command in: ${rival.stderr}`] = /\((git .+?)\)/.exec(rival.stderr) ?? [];
  expect(readFileSync('.github/RUNBOOK.md', 'utf8')).toContain(`\n${command}\n`);
  execFileSync('sh', ['-c', command], { cwd: index.root });
  await daily('2026-11-08', 0);
  expect(readers()).toEqual({ asOf: '2026-11-08', ...accepted });
  const journal = index.data.readJournal('tool');
  expect(journal.map(({ id }) => id)).toEqual(journal.map((_, position) => position + 1));
});

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

// A word is a day with its list; a red one has an exclamation mark. Other words are what people do before it.
test.each([
  ['a term ends', 'all all all', 30, { policy: 'term', months: 18 }],
  ['a line is pushed out', 'pushed pushed', 40, { policy: 'latest-lines', count: 1, months: 1 }],
  ['dated ends', 'all all all', 60, { policy: 'dated', lines: ends }],
  ['stated ends', 'all all all', 60, 'stated'],
  ['a component retires', 'all ended all all', 1],
  ['a term is shortened', 'all short all all', 1, { policy: 'term', months: 48 }],
  ['a selection admits none of two', 'two none two!', 1],
  ['all are deprecated, twice', 'all gone! accept gone all gone!', 1],
  ['an upload fails', 'all three! accept fail three three', 1],
  ['a source is silent', 'all three! silent accept silent three', 1],
  ['upstream takes it back before', 'all three! accept all three!', 1],
  ['a new scheme, then it is gone', 'all new1! new2 accept new3 new3 bad!', 1],
  ['a backup of two days ago is wanted', 'all all all back all! force all', 1],
  ['a component goes, twice', 'all less all! accept fail all all more all less all!', 1],
] as [string, string, number, (object | 'stated')?][])('%s: %s', async (_, days, step, support) => {
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
});
