import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runCli } from '../harness/cli.ts';
import { npmRegistry } from '../harness/npm-registry.ts';
import { definition, makeRoot } from '../harness/root.ts';

test('a day whose data was gathered before commits it, builds, and asks no upstream', async () => {
  const registry = await npmRegistry({ svc: { '1.0.0': {} } });
  const source = { datasource: 'npm', packageName: 'svc', registryUrl: registry.url };
  const root = makeRoot({ 'components/svc.json': definition({ sources: [source] }) });
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  const day = ['--root', root, '--as-of', '2026-06-01'];
  await runCli(['gather', ...day]);
  registry.requests.length = 0;

  const run = await runCli(['daily', ...day, '--skip-gather', '--skip-publish']);

  expect(run.status, run.stderr).toBe(0);
  expect(registry.requests).toEqual([]);
  expect(git('log', '-1', '--format=%s')).toBe('Record svc 1.0.0');
});
