import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, definition, temporaryFolder } from '../../harness/root.ts';

// Pull requests, merges and other jobs write data/. None of it may become an option of a program.
const marker = join(temporaryFolder(), 'executed');
const log = join(temporaryFolder(), 'calls');
const shims = temporaryFolder();
const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const evil = `--upload-pack=touch ${marker};false`;
const lastDay = '2026-11-20';
const today = '2026-11-21';

const { root, git, commit, run } = openIndexInGit();
let start: string;

beforeAll(async () => {
  writeFileSync(
    join(shims, 'git'),
    `#!/bin/sh\nprintf '%s\\0' "$@" >> ${log}\necho >> ${log}\nexec ${realGit} "$@"\n`,
  );
  chmodSync(join(shims, 'git'), 0o755);
  vi.stubEnv('PATH', `${shims}${delimiter}${process.env['PATH']}`);
  const releases = ['1.0', '1.1', '1.2', '1.3'].map((version) => ({
    ...{ version, releaseTimestamp: '2026-01-01' },
  }));
  addComponent(root, 'svc', releases);
  commit();
  const remote = join(temporaryFolder(), 'remote');
  git('clone', '--quiet', '--bare', root.dir, remote);
  git('remote', 'add', 'origin', remote);
  // Git accepts such a branch from its lower commands.
  git('update-ref', 'refs/heads/--output=branch', 'HEAD');
  git('symbolic-ref', 'HEAD', 'refs/heads/--output=branch');
  expect((await run('daily --skip-publish', lastDay)).status).toBe(0);
  start = git('rev-parse', 'HEAD');
});

beforeEach(() => void git('reset', '--quiet', '--hard', start));

afterAll(() => vi.unstubAllEnvs());

const runs = 'data/runs/2026.ndjson';
const withRun = (more: object) => () => {
  const lines = root.read(runs).trim().split('\n');
  const last = JSON.parse(lines.at(-1)!) as object;
  root.write(runs, `${[...lines, JSON.stringify({ ...last, ...more })].join('\n')}\n`);
};
const waiting = (more: object) => () =>
  withRun({
    waits: [
      {
        ...{ id: 'svc-0123456789', component: 'svc', kind: 'change', since: lastDay },
        ...{ causes: ['components/svc.json'], reason: 'Lost.', commit: git('rev-parse', 'HEAD') },
        ...more,
      },
    ],
  })();
const decision = (more: object) => () =>
  root.write(
    'data/decisions.ndjson',
    `${JSON.stringify({ id: 'svc-0123456789', at: '2026-11-20T05:00:00.000Z', by: 'Jane', ...more })}\n`,
  );
const attacks: readonly [string, () => void][] = [
  ['an option as the commit of a run', withRun({ commit: evil })],
  ['a commit of a run that does not exist', withRun({ commit: '1'.repeat(40) })],
  ['an option as the commit that counts instead', waiting({ commit: evil })],
  ['a commit instead that no run recorded', waiting({ commit: '1'.repeat(40) })],
  ['an option as the cause of what waits', waiting({ causes: [evil] })],
  ['an option as the id of a decision', decision({ id: '--output=decided' })],
  [
    'an option as the name of a component',
    () => root.write('components/--output=named.json', definition()),
  ],
];

/** Git takes each of these options in some call; everything else that begins so comes from elsewhere. */
const ownOptions =
  /^(?:-1|-C|-z|--(?:add|batch|cached|count|detach|exclude-standard|file=-|force|git-dir|format=%(?:H|cs|x00%H)|ignored|is-ancestor|is-shallow-repository|max-count=\d+|name-only|no-index|no-renames|only|others|porcelain|quiet|relative|remove|show-prefix|show-toplevel|stage|stdin|unshallow|verify)|-S"id":"\w{13}")$/;

function foreignOptions(): string[] {
  const calls = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  expect(calls.length).toBeGreaterThan(0);
  return calls.flatMap((call) => {
    const args = call.split('\0').slice(0, -1);
    const end = args.findIndex((arg) => arg === '--' || arg === '--end-of-options');
    return (end < 0 ? args : args.slice(0, end)).filter(
      (arg) => arg.startsWith('-') && !ownOptions.test(arg),
    );
  });
}

test.each(attacks)('%s becomes no option, and the index stays as it is', async (_, attack) => {
  const otherRefs = () =>
    git('for-each-ref')
      .split('\n')
      .filter((ref) => !ref.includes('--output=branch'));
  const refs = otherRefs();
  attack();
  commit();
  root.write(
    'components/svc.json',
    definition({ support: { policy: 'ended', until: '2026-01-01' } }),
  );
  commit();
  // From here on, only the program calls git.
  writeFileSync(log, '');

  const accepted = await run('accept svc-0123456789', today);
  const day = await run('daily --skip-publish', today);

  expect(day.status).toBe(1);
  for (const { stderr } of [accepted, day]) {
    expect(stderr).not.toMatch(/^ +at /m);
  }
  expect(foreignOptions()).toEqual([]);
  expect(existsSync(marker)).toBe(false);
  for (const name of ['decided', 'named', 'branch']) {
    expect(existsSync(join(root.dir, name)), name).toBe(false);
  }
  expect(otherRefs()).toEqual(refs);
  expect(root.read('dist/latest/svc.txt')).toBe('1.3\n');
});
