import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HeldFile } from '../../../src/core/schemas/held.ts';
import { linesOf } from '../../harness/cli.ts';
import {
  addComponent,
  createRoot,
  readJsonIn,
  removeTemporaryFolders,
  temporaryFolder,
  type TestRoot,
} from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

// One index over some days: what people edit, and what time does.
let root: TestRoot;
const served = temporaryFolder();

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root.dir, ...args], { encoding: 'utf8' }).trim();
const verb = (name: string, day: string) => {
  const folder = name.startsWith('rollback') ? '--folder' : '--to';
  const to = /^(?:daily|publish|rollback)/.test(name) ? [folder, served] : [];
  return runHere([...name.split(' '), '--root', root.dir, '--as-of', day, ...to], {
    PATH: process.env['PATH']!,
    NO_COLOR: '1',
    CI: '1',
  });
};
const commit = (message: string) => {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
};
const live = (path: string) => {
  const file = join(served, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '404';
};
const define = (months: number, title = 'The svc') =>
  addComponent(root, 'svc', releases, { title, support: { policy: 'term', months } });

const heldId = () => readJsonIn<HeldFile>(root.dir, 'data/held.json').held[0]!.id;

const releases = ['2025.1', '2025.4', '2026.1', '2026.2'].map((version, index) => ({
  version,
  releaseTimestamp: ['2025-01-10', '2025-04-10', '2026-01-10', '2026-04-10'][index],
  timestampKind: 'published',
}));

beforeAll(async () => {
  root = createRoot({ releasesUrl: 'https://releases.example.org', hosting: 'files' });
  define(18);
  addComponent(root, 'agent', [{ version: '1.0', releaseTimestamp: '2026-01-01' }]);
  root.write('.gitignore', 'dist/\n.cache/\n');
  git('init', '--quiet');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  commit('Start');
  expect((await verb('daily', '2026-06-01')).status).toBe(0);
});

afterAll(removeTemporaryFolders);

test('a release line that ends by its age is no edit, also on the day of another edit', async () => {
  define(18, 'The server');
  commit('Edit a title');

  const day = await verb('daily', '2026-07-10');

  expect(day.status, day.stderr).toBe(0);
  expect(day.stderr).toContain('notice: svc: 2025.1 is deprecated: 2025.1 was first released on 2025-01-10;');
  expect(live('svc.json')).toMatch(/"version": ?"2025\.1"[^}]*"isDeprecated": ?true/);
});

