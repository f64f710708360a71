import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createFolder } from './index-folder.ts';
import { requireProgram } from './programs.ts';
import { listen } from './listen.ts';

/** Serves a folder with these settings of nginx(8), until the test ends. Returns its address. */
export async function startNginx(root: string, settingsPath: string): Promise<string> {
  const folder = createFolder();
  const socket = join(folder, 'socket');
  const file = join(folder, 'nginx.conf');
  const uses = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = uses.map((name) => `${name}_temp_path ${folder};`);
  writeFileSync(
    file,
    [
      'user root;',
      'daemon off;',
      'master_process off;',
      `pid ${folder}/pid;`,
      'error_log stderr error;',
      'events { }',
      'http {',
      'access_log off;',
      ...temporary,
      `server { listen unix:${socket}; root ${root}; include ${settingsPath}; }`,
      '}',
    ].join('\n'),
  );
  const nginx = spawn(requireProgram('nginx'), ['-p', folder, '-e', 'stderr', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  nginx.stderr.on('data', (text) => (complaints += String(text)));
  onTestFinished(() => void nginx.kill('SIGKILL'));

  // nginx cannot choose a free port itself.
  const door = createServer((client) => {
    const server = connect(socket);
    client.pipe(server).pipe(client);
    for (const end of [client, server]) {
      end.on('error', () => client.destroy());
    }
  });
  const origin = await listen(door);
  const ask = () =>
    fetch(origin).then(
      ({ status }) => status,
      () => complaints,
    );
  await expect.poll(ask, { timeout: 60_000 }).toBe(200);
  return origin;
}
