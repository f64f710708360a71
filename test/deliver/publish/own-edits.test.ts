import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/small-files.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import { linesOf } from '../../harness/cli.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, readJsonIn } from '../../harness/root.ts';

// One index over some days: edits of people, and the passing of time.
const { root, served, git, commit, run, live, held } = openIndexInGit();
const days = ['2025-01-10', '2025-04-10', '2026-01-10', '2026-04-10'];
const releases = ['2025.1', '2025.4', '2026.1', '2026.2'].map((version, index) => ({
  ...{ version, releaseTimestamp: days[index], timestampKind: 'published' },
}));
const define = (months: number, title = 'The server') =>
  addComponent(root, 'svc', releases, { title, support: { policy: 'term', months } });
const liveDeprecated = () =>
  readJsonIn<ReleaseFile>(served, 'svc.json')
    .releases.filter(({ isDeprecated }) => isDeprecated)
    .map(({ version }) => version);

beforeAll(async () => {
  define(18, 'The svc');
  addComponent(root, 'agent', [{ version: '1.0', releaseTimestamp: '2026-01-01' }]);
  commit('Start');
  expect((await run('daily', '2026-06-01')).status).toBe(0);
});

test('a release line that ends by its age is no edit, also on the day of another edit', async () => {
  define(18);
  commit('Edit a title');

  const day = await run('daily', '2026-07-11');

  expect(day.status, day.stderr).toBe(0);
  expect(liveDeprecated()).toEqual(['2025.1']);
});

describe('an edit that leaves no release supported', () => {
  beforeAll(() => {
    define(1);
    addComponent(root, 'agent', [
      { version: '1.0', releaseTimestamp: '2026-01-01' },
      { version: '1.1', releaseTimestamp: '2026-07-01' },
    ]);
    commit('Shorten the support of svc');
  });

  test('is shown by a dry run, which writes nothing', async () => {
    await run('build', '2026-07-12');
    const dry = await run('publish --dry-run', '2026-07-12');

    expect(dry.status).toBe(1);
    expect(linesOf(dry.stderr)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^warning: svc \(components\/svc\.json@[0-9a-f]{10}\): waits: the latest release would fall from 2026\.2 to none; 3 of 3 releases in use would change for the worse .* npx release-index accept svc-[0-9a-f]{10}$/,
        ) as string,
      ]),
    );
    expect(git('status', '--porcelain')).toBe('');
  });

  test('is held, is reported everywhere, and lets the other components be published', async () => {
    const day = await run('daily', '2026-07-12');

    expect(day.status).toBe(1);
    const cause = `components/svc.json@${git('rev-parse', 'HEAD~1').slice(0, 10)}`;
    expect(day.stderr).toContain(
      `error: ${cause}: waits since 2026-07-12: the latest release would fall from 2026.2 to none; 3 of 3`,
    );
    expect([live('latest/svc.txt'), live('latest/agent.txt')]).toEqual(['2026.2\n', '1.1\n']);
    expect(JSON.parse(live('status.json'))).toMatchObject({
      components: {
        svc: {
          state: 'held',
          troubles: [{ source: cause, heldSince: '2026-07-12' }],
        },
      },
    });
    expect(git('show', '--name-only', '--format=', 'HEAD')).toContain('data/held.json');
    expect(git('status', '--porcelain')).toBe('');
  });

  test('stays held, while time passes for the definition before it', async () => {
    const checked = await run('check', '2026-10-11');
    const day = await run('daily', '2026-10-11');

    expect(checked.status, checked.stderr).toBe(0);
    expect(day.status).toBe(1);
    expect(day.stderr).toContain('waits since 2026-07-12');
    expect(liveDeprecated()).toEqual(['2025.1', '2025.4']);
    expect(live('latest/svc.txt')).toBe('2026.2\n');
  });

  test('is published once it is accepted, with the changes of that day', async () => {
    await run(`accept ${held()[0]!.id}`, '2026-10-12');
    commit('Accept it');
    const day = await run('daily', '2026-10-12');

    expect(day.status, day.stderr).toBe(0);
    expect(live('latest/svc.txt')).toBe('404');
    expect(git('ls-files', 'data/held.json')).toBe('');
    const { changes } = readJsonIn<ChangesFile>(served, 'changes.json');
    expect(changes.filter(({ at }) => at.startsWith('2026-10-12'))).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('2026.2 is deprecated') as string }),
    );
  });
});

test('publish by hand holds an edit as well, publishes the rest, and takes it once it is accepted', async () => {
  define(18);
  commit('Lengthen it again');
  await run('record', '2026-10-12');
  commit('Record');
  define(2);
  const agent = readJsonIn<object>(root.dir, 'components/agent.json');
  root.write('components/agent.json', { ...agent, title: 'Our agent' });
  await run('build', '2026-10-12');
  const uncommitted = await run('publish', '2026-10-12');
  const before = live('agent.html');
  commit('Edit two definitions');
  const cause = `components/svc.json@${git('rev-parse', 'HEAD').slice(0, 10)}`;

  const waiting = await run('publish', '2026-10-12');

  expect(uncommitted).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('error: components/svc.json: is not committed') as string,
  });
  expect(before).not.toContain('Our agent');
  expect(waiting.status).toBe(1);
  expect(waiting.stderr).toContain(`warning: svc (${cause}): waits: `);
  expect(live('latest/svc.txt')).toBe('2026.2\n');
  expect(live('agent.html')).toContain('Our agent');

  await run(`accept ${held()[0]!.id}`, '2026-10-12');
  const accepted = await run('publish', '2026-10-12');

  expect(accepted.status, accepted.stderr).toBe(0);
  expect(live('latest/svc.txt')).toBe('404');
});