describe('an edit that leaves no release supported', () => {
  beforeAll(() => {
    define(1, 'The server');
    addComponent(root, 'agent', [
      { version: '1.0', releaseTimestamp: '2026-01-01' },
      { version: '1.1', releaseTimestamp: '2026-07-01' },
    ]);
    commit('Shorten the support of svc');
  });

  test('is shown by a dry run, which writes nothing', async () => {
    await verb('build', '2026-07-11');
    const dry = await verb('publish --dry-run', '2026-07-11');

    expect(dry.status).toBe(1);
    expect(linesOf(dry.stderr)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^warning: components\/svc\.json: held: the latest release would fall from 2026\.2 to none; 3 of 3 releases in use would change for the worse .* npx release-index accept [0-9a-f]{10}$/,
        ) as string,
        'notice: svc: 2026.2 is deprecated: 2026.2 was first released on 2026-04-10; a release line is supported for one month.',
        'notice: agent: 1.1 was released on 2026-07-01.',
      ]),
    );
    expect(git('status', '--porcelain')).toBe('');
  });

  test('waits, says so at every door, and lets the other components be published', async () => {
    const day = await verb('daily', '2026-07-11');

    expect(day.status).toBe(1);
    expect(day.stderr).toContain(
      'error: components/svc.json: held since 2026-07-11: the latest release would fall from 2026.2 to none; 3 of 3',
    );
    expect(live('latest/svc.txt')).toBe('2026.2\n');
    expect(live('latest/agent.txt')).toBe('1.1\n');
    expect(JSON.parse(live('status.json'))).toMatchObject({
      components: {
        svc: { state: 'held', troubles: [{ source: 'components/svc.json', heldSince: '2026-07-11' }] },
      },
    });
    expect(git('show', '--name-only', '--format=', 'HEAD')).toContain('data/held.json');
    expect(git('status', '--porcelain')).toBe('');
  });

  test('goes on waiting, is not built by hand either, and time passes for the definition before it', async () => {
    const checked = await verb('check', '2026-10-10');
    const day = await verb('daily', '2026-10-10');

    expect(checked.status, checked.stderr).toBe(0);
    expect(day.status).toBe(1);
    expect(day.stderr).toContain('held since 2026-07-11');
    expect(live('svc.json')).toMatch(/"version": ?"2025\.4"[^}]*"isDeprecated": ?true/);
    expect(live('latest/svc.txt')).toBe('2026.2\n');
  });

  test('is published once it is accepted, and told on that day', async () => {
    await verb(`accept ${heldId()}`, '2026-10-11');
    commit('Accept it');
    const day = await verb('daily', '2026-10-11');

    expect(day.status, day.stderr).toBe(0);
    expect(live('latest/svc.txt')).toBe('404');
    expect(git('ls-files', 'data/held.json')).toBe('');
    const { changes } = JSON.parse(live('changes.json')) as {
      changes: { type: string; at: string; text: string }[];
    };
    expect(changes.filter(({ at }) => at.startsWith('2026-10-11')).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/2026\.2 is deprecated/),
    );
  });
});

test('publish by hand holds an edit as well, publishes the rest, and takes it once it is accepted', async () => {
  define(18, 'The server');
  commit('Lengthen it again');
  await verb('record', '2026-10-13');
  define(2, 'The server');
  root.write('components/agent.json', {
    ...readJsonIn<object>(root.dir, 'components/agent.json'),
    title: 'Our agent',
  });
  await verb('build', '2026-10-13');

  const held = await verb('publish', '2026-10-13');

  expect(held.status).toBe(1);
  expect(held.stderr).toContain('warning: components/svc.json: held: ');
  expect(live('latest/svc.txt')).toBe('2026.2\n');
  expect(live('agent.html')).toContain('Our agent');

  await verb(`accept ${heldId()}`, '2026-10-13');
  const accepted = await verb('publish', '2026-10-13');

  expect(accepted.status, accepted.stderr).toBe(0);
  expect(live('latest/svc.txt')).toBe('404');
});

test('rollback publishes the site of a day again, and daily comes forward', async () => {
  commit('Record');
  const before = git('status', '--porcelain', '--ignored');

  const unknown = await verb('rollback --to 2026-07-12 --yes', '2026-10-16');
  const dry = await verb('rollback --to 2026-07-10 --dry-run', '2026-10-16');
  expect(unknown.stderr).toContain(
    'no run of 2026-07-12 is recorded. The nearest are of 2026-07-11 and 2026-10-10',
  );
  expect([dry.status, live('latest/agent.txt')]).toEqual([0, '1.1\n']);
  const back = await verb('rollback --to 2026-07-10 --yes', '2026-10-16');

  expect(back.status, back.stderr).toBe(0);
  expect(back.stderr).toContain('warning: agent: 1.1: live and not in the site. Accepted.');
  expect(live('latest/agent.txt')).toBe('1.0\n');
  expect(JSON.parse(live('status.json'))).toMatchObject({ asOf: '2026-07-10' });
  expect(git('status', '--porcelain', '--ignored')).toBe(before);
  expect(linesOf(git('worktree', 'list'))).toHaveLength(1);

  expect((await verb('daily', '2026-10-16')).status).toBe(0);
  expect(live('latest/agent.txt')).toBe('1.1\n');
});
