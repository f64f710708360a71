/**
 * Runs a checkout that lacks published data, and repairs it with the commands that the messages
 * print.
 */
import { execSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import type { OperatedIndex } from '../harness/operated-index.ts';
import {
  all,
  editLines,
  journal,
  next,
  publishDays,
  start,
  type Damage,
} from '../harness/published-days.ts';

const { at, publishedJournal, open } = await publishDays();
const runs = 'data/runs/2025.ndjson';

const remove: Damage = ({ git }) =>
  git('rm', '--quiet', 'components/svc.json', 'data/svc.json', journal);

const rename: Damage = (index) => {
  for (const path of ['components/*.json', 'data/*.json', 'data/journal/*.ndjson']) {
    index.git('mv', path.replace('*', 'svc'), path.replace('*', 'server'));
  }
  index.edit('components/server.json', { renamedFrom: ['svc'] });
};

/**
 * Makes a site look as if an earlier version of the program had published it: with one total
 * instead of a count per journal.
 */
const forget: Damage = (_, site) => {
  const path = join(site, 'status.json');
  const {
    journals,
    runs: _runs,
    ...status
  } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify(status));
};

const isIndex = (value: unknown): value is OperatedIndex => typeof value === 'object';
const lastRun = `the last run (${at})`;

/** For each kind of message, the sentence that contains the command to run. */
const remedies = {
  restore:
    /^Commit (\w+) has it: git restore --source=\1 -- data\. To give it up: RUNBOOK, "History is missing"$/,
  pull: /^Others have pushed it: git pull$/,
  move: /^Files in data\/ still have the former name of a component: mv .+$/,
  fetch: /^This clone has only the newest commits\. Run this again after: git fetch --unshallow$/,
};

/**
 * Runs the printed commands one after another, until the history is complete and a new run
 * succeeds.
 */
async function expectWayBack(index: OperatedIndex, site: string, printed: string): Promise<void> {
  const form = /: ((?:git|mv) .+?)(?:\. To give.*)?$/m;
  let said = printed;
  for (let command; (command = form.exec(said)?.[1]) !== undefined;) {
    execSync(command, { cwd: index.root, stdio: 'pipe' });
    const { stderr } = await index.run(`daily --to ${site}`, next);
    expect(stderr).not.toBe(said);
    said = stderr;
  }

  const journals = globSync('data/journal/s*.ndjson', { cwd: index.root });
  expect(journals).toHaveLength(1);
  expect(index.read(journals[0]!).startsWith(publishedJournal)).toBe(true);
  const days = index.data.readRuns().map((run) => [run.asOf, run.at === at]);
  expect(days.slice(-2)).toEqual([
    [addDays(start, 2), true],
    [next, false],
  ]);
}

test.for<[title: string, remedy: keyof typeof remedies, damage: Damage, lacking: string]>([
  [
    'a checkout is reset',
    'pull',
    ({ git }) => git('reset', '--quiet', '--hard', 'HEAD~1'),
    `1 of 14 events of svc, 1 of 3 runs, ${lastRun}`,
  ],
  [
    'data/ comes from a backup',
    'restore',
    ({ git }) => git('restore', '--source=HEAD~2', '--', 'data'),
    `2 of 14 events of svc, 2 of 3 runs, ${lastRun}`,
  ],
  [
    'data/ is deleted without a commit',
    'restore',
    (index) => {
      rmSync(join(index.root, 'data'), { recursive: true });
      return index;
    },
    `12 of 12 events of agent, 14 of 14 events of svc, 3 of 3 runs, ${lastRun}`,
  ],
  [
    'a merge takes the data of a clone that was behind',
    'restore',
    ({ git, clone }) => {
      git('reset', '--quiet', '--hard', 'HEAD~2');
      git('merge', '--quiet', '--strategy=ours', '--no-edit', 'origin/main');
      git('push', '--quiet');
      return clone();
    },
    `2 of 14 events of svc, 2 of 3 runs, ${lastRun}`,
  ],
  [
    'a clone that is behind pushes by force',
    'restore',
    (index) => {
      const behind = index.clone();
      behind.git('reset', '--quiet', '--hard', 'HEAD~2');
      behind.git('push', '--quiet', '--force');
      index.git('pull', '--quiet', '--rebase');
      expect(index.git('rev-parse', 'HEAD')).toBe(behind.git('rev-parse', 'HEAD'));
      return index;
    },
    `2 of 14 events of svc, 2 of 3 runs, ${lastRun}`,
  ],
  [
    'two days are reverted, in a shallow clone',
    'fetch',
    ({ git, clone }) => {
      git('revert', '--no-edit', 'HEAD~2..HEAD');
      git('push', '--quiet');
      const shallow = clone();
      shallow.git('fetch', '--quiet', '--depth=1');
      return shallow;
    },
    `2 of 14 events of svc, 2 of 3 runs, ${lastRun}`,
  ],
  ['a component is removed with its journal', 'restore', remove, '14 of 14 events of svc'],
  [
    'a journal is cut',
    'restore',
    editLines(journal, (lines) => lines.slice(0, -2)),
    '2 of 14 events of svc',
  ],
  [
    'a renamed journal is cut',
    'restore',
    all(
      rename,
      editLines('data/journal/server.ndjson', (lines) => lines.slice(0, -2)),
    ),
    '2 of 14 events of server',
  ],
  [
    'a component is renamed without its journal',
    'move',
    all(rename, ({ git }) => git('mv', 'data/journal/server.ndjson', journal)),
    '14 of 14 events of server',
  ],
  [
    'a journal is cut after an earlier version of the program published it',
    'restore',
    all(
      forget,
      editLines(journal, (lines) => lines.slice(0, -2)),
    ),
    '2 of 26 events',
  ],
  [
    'the runs of a year are lost',
    'restore',
    ({ git }) => git('rm', '--quiet', runs),
    '2 of 3 runs',
  ],
  [
    'the last run was replaced by another one',
    'restore',
    editLines('data/runs/2026.ndjson', ([line = '']) => [line.replace(at, start + at.slice(10))]),
    lastRun,
  ],
])(
  'if %s, daily and publish send nothing, and print a command that repairs the index',
  async (row) => {
    const [, remedy, damage, lacking] = row;
    const opened = open();
    const { site } = opened;
    const damaged = damage(opened.index, site);
    const index = isIndex(damaged) ? damaged : opened.index;
    if (!isIndex(damaged) && index.git('status', '--porcelain') !== '') {
      index.commit('Merge');
    }
    const look = () => [
      ...[
        ['status', '--porcelain'],
        ['rev-parse', 'HEAD'],
      ].map((command) => index.git(...command)),
      readFileSync(join(site, 'SHA256SUMS'), 'utf8'),
    ];
    const before = look();
    const expectLack = async (line: string, outcome: string) => {
      const { status, stderr } = await index.run(line, next);
      const words = `error: live site has data that this checkout lacks: ${lacking}. ${outcome}. `;
      expect(stderr.slice(0, words.length)).toBe(words);
      expect(status).toBe(1);
      expect(look()).toEqual(before);
      return stderr.slice(words.length).trimEnd();
    };

    const said = await expectLack(`daily --to ${site}`, 'Nothing was changed');
    expect(said).toMatch(remedies[remedy]);
    expect(index.requests).toEqual([]);

    expect(await index.run('build', next)).toMatchObject({ status: 0 });
    const refused = await expectLack(`publish --to ${site}`, 'Nothing was sent');
    expect(refused.replace(' && npx release-index build', '')).toBe(said);

    await expectWayBack(index, site, said);
  },
);

