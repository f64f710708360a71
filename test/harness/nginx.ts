import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { program } from './example.ts';
import { createFolder } from './index-folder.ts';
import { listen } from './listen.ts';
import { requireProgram } from './programs.ts';

/** Serves a folder with nginx and these settings, until the test ends. Returns its address. */
export async function startNginx(root: string, settingsPath: string): Promise<string> {
  const folder = createFolder();
  const file = join(folder, 'nginx.conf');
  const settings = readFileSync(join(program, 'test/fixtures/nginx.conf'), 'utf8')
    .replaceAll('FOLDER', folder)
    .replace('SITE', root)
    .replace('SETTINGS', settingsPath);
  writeFileSync(file, settings);
  const nginx = spawn(requireProgram('nginx'), ['-p', folder, '-e', 'stderr', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  nginx.stderr.on('data', (text) => (complaints += String(text)));
  onTestFinished(() => void nginx.kill('SIGKILL'));

  // nginx cannot choose a free port itself, so it listens on a socket file. This server forwards connections to the socket.
  const endpoint = createServer((client) => {
    const server = connect(join(folder, 'socket'));
    client.pipe(server).pipe(client);
    for (const end of [client, server]) {
      end.on('error', () => client.destroy());
    }
  });
  const origin = await listen(endpoint);
  const ask = () =>
    fetch(origin).then(
      ({ status }) => status,
      () => complaints,
    );
  await expect.poll(ask).toBe(200);
  return origin;
}
