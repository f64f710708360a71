/** What documents print for a shell, run in a clone of the program or in an index that `init` made, as a person without any configuration. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, expect, test } from 'vitest';
import { saveFile } from '../src/core/files.ts';
import { serveAnswers } from './harness/upstream.ts';
import { createFolder, openIndex } from './harness/index-folder.ts';
import { readBlocks, readDocument as read } from './harness/printed.ts';
import { git, openShell, type Shell } from './harness/shell.ts';

const mails = join(createFolder(), 'mails');
const remote = 'https://ci:secret@git.example.com/team/index.git';

let shell: Shell;
let bare = '';
let index = '';

const run = (script: string, cwd = index, env: Record<string, string> = {}) =>
  shell.run(script, cwd, {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${bare}.insteadOf`,
    GIT_CONFIG_VALUE_0: remote,
    ...env,
  });

beforeAll(() => {
  shell = openShell();
  shell.imitate('mail', `echo "$@" >>${mails}`);
});

/** An index as `init` makes it, with a list, and the repository to which it pushes. */
async function startIndex(): Promise<void> {
  bare = join(createFolder(), 'remote');
  index = join(createFolder(), 'index');
  const made = await run(
    `npx release-index init ${index} --releases-url ${await serveAnswers({})} --repository-url https://git.example.com/team/index`,
    shell.home,
  );
  expect(made, made.said).toMatchObject({ status: 0 });
  saveFile(join(index, 'releases.csv'), 'version,date\n1.0,2026-01-31\n');
  const added = await run(
    'npx release-index add static releases.csv --homepage https://example.com',
  );
  expect(added, added.said).toMatchObject({ status: 0 });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  git(index, 'init', '--quiet', '--initial-branch=main');
  git(index, 'add', '--all');
  git(index, 'commit', '--quiet', '--message=Begin');
  git(index, 'push', '--quiet', '--set-upstream', bare, 'main');
  git(index, 'remote', 'add', 'origin', bare);
  git(index, 'fetch', '--quiet', 'origin');
  git(index, 'branch', '--set-upstream-to=origin/main');
}

/** A component whose only source never answers, so that the first day is red. */
function writeSilent(): void {
  const page = 'https://example.com';
  openIndex(index).write('components/silent.json', {
    title: 'Silent',
    homepage: page,
    changelogUrl: page,
    sources: [{ datasource: 'json', url: 'http://127.0.0.1:1/releases.json' }],
  });
}

function commit(): void {
  git(index, 'add', '--all');
  git(index, 'commit', '--quiet', '--message=Edit');
  git(index, 'push', '--quiet', 'origin', 'main');
}

test.each([
  ['sound', 0],
  ['red', 1],
])('the lines for cron record, push and publish a %s day; a red one is told', async (day, told) => {
  await startIndex();
  openIndex(index).edit('site/site.json', (settings) => {
    settings.hosting = { folder: join(index, '../site') };
  });
  if (day === 'red') {
    writeSilent();
  }
  commit();
  rmSync(mails, { force: true });
  const [identity = ''] = readBlocks('.github/SETUP.md', 'sh');
  const [, line = ''] = /^23 4 \* \* \* (.+)$/m.exec(read('.github/SETUP.md')) ?? [];

  expect(await run(identity)).toMatchObject({ status: 0 });
  const { said } = await run(line.replace('/srv/index', index));

  expect(said).toMatch(/and pushed it[^]*Published\./);
  expect(git(bare, 'log', '-1', '--format=%an', 'main')).toBe('Release index');
  expect(existsSync(mails) ? readFileSync(mails, 'utf8') : '').toBe(
    '-s release index you@example.com\n'.repeat(told),
  );
});

test('the jobs for GitLab push and hand a red day to Pages, and in a used folder take the newest commit', async () => {
  const [jobs] = readBlocks('.github/SETUP.md', 'yaml').map((block) => load(block)) as any[];
  const { daily, pages } = jobs;
  await startIndex();
  writeSilent();
  commit();
  const checkout = join(createFolder(), 'checkout');
  execFileSync('git', ['clone', '--quiet', bare, checkout]);
  const runJob = (job: { script: string | string[] }) =>
    run([job.script].flat().join('\n'), checkout, {
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_SHA: git(bare, 'rev-parse', 'main'),
      CI_SERVER_HOST: 'git.example.com',
      CI_PROJECT_PATH: 'team/index',
      PUSH_TOKEN: 'secret',
    });

  git(checkout, 'checkout', '--quiet', '--detach');
  const red = await runJob(daily);
  expect(red.said).toContain('and pushed it');
  expect(red.said).toContain('error: 127.0.0.1:1: silent ');
  expect(red.status).toBe(1);
  expect(daily.artifacts).toEqual({ when: 'always', paths: ['public'] });
  expect(pages).toMatchObject({ needs: ['daily'], pages: true, artifacts: { paths: ['public'] } });
  expect(await runJob(pages)).toMatchObject({ status: 0 });

  git(index, 'pull', '--quiet', '--rebase', 'origin', 'main');
  git(index, 'rm', '--quiet', 'components/silent.json');
  commit();
  git(checkout, 'clean', '--quiet', '-ffdx');
  git(checkout, 'fetch', '--quiet', bare, 'main');
  git(checkout, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
  expect(await runJob(daily)).toMatchObject({ status: 0 });
  expect(existsSync(join(checkout, 'public/silent.json'))).toBe(false);
});
