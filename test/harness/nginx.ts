import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { listenTo } from './company-network.ts';
import { temporaryFolder } from './root.ts';

/** Serves a folder until the test is done, with these settings of the server. Returns its address. */
export async function startNginx(root: string, settings: string): Promise<string> {
  const folder = temporaryFolder();
  const socketPath = join(folder, 'socket');
  const uses = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = uses.map((name) => `${name}_temp_path ${folder};`).join('\n');
  writeFileSync(join(folder, 'headers.conf'), settings);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `user root;\ndaemon off;\nmaster_process off;\npid ${folder}/pid;\nerror_log stderr error;\nevents { }\nhttp {\naccess_log off;\n${temporary}
server { listen unix:${socketPath}; root ${root}; include headers.conf; } }\n`,
  );
  const nginx = spawn(
    '/usr/sbin/nginx',
    ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let complaints = '';
  nginx.stderr.on('data', (text) => (complaints += String(text)));
  onTestFinished(() => void nginx.kill('SIGKILL'));
  // nginx cannot choose a free port itself.
  const { port } = await listenTo(
    createServer((client) => {
      const server = connect(socketPath);
      client.pipe(server).pipe(client);
      for (const end of [client, server]) {
        end.on('error', () => client.destroy());
      }
    }),
  );
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(origin).then(
      ({ status }) => status,
      () => complaints,
    );
  await expect.poll(isReady).toBeTypeOf('number');
  return origin;
}
