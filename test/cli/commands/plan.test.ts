import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import { linesOf } from '../../harness/cli.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { addComponent, createRoot, readJsonIn, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { renameComponent } from '../../harness/runbook.ts';
import { startSite } from '../../harness/static-site.ts';

// One index, whose definitions and data a person edits from day to day.
const { root, served, git, commit, run } = openIndexInGit();
const days = ['2024-01-10', '2025-06-10', '2026-01-10', '2026-04-10'];
const versions = ['2024.1', '2025.1', '2026.1', '2026.2'];

beforeAll(async () => {
  const releases = versions.map((version, index) => ({
    ...{ version, releaseTimestamp: days[index], timestampKind: 'published' },
  }));
  addComponent(root, 'server', releases);
  addComponent(root, 'svc', releases, { support: { policy: 'term', months: 60 } });
  commit('Start');
  expect((await run('daily', '2026-06-01')).status).toBe(0);
});

const edit = (path: string, change: (document: { releases: object[] }) => object) =>
  root.write(path, change(readJsonIn(root.dir, path)));

test('plan shows what the next run tells readers of edits, and changes nothing', async () => {
  edit('components/svc.json', (definition) => ({
    ...definition,
    deprecated: [{ versions: ['2024.1'], reason: 'Loses data.', since: '2026-06-02' }],
  }));
  edit('data/svc.json', ({ releases }) => ({
    releases: releases.with(0, {
      ...{ version: '2024.1', releaseTimestamp: '2024-01-08', timestampKind: 'published' },
      corrected: { on: '2026-06-02', reason: 'The registry was moved.' },
    }),
  }));
  commit('Edit');

  const plan = await run('plan', '2026-06-02');
  const status = git('status', '--porcelain');
  await run('daily', '2026-06-02');

  const announcements = [
    'svc: 2024.1 is deprecated: Loses data.',
    'svc: 2024.1: the release day was 2024-01-10 and is 2024-01-08 now: The registry was moved.',
    'svc: Support of release line 2024.1 ends on 2029-01-08, instead of 2029-01-10: 2024-01-08, by the vendor; 60 months, by the definition.',
  ];
  expect(linesOf(plan.stdout)).toEqual(expect.arrayContaining(announcements));
  expect(status).toBe('');
  const { changes } = readJsonIn<ChangesFile>(served, 'changes.json');
  const told = changes.filter(({ at }) => at.startsWith('2026-06-02'));
  expect(told.map(({ component, text }) => `${component}: ${text}`)).toEqual(
    expect.arrayContaining(announcements),
  );
});

test('plan keeps the worktrees of others, also while their folder is away', async () => {
  const folder = join(temporaryFolder(), 'away');
  git('worktree', 'add', '--quiet', '--detach', folder);
  rmSync(folder, { recursive: true });

  await run('plan', '2026-06-02');

  const worktrees = git('worktree', 'list').split('\n');
  git('worktree', 'prune');
  expect(worktrees).toHaveLength(2);
  expect(worktrees[1]).toContain(folder);
});

test('plan runs no hook of the clone, which may change files', async () => {
  const hooks = temporaryFolder();
  const trace = join(hooks, 'trace');
  writeFileSync(join(hooks, 'post-checkout'), `#!/bin/sh\necho ran >> '${trace}'\n`, {
    mode: 0o755,
  });
  git('config', 'core.hooksPath', hooks);

  await run('plan', '2026-06-02');

  git('config', '--unset', 'core.hooksPath');
  expect(existsSync(trace)).toBe(false);
});

test('plan reports in a sentence that git cannot make the copy', async () => {
  const worktrees = join(root.dir, '.git/worktrees');
  rmSync(worktrees, { recursive: true, force: true });
  writeFileSync(worktrees, '');

  const plan = await run('plan', '2026-06-02');

  rmSync(worktrees);
  expect(plan.status).toBe(1);
  expect(plan.stderr).toMatch(
    /^error: release-index: git worktree: fatal: could not create .+\. Earlier content is unchanged\.$/m,
  );
});

test('plan builds also where the repository has a folder dist of its own', async () => {
  root.write('dist/main.js', '');
  git('add', '--force', 'dist');
  git('commit', '--quiet', '--message', 'Add a program');

  const plan = await run('plan', '2026-06-02');

  git('reset', '--quiet', '--hard', 'HEAD~1');
  expect(plan.status, plan.stderr).toBe(0);
});

test('plan asks the registry of the .npmrc of the index, which git may ignore', async () => {
  const registry = await npmRegistry({ agent: { '1.0.0': { at: '2026-05-01T00:00:00.000Z' } } });
  const index = createRoot({ hosting: 'files' });
  addComponent(index, 'svc', [], { sources: [{ datasource: 'npm', packageName: 'agent' }] });
  index.write('.npmrc', `registry=${registry.url}\n`);

  const plan = await runHere(['plan', '--root', index.dir, '--as-of', '2026-06-01']);

  expect(linesOf(plan.stdout)).toContain('svc 1.0.0: new');
});

test('plan compares a site at GitHub Pages with the live one', async () => {
  const empty = await startSite(temporaryFolder());
  const index = createRoot({ releasesUrl: empty, hosting: 'pages' });
  addComponent(index, 'svc', [{ version: '2026.1' }]);

  const plan = await runHere(['plan', '--root', index.dir, '--as-of', '2026-06-01']);

  expect(plan.stdout).toMatch(new RegExp(`^${empty}: \\d+ files; all of them new\\.$`, 'm'));
  expect(plan.stdout).toContain('Nothing was sent: this was a dry run.');
});

test('a component that a person retires waits for a decision, and plan then shows what readers are told', async () => {
  edit('components/svc.json', (definition) => ({
    ...definition,
    support: { policy: 'ended', until: '2027-01-01', reason: 'Nobody maintains it.' },
    replacedBy: 'server',
  }));
  commit('Retire svc');

  const waiting = await run('plan', '2026-06-04');
  const [id = ''] = /(?<=accept )\S+$/m.exec(waiting.stderr) ?? [];
  const unknown = await run('accept server-0123456789', '2026-06-04');
  const accepted = await run(`accept ${id}`, '2026-06-04');
  const decided = await run('plan', '2026-06-04');

  expect([waiting.status, accepted.status, decided.status]).toEqual([1, 0, 0]);
  expect(linesOf(waiting.stdout)).toContain('plan: 1 would wait. Nothing was changed.');
  expect(unknown.stderr).toContain(`nothing has this id. These wait: ${id}. Nothing was written`);
  expect(accepted.stdout).toMatch(
    /^svc-\w{10}: accepted\. .+\nCommit data\/decisions\.ndjson\. The next "daily" uses it\.\n$/,
  );
  expect(linesOf(decided.stdout)).toEqual(
    expect.arrayContaining([
      '  Replaced by server.',
      '  2025.1 is deprecated: Nobody maintains it.',
    ]),
  );
});

test('a component that a person renames does not wait', async () => {
  git('restore', '.');
  git('clean', '--quiet', '--force', 'data');
  git('reset', '--quiet', '--hard', 'HEAD~1');
  renameComponent(root.dir, 'server', 'engine');
  commit('Rename server');

  const plan = await run('plan', '2026-06-05');

  expect(plan.status, plan.stderr).toBe(0);
  expect(linesOf(plan.stdout)).toContain('engine: server is called engine now.');
});
