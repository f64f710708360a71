import { join } from 'node:path';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Alert } from '../../../src/run/daily/daily-report.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import { runCli } from '../../harness/cli.ts';
import { copyIndexInGit, openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, readJsonIn } from '../../harness/root.ts';
import { openIndex } from './index-of-three.ts';

/* What readers get, what the operator is told, and what one command does, over the days after an edit. */

const firstDay = '2026-06-01';
const dayAfter = (count: number) => `2026-06-${String(1 + count).padStart(2, '0')}`;
const releases = Array.from({ length: 10 }, (_, minor) => ({
  version: `1.${minor}`,
  releaseTimestamp: `2026-01-${10 + minor}`,
  timestampKind: 'published',
}));
const old = (versions: string) => ({ deprecated: [{ versions, reason: 'A slip.' }] });

let recorded: IndexInGit;
let index: IndexInGit;

beforeAll(async () => {
  recorded = openIndexInGit();
  for (const name of ['agent', 'svc']) {
    addComponent(recorded.root, name, releases);
  }
  recorded.commit();
  expect((await recorded.run('daily', firstDay)).status).toBe(0);
});

beforeEach(() => {
  index = copyIndexInGit(recorded);
});

const run = (count: number) => index.run('daily', dayAfter(count));
const attention = () =>
  readJsonIn<{ attention: Alert[] }>(index.root.dir, '.cache/daily.json').attention;
const define = (about: object, name = 'svc') => {
  addComponent(index.root, name, releases, about);
  index.commit('Edit a definition');
};

test('an edit of recorded data that changes many values is one entry for readers, and the journal stays readable', async () => {
  const changelogUrl = 'https://example.com/changes';
  const corrected = { on: dayAfter(0), reason: 'The page has moved.' };
  const edited = releases.map((release) => ({ ...release, changelogUrl, corrected }));
  index.root.write('data/svc.json', { releases: edited });
  index.commit('Correct the links');
  const commit = index.git('rev-parse', 'HEAD').slice(0, 10);

  const first = await run(1);
  const second = await run(2);
  const check = await index.run('check', dayAfter(2));

  expect([first.status, second.status, check.status], first.stderr).toEqual([0, 0, 0]);
  expect(index.root.read('data/journal/svc.ndjson')).toContain(`"edit":"data/svc.json@${commit}"`);
  expect(index.live('changes.html')).toContain('data/svc.json was edited: 10 releases changed.');
});

test.each([
  ['removed component', []],
  ['component removed with its journal, which counts meanwhile,', ['data/journal/svc.ndjson']],
])('a %s waits while the others go on, until its one command', async (_, more) => {
  const files = ['components/svc.json', 'data/svc.json'];
  const good = index.git('rev-parse', 'HEAD');
  index.git('rm', '--quiet', ...files, ...more);
  addComponent(index.root, 'edge-node', releases);
  index.commit('Remove svc, and add another');
  const live = index.live('svc.json');

  const removed = await run(1);
  const next = await run(2);

  expect([removed.status, next.status], removed.stderr + next.stderr).toEqual([1, 0]);
  expect(index.live('svc.json')).toBe(live);
  expect(index.live('latest/edge-node.txt')).toBe('1.9\n');
  const [{ id, causes, command } = { id: '', causes: [], command: '' }, ...others] = index.held();
  expect([others, causes]).toEqual([
    [],
    [expect.stringMatching(/^components\/svc\.json@[0-9a-f]{10}$/)],
  ]);
  expect(command).toBe(`npx release-index accept ${id}`);

  const accepted = await index.run(`accept ${id}`, dayAfter(3));
  expect(accepted.status, accepted.stderr).toBe(0);
  if (more.length > 0) {
    // No event is ever removed.
    index.git('checkout', '--quiet', good, '--', ...more);
  }
  index.commit('Accept');
  const taken = await run(3);

  expect(taken.status, taken.stderr).toBe(0);
  expect([index.live('svc.json'), index.live('latest/edge-node.txt')]).toEqual(['404', '1.9\n']);
  expect(index.git('ls-files', 'data/held.json', ...files)).toBe('');
  expect((await run(4)).status).toBe(0);
  expect((await index.run('check', dayAfter(4))).stderr).not.toContain('error');
});

