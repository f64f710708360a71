/** Follows the section "An index of one tool" in SETUP.md. A local server imitates GitHub's API. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { saveFile } from '../src/core/files.ts';
import { program } from './harness/example.ts';
import { digestOf } from './harness/imitation.ts';
import { createFolder, openIndex } from './harness/index-folder.ts';
import { serveSite } from './harness/serve-site.ts';
import { writeTools } from './harness/shell-tools.ts';
import { serveAnswers } from './harness/upstream.ts';

const run = promisify(execFile);
const setUp = readFileSync(join(program, '.github/SETUP.md'), 'utf8');
const [, commands = '', workflow = ''] =
  /## An index of one tool\n[^]*?^```sh\n([^]*?)^```$[^]*?^```yaml\n([^]*?)^```$/m.exec(setUp)!;
const { jobs } = load(workflow) as {
  jobs: {
    index: { steps: { run?: string; with?: { path?: string } }[] };
  };
};

function list(version: string, platforms: readonly string[]) {
  const assets = platforms.map((platform) => ({
    name: `agent_${version}_linux_${platform}.tar.gz`,
    digest: `sha256:${digestOf(version + platform)}`,
    browser_download_url: `https://github.com/example/agent/releases/download/${version}/agent_${version}_linux_${platform}.tar.gz`,
  }));
  return { tag_name: version, assets };
}

test('the commands and the workflow in SETUP.md create and update an index', async () => {
  const releases = [list('1.0', ['amd64', 'arm64'])];
  const api = await serveAnswers({
    '/repos/example/agent/releases?per_page=100': releases,
    '/repos/example/agent': {
      homepage: 'https://example.com',
      html_url: 'https://github.com/example/agent',
    },
  });
  const live = openIndex(createFolder());
  const site = await serveSite(live.root);
  const folder = createFolder();
  const env = { PATH: `${writeTools()}:${process.env['PATH']}`, HOME: folder };
  const shell = (cwd: string, script: string) =>
    run('bash', ['-e', '-c', script], { cwd, env: { ...env, GITHUB_TOKEN: '' } });

  // Creates the tool's repository and its remote.
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet', '--bare', '--initial-branch=main', 'remote');
  git('clone', '--quiet', 'remote', 'agent');
  const repository = join(folder, 'agent');
  saveFile(join(repository, 'main.go'), 'package main\n');
  saveFile(
    join(repository, 'SECURITY.md'),
    '# Security\n\n<!-- release-index agent -->\n<!-- /release-index -->\n\nWrite to us.\n',
  );
  await shell(repository, commands.trimEnd() + ` --registry-url ${api}`);
  const index = openIndex(join(repository, 'releases'));
  index.edit('site/site.json', { releasesUrl: site.origin, exploited: [] });
  index.edit('components/agent.json', { support: { policy: 'latest-lines', count: 1 } });
  saveFile(join(repository, '.github/workflows/index.yml'), workflow);
  await shell(
    repository,
    `git config user.name Jane; git config user.email jane@example.com
git add --all; git commit --quiet -m 'Add an index'; git push --quiet origin HEAD:main`,
  );

  const { steps } = jobs.index;
  /** Runs the steps of the workflow in a new clone. Then copies the folder that the workflow deploys into the live site. */
  const runWorkflow = async () => {
    const runner = createFolder();
    await shell(runner, `git clone --quiet ${folder}/remote work`);
    const work = join(runner, 'work');
    for (const { run: script } of steps) {
      if (script) {
        await shell(work, script);
      }
    }
    const path = steps.flatMap((step) => step.with?.path ?? [])[0]!;
    await shell(runner, `cp -r work/${path}/. ${live.root}`);
  };

  /** Reads the rows of the table in SECURITY.md. Checks that the rest of the file has not changed. */
  const readTable = async () => {
    const { stdout } = await shell(folder, 'git -C remote show main:SECURITY.md');
    expect(stdout).toMatch(/^# Security\n\n<!-- release-index agent -->\n\n\| Version/);
    expect(stdout).toMatch(/ \|\n\n<!-- \/release-index -->\n\nWrite to us\.\n$/);
    return stdout.split('\n').filter((row) => /^\| (?:\d|older)/.test(row));
  };

  await runWorkflow();
  expect(JSON.parse(live.read('latest/agent.json'))).toMatchObject({
    version: '1.0',
    urls: { 'linux-amd64': expect.stringMatching(/^https:.*_linux_amd64\.tar\.gz$/) as string },
    files: { 'linux-arm64': `sha256:${digestOf('1.0arm64')}` },
  });

  expect(await readTable()).toEqual(['| 1.0     | until the next line |']);
  // SETUP tells makers to point to this page.
  const [, page = ''] = /support-policy: https:\/\/example\.github\.io\/agent\/(\S+)/.exec(setUp)!;
  expect(live.read(page)).toContain('Support: until the next line');

  // Release 1.1 has only one of its two files so far.
  releases.unshift(list('1.1', ['amd64']));
  await runWorkflow();
  expect(live.read('latest/agent.txt')).toBe('1.1\n');
  expect(JSON.parse(live.read('latest/agent.json'))).toMatchObject({ version: '1.0' });
  expect(await readTable()).toEqual([
    '| 1.1     | until the next line |',
    expect.stringMatching(/^\| 1\.0 +\| until \d/),
  ]);

  // Without a change, only the run itself is committed.
  await runWorkflow();
  const { stdout } = await shell(folder, 'git -C remote log --format=%an:%s main');
  const update = 'Release index:Update the supported versions';
  const ofRun = /^Release index:data: /;
  expect(stdout.trim().split('\n')).toEqual([
    ...[expect.stringMatching(ofRun), update, expect.stringMatching(ofRun), update],
    ...[expect.stringMatching(ofRun), 'Jane:Add an index'],
  ]);
});
