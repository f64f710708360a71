/** Measures the smallest heap with which workerd answers ten different queries about a site, one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { baseUrl, createFolder } from '../harness/index-folder.ts';
import { bundleWorker } from '../harness/worker.ts';
import { different } from './questions.ts';

/** The path of the workerd program. */
const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string };
/** The precision of the result, and the largest heap that is tried, in MB. */
const step = 4;
const most = 400;

/** Returns the smallest heap in MB. If the heap is too small, workerd does not answer with an error, but crashes. */
export async function findLeastHeap(out: string): Promise<number> {
  // wrangler rejects a site with files that are too big for an upload. So the Worker is bundled with an empty folder. workerd reads the
  // real site from disk.
  const folder = bundleWorker(createFolder());
  let least = most;
  let tooLittle = 0;
  while (least - tooLittle > step) {
    const tried = Math.ceil((least + tooLittle) / 2 / step) * step;
    if (await answersAll(folder, out, tried)) {
      least = tried;
    } else {
      tooLittle = tried;
    }
  }
  return least;
}

async function answersAll(folder: string, out: string, heap: number): Promise<boolean> {
  writeFileSync(join(folder, 'config.capnp'), describeWorker(resolve(out), heap));
  const args = ['serve', join(folder, 'config.capnp'), '--control-fd=3'];
  const host = spawn(workerd, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = once(host, 'close');
  try {
    const [line] = (await Promise.race([once(host.stdio[3]!, 'data'), ended])) as [unknown];
    const { port } = JSON.parse(String(line)) as { port: number };
    for (const query of different) {
      const address = `http://127.0.0.1:${port}/api/releases?query=${encodeURIComponent(query)}`;
      const answer = await fetch(address);
      await answer.json();
      if (!answer.ok) {
        throw new Error(`The server answered ${answer.status} to the query ${query}.`);
      }
    }
    return true;
  } catch (error) {
    // These errors mean that workerd crashed: the connection broke, or only a part of the answer arrived.
    if (error instanceof TypeError || error instanceof SyntaxError) {
      return false;
    }
    throw error;
  } finally {
    host.kill('SIGKILL');
    await ended;
  }
}

function describeWorker(out: string, heap: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-10-01",
      compatibilityFlags = ["nodejs_compat"],
      bindings = [
        (name = "ASSETS", service = "assets"),
        (name = "BASE_URL", text = "${baseUrl}"),
      ],
    )),
    (name = "assets", disk = (path = "${out}")),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
  v8Flags = ["--max-heap-size=${heap}"],
);
`;
}
