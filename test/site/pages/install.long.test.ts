import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createCertificate } from '../../harness/certificate.ts';
import { readText } from '../../harness/html.ts';
import { digestOf } from '../../harness/imitation.ts';
import { createFolder, createIndex, links } from '../../harness/index-folder.ts';
import { listen } from '../../harness/listen.ts';
import { lacks } from '../../harness/programs.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { serveAnswers } from '../../harness/upstream.ts';

const run = promisify(execFile);
const tool = '#!/bin/sh\necho installed\n';

/** Serves `files` over https with a self-signed certificate. */
async function serveFiles(files: Record<string, string | Buffer>) {
  const { key, cert, file } = createCertificate();
  const server = createServer({ key, cert }, ({ url = '' }, response) => {
    response.end(files[url]);
  });
  const origin = (await listen(server)).replace('http:', 'https:');
  return { origin, certificate: file };
}

/** Returns an archive that contains the tool. */
function packTool(): Buffer {
  const folder = createFolder();
  writeFileSync(join(folder, 'agent'), tool, { mode: 0o755 });
  return execFileSync('tar', ['-czf', '-', 'agent'], { cwd: folder });
}

test.skipIf(lacks('jq') || lacks('openssl')).each<[ending: string, content: string | Buffer]>([
  ['', tool],
  ['.tar.gz', packTool()],
  ['.tgz', packTool()],
])(
  'the script on use.html downloads, checks and installs the file agent_amd64%s',
  async (ending, content) => {
    const files: Record<string, string | Buffer> = { [`/1.0/agent_amd64${ending}`]: content };
    const { origin, certificate } = await serveFiles(files);
    const assets = ['agent_amd64', 'agent_arm64'].map((platform) => ({
      name: platform + ending,
      digest: `sha256:${digestOf(platform.endsWith('amd64') ? content : platform)}`,
      browser_download_url: `${origin}/1.0/${platform}${ending}`,
    }));
    const registryUrl = await serveAnswers({
      '/repos/example/agent/releases?per_page=100': [{ tag_name: '1.0', assets }],
    });
    const index = createIndex({ exploited: [] });
    const site = await serveSite(index.out);
    index.edit('site/site.json', { releasesUrl: site.origin });
    const source = { datasource: 'github-releases', packageName: 'example/agent', registryUrl };
    index.write('components/agent.json', {
      title: 'Agent',
      ...links,
      renamedFrom: ['former'],
      sources: [
        {
          ...source,
          digestOf: { 'linux-arm64': '^agent_arm64', 'linux-amd64': '^agent_amd64' },
        },
      ],
    });
    expect(await index.run('gather', 'agent')).toMatchObject({ status: 0 });
    expect((await index.run('build')).stderr).toBe('');

    const [, text = ''] = /(curl -fsSo release\.json[^]*?)<\/code>/.exec(
      index.read('dist/use.html'),
    )!;
    const script = readText(text);
    const cwd = createFolder();
    const installOn = (machine: string) => {
      const programs = createFolder();
      writeFileSync(join(programs, 'uname'), `#!/bin/sh\necho ${machine}\n`, { mode: 0o755 });
      const PATH = `${programs}:${process.env['PATH']}`;
      return run('bash', ['-c', script], { cwd, env: { PATH, CURL_CA_BUNDLE: certificate } });
    };
    const install = () => installOn('Linux x86_64');
    await expect(installOn('FreeBSD amd64')).rejects.toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('no file for FreeBSD amd64'),
    });

    const saved = ending === '' ? 'agent' : 'agent.tar.gz';
    expect((await install()).stdout).toBe(`${saved}: OK\n`);
    expect((await run('./agent', [], { cwd })).stdout).toBe('installed\n');
    expect(index.read('dist/latest/former.txt')).toBe('1.0\n');
    expect(index.read('dist/latest/former.json')).toBe(index.read('dist/latest/agent.json'));
    // If the downloaded file is different, it is not installed.
    files[`/1.0/agent_amd64${ending}`] = '#!/bin/sh\nexit 1\n';
    await expect(install()).rejects.toMatchObject({ stdout: `${saved}: FAILED\n` });
  },
);