test('daily prints the command that moves the data of a renamed component', async () => {
  const { index, site } = open();
  rename(index, site);
  index.git('mv', 'data/server.json', 'data/svc.json');
  index.commit('Rename');

  const { status, stderr } = await index.run(`daily --to ${site}`, next);
  expect(status).toBe(1);
  const [, command = ''] = /If the component was renamed: (mv \S+ name>\.json \S+)\. /.exec(
    stderr,
  )!;
  execSync(command.replace('<former name>', 'svc'), { cwd: index.root });

  expect(await index.run(`daily --to ${site}`, next)).toMatchObject({ status: 0, stderr: '' });
  expect(index.read('data/journal/server.ndjson').startsWith(publishedJournal)).toBe(true);
});

test('daily stops before the first request if the clone lacks the newest commits', async () => {
  const { index, site } = open();
  const behind = index.clone();
  expect(await index.run(`daily --push --to ${site}`, next)).toMatchObject({ status: 0 });
  index.requests.length = 0;

  const stopped = await behind.run(`daily --to ${site}`, next);
  const last = index.data.readRuns().at(-1)!;
  expect(stopped).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      `lacks: 1 of 4 runs, the last run (${last.at}). Nothing was changed. No commit of this clone has it. If others have pushed it: git pull. `,
    ) as string,
  });
  expect(index.requests).toEqual([]);

  // A site that was built before `git pull` is not published either.
  await behind.run('build', next);
  behind.git('pull', '--quiet');
  expect((await behind.run(`publish --to ${site}`, next)).stderr).toContain(
    'has data that the built site lacks, though data/ has it: 1 of 4 runs. Nothing was sent. Build again: npx release-index build\n',
  );
  expect(await behind.run(`daily --to ${site}`, addDays(next, 1))).toMatchObject({ status: 0 });
});

test.for<[title: string, ...commands: string[]]>([
  ['days are reverted on purpose', 'git revert --no-edit HEAD~1..HEAD'],
  ['data/ is lost everywhere', 'git rm -r --quiet data', 'gather', 'git add data'],
])('publish --force starts a new history if %s', async ([, ...commands]) => {
  const { index, site } = open();
  for (const command of [...commands, 'build', `publish --force --to ${site}`]) {
    const [verb, ...args] = command.split(' ');
    if (verb === 'git') {
      index.git(...args);
    } else {
      expect(await index.run(command, next)).toMatchObject({ status: 0 });
    }
  }
  if (index.git('status', '--porcelain') !== '') {
    index.commit('Begin anew');
  }

  expect(await index.run(`daily --to ${site}`, next)).toMatchObject({ status: 0, stderr: '' });
  const journals = index.data.countEvents();
  const status = JSON.parse(readFileSync(join(site, 'status.json'), 'utf8')) as object;
  expect(status).toMatchObject({ journals, runs: index.data.readRuns().length });
});
