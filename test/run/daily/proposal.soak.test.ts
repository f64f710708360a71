import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { npmRegistry, type NpmRegistry } from '../../harness/npm-registry.ts';
import { definition, readJsonIn, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

let registry: NpmRegistry;
/** The checkout of the daily run. */
let main: IndexInGit;
/** The checkout of a person who proposes something. */
let person: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-C', person, ...args], { encoding: 'utf8' }).trim();
const ofPerson = (verb: string) => runHere([verb, '--root', person, '--as-of', '2026-06-02']);
const daily = async (day: string) => {
  const { status, stderr } = await main.run('daily --skip-publish', day);
  expect(status, stderr).toBe(0);
};

beforeEach(async () => {
  registry = await npmRegistry({ svc: { '1.0.0': {} }, edge: { '2.0.0': {} } });
  main = openIndexInGit();
  for (const packageName of ['svc', 'edge']) {
    const source = { datasource: 'npm', packageName, registryUrl: registry.url };
    main.root.write(`components/${packageName}.json`, definition({ sources: [source] }));
  }
  main.commit('Begin');
  await daily('2026-06-01');
  person = join(temporaryFolder(), 'clone');
  main.git('clone', '--quiet', main.root.dir, person);
  git('config', 'user.name', 'Person');
  git('config', 'user.email', 'person@example.com');
});

test('data that a person gathers merges with main after any number of days, by plain git', async () => {
  registry.packages.set('svc', { '1.0.0': {}, '1.1.0': {} });
  await ofPerson('gather');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Record svc 1.1.0');
  expect(git('show', '--name-only', '--format=')).toBe('data/svc.json');
  registry.packages.set('svc', { '1.0.0': {} });
  for (const day of ['2026-06-02', '2026-06-03', '2026-06-04']) {
    await daily(day);
  }
  expect(main.git('log', '--oneline').split('\n')).toHaveLength(5);

  git('pull', '--quiet', '--no-rebase', 'origin', 'main');

  expect(git('status', '--porcelain')).toBe('');
  expect(readJsonIn<{ releases: unknown[] }>(person, 'data/svc.json').releases).toHaveLength(2);
  registry.packages.set('svc', { '1.0.0': {}, '1.1.0': {} });
  main.git('pull', '--quiet', '--no-rebase', person, 'main');
  await daily('2026-06-05');
  expect(main.root.read('data/runs/2026.ndjson')).toContain('"asOf":"2026-06-05"');
});

test('the bytes of a build do not depend on an answer without news that a person gathered', async () => {
  const site = async () => {
    await ofPerson('build');
    return readFileSync(join(person, 'dist/SHA256SUMS'), 'utf8');
  };
  const before = await site();
  registry.packages.clear();

  await ofPerson('gather');

  expect(git('status', '--porcelain')).toBe('');
  expect(await site()).toBe(before);
});
