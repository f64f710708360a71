/** Transforms documents by JSONata, each in a thread of its own: it may search without end, and nothing else can stop that. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import jsonata from 'jsonata';
import pLimit from 'p-limit';

interface Task {
  transform: string;
  document: string;
}

/** A machine with few cores would start many threads for longer than they work. */
const atATime = pLimit(4);

/** The result as JSON. Fails if it is not there within a limit of time and memory. */
export function transformJson(task: Task, limitMs = 10_000): Promise<string | undefined> {
  return atATime(async () => {
    // This file itself: it has another ending in a package.
    const thread = new Worker(new URL(import.meta.url), {
      workerData: task,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    thread.on('message', resolve).on('error', reject);
    const timer = setTimeout(
      () => reject(new Error(`takes longer than ${limitMs / 1000} s`)),
      limitMs,
    );
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      await thread.terminate();
    }
  });
}

const { transform, document } = (workerData ?? {}) as Partial<Task>;
if (parentPort && transform !== undefined && document !== undefined) {
  const result: unknown = await jsonata(transform, { stack: 500, sequence: 1_000_000 }).evaluate(
    JSON.parse(document),
  );
  // The lists of JSONata are not plain.
  parentPort.postMessage(JSON.stringify(result), []);
}
