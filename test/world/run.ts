/**
 * Builds an index of real products and serves it on 127.0.0.1: `npm run world`. Options after `--` go to `preview`. The index is gathered
 * over HTTP from a server in this process. Its releases and end-of-support dates were copied from endoflife.date.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serveWorld, worldDay, writeWorld } from '../harness/world.ts';

const checkout = resolve(import.meta.dirname, '../..');
const root = join(checkout, '.cache/world');

async function run(...words: string[]): Promise<number> {
  const args = [join(checkout, 'src/cli.js'), ...words, '--root', root];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [status] = (await once(child, 'close')) as [number];
  return status;
}

rmSync(root, { recursive: true, force: true });
writeWorld(root, await serveWorld(worldDay));
process.exitCode =
  (await run('start', '--as-of', worldDay)) || (await run('preview', ...process.argv.slice(2)));
