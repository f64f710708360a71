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
