import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { npmRegistry, type NpmRegistry } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn, temporaryFolder } from '../../harness/root.ts';

let registry: NpmRegistry;
/** The checkout of the daily run. */
let main: string;
/** The checkout of a person who proposes something. */
let person: string;

beforeEach(async () => {
  registry = await npmRegistry({ svc: { '1.0.0': {} }, edge: { '2.0.0': {} } });
  const source = (packageName: string) => ({ datasource: 'npm', packageName, registryUrl: registry.url });
  main = makeRoot({
    'components/svc.json': definition({ sources: [source('svc')] }),
    'components/edge.json': definition({ sources: [source('edge')] }),
    '.gitignore': 'dist/\n.cache/\n',
  });
  git(main, 'init', '--quiet', '--initial-branch=main');
  git(main, 'config', 'user.name', 'Tester');
  git(main, 'config', 'user.email', 'tester@example.com');
  git(main, 'add', '--all');
  git(main, 'commit', '--quiet', '--message', 'Begin');
  await daily('2026-06-01');
  person = join(temporaryFolder(), 'clone');
  git(main, 'clone', '--quiet', main, person);
  git(person, 'config', 'user.name', 'Person');
  git(person, 'config', 'user.email', 'person@example.com');
});

test('what a person gathers merges with main after any number of days, by git’s own means', async () => {
  registry.packages.set('svc', { '1.0.0': {}, '1.1.0': {} });
  await runCli(['gather', '--root', person, '--as-of', '2026-06-02']);
  git(person, 'add', '--all');
  git(person, 'commit', '--quiet', '--message', 'Record svc 1.1.0');
  expect(git(person, 'show', '--name-only', '--format=')).toBe('data/svc.json');
  registry.packages.set('svc', { '1.0.0': {} });
  for (const day of ['2026-06-02', '2026-06-03', '2026-06-04']) await daily(day);
  expect(git(main, 'log', '--oneline').split('\n')).toHaveLength(5);

  git(person, 'pull', '--quiet', '--no-rebase', 'origin', 'main');

  expect(git(person, 'status', '--porcelain')).toBe('');
  expect(readJsonIn<{ releases: unknown[] }>(person, 'data/svc.json').releases).toHaveLength(2);
  registry.packages.set('svc', { '1.0.0': {}, '1.1.0': {} });
  git(main, 'pull', '--quiet', '--no-rebase', person, 'main');
  await daily('2026-06-05');
  expect(readJsonIn(main, 'data/freshness/svc.json')).toMatchObject({ checkedOn: '2026-06-05' });
});

test('the bytes of a build do not depend on what a person gathered without news', async () => {
  const site = async () => {
    await runCli(['build', '--root', person, '--as-of', '2026-06-02']);
    return readFileSync(join(person, 'dist/SHA256SUMS'), 'utf8');
  };
  const before = await site();
  registry.packages.clear();

  await runCli(['gather', '--root', person, '--as-of', '2026-06-02']);

  expect(git(person, 'status', '--porcelain')).toBe('');
  expect(await site()).toBe(before);
});

async function daily(day: string): Promise<void> {
  const run = await runCli(['daily', '--skip-publish', '--root', main, '--as-of', day]);
  expect(run.status, run.stderr).toBe(0);
}

function git(dir: string, ...args: string[]): string {
  return execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' }).trim();
}