test.skipIf(lacks('jq') || lacks('openssl'))(
  'the script on use.html installs the newest release that has all its files',
  async () => {
    const { origin, certificate } = await serveFiles({ '/1.0/agent_amd64': tool });
    const list = (version: string, platforms: string[]) => ({
      tag_name: version,
      assets: platforms.map((platform) => ({
        name: `agent_${platform}`,
        digest: `sha256:${digestOf(platform === 'amd64' ? tool : platform)}`,
        browser_download_url: `${origin}/${version}/agent_${platform}`,
      })),
    });
    const releases = [list('1.0', ['amd64', 'arm64'])];
    const path = '/repos/example/agent/releases?per_page=100';
    const registryUrl = await serveAnswers({ [path]: releases });
    const index = createIndex({ exploited: [] });
    const rebuild = async () => {
      expect(await index.run('gather', 'agent')).toMatchObject({ status: 0 });
      await index.prepare('build');
    };
    const site = await serveSite(index.out);
    index.edit('site/site.json', { releasesUrl: site.origin });
    index.write('components/agent.json', {
      title: 'Agent',
      ...links,
      sources: [
        {
          datasource: 'github-releases',
          packageName: 'example/agent',
          registryUrl,
          digestOf: { 'linux-amd64': '_amd64$', 'linux-arm64': '_arm64$' },
        },
      ],
    });
    await rebuild();
    const [, text = ''] = /(curl -fsSo release\.json[^]*?)<\/code>/.exec(
      index.read('dist/use.html'),
    )!;
    const script = readText(text);
    const env = { PATH: process.env['PATH'], CURL_CA_BUNDLE: certificate };
    const install = () => run('bash', ['-c', script], { cwd: createFolder(), env });
    expect((await install()).stdout).toBe('agent: OK\n');

    // The newest release has no files, then one of two files, then both.
    const seen: unknown[] = [];
    for (const platforms of [[], ['arm64'], ['amd64', 'arm64']]) {
      releases[1] = list('1.1', platforms);
      await rebuild();
      const { version } = JSON.parse(index.read('dist/latest/agent.json')) as { version: string };
      const name = index.read('dist/latest/agent.txt').trim();
      const { stdout } = await install().catch((error: unknown) => error as { stdout: string });
      seen.push([name, version, stdout, index.read('dist/use.html').includes(text)]);
    }

    expect(seen).toEqual([
      ['1.1', '1.0', 'agent: OK\n', true],
      ['1.1', '1.0', 'agent: OK\n', true],
      // The script chose 1.1, whose file this test does not serve.
      ['1.1', '1.1', expect.not.stringContaining('OK'), true],
    ]);
  },
);

test('a build warns if new releases lack a file for more than 30 days', async () => {
  const list = (version: string, day: string, platforms: string[]) => ({
    tag_name: version,
    published_at: `${day}T00:00:00Z`,
    assets: platforms.map((platform) => ({
      name: `agent_${platform}`,
      digest: `sha256:${digestOf(version + platform)}`,
    })),
  });
  // Releases since 1.1 have no file for arm64.
  const releases = [
    list('1.0', '2026-01-10', ['amd64', 'arm64']),
    list('1.1', '2026-09-10', ['amd64']),
    list('1.2', '2026-10-01', ['amd64']),
  ];
  const registryUrl = await serveAnswers({
    '/repos/example/agent/releases?per_page=100': releases,
  });
  const index = createIndex({ exploited: [] });
  const names = { 'linux-amd64': '_amd64$', 'linux-arm64': '_arm64$' };
  const source = { datasource: 'github-releases', packageName: 'example/agent', registryUrl };
  const define = (digestOf: object) =>
    index.write('components/agent.json', {
      title: 'Agent',
      ...links,
      sources: [{ ...source, digestOf }],
    });
  define(names);
  const build = async (day: string) => {
    expect(await index.run('gather', 'agent', '--as-of', day)).toMatchObject({ status: 0 });
    const { status, stderr } = await index.run('build', '--as-of', day);
    const { version } = JSON.parse(index.read('dist/latest/agent.json')) as { version: string };
    return [status, version, stderr];
  };

  expect(await build('2026-10-10')).toEqual([0, '1.0', '']);
  // `build` warns if files are missing for more than 30 days. The days are counted from 10 October, when 1.2 was first seen.
  expect(await build('2026-11-09')).toEqual([0, '1.0', '']);
  expect(await build('2026-11-10')).toEqual([
    0,
    '1.0',
    expect.stringContaining(
      'agent: latest/agent.json still has 1.0, because no newer release has had all its files since 2026-10-10. 1.2 lacks linux-arm64. If its maintainers no longer publish a file, remove the name of the file from digestOf in components/agent.json.\n',
    ),
  ]);

  define({ 'linux-amd64': names['linux-amd64'] });
  expect(await build('2026-11-11')).toEqual([0, '1.2', '']);
});
