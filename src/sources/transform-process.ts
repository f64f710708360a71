/** Transforms one document, in a process that `transform.ts` starts. */
import jsonata from 'jsonata';
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Outcome, Task } from './transform.ts';

const limits = { stack: 500, sequence: 1_000_000 };

// If the run is killed, nobody keeps the time limit. An endless expression keeps this thread busy, so another thread ends the process.
const watch = `setInterval(() => {
  if (process.ppid !== ${Number(process.argv[2])}) process.kill(process.pid, 'SIGKILL');
}, 500)`;
new Worker(watch, { eval: true }).unref();

// Node would write its cache of compiled code only at the end of the process, but the run kills the process.
flushCompileCache();
process.once('message', (task: Task) => {
  void evaluate(task).then((outcome) => process.send?.(outcome));
});

async function evaluate({ transform, document }: Task): Promise<Outcome> {
  try {
    const result: unknown = await jsonata(transform, limits).evaluate(document);
    // JSONata adds properties to arrays. Converting the result to JSON and back removes them.
    return { result: result === undefined ? result : JSON.parse(JSON.stringify(result)) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