test('what waits and grows has one wait, and only its newest command answers it', async () => {
  define(old('<1.5'));
  const first = await run(1);
  const [alert] = attention();
  define(old('<1.6'));
  const second = await run(2);
  const [grown, ...others] = attention();

  expect([first.status, second.status, others]).toEqual([1, 1, []]);
  expect([grown!.since, alert!.since]).toEqual([dayAfter(1), dayAfter(1)]);
  expect(grown!.message.match(/accept \S+/g)).toEqual([`accept ${grown!.id},`]);

  expect((await index.run(`accept ${alert!.id}`, dayAfter(2))).status).toBe(1);
  expect((await index.run(`accept ${grown!.id}`, dayAfter(2))).status).toBe(0);
  index.commit('Accept');
  expect((await run(3)).status).toBe(0);
  expect([attention(), index.git('ls-files', 'data/held.json')]).toEqual([[], '']);
  expect(index.live('svc.json').match(/"isDeprecated":true/g)).toHaveLength(6);
});

test('a folder that nothing can be published to leaves an alert', async () => {
  const { root } = index;

  const { status } = await runCli(
    ['daily', '--root', root.dir, '--to', join(root.dir, 'site'), '--as-of', dayAfter(1)],
    { env: { NO_COLOR: '1', CI: '1' } },
  );

  expect(status).toBe(1);
  expect(attention()).toMatchObject([{ isDue: true, components: [] }]);
  expect(index.live('latest/svc.txt')).toBe('1.9\n');
});

test('a day that a person corrected is judged as an edit, and no run writes over it', async () => {
  const { root, git, runDay, served, close } = await openIndex();
  onTestFinished(() => close());
  const data = () => readJsonIn<RecordedData>(root.dir, 'data/svc.json');
  const dayIn = (folder: string, path: string) =>
    readJsonIn<RecordedData>(folder, path).releases.find(({ version }) => version === '2026.3')!
      .releaseTimestamp;
  const correct = (more: object) => {
    const edited = data().releases.map((one) =>
      one.version === '2026.3'
        ? { ...one, releaseTimestamp: '2026-02-02T00:00:00Z', ...more }
        : one,
    );
    root.write('data/svc.json', { ...data(), releases: edited });
    git('commit', '--quiet', '--all', '--message', 'Correct a day');
  };
  await runDay(dayAfter(1));
  const published = dayIn(served, 'svc.json');
  correct({});
  const commit = git('rev-parse', 'HEAD').slice(0, 10);

  const days = [await runDay(dayAfter(2)), await runDay(dayAfter(3))];

  expect(days.map(({ status }) => status)).toEqual([1, 0]);
  for (const { stderr } of days) {
    expect(stderr).toContain(
      `data/svc.json@${commit}: waits since ${dayAfter(2)}: 1 recorded value would be lost`,
    );
  }
  expect([dayIn(root.dir, 'data/svc.json'), dayIn(served, 'svc.json')]).toEqual([
    '2026-02-02T00:00:00Z',
    published,
  ]);

  correct({ corrected: { on: dayAfter(3), reason: 'The tag was moved.' } });
  const marked = await runDay(dayAfter(4));
  const later = await runDay(dayAfter(5));

  expect([marked.status, later.status], marked.stderr + later.stderr).toEqual([0, 0]);
  expect(git('ls-files', 'data/held.json')).toBe('');
  expect([dayIn(root.dir, 'data/svc.json'), dayIn(served, 'svc.json')]).toEqual(
    Array.from({ length: 2 }, () => '2026-02-02T00:00:00Z'),
  );
});

test('data of an earlier state waits once, and one decision brings its releases back with their days', async () => {
  const { root, git, runDay, served, close } = await openIndex();
  onTestFinished(() => close());
  await runDay(dayAfter(1));
  const { releases: all } = readJsonIn<RecordedData>(root.dir, 'data/svc.json');
  root.write('data/svc.json', { releases: all.toSpliced(2, 2) });
  git('commit', '--quiet', '--all', '--message', 'Restore data');
  const published = readJsonIn(served, 'svc.json');

  const waiting = await runDay(dayAfter(2));
  const [, id = ''] = /accept (svc-[0-9a-f]{10})/.exec(waiting.stderr)!;
  await runCli(['accept', id, '--root', root.dir, '--as-of', dayAfter(3)]);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Accept');
  const accepted = await runDay(dayAfter(3));

  expect(waiting.stderr).toContain('2 recorded values would be lost');
  expect(accepted).toMatchObject({ status: 0, stderr: expect.not.stringContaining('waits') });
  expect(readJsonIn<RecordedData>(root.dir, 'data/svc.json')).toMatchObject({
    releases: all.map(({ version, releaseTimestamp }) => ({ version, releaseTimestamp })),
  });
  expect(readJsonIn(served, 'svc.json')).toEqual(published);
});
