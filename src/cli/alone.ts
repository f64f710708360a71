import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { Context } from './context.ts';

/** A verb that ends with an `InputError` while another one of these runs in the same checkout. */
export function alone<A extends unknown[]>(context: Context, run: (...args: A) => Promise<void>) {
  return async (...args: A): Promise<void> => {
    const lock = createServer((socket) => socket.destroy());
    try {
      await once(lock.listen(await findAddress(context.root)), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
        throw error;
      }
      const message =
        'another start, gather or daily writes it at the moment, so nothing was changed';
      throw inputError(join(context.root, 'data'), message);
    }
    await run(...args).finally(() => lock.close());
  };
}

/** Of a folder, whatever its path. The system frees it with its process: numbers of processes repeat in containers. */
async function findAddress(root: string): Promise<string> {
  const folder = statSync(root, { bigint: true, throwIfNoEntry: false });
  const name = `release-index-${folder?.dev}-${folder?.ino}`;
  if (process.platform === 'linux') {
    return `\0${name}`;
  }
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\${name}`;
  }

  const file = join(tmpdir(), name);
  const client = connect(file);
  // That of a killed process stays, and answers nobody.
  await once(client, 'connect').catch(() => rmSync(file, { force: true }));
  client.destroy();
  return file;
}
