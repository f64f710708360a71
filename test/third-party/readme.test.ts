import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { blocks, freshClone, installingFrom, newcomerEnv, readme } from '../harness/newcomer.ts';
import { packageRegistry } from '../harness/package-registry.ts';
import { pathsIn, readJsonIn } from '../harness/root.ts';

const execute = promisify(execFile);
/** A server that a command starts, which runs until it is interrupted. */
async function firstLineOf(command: string, cwd: string): Promise<string> {
  const server = spawn('bash', ['-c', `exec ${command}`], {
    cwd,
    env: newcomerEnv,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let said = '';
  for await (const chunk of server.stdout) {
    said += String(chunk);
    if (/ at http:\S+ /.test(said)) {
      break;
    }
  }
  process.kill(-server.pid!, 'SIGINT');
  await once(server, 'close');
  return said;
}

test('the README has blocks for a shell only, and is short', () => {
  expect(new Set(blocks.map(({ kind }) => kind))).toEqual(new Set(['sh']));
  expect(readme.split('\n').length).toBeLessThan(110);
});

test('every block of the README runs as printed, from a fresh clone and without the package', async () => {
  const registry = await packageRegistry();
  const toInstall = installingFrom(registry.url);
  let cwd = freshClone();
  const home = dirname(cwd);

  for (const command of blocks.flatMap(({ text }) => text.replaceAll('\\\n', '').split('\n'))) {
    if (/ preview\b/.test(command)) {
      const more = command.startsWith('npm run') ? '-- --port 0' : '--port 0';
      const said = await firstLineOf(`${command.replace(/ #.*/, '')} ${more}`, cwd);
      expect(said, command).toMatch(/ at http:\/\/127\.0\.0\.1:/);
      continue;
    }
    const shell = `set -e; ${command}\npwd`;
    const { stdout: said } = await execute('bash', ['-c', shell], {
      cwd,
      env: command === 'npm install' ? toInstall : newcomerEnv,
    });
    cwd = said.trim().split('\n').at(-1)!;
  }

  expect(pathsIn(join(home, 'served'))).toEqual(
    expect.arrayContaining(['agent.json', 'index.html', 'renovate.json']),
  );
  expect(readJsonIn(join(home, 'served'), 'agent.json')).toMatchObject({
    tags: { latest: '1.1.0' },
  });
  expect(execFileSync('git', ['-C', cwd, 'status', '--porcelain'], { encoding: 'utf8' })).toBe('');
}, 600_000);

test('one command updates an index from a packed version, and the printed commands finish it', async () => {
  const registry = await packageRegistry();
  const toInstall = installingFrom(registry.url);
  const former = freshClone();
  const home = dirname(former);
  const later = join(dirname(freshClone()), 'release-index');
  const shell = async (cwd: string, line: string) =>
    (await execute('bash', ['-c', `set -e; ${line}`], { cwd, env: toInstall })).stdout.trim();
  const index = join(home, 'my-index');
  const version = readJsonIn<{ version: string }>(later, 'package.json').version;
  const workflow = 'site/starter/forge-github/dot-github/workflows/check.yml';
  const raise = (name: string) =>
    `sed -i '0,/"version": "${version}"/s//"version": "99.0.0"/' ${name}`;

  await shell(
    former,
    `npm ci && npm run init -- ../my-index --releases-url https://releases.example.com --repository-url https://git.example.com/my-index`,
  );
  await shell(index, 'npm install && git init --quiet --initial-branch=main && git add --all');
  await shell(index, 'git commit --quiet --message Start && git init --quiet --bare ../remote');
  await shell(
    index,
    'git remote add origin ../remote && git push --quiet --set-upstream origin main',
  );
  await shell(later, `npm ci && ${raise('package.json')} && ${raise('package-lock.json')}`);
  await shell(later, `sed -i 's/timeout-minutes: 15/timeout-minutes: 16/' ${workflow}`);
  const said = await shell(later, `npm run init -- ${index} --update`);
  const again = await shell(later, `npm run init -- ${index} --update`);
  const commands = said.split('Next:\n')[1]!;
  const finished = await shell(later, commands);

  expect(said).toContain(
    'Written: .github/workflows/check.yml, program/release-index-99.0.0.tgz, package.json, package-lock.json.',
  );
  expect(again).toContain('Nothing to change');
  expect(finished).toContain('0 errors, 0 warnings');
  expect(await shell(index, 'git status --porcelain && git diff --stat origin/main')).toBe('');
  expect(await shell(index, 'npx release-index --version')).toBe('99.0.0');
  expect(await shell(index, 'git ls-files program')).toBe('program/release-index-99.0.0.tgz');
  expect(await shell(index, 'grep -c "timeout-minutes: 16" .github/workflows/check.yml')).toBe('1');
}, 600_000);
