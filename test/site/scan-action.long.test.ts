/** Runs the step of the GitHub action that `init` writes. Like a GitHub runner, it uses npm and a fresh clone of the index. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { writeScanStep } from '../harness/action.ts';
import { runCli } from '../harness/cli.ts';
import { writeFiles } from '../harness/components.ts';
import { createFolder, links, openIndex } from '../harness/index-folder.ts';
import { serveSite } from '../harness/serve-site.ts';

// Installing packages can take minutes if the npm registry is slow.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const folder = createFolder();
const published = join(folder, 'published');
const { origin } = await serveSite(published);
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  NO_COLOR: '1',
  npm_config_cache: join(folder, 'cache'),
};

/** Creates an index with one component in a repository. Release 1.0 has ended, and 2.0 is supported. Returns the folder of a clone. */
async function cloneIndex(name: string, prefix = ''): Promise<string> {
  const repository = join(folder, name);
  const root = join(repository, prefix);
  const addresses = ['--releases-url', origin, '--repository-url', 'https://git.example.com/index'];
  expect(await runCli(['init', root, ...addresses])).toMatchObject({ status: 0 });
  openIndex(root).write('components/svc.json', {
    title: 'Service',
    ...links,
    sources: [
      {
        datasource: 'static',
        releases: [
          { version: '1.0', releaseTimestamp: '2023-01-01' },
          { version: '2.0', releaseTimestamp: '2026-01-01' },
        ],
      },
    ],
    support: { policy: 'latest-lines', count: 1 },
  });
  for (const verb of ['gather', 'build']) {
    expect(await runCli([verb, '--root', root, '--out', published])).toMatchObject({ status: 0 });
  }

  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: repository });
  git('init', '--quiet', '--template=');
  git('add', '--all');
  const person = ['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com'];
  git(...person, 'commit', '--quiet', '--message=Start the index');
  const clone = `${repository}-clone`;
  git('clone', '--quiet', '--template=', repository, clone);
  return join(clone, prefix);
}

async function runAction(index: string, workspace: string, policy: string) {
  const summary = join(createFolder(), 'summary.md');
  const line = writeScanStep(index, workspace, { file: 'list.txt', policy }, summary);
  const child = spawn('bash', ['-c', line], { env, cwd: workspace });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { status, stdout, stderr, summary: readFileSync(summary, 'utf8') };
}

const clone = await cloneIndex('index');

test.each([
  ['# Ours.\nsvc 2.0\nsvc 1.0\n', 1, /^::error title=svc 1\.0,file=\S+\/list\.txt,line=3::.+$/gm],
  ['svc 2.0\n', 0, /^::/gm],
  [
    'svc 2.0\nsvc\n',
    3,
    /^::error title=\S+\/list\.txt%2C line 2,file=\S+\/list\.txt,line=2::was not read: svc$/gm,
  ],
] as const)(
  'the action exits with the same status as the command scan: the list %j gives the status %i',
  async (list, status, mark) => {
    const workspace = writeFiles({ 'list.txt': list });
    const ended = await runAction(clone, workspace, 'supported,current');

    const args = ['scan', join(workspace, 'list.txt'), '--policy', 'supported,current'];
    const printed = await runCli([...args, '--index', origin]);
    expect(printed.status).toBe(status);
    expect(ended.status, ended.stderr).toBe(status);
    expect(ended.stdout.replaceAll(/^::.*\n/gm, '')).toBe(printed.stdout);
    expect(ended.summary).toMatch(/^ {4}entry +verdict +until/m);
    expect(ended.stdout.match(mark) ?? []).toHaveLength(status > 0 ? 1 : 0);
  },
);

test('the action works in a repository that has its own npm project', async () => {
  const workspace = writeFiles({
    'list.txt': 'svc 1.0\n',
    'package.json': { name: 'release-index', version: '9.9.9' },
    '.npmrc': 'registry=http://127.0.0.1:1/\n',
  });
  openIndex(clone).write('program/release-index-0.9.0.tgz', 'former');

  expect(await runAction(clone, workspace, 'supported')).toMatchObject({ status: 1 });
});

test('the action works for an index in a subfolder of an npm repository', async () => {
  openIndex(join(folder, 'mono')).write('package.json', { name: 'mono', private: true });
  const index = await cloneIndex('mono', 'tools/index');
  const workspace = writeFiles({ 'list.txt': 'svc 1.0\n' });

  expect(await runAction(index, workspace, 'supported')).toMatchObject({ status: 1 });
});
